"""Heavy partitions are divided in time, where the rules allow it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from larspark.analysis.pipeline import analyse
from larspark.bench.experiments.skew import busiest
from larspark.language.parser import parse_program
from larspark.spark.plan.division import LONGER, divide
from larspark.spark.plan.plan import EvaluationSpan, SparkPlan, make_plan
from larspark.spark.plan.work import StagePart

SPAN = EvaluationSpan(0, 0, 999)


def plan_of(text: str) -> SparkPlan:
    return make_plan(analyse(parse_program(text)))


def sample(weights: dict[int, int]) -> np.ndarray:
    """So many arrivals in a bucket, evenly over the time."""
    rows = [(number * 1000 // count, bucket) for bucket, count in weights.items() for number in range(count)]
    return np.array(rows, np.int64)


def test_even_partitions_stay_whole() -> None:
    division = divide(plan_of("p(X) :- a(X) [5]."), 0, sample({0: 100, 1: 110, 2: 90}), SPAN, 3)
    assert division.parts == tuple(StagePart(bucket, 0, 999) for bucket in range(3))
    assert not division.divided
    assert not division.note


def test_the_spans_of_a_heavy_partition_follow_each_other() -> None:
    division = divide(plan_of("p(X) :- a(X) [5]."), 0, sample({0: 40, 1: 800, 2: 60}), SPAN, 3)
    spans = sorted(part[1:] for part in division.parts if part.bucket == 1)
    assert len(spans) == 6  # 2 for each of the 800 / 300 average partitions, rounded up
    assert spans[0][0] == 0
    assert spans[-1][1] == 999
    assert all(end + 1 == begin for (_, end), (begin, _) in pairwise(spans))
    assert [part for part in division.parts if part.bucket != 1] == [StagePart(0, 0, 999), StagePart(2, 0, 999)]
    assert division.reach == 5
    assert division.note == "stage 1: 89% of what it reads is in 1 of 3 partitions; divided in time, there are 8"


def test_spans_are_longer_than_the_windows() -> None:
    division = divide(plan_of("p(X) :- a(X) [60]."), 0, sample({0: 10, 1: 900, 2: 10}), SPAN, 3)
    assert all(part.end - part.begin + 1 >= LONGER * 60 for part in division.parts)
    short = divide(plan_of("p(X) :- a(X) [600]."), 0, sample({0: 10, 1: 900, 2: 10}), SPAN, 3)
    assert not short.divided
    assert short.note.endswith("the timeline is too short to be divided")


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("p(X) :- a(X) [all].", "a/1 can matter for ever"),
        ("p(X) :- a(X) [2 # per X].", "a window counts arrivals"),
        ("p(X) | q(X) :- a(X) [2].", "every evaluation depends on the one before"),
    ],
)
def test_why_it_is_not_divided(text: str, because: str) -> None:
    division = divide(plan_of(text), 0, sample({0: 10, 1: 900, 2: 10}), SPAN, 3)
    assert not division.divided
    assert division.note.endswith(f"; time cannot be divided, because {because}")


def test_conclusions_do_not_keep_a_stage_whole() -> None:
    plan = plan_of("p(X, Y) :- a(X, Y), b(X). q(Y) :- p(X, Y) [3], c(Y) [20].")
    division = divide(plan, 1, sample({0: 10, 1: 900, 2: 10}), SPAN, 3)
    assert division.divided
    assert division.reach == 20


def test_one_partition_is_divided_among_the_cores() -> None:
    plan = plan_of("p(X, Y) :- a(X) [5], b(Y) [3], X < Y.")
    assert not plan.stages[0].stage.keyed
    division = divide(plan, 0, sample({0: 900}), SPAN, 3)
    assert [part.bucket for part in division.parts] == [0] * 6
    assert division.note == "stage 1: everything is in one partition; divided in time, there are 6"
    assert not divide(plan, 0, sample({0: 900}), SPAN, 1).divided
    assert not divide(plan, 0, sample({0: 30}), SPAN, 3).divided


def test_the_simulation_shows_the_gain() -> None:
    whole, divided = busiest(1 / np.arange(1, 101))
    assert whole > 10
    assert divided < 1.5
