"""What the analysis promises, checked with the judge on random programs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis.strategies import DataObject, data

from larspark.analysis import Analysis, Retention, analyse
from larspark.analysis.analysis import Latest
from larspark.language.facts import Fact
from larspark.semantics.answer_streams import answer_streams
from larspark.semantics.streams import Arrival, Stream
from support.random_programs import OVER_ANYTHING, Scenario, Shape
from support.strategies import CHOICES, DISJUNCTIVE, STRATIFIED, scenarios
from support.tiers import partly

DROPPED = Fact("dropped")
"""Stands for an arrival that is not kept: tuple windows number it, and nothing reads it."""

# A filter before a tuple window counts arrivals that need not be kept for their own sake.
COUNTABLE = replace(STRATIFIED, windows=(*OVER_ANYTHING, "tuple", "per", "time-tuple", "tuple-time"))


def analysis_of(scenario: Scenario) -> Analysis:
    return analyse(scenario.program, background={fact.signature for fact in scenario.background})


@pytest.mark.parametrize("shape", [STRATIFIED, CHOICES, DISJUNCTIVE], ids=["stratified", "choices", "disjunctive"])
@settings(max_examples=60)
@given(draw=data())
def test_random_programs_are_right(shape: Shape, draw: DataObject) -> None:
    analysis = analysis_of(draw.draw(scenarios(shape)))
    assert [finding for finding in analysis.diagnostics if finding.severity == "error"] == []
    assert "clingo" in analysis.reasoners


@partly(150)
@given(scenarios(STRATIFIED))
def test_the_interval_reasoner_is_offered_programs_with_one_answer_stream(scenario: Scenario) -> None:
    assert "interval" in analysis_of(scenario).reasoners
    time = scenario.times[-3]
    assert len(answer_streams(scenario.program, scenario.stream, time, background=scenario.background)) == 1


@partly(600)
@given(scenarios(COUNTABLE))
def test_what_retention_drops_does_not_matter(scenario: Scenario) -> None:
    retention = analysis_of(scenario).retention
    for time in scenario.times[::3]:
        arrivals = [arrival for arrival in scenario.stream.input if arrival.time <= time]
        kept = [
            arrival
            if is_kept(retention.get(arrival.fact.signature), arrivals[position:], time)
            else Arrival(arrival.time, DROPPED)
            for position, arrival in enumerate(arrivals)
        ]
        pruned = Stream.of(scenario.stream.start, None, kept)
        before = answer_streams(scenario.program, scenario.stream, time, background=scenario.background)
        after = answer_streams(scenario.program, pruned, time, background=scenario.background)
        assert [found.atoms for found in after] == [found.atoms for found in before]


def is_kept(retention: Retention | None, from_here: list[Arrival], now: int) -> bool:
    """Whether the first of these arrivals has to be kept at `now`."""
    if retention is None:
        return False
    time, fact = from_here[0]
    if retention.past is None or time >= now - retention.past:
        return True
    same = [later for later in from_here if later.fact.signature == fact.signature]
    return any(
        _is_among(latest, time, [one for one in same if _agree(latest.keys, one.fact, fact)])
        for latest in retention.latest
    )


def _is_among(latest: Latest, time: int, same: list[Arrival]) -> bool:
    """Whether the first of the arrivals with its key is one of the latest, or of the time point of one."""
    return sum(not latest.whole or one.time > time for one in same) < latest.count + (not latest.whole)


def _agree(keys: tuple[int, ...], one: Fact, other: Fact) -> bool:
    return all(one.args[key] == other.args[key] for key in keys)
