"""The judge against an encoding for clingo: random programs with choices, constraints and none at all."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from larspark.semantics.answer_streams import answer_streams
from semantics.second_route import models
from support.random_programs import Scenario, Shape, random_scenario
from support.strategies import CHOICES, CONSTRAINED, DISJUNCTIVE, GROUND, POSITIVE, STRATIFIED

CLASSES = {
    "positive": (POSITIVE, 200),
    "stratified": (STRATIFIED, 400),
    "constrained": (CONSTRAINED, 200),
    "choices": (CHOICES, 300),
    "disjunctive": (DISJUNCTIVE, 150),
    "ground": (GROUND, 150),
}


def sampled_times(random: Random, scenario: Scenario) -> list[int]:
    return random.sample(list(scenario.times), min(3, len(scenario.times)))


@pytest.mark.parametrize(("shape", "programs"), CLASSES.values(), ids=CLASSES)
def test_both_routes_agree(shape: Shape, programs: int) -> None:
    numbers: Counter[int] = Counter()
    for seed in range(programs):
        random = Random(f"second route {seed}")
        scenario = random_scenario(random, shape)
        stream = scenario.stream
        for at in sampled_times(random, scenario):
            judged = answer_streams(scenario.program, stream, at, background=scenario.background)
            found = models(scenario.program, stream.input, scenario.background, stream.start, at)
            assert {answer.atoms for answer in judged} == found, f"seed {seed} at {at}{scenario!r}"
            assert len(judged) == len(found)
            numbers[len(found)] += 1
    if shape.constraints:
        assert numbers[0] > 0, "no program without an answer stream among them"
    if shape.negation == "free":
        assert sum(times for number, times in numbers.items() if number > 1) > 10, "hardly a choice among them"


def test_there_are_enough_programs() -> None:
    assert sum(programs for _, programs in CLASSES.values()) >= 1_000
