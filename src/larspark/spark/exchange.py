"""Stages on Spark: rows are routed to the partition of their key, and a reasoner runs in each."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from larspark.spark.intake import PLACE
from larspark.spark.partition import partition_function
from larspark.spark.plan import Plan, PlannedStage, Span
from larspark.spark.rows import BEFORE_ALL, OTHER, Kind, bucket_column, cell_columns, row_columns, row_schema
from larspark.spark.skew import Division
from larspark.spark.work import Work


@dataclass(frozen=True)
class Load:
    """What is known about the arrivals of a bounded run before it starts."""

    filled: frozenset[str]
    """The cells that any arrival has something in; the others do not travel."""
    divisions: tuple[Division, ...]
    """For each stage."""


def run_stages(plan: Plan, arrivals: DataFrame, span: Span, buckets: int, load: Load | None = None) -> DataFrame:
    """All conclusions of all stages at the evaluations of the span; `arrivals` are rows with their places."""
    results: dict[int, DataFrame] = {}
    for number, planned in enumerate(plan.stages):
        wanted = planned.program.delivered
        before = [results[n] for n, earlier in enumerate(plan.stages[:number]) if wanted & earlier.stage.predicates]
        work = plan.work(planned, span, buckets)
        columns = _travelling(plan, planned, work, load.filled if load and not before else None)
        routed = [_routed(plan, planned, arrivals, work.buckets, columns)]
        for conclusions in before:
            delivered = conclusions.where(sf.col("kind").isin(int(Kind.NOW), int(Kind.AT)))
            routed.append(_routed(plan, planned, _placeless(delivered), work.buckets, columns))
        if load and load.divisions[number].divided:
            work = replace(work, divided=load.divisions[number].parts)
            routed = [_spread(rows, load.divisions[number]) for rows in routed]
        results[number] = _evaluated(work, routed, columns)
        if _read_later(plan, number):
            results[number] = results[number].persist()
    nothing = arrivals.sparkSession.createDataFrame([], row_schema(plan.vocabulary.width))
    return reduce(DataFrame.unionByName, results.values(), nothing)


def _read_later(plan: Plan, number: int) -> bool:
    concluded = plan.stages[number].stage.predicates
    return any(concluded & later.program.delivered for later in plan.stages[number + 1 :])


def _travelling(plan: Plan, planned: PlannedStage, work: Work, filled: frozenset[str] | None) -> list[str]:
    """The columns that a stage looks at: a row travels with these alone."""
    if not work.columnar:
        return [*row_columns(plan.vocabulary.width), *PLACE]
    arity = max((signature.arity for signature in planned.reads), default=0)
    times = ["time", "until", "at"] if planned.program.delivered else ["time"]
    cells = cell_columns(arity)
    places = PLACE if planned.program.ordered else ()
    return ["kind", "predicate", *times, *(cell for cell in cells if filled is None or cell in filled), *places]


def _evaluated(work: Work, routed: list[DataFrame], columns: list[str]) -> DataFrame:
    count = len(work.parts)
    rows = reduce(DataFrame.unionByName, routed, _seeds(routed[0], count)).repartitionById(count, sf.col("bucket"))
    ordered = rows.sortWithinPartitions("time", *(name for name in PLACE if name in columns))
    told = ordered.select(*(name for name in columns if name not in PLACE))
    return told.mapInArrow(partition_function(work), row_schema(work.width))


def _routed(plan: Plan, planned: PlannedStage, rows: DataFrame, buckets: int, columns: list[str]) -> DataFrame:
    """The rows that a stage reads, with the partition they go to."""
    target = target_bucket(plan, planned, buckets)
    return rows.select(*columns, target.alias("bucket")).where(sf.col("bucket").isNotNull())


def target_bucket(plan: Plan, planned: PlannedStage, buckets: int) -> Column:
    """The bucket of a row in a stage; null when the stage does not read it."""
    buckets = buckets if planned.stage.keyed else 1
    together: dict[int | None, list[int]] = defaultdict(list)
    for signature, position in planned.reads.items():
        together[position].append(plan.vocabulary.numbers[signature])
    if planned.program.counts_everything:
        together[None].append(OTHER)
    target = sf.lit(None).cast("int")
    for position, numbers in together.items():
        place = sf.lit(0) if position is None else bucket_column(position, buckets)
        target = sf.when(sf.col("predicate").isin(numbers), place).otherwise(target)
    return target


def _spread(rows: DataFrame, division: Division) -> DataFrame:
    """Rows of a divided bucket go to the spans of time whose windows see them."""
    targets = sf.array(sf.col("bucket"))
    for bucket in {part.bucket for part in division.parts}:
        spans = [(number, part) for number, part in enumerate(division.parts) if part.bucket == bucket]
        if len(spans) > 1:
            seen = [
                sf.when(sf.col("time").between(part.begin - division.reach, part.end), sf.lit(number))
                for number, part in spans
            ]
            targets = sf.when(sf.col("bucket") == bucket, sf.array_compact(sf.array(*seen))).otherwise(targets)
    return rows.withColumn("bucket", sf.explode(targets))


def _placeless(rows: DataFrame) -> DataFrame:
    return rows.withColumns({"source": sf.lit(None).cast("string"), **{n: _no_number() for n in ("block", "place")}})


def _seeds(rows: DataFrame, partitions: int) -> DataFrame:
    """A row for each partition, before all others, so that each is evaluated and knows its number."""
    given = {
        "kind": sf.lit(int(Kind.SEED)),
        "predicate": sf.col("id"),
        "time": sf.lit(BEFORE_ALL),
        "bucket": sf.col("id"),
    }
    columns = [
        given.get(field.name, sf.lit(None)).cast(field.dataType).alias(field.name) for field in rows.schema.fields
    ]
    return rows.sparkSession.range(partitions).select(*columns)


def _no_number() -> Column:
    return sf.lit(None).cast("bigint")
