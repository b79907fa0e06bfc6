"""A stream: micro-batches of arrivals, answers final at the watermark, the same rows as a bounded run of the same data.

An intake is packed and routed, goes through one stateful operator per stage, and ends in a sink that writes tables.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.streaming.query import StreamingQuery

from larspark.reasoners.clingo.adapter import INTEGER_LIMIT
from larspark.reasoners.interval.reasoner import LATEST
from larspark.spark.intake import INPUT
from larspark.spark.pipeline_file import Source
from larspark.spark.plan import Plan
from larspark.spark.streaming.checkpoint import Checkpoint, Progress
from larspark.spark.streaming.ending import silence, sources_of, with_endings
from larspark.spark.streaming.packing import Packing
from larspark.spark.streaming.parcels import PARCEL
from larspark.spark.streaming.processor import StageProcessor
from larspark.spark.streaming.sink import Sink, Style
from larspark.spark.streaming.task import stage_tasks
from larspark.spark.streaming.timeline import Patience
from larspark.spark.writing import check_output, mark_output

CHECKPOINT = "_checkpoint"

SETTINGS = {
    "spark.sql.streaming.stateStore.providerClass": (
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
    ),
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
    "spark.sql.streaming.noDataMicroBatches.enabled": "false",
}
"""Only RocksDB has the state of Python operators; with a change log a micro-batch costs what has changed of it."""


@dataclass(frozen=True)
class Stream:
    """A program over a stream, into a folder of tables."""

    plan: Plan
    output: Path
    lateness: int = 0
    """How many time points late an atom may arrive."""
    buckets: int = 2
    inputs: tuple[Source, ...] = ()
    """Where the records come from, when their intake says so."""
    report: Callable[[Progress], None] = lambda _: None
    style: Style = Style.FINAL

    @property
    def checkpoint(self) -> Checkpoint:
        return Checkpoint(self.output / CHECKPOINT)

    def start(self, intake: DataFrame, *, once: bool = False) -> StreamingQuery:
        """Follow a streaming intake; `once`: until everything that is there now has been read."""
        check_output(self.output)
        mark_output(self.output)
        inputs = [one.name for one in self.inputs]
        settings = {"lateness": self.lateness, "buckets": self.buckets, "tables": self.style.name, "inputs": inputs}
        self.checkpoint.open(self.plan, **settings)
        session = intake.sparkSession
        parcels = self._parcels(intake)
        sink = Sink(self.plan, self.output, self.checkpoint, self._patience, self.report, self.style)
        writer = parcels.writeStream.outputMode("append").foreachBatch(sink.write)
        writer = writer.option("checkpointLocation", str(self.checkpoint.of_spark))
        with _settings(session, {**SETTINGS, "spark.sql.shuffle.partitions": str(self.buckets)}):
            return writer.trigger(availableNow=True).start() if once else writer.start()

    def finish(self, session: SparkSession) -> None:
        """The end of the data: evaluate up to the latest time seen. Atoms of that time would now be late."""
        before = self.checkpoint.last()
        if before.seen is not None and before.seen > before.watermark:
            self.checkpoint.say_ended(before)
            quiet = silence(session, sources_of(self.checkpoint.of_spark), self.plan.vocabulary.width)
            self.start(quiet, once=True).awaitTermination()

    @property
    def _patience(self) -> Patience:
        return Patience(self.lateness, tuple(number for number, one in enumerate(self.inputs) if one.awaited))

    def _parcels(self, intake: DataFrame) -> DataFrame:
        """From an intake to what the sink gets."""
        width = self.plan.vocabulary.width
        labels = bucket_labels(intake.sparkSession, self.buckets)
        tasks = stage_tasks(self.plan, self.buckets, self._patience, labels, self.style is Style.EARLY)
        routes = tasks[0].routes if tasks else ()
        latest = LATEST if self.plan.reasoner == "interval" else INTEGER_LIMIT // 2
        packing = Packing(routes, labels, width, max(1, len(self.inputs)), latest)
        if INPUT not in intake.columns:
            intake = intake.withColumn(INPUT, sf.lit(0))
        parcels = with_endings(intake, width, self.checkpoint.endings).mapInArrow(packing, PARCEL)
        run = uuid.uuid4().hex
        for task in tasks:
            parcels = parcels.groupBy("bucket").transformWithState(StageProcessor(task, run), PARCEL, "Append", "None")
        return parcels


def bucket_labels(session: SparkSession, buckets: int) -> tuple[int, ...]:
    """Keys for the buckets that Spark's own hashing spreads over as many partitions."""
    partition = sf.pmod(sf.hash(sf.col("id").cast("int")), sf.lit(buckets))
    found = (
        session.range(64 * buckets, numPartitions=1)
        .groupBy(partition.alias("partition"))
        .agg(sf.min("id").alias("id"))
        .collect()
    )
    known = {row["partition"]: row["id"] for row in found}
    return tuple(known[number] for number in range(buckets))


@contextmanager
def _settings(session: SparkSession, wanted: dict[str, str]) -> Iterator[None]:
    """A query takes the settings of the session when it starts; afterwards the session has its own again."""
    before = {name: session.conf.get(name, None) for name in wanted}
    for name, value in wanted.items():
        session.conf.set(name, value)
    try:
        yield
    finally:
        for name, earlier in before.items():
            session.conf.unset(name) if earlier is None else session.conf.set(name, earlier)
