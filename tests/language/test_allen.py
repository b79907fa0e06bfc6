"""Allen's relations between intervals: thirteen of which one holds, in bodies, conditions and under `not`."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

import larspark
from larspark.diagnostics import Rejected
from larspark.language.parser import parse_program
from larspark.language.shorthands.allen import RELATIONS

PAGE = (Path(__file__).parents[2] / "docs/patterns.md").read_text("utf-8")
PASSIVE = {"met", "overlapped", "started", "finished"}
WORDS = {one: f"{one} by" if one in PASSIVE else one for one in RELATIONS}
INTERVALS = [(first, last) for first, last in product(range(5), repeat=2) if first <= last]


def _definition(relation: str, first: tuple[int, int], second: tuple[int, int]) -> bool:
    """By the sets of time points, and what lies next to them."""
    left, right = set(range(first[0], first[1] + 1)), set(range(second[0], second[1] + 1))
    begins, ends = first[0] - second[0], first[1] - second[1]
    match relation:
        case "before":
            return max(left) < min(right) and any(max(left) < one < min(right) for one in range(9))
        case "meets":
            return max(left) < min(right) and not any(max(left) < one < min(right) for one in range(9))
        case "overlaps":
            return bool(left & right) and begins < 0 and ends < 0
        case "starts":
            return left < right and begins == 0
        case "during":
            return left < right and begins > 0 and ends < 0
        case "finishes":
            return left < right and ends == 0
        case "equals":
            return left == right
    return _definition(
        {
            "after": "before",
            "met": "meets",
            "overlapped": "overlaps",
            "started": "starts",
            "contains": "during",
            "finished": "finishes",
        }[relation],
        second,
        first,
    )


@pytest.mark.parametrize("reasoner", ["reference", "interval", "clingo", "jtms", "answer-update"])
def test_each_pair_of_intervals_has_its_relation(reasoner: str) -> None:
    rules = [f"{name}(A,B,C,D) :- i(A,B), i(C,D), [A,B] {words} [C,D]." for name, words in WORDS.items()]
    rules += [f"{name}_not(A,B,C,D) :- i(A,B), i(C,D), not ([A,B] {words} [C,D])." for name, words in WORDS.items()]
    engine = larspark.Engine("\n".join(rules), reasoner=reasoner)
    engine.advance(0, [f"i({first},{last})" for first, last in INTERVALS])
    found = {(one.predicate, one.args) for one in engine.answer().answer_streams[0].now}
    for relation, first, second in product(RELATIONS, INTERVALS, INTERVALS):
        holds = _definition(relation, first, second)
        assert ((relation, (*first, *second)) in found) == holds, (relation, first, second)
        assert ((f"{relation}_not", (*first, *second)) in found) != holds, (relation, first, second)
    pairs = [args for name, args in found if not name.endswith("_not")]
    assert len(pairs) == len(set(pairs)) == len(INTERVALS) ** 2


def test_what_is_no_interval_has_no_relation() -> None:
    text = "".join(f"r :- i(A,B), i(C,D), [A,B] {words} [C,D]. " for words in WORDS.values())
    engine = larspark.Engine(text)
    engine.advance(0, ["i(3,2)", "i(5,4)"])
    assert not engine.answer().answer_streams[0].now


def test_in_conditions_and_formulas() -> None:
    counted = "n(N) :- N = #count{ A,B : i(A,B), [A,B] during [0,now] }. f :- ([1,2] meets [3,4] or a)."
    conditional = "g :- i(A,B) : [A,B] equals [1,2]; a. h :- i(A,B) : [A,B] equals [1,3]; a."
    engine = larspark.Engine(f"{counted} {conditional}")
    engine.advance(9, ["i(1,2)", "i(0,3)", "a"])
    assert set(map(str, engine.answer().answer_streams[0].now)) == {"n(1)", "f", "g"}


def test_words_stay_names_elsewhere() -> None:
    program = parse_program("before(X) :- during(X, by), met(X) [3], [1,2] before [3,4].")
    assert len(program.rules[0].body) == 5


@pytest.mark.parametrize("text", ["a :- [1,2] met [3,4].", "a :- [1] before [3,4].", "a :- [1,2] near [3,4]."])
def test_what_is_none_is_told_with_its_place(text: str) -> None:
    with pytest.raises(Rejected) as raised:
        parse_program(text)
    assert raised.value.diagnostics[0].origin is not None


def test_the_page_has_them_all() -> None:
    table = PAGE.partition("## Intervals of conclusions")[2]
    rows = re.findall(r"^\| `([a-z]+)` \| `.*` \| (?:`([a-z ]+)`)? ?\|$", table, re.MULTILINE)
    assert {word for row in rows for word in row if word} == set(WORDS.values())
