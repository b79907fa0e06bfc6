"""Queries of NEXMark on Spark say what `evaluate` says."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from larspark.bench.nexmark.answers import at, in_order, intervals
from larspark.bench.nexmark.catalogue import QUERIES
from larspark.bench.nexmark.generator import BEGIN, GeneratedEvents, tables, write
from larspark.bench.nexmark.run_spark import bounded, followed, in_pieces
from larspark.runtime.prepared import prepare
from larspark.spark import reason
from larspark.spark.interface import plan_of

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
