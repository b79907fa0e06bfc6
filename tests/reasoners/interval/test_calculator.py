"""What the machine asks Python: parts of times within a second, functions, texts of every kind."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import larspark
from larspark.intervals.rules.arithmetic import COMPARISONS, MISSING, OPERATIONS, UNDEFINED
from larspark.intervals.rules.decimals import compare_decimals
from larspark.language.facts import Fact
from larspark.language.values import NotANumber, Value, calculate, compare, normal
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.planning.plan import Functions
from larspark.reasoners.interval.state.calculator import Calculator
from larspark.reasoners.interval.state.dictionary import Dictionary
from larspark.runtime.prepared import prepare

MIDNIGHT = datetime(2015, 7, 15, tzinfo=UTC)


@pytest.mark.parametrize("begin", [MIDNIGHT, MIDNIGHT + timedelta(microseconds=999_500)])
def test_parts_of_a_time_change_where_the_second_does(begin: datetime) -> None:
    program = "#clock 1 ms. seen(N, D, H, M) :- bid(N), D = date(now), H = hour(now), M = minute(now)."
    moments = [86_399_998, 86_399_999, 86_400_000, 86_400_001, 90_059_999, 90_060_000]
    found = larspark.evaluate(program, [(time, ("bid", time)) for time in moments], epoch=begin, points=True)
    expected = []
    for time in moments:
        moment = begin + timedelta(milliseconds=time)
        expected.append((time, f"{moment:%Y-%m-%d}", moment.hour, moment.minute))
    assert [tuple(row.values())[:4] for row in found["seen"].to_pylist()] == expected


@pytest.mark.parametrize(("term", "without"), [("X^X", 5000), ("4/X", 0), ("X+1", "text")])
def test_what_has_no_value_does_not_fire_and_is_counted(term: str, without: Value) -> None:
    reasoner = IntervalReasoner(prepare(f"p({term}) :- a(X). n(N) :- N = #count{{ {term} : a(X) }}.").analysis)
    assert not reasoner.undefined
    reasoner.advance(0, [Fact("a", (2,)), Fact("a", (without,))])
    (stream,) = reasoner.answer().answer_streams
    assert sorted(fact.predicate for fact in stream.now) == ["n", "p"]
    assert Fact("n", (1,)) in stream.now
    assert reasoner.undefined >= 1


def test_texts_that_look_like_escapes_stay_what_they_are() -> None:
    texts = ["plain", "\0", "\0plain", "\x001", "\0\0", "plain", "12", "1.5"]
    columns = {"time": list(range(len(texts))), "text": texts}
    found = larspark.evaluate("#input said(text: text). heard(T) :- said(T).", {"said": columns}, points=True)
    assert [row["text"] for row in found["heard"].to_pylist()] == texts


NUMBERS = st.builds(
    lambda units, digits: normal(Decimal(units).scaleb(-digits)),
    st.integers(-(10**4), 10**4) | st.integers(-(2**64), 2**64),
    st.integers(0, 20),
)
VALUES = NUMBERS | st.integers(-(2**64), 2**64) | st.sampled_from(["a", "\0", ""])


@given(st.sampled_from(["+", "-", "*", "/", "%"]), st.lists(st.tuples(VALUES, VALUES), min_size=1))
def test_arithmetic_on_many_is_that_on_one(operator: str, pairs: list[tuple[Value, Value]]) -> None:
    known = Dictionary()
    calculator = Calculator(known, Functions(), {}, None)
    rows = np.array([(OPERATIONS[operator], *map(known.encode, pair), 0) for pair in pairs], np.int64)
    asked, answers = calculator.answers(np.concatenate((rows, rows)))
    found = {tuple(row[1:3]): answer for row, answer in zip(asked.tolist(), answers.tolist(), strict=True)}
    assert len(found) == len(asked)
    for left, right in pairs:
        answer = found[known.encode(left), known.encode(right)]
        try:
            expected = calculate(operator, left, right)
        except NotANumber:
            assert answer == UNDEFINED
        else:
            assert answer == known.encode(expected)
            assert known.decode(answer) == expected


@given(st.sampled_from(["<", "<=", ">", ">="]), st.lists(st.tuples(VALUES, VALUES), min_size=1))
def test_many_are_compared_like_one(operator: str, pairs: list[tuple[Value, Value]]) -> None:
    known = Dictionary()
    calculator = Calculator(known, Functions(), {}, None)
    rows = np.array([(COMPARISONS[operator], *map(known.encode, pair)) for pair in pairs], np.int64)
    asked, answers = calculator.answers(rows)
    for (_, *codes), answer in zip(asked.tolist(), answers.tolist(), strict=True):
        left, right = map(known.decode, codes)
        assert answer == compare(operator, left, right)
        assert compare_decimals(COMPARISONS[operator], *codes, calculator.decimals.known) in (answer, MISSING)


def test_compiled_code_compares_decimals() -> None:
    known = Dictionary()
    calculator = Calculator(known, Functions(), {}, None)
    codes = known.encode_all([Decimal("1.5"), Decimal("-0.25")])
    assert compare_decimals(COMPARISONS["<"], *codes.tolist(), calculator.decimals.known) == MISSING
    calculator.decimals.units(codes)
    decimals = calculator.decimals.known
    assert compare_decimals(COMPARISONS["<"], *codes.tolist(), decimals) == 0
    assert compare_decimals(COMPARISONS[">"], int(codes[0]), 2, decimals) == 1
    assert compare_decimals(COMPARISONS[">="], 2, int(codes[0]), decimals) == 0


FUNCTIONS = """
from pathlib import Path

def length(text):
    with Path(__file__).with_name("asked").open("a") as asked:
        asked.write(text + "|")
    return len(text)
"""


def test_functions_are_asked_behind_conditions_and_once_for_each_value(tmp_path: Path) -> None:
    (tmp_path / "functions.py").write_text(FUNCTIONS)
    program = tmp_path / "program.lars"
    program.write_text(
        '#function length/1 from "functions.py".\n'
        "long(N, L, P) :- said(N, T, K), L = length(T), P = 0.5 * K, P > 2, P < 3.\n"
    )
    said = [(0, ("said", number, text, key)) for number, (text, key) in enumerate([("a", 1), ("bc", 5), ("d", 6)] * 2)]
    found = larspark.evaluate(program, said, allow_functions=True)["long"].to_pylist()
    assert [tuple(row.values())[:3] for row in found] == [(1, "2", Decimal("2.5")), (4, "2", Decimal("2.5"))]
    assert (tmp_path / "asked").read_text() == "bc|"
