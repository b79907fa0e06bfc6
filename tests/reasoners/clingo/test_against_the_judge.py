"""All answer streams, exactly those of the definition, at every time point of random scenarios."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings

from larspark.reasoners.clingo import ClingoReasoner
from support.judged import atoms, steps
from support.random_programs import Scenario
from support.strategies import CHOICES, CONSTRAINED, DISJUNCTIVE, GROUND, STRATIFIED, scenarios

SHAPES = {
    "stratified": (STRATIFIED, 150),
    "constraints": (CONSTRAINED, 100),
    "choices": (CHOICES, 350),
    "disjunction": (DISJUNCTIVE, 200),
    "ground": (GROUND, 200),
}


@pytest.mark.parametrize("name", SHAPES)
def test_all_answer_streams(name: str):
    shape, examples = SHAPES[name]

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    @given(scenarios(shape))
    def check(scenario: Scenario) -> None:
        for time, reasoner, expected in steps(scenario, ClingoReasoner):
            found = [atoms(time, stream) for stream in reasoner.answer(None).answer_streams]
            assert Counter(found) == Counter(expected)

    check()
