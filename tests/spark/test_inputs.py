"""Bounded runs over every kind of input: files that tell their times, files that are read before, DataFrames."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from random import Random
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from larspark.diagnostics import Rejected
from larspark.spark.bounded import sources, to_folder
from larspark.spark.bounded.sources import PlainFiles, plain_files
from larspark.spark.bounded.start import RunOptions
from larspark.spark.bounded.to_folder import WrittenRun, run_to_folder
from larspark.spark.bounded.to_frames import run_to_frames
from larspark.spark.interface import plan_of
from larspark.spark.plan.plan import SparkPlan
from larspark.spark.read import texts
from larspark.spark.read.inputs import inputs_of_frames, inputs_of_sources
from larspark.spark.read.rules import InputSource
from support.bounded_runs import write_arrivals
from support.interval_rows import Row, rows_of
from support.tables import as_rows
from support.uneven_arrivals import SKEWED, heavy_key

DAY = datetime(2026, 3, 1, tzinfo=UTC)
KEYED = "p(X, Y) :- e(X, Y) [2]. q(X) :- e(X, _) [1], not f(X) [1]."


def tables(spark: SparkSession, done: WrittenRun) -> tuple[set[Row], dict[str, list[str]]]:
    """The rows, and the types of the columns."""
    frames = {name: spark.read.parquet(str(place)) for name, place in done.places.items()}
    assert {name: frame.count() for name, frame in frames.items()} == dict(done.rows)
    return as_rows(frames), {name: [field.simpleString() for field in frame.schema] for name, frame in frames.items()}


def plain(spark: SparkSession, plan: SparkPlan, *places: str | InputSource) -> PlainFiles | None:
    return plain_files(inputs_of_sources(spark, places, plan.vocabulary), ordered=False)


def every_way(
    spark: SparkSession, plan: SparkPlan, folder: Path, options: RunOptions | None = None
) -> tuple[WrittenRun, set[Row]]:
    """From files as they are evaluated, from files that are read before, and from DataFrames."""
    options = options or RunOptions(partitions=3)
    source = str(folder / "in")
    assert plain(spark, plan, source) is not None
    direct = run_to_folder(spark, plan, [source], folder / "direct", options)
    with patch.object(to_folder, "plain_files", return_value=None):
        read = run_to_folder(spark, plan, [source], folder / "read", options)
    assert (direct.start, direct.end, direct.arrivals) == (read.start, read.end, read.arrivals)
    rows, types = tables(spark, direct)
    assert (rows, types) == tables(spark, read)
    frames = {path.stem: spark.read.parquet(str(path)) for path in (folder / "in").iterdir()}
    framed = run_to_frames(spark, plan, inputs_of_frames(frames, plan.vocabulary), options)
    assert (framed.start, framed.end, framed.arrivals) == (read.start, read.end, read.arrivals)
    found = {name: [field.simpleString() for field in frame.schema] for name, frame in framed.tables.items()}
    assert found == types
    if not any(planned.program.ordered for planned in plan.stages):
        assert as_rows(framed.tables) == rows
    framed.close()
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
    _, rows = every_way(spark, plan_of(f"#clock 1 min. {KEYED}", ()), tmp_path)
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
    _, rows = every_way(spark, plan_of(text, ()), tmp_path, RunOptions((0, 39), 3))
    assert len(rows) > 10


def test_a_heavy_key_is_divided_in_time(spark: SparkSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sources, "LOOKED_INTO", 400)
    arrivals = heavy_key(Random(5), 1200)
    write_arrivals(tmp_path / "in", arrivals, group=20)
    plan = plan_of(SKEWED, ())
    done, rows = every_way(spark, plan, tmp_path)
    assert "divided in time" in done.notes[0]
    assert rows == rows_of(plan.analysis, arrivals, 0, 59)


def test_nothing_to_conclude(spark: SparkSession, tmp_path: Path) -> None:
    write_arrivals(tmp_path / "in", heavy_key(Random(1), 5), group=9)
    _, rows = every_way(spark, plan_of("p(X, Y) :- never(X, Y). q :- not e(_).", ()), tmp_path)
    assert {name for name, *_ in rows} <= {"q"}


@pytest.mark.parametrize(
    "columns",
    [
        {"time": [1, None], "x": [1, 2]},
        {"time": [1, 2], "x": ["a", None]},
        {"time": [1, -1], "x": [1, 2]},
        {"time": ["1", "2"], "x": [1, 2]},
        {"time": [1, 2], "predicate": ["e", "f"], "x": [1, 2]},
        {"time": [1, 2], "atom": ["e(1)", "f(2)"]},
    ],
)
def test_what_footers_do_not_tell(spark: SparkSession, tmp_path: Path, columns: dict[str, object]) -> None:
    pq.write_table(pa.table(columns), tmp_path / "e.parquet")
    plan = plan_of("p(X) :- e(X).", ())
    assert plain(spark, plan, str(tmp_path / "e.parquet")) is None
    done = run_to_folder(spark, plan, [str(tmp_path)], tmp_path / "out", RunOptions(on_error="skip"))
    assert done.arrivals + sum(done.refused.values()) == 2
    assert done.rows["p"] >= 1


def test_columns_that_are_missing(spark: SparkSession, tmp_path: Path) -> None:
    pq.write_table(pa.table({"when": [1, 2], "x": [1, 2]}), tmp_path / "e.parquet")
    with pytest.raises(Rejected) as caught:
        plain(spark, plan_of("p(X) :- e(X).", ()), str(tmp_path / "e.parquet"))
    assert caught.value.diagnostics[0].code == "E407"


FORMS = ("p(X) :- e(X, _) [2].", "on(X) | off(X) :- e(X, _) [1].", "#record p/1. p(X) :- e(X, _). q(X) :- p(X) [3].")


@pytest.mark.parametrize("text", FORMS, ids=["intervals", "choices", "record"])
def test_the_same_from_every_format_to_every_format(spark: SparkSession, tmp_path: Path, text: str) -> None:
    plan = plan_of(text, ())
    random = Random(3)
    atoms = [(time, random.randint(0, 4), random.choice(["a", "b c", 'd"e,', "f"])) for time in range(40)]
    pq.write_table(
        pa.table(dict(zip(["time", "x", "y"], zip(*atoms, strict=True), strict=True))), tmp_path / "e.parquet"
    )
    with (tmp_path / "e.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("time", "x", "y"), *atoms])
    lines = [json.dumps({"time": time, "predicate": "e", "args": [x, y]}) + "\n" for time, x, y in atoms]
    (tmp_path / "s.jsonl").write_text("".join(lines))
    found = []
    for source, table_format in (("e.parquet", "csv"), ("e.csv", "json"), ("s.jsonl", "parquet")):
        with patch.object(texts, "SIZE", 100):
            options = RunOptions(partitions=2, table_format=table_format)
            done = run_to_folder(spark, plan, [str(tmp_path / source)], tmp_path / "out", options)
        assert done.arrivals == 40
        reader = spark.read.format(table_format).option("header", True)
        frames = {name: reader.load(str(place)) for name, place in done.places.items()}
        columns = {name: frame.columns for name, frame in frames.items()}
        names = {name: [one for one in ("arg1", "from", "to", "at") if one in columns[name]] for name in frames}
        found.append(
            {
                (name, *map(str, row))
                for name, frame in frames.items()
                for row in frame.select(*names[name][:3]).collect()
            }
        )
    assert found[0] == found[1] == found[2]
    assert found[0]


def test_files_out_of_order_are_cut_in_time(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrivals = heavy_key(Random(2), 600)
    shuffled = Random(1).sample(arrivals, len(arrivals))
    write_arrivals(tmp_path / "in", shuffled, group=4)
    plan = plan_of(SKEWED, ())
    assert plain(spark, plan, str(tmp_path / "in")) is None
    done = run_to_folder(spark, plan, [str(tmp_path / "in")], tmp_path / "out", RunOptions(partitions=2))
    assert tables(spark, done)[0] == rows_of(plan.analysis, arrivals, 0, arrivals[-1][0])


def test_other_names_for_columns(spark: SparkSession, tmp_path: Path) -> None:
    pq.write_table(pa.table({"when": [4, 6], "note": ["", ""], "unit": [1, 2]}), tmp_path / "export.parquet")
    source = InputSource(str(tmp_path / "export.parquet"), "e", ("unit",), "when")
    files = plain(spark, plan_of("p(X) :- e(X).", ()), source)
    assert files is not None
    (group,) = files.groups
    assert (group.columns, group.span, group.rows) == (("when", "unit"), (4, 6), 2)


def test_a_record_that_must_be_judged(spark: SparkSession, tmp_path: Path) -> None:
    """What a footer does not tell is noticed by the worker, and everything is read before the run."""
    pq.write_table(pa.table({"time": [1, 2], "x": [0.5, float("nan")]}), tmp_path / "e.parquet")
    words = (spark, plan_of("p(X) :- e(X).", ()), [str(tmp_path / "e.parquet")], tmp_path / "out")
    with pytest.raises(Rejected) as caught:
        run_to_folder(*words, RunOptions())
    assert caught.value.diagnostics[0].code == "E403"
    done = run_to_folder(*words, RunOptions(on_error="skip"))
    assert (done.arrivals, done.refused, done.rows) == (1, {"E403": 1}, {"p": 1})


def test_files_of_other_attempts_do_not_count(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def littered(*words: object) -> int:
        pq.write_table(pa.table({"arg1": [9], "from": [9], "to": [9], "at": [9]}), words[1].folder / "lost.parquet")
        return finished(*words)

    finished = to_folder._finished
    monkeypatch.setattr(to_folder, "_finished", littered)
    pq.write_table(pa.table({"time": [1], "x": [1]}), tmp_path / "e.parquet")
    done = run_to_folder(
        spark, plan_of("p(X) :- e(X).", ()), [str(tmp_path / "e.parquet")], tmp_path / "out", RunOptions()
    )
    assert tables(spark, done)[0] == {("p", (1,), 1, 1, None)}
