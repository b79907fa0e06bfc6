"""The interval reasoner beside the definition, on random programs, at every time point and at every tick."""

from __future__ import annotations

import os

from hypothesis import given, reject

from larspark.diagnostics import Rejected
from larspark.reasoners.interval import IntervalReasoner
from larspark.semantics.answer_streams import answer_streams
from support.judged import analysed, atoms, steps
from support.random_programs import Scenario
from support.strategies import CONSTRAINED, POSITIVE, STRATIFIED, scenarios
from support.tiers import partly

FACTOR = 34 if os.environ.get("LARSPARK_EXHAUSTIVE") else 1
"""The thorough run looks at 1,500 programs, the exhaustive one at 100,000."""


def same_at_time_points(scenario: Scenario) -> None:
    for time, reasoner, expected in steps(scenario, IntervalReasoner):
        answers = [atoms(time, stream) for stream in reasoner.answer().answer_streams]
        assert answers == expected, f"at {time}\n{scenario}"


@partly(FACTOR * 900)
@given(scenarios(POSITIVE))
def test_positive_programs(scenario: Scenario) -> None:
    same_at_time_points(scenario)


@partly(FACTOR * 1_000)
@given(scenarios(STRATIFIED))
def test_stratified_programs(scenario: Scenario) -> None:
    same_at_time_points(scenario)


@partly(FACTOR * 600)
@given(scenarios(CONSTRAINED))
def test_constraints(scenario: Scenario) -> None:
    same_at_time_points(scenario)


@partly(FACTOR * 500)
@given(scenarios(STRATIFIED))
def test_ticks(scenario: Scenario) -> None:
    """Push reading: evaluate when a time point begins and after each arrival."""
    analysis = analysed(scenario)
    count = 0
    try:
        reasoner = IntervalReasoner(analysis, scenario.background, scenario.stream.start)
        for time in scenario.times:
            arriving = [arrival.fact for arrival in scenario.stream.input if arrival.time == time]
            for tick in ([], *([fact] for fact in arriving)):
                count += len(tick)
                reasoner.advance(time, tick)
                expected = answer_streams(
                    analysis.program, scenario.stream, time, background=scenario.background, count=count
                )
                answers = [atoms(time, stream) for stream in reasoner.answer().answer_streams]
                assert answers == [found.atoms for found in expected], f"at {time}, {count}\n{scenario}"
    except Rejected:
        reject()
