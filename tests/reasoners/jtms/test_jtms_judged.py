"""An answer stream of the definition at every time point of random scenarios, and changes that add up to it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from larspark.language.facts import Fact
from larspark.reasoners.jtms import JtmsReasoner
from larspark.reasoners.protocol import Change
from support.judged import analysed, atoms, steps, ticks
from support.loops import looping
from support.random_programs import Scenario
from support.strategies import CHOICES, CONSTRAINED, DISJUNCTIVE, GROUND, POSITIVE, STRATIFIED, scenarios
from support.tiers import part, partly

SHAPES = {
    "positive": (POSITIVE, 60),
    "stratified": (STRATIFIED, 150),
    "constraints": (CONSTRAINED, 60),
    "choices": (CHOICES, 200),
    "disjunction": (DISJUNCTIVE, 80),
    "ground choices": (GROUND, 100),
    "counted choices": (replace(CHOICES, aggregates=True), 60),
}


class Recorder(JtmsReasoner):
    """Remembers the last change."""

    last: Change

    def advance(self, time: int, atoms: list[Fact] | tuple[Fact, ...] = ()) -> Change:
        self.last = super().advance(time, atoms)
        return self.last


@pytest.mark.random
@pytest.mark.partly
@pytest.mark.parametrize("name", SHAPES)
def test_an_answer_stream(name: str):
    shape, examples = SHAPES[name]

    @settings(max_examples=part(examples), suppress_health_check=list(HealthCheck))
    @given(scenarios(shape).filter(lambda scenario: not analysed(scenario).accepts["jtms"]))
    def check(scenario: Scenario) -> None:
        now: set[Fact] = set()
        pinned: set[tuple[int, Fact]] = set()
        for time, reasoner, expected in steps(scenario, Recorder):
            found = reasoner.answer().answer_streams
            assert bool(found) == bool(expected) == reasoner.last.consistent
            assert all(atoms(time, stream) in expected for stream in found)
            now = now - reasoner.last.disappeared | reasoner.last.appeared
            pinned = pinned - reasoner.last.unpinned | reasoner.last.pinned
            for stream in found:
                assert now == stream.now
                assert pinned == {(at, fact) for at, facts in stream.at.items() for fact in facts}

    check()


@partly(200, suppress_health_check=list(HealthCheck))
@given(looping())
def test_even_and_odd_loops(scenario: Scenario):
    for time, reasoner, expected in steps(scenario, JtmsReasoner):
        found = [atoms(time, stream) for stream in reasoner.answer().answer_streams]
        assert bool(found) == bool(expected)
        assert all(stream in expected for stream in found)


@partly(120, suppress_health_check=list(HealthCheck))
@given(scenarios(CHOICES).filter(lambda scenario: not analysed(scenario).accepts["jtms"]))
def test_at_every_tick(scenario: Scenario):
    for time, reasoner, expected in ticks(scenario, JtmsReasoner):
        found = [atoms(time, stream) for stream in reasoner.answer().answer_streams]
        assert bool(found) == bool(expected)
        assert all(stream in expected for stream in found)
