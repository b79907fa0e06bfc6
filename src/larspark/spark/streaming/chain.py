"""The operators of a stream: an intake is packed and routed, and goes through one stateful operator per stage."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from larspark.intervals.sets import LATEST
from larspark.reasoners.clingo.adapter import INTEGER_LIMIT
from larspark.spark.intake import INPUT
from larspark.spark.plan import Plan
from larspark.spark.streaming.packing import Packing
from larspark.spark.streaming.parcels import PARCEL
from larspark.spark.streaming.processor import Processor
from larspark.spark.streaming.stage_operator import StageOperator
from larspark.spark.streaming.task import stage_tasks
from larspark.spark.streaming.timeline import Patience

_LABELS: dict[int, tuple[int, ...]] = {}
"""By number of buckets; how Spark hashes does not change."""


@dataclass(frozen=True)
class Chain:
    """From an intake to what the sink gets."""

    plan: Plan
    buckets: int
    patience: Patience
    inputs: int = 1
    """How many inputs the intake has."""
    early: bool = False
    sinks: int = 1
    """In how many places conclusions end."""

    def parcels(self, intake: DataFrame) -> DataFrame:
        labels = bucket_labels(intake.sparkSession, self.buckets)
        tasks = stage_tasks(self.plan, self.buckets, self.patience, labels, self.early, self.sinks)
        routes = tasks[0].routes if tasks else ()
        width, latest = self.plan.vocabulary.width, latest_time(self.plan)
        packing = Packing(routes, labels, width, self.inputs, latest, self.sinks)
        parcels = intake.mapInArrow(packing, PARCEL)
        run = uuid.uuid4().hex
        for task in tasks:
            processor = Processor(StageOperator(task, run))
            parcels = parcels.groupBy("bucket").transformWithState(processor, PARCEL, "Append", "None")
        return parcels


def latest_time(plan: Plan) -> int:
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


def with_input(intake: DataFrame, number: int = 0) -> DataFrame:
    """Rows that say from which input they come."""
    return intake if INPUT in intake.columns else intake.withColumn(INPUT, sf.lit(number))


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
