"""All answer streams, exactly those of the definition, at every time point of random scenarios."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from larspark.reasoners.clingo import ClingoReasoner
from larspark.reasoners.clingo.encoding import encode
from larspark.reasoners.clingo.standing import can_stand
from support.judged import analysed, atoms, steps, ticks
from support.loops import looping
from support.random_programs import Scenario, Shape
from support.strategies import CHOICES, CONSTRAINED, DISJUNCTIVE, GROUND, STRATIFIED, scenarios
from support.tiers import part, partly

SHAPES = {
    "stratified": (STRATIFIED, 100),
    "constraints": (CONSTRAINED, 100),
    "choices": (CHOICES, 250),
    "disjunction": (DISJUNCTIVE, 150),
    "ground": (GROUND, 150),
}


@pytest.mark.random
@pytest.mark.partly
@pytest.mark.parametrize("name", SHAPES)
def test_all_answer_streams(name: str):
    shape, examples = SHAPES[name]

    @settings(max_examples=part(examples), suppress_health_check=list(HealthCheck))
    @given(scenarios(shape))
    def check(scenario: Scenario) -> None:
        for time, reasoner, expected in steps(scenario, ClingoReasoner):
            found = [atoms(time, stream) for stream in reasoner.answer(None).answer_streams]
            assert Counter(found) == Counter(expected)

    check()


@partly(200, suppress_health_check=list(HealthCheck))
@given(looping())
def test_even_and_odd_loops(scenario: Scenario):
    for time, reasoner, expected in steps(scenario, ClingoReasoner):
        found = [atoms(time, stream) for stream in reasoner.answer(None).answer_streams]
        assert Counter(found) == Counter(expected)


@pytest.mark.parametrize(
    "shape",
    [replace(CHOICES, rules=3, pinned_heads=False), replace(STRATIFIED, rules=3, pinned_heads=False)],
    ids=["choices", "stratified"],
)
def test_programs_that_stand(shape: Shape):
    @settings(max_examples=60, suppress_health_check=list(HealthCheck))
    @given(scenarios(shape).filter(stands))
    def check(scenario: Scenario) -> None:
        for time, reasoner, expected in steps(scenario, ClingoReasoner):
            found = [atoms(time, stream) for stream in reasoner.answer(None).answer_streams]
            assert Counter(found) == Counter(expected)

    check()


def stands(scenario: Scenario) -> bool:
    analysis = analysed(scenario)
    return analysis.ok and can_stand(analysis, encode(analysis, scenario.background))


@partly(80, suppress_health_check=list(HealthCheck))
@given(scenarios(CHOICES))
def test_at_every_tick(scenario: Scenario):
    for time, reasoner, expected in ticks(scenario, ClingoReasoner):
        found = [atoms(time, stream) for stream in reasoner.answer(None).answer_streams]
        assert Counter(found) == Counter(expected)
