"""Shorthands of answer set programming mean what clingo itself takes them to mean."""

from __future__ import annotations

import clingo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.analysis.pipeline import analyse
from larspark.language.parser import parse_program
from larspark.reasoners.registry import make_reasoner

Models = frozenset[frozenset[str]]

FACTS = st.sampled_from(["q(1..2).", "q(1;3).", "r(1;2,2).", "q(0).", "s.", "t(1..3)."])
ARGUMENTS = st.sampled_from(["X", "1..2", "X;3", "2"])
POSITIVE = st.sampled_from(["q(X)", "t(X)", "q(X), t(X)", "X = 1..2", "r(X,_)"])


@st.composite
def _rules(draw: st.DrawFn) -> str:
    kind = draw(st.sampled_from(["rule", "choice", "exactly", "conditional", "constraint"]))
    body = draw(POSITIVE)
    match kind:
        case "rule":
            return f"a({draw(ARGUMENTS)}) :- {body}, not b({draw(ARGUMENTS)})."
        case "choice":
            lower, upper = draw(st.sampled_from(["", "1", "2"])), draw(st.sampled_from(["", "0", "1", "2"]))
            other = draw(st.sampled_from(["", "; s2", "; a(1..2)", "; b(1;3) : s"]))
            tail = draw(st.sampled_from(["", " :- s", " :- q(1..2)", " :- t(Y), not b(Y)"]))
            return f"{lower} {{ b({draw(ARGUMENTS)}) : {body}{other} }} {upper}{tail}."
        case "exactly":
            return f"{{ b(X) : {body} }} = {draw(st.integers(0, 2))}."
        case "conditional":
            sign = draw(st.sampled_from(["", "not "]))
            return f"c :- {sign}b({draw(ARGUMENTS)}) : {body}{draw(st.sampled_from(['', '; s', '; s2 : s']))}."
        case _:
            return f":- {body}, b({draw(ARGUMENTS)}), not a(X)."


PROGRAMS = st.tuples(st.lists(FACTS, max_size=4), st.lists(_rules(), min_size=1, max_size=3)).map(
    lambda parts: " ".join([*parts[0], *parts[1]])
)


def native(text: str) -> Models:
    control = clingo.Control(["0", "--warn=none"])
    control.add("base", [], text)
    control.ground([("base", [])])
    found: set[frozenset[str]] = set()
    control.solve(on_model=lambda model: found.add(frozenset(map(str, model.symbols(atoms=True)))))
    return frozenset(found)


def ours(text: str, name: str) -> Models:
    analysis = analyse(parse_program(text)).require(name)
    reasoner = make_reasoner(name, analysis, (), 0)
    reasoner.advance(0, ())
    found = reasoner.answer(None).answer_streams
    return frozenset(frozenset(str(fact) for fact in one.now if fact.signature in analysis.shown) for one in found)


@settings(max_examples=60)
@given(PROGRAMS)
def test_random_programs_have_the_answer_sets_of_clingo(text: str) -> None:
    assert ours(text, "clingo") == native(text), text


@pytest.mark.parametrize(
    "text",
    [
        "q(1..3). 2 { a(X) : q(X) } 2.",
        "q(1..3). { a(X) : q(X) } 1. b :- not a(X) : q(X).",
        "{ a(1..2) }. 1 { b(X) : a(X) } 1 :- a(1;2).",
        "a(1). { a(1); b } = 1.",
    ],
)
@pytest.mark.parametrize("name", ["clingo", "reference"])
def test_solvers_choose_as_clingo_does(text: str, name: str) -> None:
    assert ours(text, name) == native(text)
