"""`reason` over streaming DataFrames: typed tables that the user writes, final rows, none lost or told twice."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Rejected
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact
from larspark.language.parser import parse_duration, parse_program
from larspark.spark import reason
from larspark.spark.stream.reason_stream import lateness_of
from support.interval_rows import Row, rows_of

PROGRAM = """
hot(M, V) :- temp(M, V) [2], V > 20.5.
calm(M) :- temp(M, _) [4], not hot(M, _).
count(N) :- N = #count{ M : hot(M, _) }.
"""
COLUMNS = "time long, machine string, value decimal(6,2)"
PATIENCE = 240

Reading = tuple[int, str, str]


def readings(first: int, last: int) -> list[Reading]:
    return [(time, name, f"{(time * step) % 31}.25") for time in range(first, last) for name, step in SENSORS.items()]


SENSORS = {"press": 7, "saw": 11}


def put(folder: Path, parts: Sequence[Sequence[Reading]]) -> None:
    """A file per micro-batch, after those that are there."""
    folder.mkdir(exist_ok=True)
    for number, part in enumerate(parts, len(list(folder.iterdir()))):
        path = folder / f"{number}.json"
        path.write_text("".join(json.dumps({"time": t, "machine": m, "value": v}) + "\n" for t, m, v in part))
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))  # files are read in the order of their age


def stream_of(spark: SparkSession, folder: Path) -> DataFrame:
    return spark.readStream.schema(COLUMNS).option("maxFilesPerTrigger", 1).json(str(folder))


def run(table: DataFrame, folder: Path) -> None:
    """What is there now, into a folder, from where an earlier run has left off."""
    places = {"path": str(folder / "table"), "checkpointLocation": str(folder / "checkpoint")}
    query = table.writeStream.format("parquet").options(**places).trigger(availableNow=True).start()
    assert query.awaitTermination(PATIENCE)


def expected(name: str, end: int) -> set[Row]:
    """The intervals of a bounded run that have ended before the watermark, when a time point is still to come."""
    given = [(time, Fact("temp", (machine, Decimal(value)))) for time, machine, value in readings(0, end)]
    rows = rows_of(analyse(parse_program(PROGRAM)), given, 0, end)
    return {row for row in rows if row[0] == name and row[3] < end - 2}


def test_streaming_tables_go_on_from_their_checkpoint(spark: SparkSession, tmp_path: Path) -> None:
    source, place = tmp_path / "in", tmp_path / "hot"
    put(source, [readings(0, 6), readings(6, 8)])

    def table() -> DataFrame:
        return reason(PROGRAM, {"temp": stream_of(spark, source)}, lateness=0, partitions=2)["hot"]

    assert table().schema.simpleString() == (
        "struct<arg1:string,arg2:decimal(38,2),from:bigint,to:bigint,at:bigint>"  # 20.5 has fewer places
    )
    run(table(), place)
    put(source, [readings(8, 14)])
    run(table(), place)
    rows = spark.read.parquet(str(place / "table")).collect()
    found = [("hot", (row["arg1"], row["arg2"]), row["from"], row["to"], row["at"]) for row in rows]
    assert len(found) == len(set(found))
    assert set(found) == expected("hot", 14)
    put(source, [readings(14, 15)])
    other = reason(PROGRAM.replace("[2]", "[3]"), {"temp": stream_of(spark, source)}, lateness=0, partitions=2)["hot"]
    with pytest.raises(StreamingQueryException, match="was begun with another program"):
        run(other, place)


def test_three_lines(spark: SparkSession, tmp_path: Path) -> None:
    """Several stages into memory, names and types of the user's, and a watermark that says how late atoms may be."""
    put(tmp_path / "in", [readings(0, 5), readings(5, 9)])
    frame = stream_of(spark, tmp_path / "in").withColumn("time", sf.timestamp_seconds("time"))
    frames = {"temp": frame.withWatermark("time", "0 seconds")}
    count = reason(PROGRAM, frames, partitions=2, columns={"count": "machines int"}, points=True)["count"]
    query = count.writeStream.format("memory").queryName("counted").trigger(availableNow=True).start()
    assert query.awaitTermination(PATIENCE)
    found = spark.table("counted")
    assert found.schema.simpleString() == "struct<machines:int,from:bigint,to:bigint,at:bigint>"
    assert {("count", (row[0],), *row[1:]) for row in found.collect()} == expected("count", 9)


