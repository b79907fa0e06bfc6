"""The operators of a stream: inputs are read and routed, and go through one stateful operator per stage."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from larspark.intervals.sets import LATEST
from larspark.reasoners.clingo.adapter import INTEGER_LIMIT
from larspark.spark.evaluate.messages import SCHEMA
from larspark.spark.plan.plan import SparkPlan
from larspark.spark.read.inputs import FrameInput
from larspark.spark.stream.operators import Processor
from larspark.spark.stream.reading import Addresses, EndReading, StreamReading
from larspark.spark.stream.stage import arriving_routes, stream_stages
from larspark.spark.stream.stage_operator import StageOperator
from larspark.spark.stream.watermark import Waiting

_LABELS: dict[int, tuple[int, ...]] = {}
"""By number of buckets; how Spark hashes does not change."""


@dataclass(frozen=True)
class StageChain:
    """From inputs to what comes to the end."""

    plan: SparkPlan
    buckets: int
    waiting: Waiting
    early: bool = False
    sinks: int = 1
    """In how many places conclusions end."""
    strict: bool = False
    """Whether a bad record ends the stream."""
    counting: bool = False
    """Whether it is counted what each rule gives."""

    def read(self, inputs: Sequence[FrameInput], addresses: Addresses) -> DataFrame:
        """The messages of all inputs."""
        ordered, latest = self.plan.ordered, latest_time(self.plan)
        readings = (
            StreamReading(one.reader, one.name, number, len(inputs), addresses, latest, ordered, self.strict)
            for number, one in enumerate(inputs)
        )
        pairs = zip(inputs, readings, strict=True)
        return reduce(DataFrame.unionByName, (one.frame.mapInArrow(reading, SCHEMA) for one, reading in pairs))

    def addresses(self, session: SparkSession) -> Addresses:
        labels = bucket_labels(session, self.buckets)
        return Addresses(arriving_routes(self.plan, self.buckets), labels, len(self.plan.stages), self.sinks)

    def evaluated(self, messages: DataFrame) -> DataFrame:
        """What comes to the end, out of what has been read."""
        labels = bucket_labels(messages.sparkSession, self.buckets)
        run = uuid.uuid4().hex
        made = stream_stages(
            self.plan, self.buckets, self.waiting, labels, early=self.early, sinks=self.sinks, counts=self.counting
        )
        for stage in made:
            processor = Processor(StageOperator(stage, run))
            messages = messages.groupBy("part").transformWithState(processor, SCHEMA, "Append", "None")
        return messages


def with_endings(messages: DataFrame, folder: Path, addresses: Addresses) -> DataFrame:
    """Messages to which the end of the data can be said, in this folder."""
    lines = messages.sparkSession.readStream.text(str(folder))
    return messages.unionByName(lines.mapInArrow(EndReading(addresses), SCHEMA))


def latest_time(plan: SparkPlan) -> int:
    """Time points from here on cannot be evaluated."""
    return INTEGER_LIMIT // 2 if plan.chooses else LATEST


def session_settings(buckets: int) -> dict[str, str]:
    """What a session must be set to when a stream starts.

    Only RocksDB has the state of Python operators; with a change log a micro-batch costs what has changed of it.
    """
    store = "spark.sql.streaming.stateStore"
    return {
        f"{store}.providerClass": "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
        f"{store}.rocksdb.changelogCheckpointing.enabled": "true",
        "spark.sql.shuffle.partitions": str(buckets),
    }


def bucket_labels(session: SparkSession, buckets: int) -> tuple[int, ...]:
    """Keys for the buckets that Spark's own hashing spreads over as many partitions."""
    if buckets not in _LABELS:
        partition = sf.pmod(sf.hash(sf.col("id").cast("int")), sf.lit(buckets))
        found = (
            session.range(64 * buckets, numPartitions=1)
            .groupBy(partition.alias("partition"))
            .agg(sf.min("id").alias("id"))
            .collect()
        )
        known = {row["partition"]: row["id"] for row in found}
        _LABELS[buckets] = tuple(known[number] for number in range(buckets))
    return _LABELS[buckets]
