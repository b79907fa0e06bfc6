"""How long an answer lasts: until then nothing changes, whatever the program, as long as nothing arrives."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given

from larspark.diagnostics import Rejected
from larspark.language.parser import parse_fact
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.protocol import Change
from support.analysed import analysed
from support.judged import analysed as analysed_scenario
from support.random_programs import Scenario
from support.strategies import ARRIVING, CONSTRAINED, scenarios
from support.tiers import partly


@partly(400, suppress_health_check=list(HealthCheck))
@given(scenarios(CONSTRAINED) | scenarios(ARRIVING))
def test_nothing_changes_before_it_may(scenario: Scenario) -> None:
    try:
        reasoner = IntervalReasoner(analysed_scenario(scenario), scenario.background, scenario.stream.start)
    except Rejected:
        return
    lasts: int | None = scenario.stream.start
    for time in scenario.times:
        arriving = [arrival.fact for arrival in scenario.stream.input if arrival.time == time]
        change = reasoner.advance(time, arriving)
        if not arriving and (lasts is None or time < lasts):
            assert change == Change(time, consistent=change.consistent)
        else:
            lasts = reasoner.next_change()
            assert lasts is None or lasts > time


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("q :- a [9].", 15),
        ("q :- not a [9].", 15),
        ("q :- a [all].", None),
        ("q :- a [3 #].", None),
        ("@(T+20) q :- @T a [all].", 25),
        ("q(N) :- N = #count{ 1 : a [9] }.", 15),
        ("q :- a [9 hop 3].", 6),
        ("q(now) :- a [9].", 6),
    ],
)
def test_how_long_an_answer_lasts(program: str, expected: int | None) -> None:
    reasoner = IntervalReasoner(analysed(program))
    reasoner.advance(5, [parse_fact("a")])
    assert reasoner.next_change() == expected


def test_what_is_due_far_ahead_is_found_without_going_there() -> None:
    """A word comes after every number, so `now` does not reach it."""
    reasoner = IntervalReasoner(analysed("q(X) :- a(X) [all], now >= X."))
    reasoner.advance(5, [parse_fact('a("two words")')])
    assert reasoner.next_change() is None
    reasoner.advance(6, [parse_fact("a(1000000000000)")])
    assert reasoner.next_change() == 1000000000000
