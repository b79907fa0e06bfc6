"""The conformance kinds ticker_rule and ticker_window: the older published language is a subset of ours."""

from __future__ import annotations

import pytest

from larspark.diagnostics import Rejected
from larspark.language import parse_duration, parse_program, resolve
from larspark.language.tree import Rule, Some, TimeWindow, TupleWindow, Windowed
from support.vectors import Case, cases, formula

ERRORS = {"incompatible_clock": "E301", "bad_window_size": "E306"}


@pytest.mark.parametrize("case", cases("ticker_rule"), ids=str)
def test_ticker_rule(case: Case) -> None:
    (rule,) = resolve(parse_program(case["ticker"]), parse_duration(case["clock"])).rules
    expected = case["expect"]
    assert rule == Rule(formula(expected["head"]), tuple(map(formula, expected["body"])))


@pytest.mark.parametrize("case", cases("ticker_window"), ids=str)
def test_ticker_window(case: Case) -> None:
    program = parse_program(f"h :- a {case['window']}.")
    clock = parse_duration(case["clock"])
    if isinstance(case["expect"], int):
        (rule,) = resolve(program, clock).rules
        window = TupleWindow(case["expect"]) if "#" in case["window"] else TimeWindow(case["expect"])
        assert isinstance(rule.body[0], Windowed)
        assert (rule.body[0].window, type(rule.body[0].body)) == (window, Some)
    else:
        with pytest.raises(Rejected) as caught:
            resolve(program, clock)
        assert [found.code for found in caught.value.diagnostics] == [ERRORS[case["expect"]["error"]]]


def test_no_case_of_these_kinds_is_left_out() -> None:
    assert (len(cases("ticker_rule")), len(cases("ticker_window"))) == (9, 8)
