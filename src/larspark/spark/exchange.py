"""Stages on Spark: rows are routed to the partition of their key, and a reasoner runs in each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from larspark.spark.balance import Balance
from larspark.spark.destination import target_bucket
from larspark.spark.intake import PLACE
from larspark.spark.partition import partition_function
from larspark.spark.plan import Plan, PlannedStage, Span
from larspark.spark.rows import BEFORE_ALL, Kind, cell_columns, row_columns, row_schema
from larspark.spark.skew import Division
from larspark.spark.work import Part, Work


@dataclass(frozen=True)
class Load:
    """What is known about the arrivals of a bounded run before it starts."""

    filled: frozenset[str]
    """The cells that any arrival has something in; the others do not travel."""
    balance: Balance


def run_stages(plan: Plan, arrivals: DataFrame, span: Span, buckets: int, load: Load | None = None) -> DataFrame:
    """All conclusions of all stages at the evaluations of the span; `arrivals` are rows with their places."""
    results: dict[int, DataFrame] = {}
    for number, planned in enumerate(plan.stages):
        wanted = planned.program.delivered
        before = [results[n] for n, earlier in enumerate(plan.stages[:number]) if wanted & earlier.stage.predicates]
        work = plan.work(planned, span, buckets)
        columns = _travelling(plan, planned, work, load.filled if load and not before else None)
        routed = [_routed(plan, planned, arrivals, work.buckets, columns)]
        delivered = [rows.where(sf.col("kind").isin(int(Kind.NOW), int(Kind.AT))) for rows in before]
        routed += (_routed(plan, planned, _placeless(rows), work.buckets, columns) for rows in delivered)
        division = load.balance.division(number, delivered) if load else None
        if division and division.divided:
            work = replace(work, divided=division.parts)
            routed = [_spread(rows, division, concluded=place > 0) for place, rows in enumerate(routed)]
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


def _spread(rows: DataFrame, division: Division, *, concluded: bool) -> DataFrame:
    """Rows of a divided bucket go to the spans of time in which they are seen.

    An arrival is seen by windows that reach back to it; a conclusion at the evaluations at which it holds, no others.
    """
    targets = sf.array(_target(sf.col("bucket"), sf.col("time")))
    for bucket in {part.bucket for part in division.parts}:
        spans = [(number, part) for number, part in enumerate(division.parts) if part.bucket == bucket]
        if len(spans) > 1:
            seen = [_seen(number, part, None if concluded else division.reach) for number, part in spans]
            targets = sf.when(sf.col("bucket") == bucket, sf.array_compact(sf.array(*seen))).otherwise(targets)
    return (
        rows.withColumn("target", sf.explode(targets))
        .withColumns({name: sf.col(f"target.{name}") for name in ("bucket", "time")})
        .drop("target")
    )


def _seen(number: int, part: Part, reach: int | None) -> Column:
    """Where a row goes in a part that sees it: an arrival within reach, or a conclusion, from where the part begins."""
    time = sf.col("time")
    if reach is not None:
        return sf.when(time.between(part.begin - reach, part.end), _target(sf.lit(number), time))
    overlaps = (time <= part.end) & (sf.col("until") >= part.begin)
    return sf.when(overlaps, _target(sf.lit(number), sf.greatest(time, sf.lit(part.begin))))


def _target(bucket: Column, time: Column) -> Column:
    return sf.struct(bucket.cast("int").alias("bucket"), time.cast("bigint").alias("time"))


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