def test_early_changes_and_dead_letters(spark: SparkSession, tmp_path: Path) -> None:
    late, bad = [(1, "saw", "30")], [(6, "lathe", "30"), (-1, "saw", "30")]
    put(tmp_path / "in", [[(1, "saw", "30"), (4, "press", "30")], [*late, *bad, (5, "saw", "30")]])
    tables = reason(
        "hot(M) :- temp(M, _) [2], not temp(lathe, _).",
        {"temp": stream_of(spark, tmp_path / "in")},
        lateness=1,
        partitions=2,
        changes=True,
        early=True,
    )
    told: dict[int, list[tuple[object, ...]]] = {}
    query = (
        tables["hot"]
        .writeStream.foreachBatch(lambda part, batch: told.update({batch: sorted(map(tuple, part.collect()))}))
        .trigger(availableNow=True)
        .start()
    )
    assert query.awaitTermination(PATIENCE)
    assert told == {
        0: [("press", None, "+", 4), ("saw", None, "+", 1), ("saw", None, "-", 4)],
        1: [("press", None, "-", 6), ("saw", None, "+", 5), ("saw", None, "-", 6)],
    }
    letters = tables["_dead_letters"].writeStream.format("memory").queryName("letters").trigger(availableNow=True)
    assert letters.start().awaitTermination(PATIENCE)
    assert {(row["objection"][:4], json.loads(row["record"])["time"]) for row in spark.table("letters").collect()} == {
        ("E412", 1),
        ("E404", -1),
    }


def rate(spark: SparkSession) -> DataFrame:
    return spark.readStream.format("rate").load()


@pytest.mark.parametrize(
    ("columns", "options", "code", "told"),
    [
        ("timestamp as time, value", {}, "E611", "how late"),
        ("timestamp, value", {"lateness": 0}, "E407", "no column `time`"),
        ("array(value) as time, value", {"lateness": 0}, "E407", "which is no time"),
        ("timestamp as time, array(value) as v", {"lateness": 0}, "E407", "which no value of the language has"),
        ("timestamp as time, value", {"lateness": 0, "timeline": (0, 9)}, "E604", "has no end"),
        ("timestamp as time, value", {"lateness": 0, "early": True}, "E604", "never taken back"),
        ("timestamp as time, value", {"lateness": 0, "awaited": ["b"]}, "E612", "no input"),
        ("timestamp as time, value", {"lateness": "soon"}, "E611", "`soon` does not say"),
        ("timestamp as time, value", {"lateness": 0, "columns": {"q": "x int"}}, "E407", "no result table q"),
        ("timestamp as time, value", {"lateness": 0, "columns": {"p": "x int, y int"}}, "E407", "names 2 columns"),
        ("timestamp as time, value", {"lateness": 0, "columns": {"p": "x whole"}}, "E407", "does not say"),
    ],
)
def test_what_does_not_fit_is_said_before_the_start(
    spark: SparkSession, columns: str, options: dict[str, object], code: str, told: str
) -> None:
    frame = rate(spark).selectExpr(*columns.split(", "))
    with pytest.raises(Rejected) as caught:
        reason("p(X) :- a(X) [2].", {"a": frame}, **options)  # type: ignore[arg-type]
    assert caught.value.diagnostics[0].code == code
    assert told in caught.value.diagnostics[0].message


def test_input_is_a_stream_or_a_table(spark: SparkSession) -> None:
    stream, table = rate(spark).selectExpr("timestamp as time", "value"), spark.range(3).selectExpr("id as time", "id")
    for frames, background, told in (
        ({"a": stream, "b": table}, {}, "b is a table and a a stream"),
        ({"a": table}, {"b": rate(spark).select("value")}, "background b is a stream"),
    ):
        with pytest.raises(Rejected, match=told) as caught:
            reason("p(X) :- a(X) [2], b(X).", frames, background=background, lateness=0)
        assert caught.value.diagnostics[0].code == "E612"
    with pytest.raises(Rejected, match="no DataFrame is one"):
        reason("p(X) :- a(X) [2].", {"a": table}, lateness=0)
    tables = reason("p(X) :- a(X) [2], b(X).", {"a": stream}, background={"b": table.select("id")}, lateness=0)
    assert tables["p"].isStreaming
    assert tables["p"].schema["arg1"].dataType.simpleString() == "bigint"


def test_how_late_an_atom_may_be(spark: SparkSession) -> None:
    minute = Calendar(clock=parse_duration("1 min"))
    frame = rate(spark).withColumnRenamed("timestamp", "time")
    watched = frame.withWatermark("time", "90 seconds")
    assert lateness_of(None, {"a": watched}, minute) == 2
    assert lateness_of("3 min", {"a": watched}, minute) == 3
    assert lateness_of(timedelta(seconds=30), {"a": frame}, minute) == 1
    assert lateness_of(7, {"a": frame}, minute) == 7
    with pytest.raises(Rejected):
        lateness_of(None, {"a": watched, "b": frame}, minute)


def test_changes_and_columns_of_a_bounded_run(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(0, 5), (1, 5), (9, 6)], "time int, x int")
    table = reason("p(X) :- a(X) [2].", {"a": frame}, changes=True, columns={"p": "machine short"}, partitions=1)["p"]
    assert table.schema["machine"].dataType.simpleString() == "smallint"
    assert sorted(map(tuple, table.collect())) == [
        *((5, None, "+", 0), (5, None, "-", 4)),
        *((6, None, "+", 9), (6, None, "-", 10)),
    ]
