"""Answers are the same whatever the chunking, and changes add up to answers."""

from __future__ import annotations

from unittest import mock

from hypothesis import given
from hypothesis import strategies as st

from larspark.language.facts import Fact
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.engine import evaluation
from larspark.reasoners.interval.state.arrivals import Arrivals
from support.judged import analysed, of_accepted_programs
from support.random_programs import Scenario
from support.strategies import ARRIVING, CONSTRAINED, scenarios
from support.tiers import partly


def reasoner_for(scenario: Scenario) -> IntervalReasoner:
    return IntervalReasoner(analysed(scenario), scenario.background, scenario.stream.start)


@partly(600)
@given(scenarios(CONSTRAINED) | scenarios(ARRIVING), st.sets(st.integers(0, 16), max_size=5))
@of_accepted_programs
def test_cutting_the_stream_anywhere(scenario: Scenario, cuts: set[int]) -> None:
    point_by_point, in_chunks = reasoner_for(scenario), reasoner_for(scenario)
    first = scenario.stream.start
    for time in scenario.times:
        point_by_point.advance(time, [arrival.fact for arrival in scenario.stream.input if arrival.time == time])
        if time - scenario.stream.start in cuts or time == scenario.times[-1]:
            part = [tuple(arrival) for arrival in scenario.stream.input if first <= arrival.time <= time]
            in_chunks.advance_batch(time, Arrivals.of(part, in_chunks.dictionary))
            first = time + 1
            assert in_chunks.answer() == point_by_point.answer(), f"at {time}\n{scenario}"


@partly(300)
@given(scenarios(CONSTRAINED) | scenarios(ARRIVING))
@of_accepted_programs
def test_changes_add_up_to_the_answer(scenario: Scenario) -> None:
    reasoner = reasoner_for(scenario)
    now: set[Fact] = set()
    pinned: set[tuple[int, Fact]] = set()
    for time in scenario.times:
        arriving = [arrival.fact for arrival in scenario.stream.input if arrival.time == time]
        change = reasoner.advance(time, arriving)
        assert not change.appeared & now
        assert change.disappeared <= now
        now = now - change.disappeared | change.appeared
        assert not change.pinned & pinned
        assert change.unpinned <= pinned
        pinned = pinned - change.unpinned | change.pinned
        streams = reasoner.answer().answer_streams
        assert change.consistent == bool(streams)
        assert now == (streams[0].now if streams else set())
        at = {(when, fact) for when, facts in streams[0].at.items() for fact in facts} if streams else set()
        assert pinned == at


@partly(300)
@given(scenarios(CONSTRAINED) | scenarios(ARRIVING))
@of_accepted_programs
def test_a_chunk_taken_in_parts_changes_the_same(scenario: Scenario) -> None:
    """The change of small parts together is that of one large step."""
    whole, parts = reasoner_for(scenario), reasoner_for(scenario)
    arrivals = [tuple(arrival) for arrival in scenario.stream.input]
    until = scenario.times[-1]
    expected = whole.advance_batch(until, Arrivals.of(arrivals, whole.dictionary))
    with mock.patch.object(evaluation, "PART", 3):
        found = parts.advance_batch(until, Arrivals.of(arrivals, parts.dictionary))
    assert found == expected
    assert parts.answer() == whole.answer()
