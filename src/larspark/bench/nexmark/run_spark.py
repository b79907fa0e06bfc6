"""One query by larspark on Spark, one core: a bounded run or a stream, Parquet files in, Parquet tables out.

`python -m larspark.bench.nexmark.run_spark FOLDER WARM QUERY EVENTS RATE run|follow OUTPUT` prints the CPU seconds of
Python, Java and the workers as JSON, after runs over the folder WARM: starting Spark is not counted, planning and
starting jobs is.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from shutil import rmtree
from typing import Any

import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from larspark.bench.measuring.tree import cpu_of_tree, peak_of_tree
from larspark.bench.nexmark.answers import rows_to_compare, side_facts
from larspark.bench.nexmark.catalogue import QUERIES, NexmarkQuery
from larspark.bench.nexmark.generator import GeneratedEvents
from larspark.runtime.prepared import prepare
from larspark.spark.bounded.start import RunOptions
from larspark.spark.bounded.to_folder import run_to_folder
from larspark.spark.interface import plan_of
from larspark.spark.plan.plan import SparkPlan
from larspark.spark.read.following import follow_sources
from larspark.spark.read.rules import InputSource
from larspark.spark.session.session import spark_session
from larspark.spark.stream.stream import TableStream

PASSES = 2
"""Runs over a little data, so that Java has compiled what runs often."""


def measured(
    query: NexmarkQuery, folder: Path, warm: Path, stream: GeneratedEvents, way: str, output: Path
) -> dict[str, Any]:
    """What a query costs."""
    session = spark_session("local[1]", {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "1"})
    plan = plan_of(prepare(query.program, background=side_facts(query), allow_functions=True))
    run = {"run": bounded, "follow": followed}[way]
    little = stream.little
    for _ in range(PASSES):
        rmtree(output, ignore_errors=True)
        run(session, plan, query, warm, little, output)
    compared = rows_to_compare(query, pq.read_table(output / query.name), little) if way == "run" else None
    rmtree(output)
    began, before = time.monotonic(), cpu_of_tree()
    run(session, plan, query, folder, stream, output)
    seconds, wall, peak = cpu_of_tree() - before, time.monotonic() - began, peak_of_tree()
    rows = sum(pq.read_metadata(place).num_rows for place in (output / query.name).glob("*.parquet"))
    rmtree(output)
    session.stop()
    return {"cpu": seconds, "wall": wall, "resident": peak, "rows": rows, "compared": compared}


def bounded(
    session: SparkSession, plan: SparkPlan, query: NexmarkQuery, folder: Path, stream: GeneratedEvents, output: Path
) -> None:
    """What `larspark run` does."""
    sources = [InputSource(str(folder / f"{name}.parquet")) for name in query.inputs]
    options = RunOptions((stream.begin, stream.end), partitions=1, points=True)
    run_to_folder(session, plan, sources, output, options)


def followed(
    session: SparkSession, plan: SparkPlan, query: NexmarkQuery, folder: Path, _stream: GeneratedEvents, output: Path
) -> None:
    """What `larspark run --follow --once` does: micro-batches, and what follows up to the last event."""
    options = {"maxFilesPerTrigger": "1"}
    sources = [InputSource(str(folder / "pieces" / name), options=options) for name in query.inputs]
    inputs = follow_sources(session, sources, plan.vocabulary, output / "_journals")
    stream = TableStream(plan, output, buckets=1, sources=tuple(sources), strict=True, points=True)
    query_of_spark = stream.start(session, inputs, once=True)
    query_of_spark.awaitTermination()
    stream.finish(session)


def in_pieces(query: NexmarkQuery, folder: Path) -> None:
    """A file for each piece of the stream."""
    for name in query.inputs:
        place = folder / "pieces" / name
        place.mkdir(parents=True, exist_ok=True)
        file = pq.ParquetFile(folder / f"{name}.parquet")
        for number in range(file.num_row_groups):
            pq.write_table(file.read_row_group(number), place / f"{number:06d}.parquet")


if __name__ == "__main__":
    _, place, warm, name, events, rate, way, written = sys.argv
    stream = GeneratedEvents(int(events), int(rate))
    if way == "follow":
        in_pieces(QUERIES[name], Path(warm))
        in_pieces(QUERIES[name], Path(place))
    print(json.dumps(measured(QUERIES[name], Path(place), Path(warm), stream, way, Path(written))))
