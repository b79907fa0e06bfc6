"""Random programs and random micro-batches: the rows of a bounded run; without Spark, so that many can be tried."""

from __future__ import annotations

from collections import Counter
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
from larspark.blocks import Block
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.values import Value
from larspark.spark.plan.plan import SparkPlan, make_plan
from larspark.spark.stream.buckets import bucket, log
from larspark.spark.stream.results.tables import Style
from support.bounded_runs import rows_of_block
from support.interval_rows import rows_of
from support.keyed_programs import BACKGROUND, random_arrivals, random_rules
from support.random_programs import Scenario
from support.strategies import CONSTRAINED, scenarios
from support.streams import Arrival, Change, PlainFrames, PlainStream, as_changes, as_text, changes_in, rows_in, text

BUCKETS = st.sampled_from([1, 2, 3])


@pytest.fixture(autouse=True)
def small_logs() -> Iterator[None]:
    """Logs that are written anew after a few rows."""
    with patch.object(bucket, "SLACK", 3), patch.object(log, "SEGMENT_ROWS", 2):
        yield


def check(plan: SparkPlan, arrivals: list[Arrival], random: Random, buckets: int) -> None:
    """Feed the arrivals, some of them late; after every micro-batch the tables are those of a bounded run.

    It ends at the watermark; or, where answers are wanted early, at the latest time seen, with what has come so far.
    """
    lateness, style = random.choice([0, 0, 3]), Style(early=random.random() < 0.3, changes=random.random() < 0.3)
    shifted = sorted(arrivals, key=lambda one: one[0] + random.randint(0, lateness))
    with TemporaryDirectory() as folder:
        output = Path(folder)
        stream = PlainFrames(plan, output, lateness, buckets, random, style)
        cuts = sorted(random.sample(range(1, len(shifted)), min(len(shifted) - 1, random.randint(0, 4))))
        for first, last in zip([0, *cuts], [*cuts, len(shifted)], strict=True):
            stream.feed(shifted[first:last])
            so_far = sorted(shifted[:last], key=lambda one: one[0])
            compare(plan, output, style, so_far, so_far[-1][0] if style.early else stream.checkpoint.last().watermark)
        stream.feed([], ended=True)
        assert stream.checkpoint.last().late == 0
        compare(plan, output, style, so_far, so_far[-1][0])
        check_frames(plan, stream.found, style, so_far)


def check_frames(plan: SparkPlan, found: list[Block], style: Style, arrivals: list[Arrival]) -> None:
    """What streaming DataFrames have told in the end: intervals when they had ended, none twice; or changes."""
    first, last = arrivals[0][0], arrivals[-1][0]
    expected = rows_of(plan.analysis, arrivals, first, last, plan.background)
    if style.changes:
        signs: Counter[Change] = Counter()
        for part in found:
            for name, args, time, sign, at in rows_of_block(part):
                signs[name, tuple(map(text, args)), at, time] += sign
        assert {change: sign for change, sign in signs.items() if sign} == as_changes(expected, last)
    else:
        rows = [row for part in found for row in rows_of_block(part)]
        assert len(rows) == len(set(rows))
        assert set(rows) == {row for row in expected if row[3] < last}


def compare(plan: SparkPlan, output: Path, style: Style, arrivals: list[Arrival], end: int) -> None:
    arrived = [one for one in arrivals if one[0] <= end]
    expected = rows_of(plan.analysis, arrived, arrivals[0][0], end, plan.background) if arrived else set()
    if style.changes:
        assert changes_in(plan, output) == as_changes(expected, end)
    else:
        assert rows_in(plan, output) == as_text(expected)


@settings(max_examples=10)
@given(st.integers(0, 2**48), BUCKETS)
def test_programs_that_are_split(seed: int, buckets: int) -> None:
    random = Random(seed)
    text = "\n".join(random_rules(random))
    background = tuple(Fact("bg", (value,)) for value in random.sample(BACKGROUND, 3))
    analysis = analyse(parse_program(text), background={fact.signature for fact in background}).require()
    check(make_plan(analysis, background), random_arrivals(random), random, buckets)


@settings(max_examples=10)
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


