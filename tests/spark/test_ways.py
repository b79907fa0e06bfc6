"""Bounded runs over plain Parquet files: by the workers themselves and through DataFrames, with the same tables."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from larspark.diagnostics import Rejected
from larspark.spark.direct import run, sample
from larspark.spark.direct.columns import Unfit, argument
from larspark.spark.direct.tables import file_tables
from larspark.spark.interface import plan_of
from larspark.spark.pipeline_file import Source
from larspark.spark.plan import Plan
from larspark.spark.to_folder import BY_WORKERS, Options, Outcome, run_to_folder, through_frames, way_of
from support.direct_runs import write_arrivals
from support.interval_rows import Row, rows_of
from support.tables import as_rows
from support.uneven_arrivals import SKEWED, heavy_key

DAY = datetime(2026, 3, 1, tzinfo=UTC)
KEYED = "p(X, Y) :- e(X, Y) [2]. q(X) :- e(X, _) [1], not f(X) [1]."


def tables(spark: SparkSession, done: Outcome) -> tuple[set[Row], dict[str, list[str]]]:
    """The rows, and the types of the columns."""
    frames = {name: spark.read.parquet(str(place)) for name, place in done.places.items()}
    assert {name: frame.count() for name, frame in frames.items()} == dict(done.rows)
    return as_rows(frames), {name: [field.simpleString() for field in frame.schema] for name, frame in frames.items()}


def both_ways(
    spark: SparkSession, plan: Plan, folder: Path, options: Options | None = None
) -> tuple[Outcome, set[Row]]:
    options = options or Options(partitions=3)
    direct = run_to_folder(spark, plan, [str(folder / "in")], folder / "direct", options)
    assert direct.notes[0] == BY_WORKERS
    framed = through_frames(spark, plan, [str(folder / "in")], folder / "framed", options)
    assert framed.notes[0] == "Spark reads and writes the files: it was asked to"
    assert (direct.start, direct.end, direct.arrivals) == (framed.start, framed.end, framed.arrivals)
    rows, types = tables(spark, direct)
    assert (rows, types) == tables(spark, framed)
    return direct, rows


VALUES: Mapping[str, list[object]] = {
    "whole": [1, -2, 2**61],
    "text": ["a", "two words", "\0odd"],
    "decimal": [Decimal("1.50"), Decimal("3.00"), Decimal("-0.25")],
    "float": [0.1, 2.0, -0.0],
    "boolean": [True, False, True],
    "date": [date(2026, 1, 2), date(1970, 1, 1), date(2026, 1, 2)],
}


@pytest.mark.parametrize(
    ("one", "other", "times"),
    [("whole", "text", "points"), ("decimal", "float", "stamps"), ("boolean", "date", "points")],
)
def test_columns_keep_their_types(spark: SparkSession, tmp_path: Path, one: str, other: str, times: str) -> None:
    stamps = [DAY.replace(minute=5), DAY.replace(hour=1), DAY.replace(minute=7)]
    table = pa.table({"time": stamps if times == "stamps" else [3, 4, 0], "x": VALUES[one], "y": VALUES[other]})
    (tmp_path / "in").mkdir()
    pq.write_table(table, tmp_path / "in" / "e.parquet")
    pq.write_table(table.select(["time", "x"]), tmp_path / "in" / "f.parquet")
    _, rows = both_ways(spark, plan_of(f"#clock 1 min. {KEYED}", ()), tmp_path)
    assert rows


SEVERAL_STAGES = """\
seen(X) :- e(X, _) [3].
pair(X, Y) :- e(X, Y) [1], f(Y) [2].
busy(Y) :- pair(X, Y), seen(X), not g(Y) [1].
all(N) :- N = #count{ Y : busy(Y) }.
@(T + 2) again(X) :- @T f(X) [1], busy(X).
"""
TAKEN_BACK = ":- f(X) [0], g(X) [0]. p(X) :- e(X, _) [4]."
COUNTED = "last(X) :- f(X) [2 #]. of(X) :- e(X, _) [1 # per X], not last(X)."
SCATTERED = "#input p(x0). p(X) :- e(_, X) [1]. p(X) :- e(X, _) [2], not f(X). q(X) :- p(X) [1]."


@pytest.mark.parametrize(
    "text", [SEVERAL_STAGES, TAKEN_BACK, COUNTED, SCATTERED], ids=["stages", "void", "count", "both"]
)
def test_programs_of_every_kind(spark: SparkSession, tmp_path: Path, text: str) -> None:
    random = Random(7)
    for name, arity in {"e": 2, "f": 1, "g": 1, "p": 1, "strange": 1}.items():
        if name == "p" and text != SCATTERED:
            continue
        columns = {f"x{place}": [random.randint(0, 9) for _ in range(60)] for place in range(arity)}
        place = tmp_path / "in" / f"{name}.parquet"
        place.mkdir(parents=True)
        table = pa.table({"time": [random.randint(0, 40) for _ in range(60)], **columns})
        pq.write_table(table.slice(0, 25), place / "1.parquet", row_group_size=10)
        pq.write_table(table.slice(25), place / "2.parquet", row_group_size=10)
    _, rows = both_ways(spark, plan_of(text, ()), tmp_path, Options((0, 39), 3))
    assert len(rows) > 10


def test_a_heavy_key_is_divided_in_time(spark: SparkSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sample, "GROUPS", 400)
    arrivals = heavy_key(Random(5), 1200)
    write_arrivals(tmp_path / "in", arrivals, group=20)
    plan = plan_of(SKEWED, ())
    done, rows = both_ways(spark, plan, tmp_path)
    assert "divided in time" in done.notes[1]
    assert rows == rows_of(plan.analysis, arrivals, 0, 59)


def test_nothing_to_conclude(spark: SparkSession, tmp_path: Path) -> None:
    write_arrivals(tmp_path / "in", heavy_key(Random(1), 5), group=9)
    _, rows = both_ways(spark, plan_of("p(X, Y) :- never(X, Y). q :- not e(_).", ()), tmp_path)
    assert {name for name, *_ in rows} <= {"q"}


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"time": [1, None], "x": [1, 2]}, "may have empty cells"),
        ({"time": [1, 2], "x": ["a", None]}, "may have empty cells"),
        ({"time": [1, -1], "x": [1, 2]}, "a time is no time point"),
        ({"time": ["1", "2"], "x": [1, 2]}, "the column `time` of `{}` is of a type that Spark reads"),
        ({"time": [1, 2], "x": pa.array([1, 2], pa.uint8())}, "the column `x` of `{}` is of a type that Spark reads"),
        ({"time": [1, 2], "predicate": ["e", "f"], "x": [1, 2]}, "does not hold the arguments of one predicate"),
        ({"when": [1, 2], "x": [1, 2]}, "has other columns than the program expects"),
    ],
)
def test_what_is_left_to_spark(tmp_path: Path, columns: dict[str, object], reason: str) -> None:
    pq.write_table(pa.table(columns), tmp_path / "e.parquet")
    plan = plan_of("p(X) :- e(X).", ())
    with pytest.raises(Unfit, match=reason.format(tmp_path / "e.parquet")):
        file_tables([str(tmp_path / "e.parquet")], plan.vocabulary, utc=True)


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        ("p(X) :- e(X), not q(X). q(X) :- e(X), not p(X).", Options(), "depends on the one before"),
        ("p(X) :- e(X).", Options(changes=True), "not tables of intervals"),
        ("p(X) :- e(X).", Options(table_format="csv"), "not tables of intervals"),
        ("#input p(to). p(X) :- e(X).", Options(), "named like a column"),
    ],
)
def test_runs_that_are_left_to_spark(tmp_path: Path, text: str, options: Options, reason: str) -> None:
    pq.write_table(pa.table({"time": [1], "x": [1]}), tmp_path / "e.parquet")
    told = way_of(plan_of(text, ()), [str(tmp_path)], options)
    assert told.startswith("Spark reads and writes the files: ")
    assert reason in told


def test_files_out_of_order_are_left_to_spark(tmp_path: Path) -> None:
    pq.write_table(pa.table({"time": [1, 9] * 80, "x": [1] * 160}), tmp_path / "e.parquet", row_group_size=2)
    with pytest.raises(Unfit, match="not in the order of time"):
        file_tables([str(tmp_path)], plan_of("p(X) :- e(X).", ()).vocabulary, utc=True)


def test_other_names_for_columns(tmp_path: Path) -> None:
    pq.write_table(pa.table({"when": [4, 6], "note": ["", ""], "unit": [1, 2]}), tmp_path / "export.parquet")
    source = Source(str(tmp_path / "export.parquet"), "e", ("unit",), "when")
    (table,) = file_tables([source], plan_of("p(X) :- e(X).", ()).vocabulary, utc=True)
    assert (table.time, table.arguments) == ("when", ("unit",))
    assert [(group.first, group.last, group.rows) for group in table.groups] == [(4, 6, 2)]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e-40, 2.0**63])
def test_numbers_that_no_argument_can_be(value: float) -> None:
    with pytest.raises(Unfit):
        argument(pa.chunked_array([[0.5, value]]))


def test_a_record_that_must_be_judged(spark: SparkSession, tmp_path: Path) -> None:
    """What a footer does not tell is noticed by the worker, and the run is made through DataFrames."""
    pq.write_table(pa.table({"time": [1, 2], "x": [0.5, float("nan")]}), tmp_path / "e.parquet")
    words = (spark, plan_of("p(X) :- e(X).", ()), [str(tmp_path / "e.parquet")], tmp_path / "out")
    with pytest.raises(Rejected) as caught:
        run_to_folder(*words, Options())
    assert caught.value.diagnostics[0].code == "E403"
    done = run_to_folder(*words, Options(on_error="skip"))
    assert (done.arrivals, done.refused, done.rows) == (1, {"E403": 1}, {"p": 1})


def test_files_of_other_attempts_do_not_count(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def littered(*words: object) -> int:
        pq.write_table(pa.table({"arg1": [9], "from": [9], "to": [9], "at": [9]}), words[1].folder / "lost.parquet")
        return finished(*words)

    finished = run._finished
    monkeypatch.setattr(run, "_finished", littered)
    pq.write_table(pa.table({"time": [1], "x": [1]}), tmp_path / "e.parquet")
    done = run_to_folder(
        spark, plan_of("p(X) :- e(X).", ()), [str(tmp_path / "e.parquet")], tmp_path / "out", Options()
    )
    assert tables(spark, done)[0] == {("p", (1,), 1, 1, None)}
