"""Stages on Spark: rows are routed to the partition of their key, and a reasoner runs in each."""

from __future__ import annotations

from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from larspark.spark.intake import PLACE
from larspark.spark.partition import partition_function
from larspark.spark.plan import Plan, PlannedStage, Span
from larspark.spark.rows import OTHER, Kind, bucket_column, row_columns, row_schema


def run_stages(plan: Plan, arrivals: DataFrame, span: Span, buckets: int) -> DataFrame:
    """All conclusions of all stages at the evaluations of the span; `arrivals` are rows with their places."""
    results: dict[int, DataFrame] = {}
    for number, planned in enumerate(plan.stages):
        wanted = planned.program.delivered
        before = [results[n] for n, earlier in enumerate(plan.stages[:number]) if wanted & earlier.stage.predicates]
        results[number] = _run_stage(plan, planned, arrivals, before, span, buckets)
        if _read_later(plan, number):
            results[number] = results[number].persist()
    nothing = arrivals.sparkSession.createDataFrame([], row_schema(plan.vocabulary.width))
    return reduce(DataFrame.unionByName, results.values(), nothing)


def _read_later(plan: Plan, number: int) -> bool:
    concluded = plan.stages[number].stage.predicates
    return any(concluded & later.program.delivered for later in plan.stages[number + 1 :])


def _run_stage(
    plan: Plan, planned: PlannedStage, arrivals: DataFrame, before: list[DataFrame], span: Span, buckets: int
) -> DataFrame:
    width = plan.vocabulary.width
    work = plan.work(planned, span, buckets)
    routed = [_routed(plan, planned, arrivals, work.buckets)]
    for conclusions in before:
        delivered = conclusions.where(sf.col("kind").isin(int(Kind.NOW), int(Kind.AT)))
        routed.append(_routed(plan, planned, _placeless(delivered), work.buckets))
    seeds = _seeds(arrivals, work.buckets, width)
    rows = reduce(DataFrame.unionByName, routed, seeds).repartitionById(work.buckets, sf.col("bucket"))
    ordered = rows.sortWithinPartitions("time", *PLACE).select(*row_columns(width))
    return ordered.mapInArrow(partition_function(work), row_schema(width))


def _routed(plan: Plan, planned: PlannedStage, rows: DataFrame, buckets: int) -> DataFrame:
    """The rows that a stage reads, with the partition they go to."""
    number = plan.vocabulary.numbers
    target = sf.lit(None).cast("int")
    for signature, position in planned.reads.items():
        place = sf.lit(0) if position is None else bucket_column(position, buckets)
        target = sf.when(sf.col("predicate") == number[signature], place).otherwise(target)
    if planned.program.counts_everything:
        target = sf.when(sf.col("predicate") == OTHER, sf.lit(0)).otherwise(target)
    return rows.withColumn("bucket", target).where(sf.col("bucket").isNotNull())


def _placeless(rows: DataFrame) -> DataFrame:
    return rows.withColumns({"source": sf.lit(None).cast("string"), **{n: _no_number() for n in ("block", "place")}})


def _seeds(frame: DataFrame, buckets: int, width: int) -> DataFrame:
    """A row for each partition, so that each is evaluated and knows its number."""
    given = {"kind": sf.lit(int(Kind.SEED)), "predicate": sf.lit(0), "time": sf.col("id"), "bucket": sf.col("id")}
    columns = [
        given[field.name].cast(field.dataType).alias(field.name)
        if field.name in given
        else sf.lit(None).cast(field.dataType).alias(field.name)
        for field in row_schema(width)
    ]
    seeds = frame.sparkSession.range(buckets)
    return _placeless(seeds.select(*columns, sf.col("id").cast("int").alias("bucket")))


def _no_number() -> Column:
    return sf.lit(None).cast("bigint")
