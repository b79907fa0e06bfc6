"""Hand-written Spark SQL over the Parquet files of a folder, one core, without anything of larspark on Spark.

`python -m larspark.bench.nexmark.run_spark_sql FOLDER WARM QUERY EVENTS RATE` prints the CPU seconds of Python and Java
as JSON, after runs over the folder WARM: starting Spark is not counted, planning queries is. Windows are asked for all
at once; what has no window is computed anew at every end of one. Every row of the answers is made and dropped.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as sf

from larspark.bench.measuring.tree import cpu_of_tree, peak_of_tree
from larspark.bench.nexmark.catalogue import QUERIES, SIDE, NexmarkQuery
from larspark.bench.nexmark.generator import GeneratedEvents
from larspark.spark.session.java import java_home

FOLDER = Path(__file__).parent / "spark_sql"
"""Where a text is that Spark says otherwise than `queries` does."""
PASSES = 2
FUNCTIONS = {
    "day_of(t BIGINT) RETURNS STRING": "date_format(timestamp_millis(t), 'yyyy-MM-dd')",
    "hour_of(t BIGINT) RETURNS INT": "hour(timestamp_millis(t))",
    "minute_of(t BIGINT) RETURNS INT": "minute(timestamp_millis(t))",
}
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "1",
    "spark.driver.memory": "4g",
}


def text_of(query: NexmarkQuery) -> str:
    """What Spark is asked: about all events or all windows, or about the time `$now`."""
    own = FOLDER / f"{query}.sql"
    return own.read_text("utf-8") if own.exists() else query.sql


def open_tables(session: SparkSession, folder: Path) -> None:
    """The files as views with times in milliseconds, and the functions that the texts ask."""
    for name in ("person", "auction", "bid"):
        source = session.read.parquet(str(folder / f"{name}.parquet"))
        milliseconds = sf.unix_millis(sf.col("time").cast("timestamp"))
        source.withColumn("time", milliseconds).createOrReplaceTempView(name)
    session.range(SIDE).selectExpr("id AS key", "id AS value").createOrReplaceTempView("side")
    for head, body in FUNCTIONS.items():
        session.sql(f"CREATE OR REPLACE TEMPORARY FUNCTION {head} RETURN {body}")


def answers(session: SparkSession, query: NexmarkQuery, ends: Iterable[int]) -> Iterable[DataFrame]:
    """The answer about all events and windows, or one for each of the times."""
    text = text_of(query)
    if "$now" not in text:
        return [session.sql(text)]
    return (session.sql(text.replace("$now", str(end))) for end in ends)


def rows_made(session: SparkSession, query: NexmarkQuery, folder: Path, ends: Iterable[int]) -> int:
    """How many rows the answers have, each of which is made."""
    open_tables(session, folder)
    rows = 0
    for answer in answers(session, query, ends):
        counted = Observation()
        answer.observe(counted, sf.count(sf.lit(1)).alias("rows")).write.format("noop").mode("overwrite").save()
        rows += counted.get["rows"]
    return rows


def measured(query: NexmarkQuery, folder: Path, warm: Path, stream: GeneratedEvents) -> dict[str, Any]:
    """What a query costs."""
    os.environ["JAVA_HOME"] = str(java_home())
    builder = SparkSession.builder.master("local[1]")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    little = stream.little
    for _ in range(PASSES):
        compared = rows_made(session, query, warm, query.compared_at(little.begin, little.end))
    began, before = time.monotonic(), cpu_of_tree()
    rows = rows_made(session, query, folder, query.ends(stream.begin, stream.end))
    told = {"cpu": cpu_of_tree() - before, "wall": time.monotonic() - began, "resident": peak_of_tree(), "rows": rows}
    session.stop()
    return {**told, "compared": compared}


if __name__ == "__main__":
    _, place, warm, name, events, rate = sys.argv
    stream = GeneratedEvents(int(events), int(rate))
    print(json.dumps({"query": name, **measured(QUERIES[name], Path(place), Path(warm), stream)}))
