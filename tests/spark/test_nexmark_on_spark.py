"""Queries of NEXMark on Spark say what `evaluate` says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shutil import copy

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from larspark.bench.nexmark.answers import Row, at, in_order, intervals, side_facts
from larspark.bench.nexmark.catalogue import FOLDER, QUERIES
from larspark.bench.nexmark.generator import BEGIN, GeneratedEvents, tables, write
from larspark.bench.nexmark.run_spark import bounded, followed, in_pieces
from larspark.language.printing.printer import show
from larspark.runtime.prepared import prepare
from larspark.spark import reason
from larspark.spark.bounded.start import RunOptions
from larspark.spark.bounded.to_folder import run_to_folder
from larspark.spark.interface import plan_of
from larspark.spark.read.rules import InputSource
from support.nexmark import SOME, fit_for_all, shown_alone
from support.side_by_side import Piece, side_by_side

STREAM = GeneratedEvents(1_000, rate=50)


@pytest.mark.parametrize("name", ["q8", "q12", "q20"])
def test_spark_says_the_same_at_every_window_end(spark: SparkSession, tmp_path: Path, name: str) -> None:
    query = QUERIES[name]
    write(STREAM, tmp_path)
    frames = {
        kind: spark.read.parquet(str(tmp_path / f"{kind}.parquet")).select(*columns)
        for kind, columns in query.inputs.items()
    }
    found = reason(query.program, frames, timeline=(STREAM.begin, STREAM.end), points=True)[name].collect()
    expected = intervals(query, tables(STREAM), STREAM)
    for end in range(STREAM.begin, STREAM.end + 1, query.step):
        holding = [row for row in found if row["from"] <= end <= row["to"]]
        arguments = [
            [row[column] for column in row.__fields__ if column not in ("from", "to", "at")] for row in holding
        ]
        assert in_order(arguments) == at(expected, end)


@pytest.fixture(scope="module")
def side_by_side_on_spark(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Row]]:
    """What each of all queries concludes, in one run over two partitions."""
    folder, made = tmp_path_factory.mktemp("nexmark"), fit_for_all(SOME)
    copy(FOLDER / "functions.py", folder)
    pieces = [Piece(shown_alone(query), (), tuple(side_facts(query))) for query in QUERIES.values()]
    together = side_by_side(pieces)
    once = replace(together.program, directives=tuple(dict.fromkeys(together.program.directives)))
    (folder / "all.lars").write_text(show(once), "utf-8")
    for number, query in enumerate(QUERIES.values()):
        for kind, columns in query.inputs.items():
            pq.write_table(made[kind].select(columns), folder / f"{kind}_{number}.parquet")
    plan = plan_of(prepare(folder / "all.lars", background=together.background, allow_functions=True))
    sources = [InputSource(str(path)) for path in sorted(folder.glob("*.parquet"))]
    options = RunOptions((SOME.begin, SOME.end), partitions=2, points=True)
    run_to_folder(spark, plan, sources, folder / "out", options)
    tables = {name: pq.read_table(folder / "out" / f"{name}_{number}") for number, name in enumerate(QUERIES)}
    return {name: _rows(table.drop_columns(["at"])) for name, table in tables.items()}


@pytest.mark.parametrize("name", QUERIES)
def test_all_queries_side_by_side_hold_as_long(side_by_side_on_spark: dict[str, list[Row]], name: str) -> None:
    expected = intervals(QUERIES[name], fit_for_all(SOME), SOME)
    assert len(expected)
    assert side_by_side_on_spark[name] == _rows(expected)


def _rows(table: pa.Table) -> list[Row]:
    return in_order(zip(*(column.to_pylist() for column in table.columns), strict=True))


def test_a_measured_run_and_a_measured_stream_write_the_same(spark: SparkSession, tmp_path: Path) -> None:
    query = QUERIES["q12"]
    data, run, stream = tmp_path / "data", tmp_path / "run", tmp_path / "stream"
    write(STREAM, data)
    in_pieces(query, data)
    plan = plan_of(prepare(query.program))
    bounded(spark, plan, query, data, STREAM, run)
    followed(spark, plan, query, data, STREAM, stream)
    expected = intervals(query, tables(STREAM), STREAM)
    last = BEGIN + 10_000
    for place, ends in ((run, query.ends(STREAM.begin, STREAM.end)), (stream, [last])):
        found = pq.read_table(place / query.name).drop_columns(["at"])
        for end in ends:
            assert at(found, end) == at(expected, end)
    assert at(expected, last)
