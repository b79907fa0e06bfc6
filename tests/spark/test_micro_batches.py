"""Random programs and random micro-batches: the rows of a bounded run; without Spark, so that many can be tried."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.spark.plan import Plan, make_plan
from larspark.spark.streaming import Style, bucket, log
from support.interval_rows import Row, rows_of
from support.keyed_programs import BACKGROUND, random_arrivals, random_rules
from support.random_programs import Scenario
from support.strategies import CONSTRAINED, scenarios
from support.streams import Arrival, PlainStream, as_text, rows_in

BUCKETS = st.sampled_from([1, 2, 3])


@pytest.fixture(autouse=True)
def small_logs() -> Iterator[None]:
    """Logs that are written anew after a few rows."""
    with patch.object(bucket, "SLACK", 3), patch.object(log, "SEGMENT_ROWS", 2):
        yield


def check(plan: Plan, arrivals: list[Arrival], random: Random, buckets: int) -> None:
    """Feed the arrivals, some of them late; after every micro-batch the tables are those of a bounded run.

    It ends at the watermark; or, where answers are wanted early, at the latest time seen, with what has come so far.
    """
    lateness, early = random.choice([0, 0, 3]), random.random() < 0.3
    shifted = sorted(arrivals, key=lambda one: one[0] + random.randint(0, lateness))
    with TemporaryDirectory() as folder:
        output = Path(folder)
        stream = PlainStream(plan, output, lateness, buckets, random, Style.EARLY if early else Style.FINAL)
        cuts = sorted(random.sample(range(1, len(shifted)), min(len(shifted) - 1, random.randint(0, 4))))
        for first, last in zip([0, *cuts], [*cuts, len(shifted)], strict=True):
            stream.feed(shifted[first:last])
            so_far = sorted(shifted[:last], key=lambda one: one[0])
            end = so_far[-1][0] if early else stream.checkpoint.last().watermark
            assert rows_in(plan, output) == bounded(plan, so_far, end)
        stream.feed([], ended=True)
        assert stream.checkpoint.last().late == 0
        assert rows_in(plan, output) == bounded(plan, so_far, so_far[-1][0])


def bounded(plan: Plan, arrivals: list[Arrival], end: int) -> set[Row]:
    arrived = [one for one in arrivals if one[0] <= end]
    return as_text(rows_of(plan.analysis, arrived, arrivals[0][0], end, plan.background)) if arrived else set()


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**48), BUCKETS)
def test_programs_that_are_split(seed: int, buckets: int) -> None:
    random = Random(seed)
    text = "\n".join(random_rules(random))
    background = tuple(Fact("bg", (value,)) for value in random.sample(BACKGROUND, 3))
    analysis = analyse(parse_program(text), background={fact.signature for fact in background}).require()
    check(make_plan(analysis, background), random_arrivals(random), random, buckets)


@settings(max_examples=10, deadline=None)
@given(scenarios(CONSTRAINED), BUCKETS, st.integers(0, 2**32))
def test_any_stratified_program(scenario: Scenario, buckets: int, seed: int) -> None:
    arrivals = [(arrival.time, arrival.fact) for arrival in scenario.stream.input]
    analysis = analyse(scenario.program, background={fact.signature for fact in scenario.background})
    try:
        plan = make_plan(analysis, scenario.background)
    except Rejected:
        reject()
    if not arrivals:
        reject()
    check(plan, arrivals, Random(seed), buckets)


def test_a_column_of_numbers_becomes_one_of_text(tmp_path: Path) -> None:
    plan = make_plan(analyse(parse_program("p(X, Y) :- a(X, Y).")))
    stream = PlainStream(plan, tmp_path, 0, 1, Random(1))
    stream.feed([(1, Fact("a", (1, 10))), (3, Fact("a", (2, 20)))])
    (table,) = (pq.read_table(path) for path in (tmp_path / "p").iterdir())
    assert table.schema.types[:2] == [pa.int64(), pa.int64()]
    stream.feed([(5, Fact("a", (Decimal("2.5"), 30))), (9, Fact("a", (3, 40)))])
    stream.feed([], ended=True)
    assert pq.read_table(tmp_path / "p").sort_by("from").to_pydict() == {
        "arg1": ["1", "2", "2.5", "3"],
        "arg2": [10, 20, 30, 40],
        "from": [1, 3, 5, 9],
        "to": [1, 3, 5, 9],
        "at": [None] * 4,
    }


def test_what_no_window_sees_is_dropped(tmp_path: Path) -> None:
    plan = make_plan(analyse(parse_program("p(X) :- a(X) [3]. q(X, Y) :- a(X) [1 #], b(Y) [2].")))
    stream = PlainStream(plan, tmp_path, 0, 2, Random(3))
    for time in range(10, 60):
        stream.feed([(time, Fact("ab"[time % 2], (time % 5,)))])
    assert stream.state_size() < 40


def test_changes_are_told_once(tmp_path: Path) -> None:
    plan = make_plan(analyse(parse_program("p(X) :- a(X) [3].")))
    stream = PlainStream(plan, tmp_path, 0, 2, Random(1), Style.CHANGES)
    for time, name in ((1, "x"), (2, "y"), (3, "x"), (4, "z"), (9, "y")):
        stream.feed([(time, Fact("a", (name,)))])
    stream.feed([], ended=True)
    rows = pq.read_table(tmp_path / "p").select(["arg1", "change", "time"]).to_pylist()
    assert sorted(tuple(row.values()) for row in rows) == [
        *(("x", "+", 1), ("x", "-", 7)),
        *(("y", "+", 2), ("y", "+", 9), ("y", "-", 6)),
        *(("z", "+", 4), ("z", "-", 8)),
    ]