def test_the_type_of_a_column_follows_its_values(tmp_path: Path) -> None:
    plan = make_plan(analyse(parse_program("p(X, Y) :- a(X, Y).")))
    stream = PlainStream(plan, tmp_path, 0, 1, Random(1))

    def types_after(time: int, value: Value) -> tuple[pa.DataType, pa.DataType]:
        stream.feed([(time, Fact("a", (value, time))), (time + 1, Fact("other", ()))])
        (found,) = {(table.field("arg1").type, table.field("arg2").type) for table in schemas(tmp_path / "p")}
        return found

    assert types_after(1, 2**62) == (pa.int64(), pa.int64())
    assert types_after(3, Decimal("2.5")) == (pa.decimal128(38, 1), pa.int64())
    assert types_after(5, Decimal("-0.125")) == (pa.decimal128(38, 3), pa.int64())
    assert pq.read_table(tmp_path / "p").sort_by("from").column("arg1").to_pylist() == [
        *(Decimal(2**62), Decimal("2.5"), Decimal("-0.125")),
    ]
    assert types_after(7, "x") == (pa.string(), pa.int64())
    assert types_after(9, Decimal("1.5")) == (pa.string(), pa.int64())
    stream.feed([], ended=True)
    assert pq.read_table(tmp_path / "p").sort_by("from").to_pydict() == {
        "arg1": [str(2**62), "2.5", "-0.125", "x", "1.5"],
        "arg2": [1, 3, 5, 7, 9],
        "from": [1, 3, 5, 7, 9],
        "to": [1, 3, 5, 7, 9],
        "at": [None] * 5,
    }


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ((2**63, 1), pa.string()),
        ((10**18, Decimal(f"0.{'1' * 25}")), pa.string()),
        ((10, Decimal(f"0.{'1' * 25}")), pa.decimal128(38, 25)),
    ],
)
def test_numbers_for_which_no_type_has_room_are_text(
    tmp_path: Path, values: tuple[Value, Value], kind: pa.DataType
) -> None:
    plan = make_plan(analyse(parse_program("p(X) :- a(X).")))
    stream = PlainStream(plan, tmp_path, 0, 1, Random(1))
    for time, value in enumerate(values, 1):
        stream.feed([(time, Fact("a", (value,)))])
    stream.feed([], ended=True)
    assert {table.field("arg1").type for table in schemas(tmp_path / "p")} == {kind}
    assert rows_in(plan, tmp_path) == as_text(("p", (value,), time, time, None) for time, value in enumerate(values, 1))


def schemas(folder: Path) -> list[pa.Schema]:
    return [pq.read_schema(path) for path in folder.iterdir()]


def test_what_no_window_sees_is_dropped(tmp_path: Path) -> None:
    plan = make_plan(analyse(parse_program("p(X) :- a(X) [3]. q(X, Y) :- a(X) [1 #], b(Y) [2].")))
    stream = PlainStream(plan, tmp_path, 0, 2, Random(3))
    for time in range(10, 60):
        stream.feed([(time, Fact("ab"[time % 2], (time % 5,)))])
    assert stream.state_size() < 40


def test_early_changes_are_taken_back(tmp_path: Path) -> None:
    """Every row stays where it is written; the late b makes two of them wrong."""
    plan = make_plan(analyse(parse_program("p(X) :- a(X) [3], not b(X).")))
    stream = PlainStream(plan, tmp_path, 2, 1, Random(1), Style(early=True, changes=True))
    stream.feed([(1, Fact("a", ("x",))), (3, Fact("a", ("y",)))])
    stream.feed([(3, Fact("b", ("x",)))])
    stream.feed([(9, Fact("a", ("z",)))])
    stream.feed([], ended=True)
    rows = [pq.read_table(path).select(["arg1", "change", "time"]) for path in sorted((tmp_path / "p").iterdir())]
    assert [sorted(tuple(row.values()) for row in part.to_pylist()) for part in rows] == [
        [("x", "+", 1), ("y", "+", 3)],
        [("x", "-", 3)],
        [("x", "+", 4), ("x", "-", 5), ("y", "-", 7), ("z", "+", 9)],
    ]


def test_changes_are_told_once(tmp_path: Path) -> None:
    plan = make_plan(analyse(parse_program("p(X) :- a(X) [3].")))
    stream = PlainStream(plan, tmp_path, 0, 2, Random(1), Style(changes=True))
    for time, name in ((1, "x"), (2, "y"), (3, "x"), (4, "z"), (9, "y")):
        stream.feed([(time, Fact("a", (name,)))])
    stream.feed([], ended=True)
    rows = pq.read_table(tmp_path / "p").select(["arg1", "change", "time"]).to_pylist()
    assert sorted(tuple(row.values()) for row in rows) == [
        *(("x", "+", 1), ("x", "-", 7)),
        *(("y", "+", 2), ("y", "+", 9), ("y", "-", 6)),
        *(("z", "+", 4), ("z", "-", 8)),
    ]
