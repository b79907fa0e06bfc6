"""A bounded run on Spark: tasks that read, and for each stage tasks that evaluate and hand out conclusions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from larspark.spark.bounded.flow import Flow
from larspark.spark.bounded.samples import sampled, told
from larspark.spark.bounded.sources import ArrivalSource
from larspark.spark.evaluate.messages import BEFORE_ALL, SCHEMA, MessageKind
from larspark.spark.evaluate.noticing import Notice
from larspark.spark.evaluate.stage import Spreading
from larspark.spark.plan.division import FEWEST, divide, obstacle
from larspark.spark.session.workers import hand_out_kernels
from larspark.spark.write.files import Report

SAMPLED = 1000
"""One of so many arrivals and conclusions is looked at, to see how heavy partitions are."""


@dataclass(frozen=True)
class Ran:
    """The stages of a run, evaluated."""

    frames: tuple[DataFrame, ...]
    """The messages of each; some are kept until `close`."""
    reports: tuple[Report, ...]
    notices: Mapping[int, Sequence[Notice]]
    """Of the partitions of each stage."""

    def close(self) -> None:
        for frame in self.frames:
            frame.unpersist()


def run_stages(session: SparkSession, flow: Flow, arrivals: ArrivalSource, *, keep: bool = False) -> Ran:
    """Evaluate all stages; `keep`: shown conclusions are read more than once."""
    hand_out_kernels(session, flow.plan)
    frames: list[DataFrame] = []
    looking = flow.buckets > 1 and arrivals.rows >= FEWEST * SAMPLED
    for number, planned in enumerate(flow.plan.stages):
        sources = flow.sources(number)
        sample = arrivals.sample(flow.arriving(number))
        if looking and sources and not obstacle(flow.plan, planned):
            sample = np.concatenate((sample, sampled([frames[one] for one in sources], number)))
        flow.divisions.append(divide(flow.plan, number, sample, flow.span, flow.buckets))
        given = _received(session, flow, number, arrivals, frames)
        evaluated = given.mapInArrow(flow.task(number, SAMPLED if looking else 0), SCHEMA)
        ways = flow.ways(number)
        often = keep or looking or len(ways) + bool(flow.plan.stages[number].stage.predicates & {*flow.plan.shown}) > 1
        frames.append(evaluated.persist(StorageLevel.DISK_ONLY) if often else evaluated)
    if flow.united:
        given = _received(session, flow, flow.last, arrivals, frames)
        united = given.mapInArrow(flow.task(flow.last), SCHEMA)
        frames.append(united.persist(StorageLevel.DISK_ONLY) if keep else united)
    reports, notices = list[Report](), dict[int, list[Notice]]()
    for kind, number, content in told(frames, MessageKind.REPORT, MessageKind.NOTICED):
        if kind is MessageKind.REPORT:
            reports.append(Report.read(content))
        else:
            notices.setdefault(number, []).append(Notice.read(content, flow.watched[number]))
    flow.progress.close()
    return Ran(tuple(frames), tuple(reports), notices)


def _received(
    session: SparkSession, flow: Flow, stage: int, arrivals: ArrivalSource, frames: Sequence[DataFrame]
) -> DataFrame:
    """The messages of a stage, in its partitions, in the order in which they are opened."""
    count = len(flow.parts(stage))
    seeds = session.range(0, count, 1, 1).select(
        sf.lit(stage).alias("stage"),
        sf.col("id").cast("int").alias("part"),
        sf.lit(BEFORE_ALL).cast("bigint").alias("first"),
        sf.lit(int(MessageKind.SEED)).alias("kind"),
        sf.col("id").cast("int").alias("predicate"),
        sf.lit(None).cast("binary").alias("content"),
        sf.lit(None).cast("string").alias("source"),
    )
    route = flow.divided(flow.arriving(stage))
    given = [arrivals.sent(session, route, (flow.span.start, flow.span.end))] if route.keys else []
    concluded = [frames[number].where(sf.col("stage") == stage) for number in flow.sources(stage)]
    if stage < flow.last and flow.divisions[stage].divided:
        concluded = [one.mapInArrow(Spreading(replace(route, keys={})), SCHEMA) for one in concluded]
    everything = reduce(DataFrame.unionByName, [*given, *concluded], seeds)
    return everything.repartitionById(count, sf.col("part")).sortWithinPartitions("first", "kind")
