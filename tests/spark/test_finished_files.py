"""Copies of database rows are removed when no micro-batch can need them, told by the logs that Spark itself writes."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from larspark.spark.read.growing import MANY, GrowingTable, finished_files
from larspark.spark.read.rules import InputSource
from larspark.spark.stream.checkpoint import KEPT

FILES = 13
"""More than Spark keeps in single entries of its log."""


def test_all_but_the_last_micro_batches(spark: SparkSession, tmp_path: Path) -> None:
    source = InputSource("jdbc:postgresql://nowhere/plant#readings", options={"order": "id"})
    table = GrowingTable(spark, source, tmp_path / "in side" / "0")
    logs = tmp_path / "logs"
    assert not list(finished_files(logs))
    frame = spark.readStream.schema("id long").option("maxFilesPerTrigger", 1).parquet(str(table.folder))
    read: list[int] = []

    def follow() -> None:
        writer = frame.writeStream.foreachBatch(lambda rows, _: read.extend(row["id"] for row in rows.collect()))
        query = writer.option("checkpointLocation", str(logs)).trigger(availableNow=True).start()
        assert query.awaitTermination(120)

    for number in range(FILES):
        pq.write_table(pa.table({"id": [number]}), table.folder / f"rows-{number:020d}.parquet")
    follow()
    assert sorted(read) == [*range(FILES)]
    assert len(set(finished_files(logs))) == FILES - KEPT
    table.remove_finished(logs)
    left = sorted(table.folder.glob("*.parquet"))
    assert len(left) <= KEPT + 1
    assert table.last == FILES - 1
    # The stream goes on, and nothing comes twice.
    pq.write_table(pa.table({"id": [FILES]}), table.folder / f"rows-{FILES:020d}.parquet")
    follow()
    assert sorted(read) == [*range(FILES + 1)]
    table.remove_finished(logs)
    assert len(list(table.folder.glob("*.parquet"))) < MANY
