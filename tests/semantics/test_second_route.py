"""The judge against an encoding for clingo: random programs with choices, preferences, constraints and none at all.

At time points a program of every class is looked at now and then, at ticks after every arrival.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.resolve import resolve
from larspark.semantics.answer_streams import answer_streams
from larspark.semantics.interpretations import Interpretation
from larspark.semantics.preference import preferred
from larspark.semantics.streams import Stream
from semantics.second_route import models
from support.random_programs import Scenario, Shape, random_scenario
from support.strategies import CHOICES, CONSTRAINED, DISJUNCTIVE, GROUND, POSITIVE, PREFERRING, STRATIFIED

CLASSES = {
    "positive": (POSITIVE, 200),
    "stratified": (STRATIFIED, 400),
    "constrained": (CONSTRAINED, 200),
    "choices": (CHOICES, 300),
    "disjunctive": (DISJUNCTIVE, 150),
    "ground": (GROUND, 150),
    "preferring": (PREFERRING, 200),
}
TICKED = {"choices": (CHOICES, 60), "disjunctive": (DISJUNCTIVE, 40), "preferring": (PREFERRING, 100)}


def judge(scenario: Scenario, at: int, count: int | None = None) -> list[Interpretation]:
    program, background = scenario.program, scenario.background
    found = answer_streams(program, scenario.stream, at, count=count, background=background)
    return preferred(program, found, at, background=background)


def sampled_times(random: Random, scenario: Scenario) -> list[int]:
    return random.sample(list(scenario.times), min(3, len(scenario.times)))


@pytest.mark.random
@pytest.mark.parametrize(("shape", "programs"), CLASSES.values(), ids=CLASSES)
def test_both_routes_agree(shape: Shape, programs: int) -> None:
    numbers: Counter[int] = Counter()
    for seed in range(programs):
        random = Random(f"second route {seed}")
        scenario = random_scenario(random, shape)
        stream = scenario.stream
        for at in sampled_times(random, scenario):
            judged = judge(scenario, at)
            found = models(scenario.program, stream.input, scenario.background, stream.start, at)
            assert {answer.atoms for answer in judged} == found, f"seed {seed} at {at}{scenario!r}"
            assert len(judged) == len(found)
            numbers[len(found)] += 1
    if shape.constraints:
        assert numbers[0] > 0, "no program without an answer stream among them"
    if shape.negation == "free":
        assert sum(times for number, times in numbers.items() if number > 1) > 10, "hardly a choice among them"


@pytest.mark.random
@pytest.mark.parametrize(("shape", "programs"), TICKED.values(), ids=TICKED)
def test_both_routes_agree_at_every_tick(shape: Shape, programs: int) -> None:
    several = 0
    for seed in range(programs):
        scenario = random_scenario(Random(f"second route at ticks {seed}"), shape)
        stream = scenario.stream
        for count, (at, _) in enumerate(stream.input, 1):
            judged = judge(scenario, at, count)
            found = models(scenario.program, stream.input[:count], scenario.background, stream.start, at)
            assert {answer.atoms for answer in judged} == found, f"seed {seed}, tick {count} at {at}{scenario!r}"
            several += len(found) > 1
    assert several > 10, "hardly a choice among them"


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("p :- not q. q :- not p. #prefer 2 : q, e [1 #]. #prefer 1, b : p.", ["p", "q", "p"]),
        (
            "p | q :- e [2 #]. #prefer 0.5 : p. #prefer 0.25, X : q, f(X) [3 #]. #prefer 0.75, b : q, f(2) [3 #].",
            [
                "-",
                "p",
                "q",
            ],
        ),
        ("p :- not q. q :- not p. #prefer 5 : p. #prefer x@2 : q. #prefer 1@1 : q, f(X) [1 #].", ["q", "p", "q"]),
    ],
)
def test_preferences_change_between_the_ticks_of_a_time_point(text: str, chosen: list[str]) -> None:
    program = resolve(parse_program(text))
    arrivals = [(4, Fact("f", (1,))), (4, Fact("e")), (4, Fact("f", (2,)))]
    scenario = Scenario(program, Stream.of(0, None, arrivals), ())
    for count, expected in enumerate(chosen, 1):
        judged = {answer.atoms for answer in judge(scenario, 4, count)}
        assert judged == models(program, arrivals[:count], (), 0, 4)
        assert judged == {frozenset() if expected == "-" else frozenset({(4, Fact(expected))})}


def test_there_are_enough_programs() -> None:
    assert sum(programs for _, programs in CLASSES.values()) >= 1_000
