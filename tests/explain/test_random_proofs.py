"""Every atom of an answer has a proof that the judge accepts, and no other atom has one."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, reject, settings

from larspark.diagnostics import Rejected
from larspark.explain.evaluations.world import World
from larspark.explain.proofs.build import proofs
from larspark.explain.proofs.proof import Question
from larspark.explain.verification.verify import verify
from support.explained import case_of
from support.random_programs import Scenario, Shape
from support.strategies import ARRIVING, CHOICES, DISJUNCTIVE, STRATIFIED, WIDE, WIDE_CHOICES, WIDE_FULL, scenarios
from support.tiers import partly

SLOW = settings(suppress_health_check=list(HealthCheck))


def check(scenario: Scenario, reasoner: str | None = None) -> None:
    case = case_of(scenario, reasoner)
    try:
        history = case.setting.evaluate(case.arrivals, case.end)
    except Rejected:
        reject()
    for time in scenario.times[:: max(1, len(scenario.times) // 3)]:
        if not history.consistent(time):
            continue
        world = World.of(case.setting, time, history, case.setting.until(time))
        answer = history.atoms(time)
        for point, fact in sorted(answer, key=str)[:8]:
            question = Question("why", fact, time, None if point == time else point)
            found = proofs(world, question, depth=None)
            assert found, question
            text = json.loads(json.dumps(found[0].as_json()))
            try:
                assert verify(text, case.setting) is None, f"{question} {text}"
            except Rejected as rejected:
                if rejected.diagnostics[0].code == "E504":  # too much for the judge
                    reject()
                raise
        for _, fact in sorted(history.atoms(scenario.times[-1]) - answer, key=str)[:4]:
            if world.source((time, fact)) is None:
                assert not proofs(world, Question("why", fact, time))


@given(scenarios(STRATIFIED))
@partly(60, SLOW)
def test_stratified(scenario: Scenario) -> None:
    check(scenario)


@given(scenarios(WIDE))
@partly(60, SLOW)
def test_every_construct(scenario: Scenario) -> None:
    check(scenario, "reference")


@pytest.mark.parametrize(
    "shape",
    [CHOICES, DISJUNCTIVE, WIDE_CHOICES, ARRIVING, WIDE_FULL],
    ids=["choices", "disjunctive", "wide", "arriving", "full"],
)
def test_other_shapes(shape: Shape) -> None:
    @given(scenarios(shape))
    @settings(SLOW, max_examples=15)
    def run(scenario: Scenario) -> None:
        check(scenario, "reference")

    run()
