"""Ticker's language checks: errors where they are ours, notes of the compatibility check where only Ticker's."""

from __future__ import annotations

import pytest

from larspark.analysis import analyse
from larspark.analysis.ticker_compatibility import ticker_objections, ticker_predicates
from larspark.language.parser import parse_duration, parse_program
from support.vectors import Case, cases

CODES = {
    "tuple_window_on_intensional": "E205",
    "head_variable": "E201",
    "incompatible_clock": "E301",
    "unguarded_variable": "E522",
    "multiple_time_variables": "E521",
}


@pytest.mark.parametrize("case", cases("ticker_check"), ids=str)
def test_checks(case: Case) -> None:
    analysis = analyse(parse_program("\n".join(case["program"])), clock=parse_duration(case["clock"]))
    findings = [finding.code for finding in analysis.diagnostics if finding.severity == "error"]
    if case["reasoner"] == "incremental":
        findings += [finding.code for finding in ticker_objections(analysis)]
    if case["expect"] == "ok":
        assert findings == []
    else:
        assert CODES[case["expect"]["error"]] in findings


@pytest.mark.parametrize("case", cases("ticker_predicates"), ids=str)
def test_implicit_classes(case: Case) -> None:
    found = ticker_predicates(parse_program("\n".join(case["program"])))
    assert {
        "intensional": sorted(signature.predicate for signature in found.intensional),
        "signals": sorted(signature.predicate for signature in found.signals),
        "background": sorted(signature.predicate for signature in found.background),
    } == case["expect"]


def test_ticker_restrictions_are_not_ours() -> None:
    analysis = analyse(parse_program("h(X) :- @T a(X) [3 s], @U b(X) [4 s], T < U."))
    assert analysis.ok
    assert [note.code for note in ticker_objections(analysis)] == ["E521", "E522"]
