"""Streams of programs whose evaluations depend on those before: the same rows in any micro-batches."""

from __future__ import annotations

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.spark.plan.plan import SparkPlan, make_plan
from larspark.spark.stream.results.tables import Style
from support.bounded_runs import rows_in_partitions
from support.choosing_programs import random_arrivals, random_program
from support.chosen_rows import all_answers, assert_chosen
from support.interval_rows import rows_of
from support.streams import PlainStream, as_text, rows_in
from support.tiers import partly

PROGRAMS = {
    "recorded": """
        #record warm/1.
        warm(X) :- a(X).
        warm(X) :- warm(X) [1], not b(X) [0].
        often(X) :- a(X) [6], #count{ T : @T warm(X) [4] } >= 2.
        all :- often(x), often(y).
    """,
    "one of two": """
        left(X) :- a(X) [3], not right(X).
        right(X) :- a(X) [3], not left(X).
        :- right(X), b(X) [2].
        moved(X) :- right(X), c.
    """,
    "in layers": """
        seen(X) :- a(X) [2], not b(X).
        on(X) | off(X) :- seen(X).
        busy | idle :- c [4].
        :- off(X), on(Y), b(Y) [1].
        waits(X) :- off(X), busy.
    """,
    "no answer": "p(X) | q(X) :- a(X) [2]. :- a(X) [1], b(X) [1].",
    "counted": "#record last/1. last(X) :- a(X) [2 #], not b(X). was(X) :- last(X) [2], c [1].",
}


def feed(plan: SparkPlan, arrivals: list[tuple[int, Fact]], output: Path, random: Random) -> None:
    """All arrivals, in random micro-batches."""
    style = random.choice([Style(), Style(early=True)])
    stream = PlainStream(plan, output, 0, random.choice([1, 2]), random, style)
    cuts = sorted(random.sample(range(1, len(arrivals)), min(5, len(arrivals) - 1)))
    for first, last in zip([0, *cuts], [*cuts, len(arrivals)], strict=True):
        stream.feed(arrivals[first:last])
    stream.feed([], ended=True)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("seed", range(2))
def test_any_micro_batches(name: str, seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    analysis = analyse(parse_program(PROGRAMS[name])).require()
    plan = make_plan(analysis)
    times = sorted(random.randint(2, 25) for _ in range(25))
    arrivals = [
        (time, Fact("c", ()) if random.random() < 0.2 else Fact(random.choice("aab"), (random.choice("xyz"),)))
        for time in times
    ]
    feed(plan, arrivals, tmp_path, random)
    if plan.chooses:  # the same choices as in a bounded run, with another number of partitions
        found = rows_in_partitions(plan, arrivals, times[0], times[-1], 3)
        assert_chosen(found, all_answers(analysis, arrivals, times[0], times[-1]))
    else:
        found = rows_of(analysis, arrivals, times[0], times[-1])
    assert found
    assert rows_in(plan, tmp_path) == as_text(found)


@partly(25)
@given(st.integers(0, 2**48))
def test_random_choices(seed: int) -> None:
    random = Random(seed)
    _, plan = random_program(random)
    arrivals = random_arrivals(random)
    with TemporaryDirectory() as folder:
        feed(plan, arrivals, Path(folder), random)
        bounded = rows_in_partitions(plan, arrivals, arrivals[0][0], arrivals[-1][0], 3)
        assert rows_in(plan, Path(folder)) == as_text(bounded)
