"""Stages on Spark: rows are routed to the partition of their key, and a reasoner runs in each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from larspark.spark.intake import PLACE
from larspark.spark.partition import partition_function
from larspark.spark.plan import Plan, PlannedStage, Span
from larspark.spark.rows import BEFORE_ALL, OTHER, Kind, bucket_column, cell_columns, row_columns, row_schema
from larspark.spark.work import Work


def run_stages(
    plan: Plan, arrivals: DataFrame, span: Span, buckets: int, filled: Collection[str] | None = None
) -> DataFrame:
    """All conclusions of all stages at the evaluations of the span; `arrivals` are rows with their places.

    `filled` are the cells that any arrival has something in, where that is known; the others do not travel.
    """
    results: dict[int, DataFrame] = {}
    for number, planned in enumerate(plan.stages):
        wanted = planned.program.delivered
        before = [results[n] for n, earlier in enumerate(plan.stages[:number]) if wanted & earlier.stage.predicates]
        work = plan.work(planned, span, buckets)
        columns = _travelling(plan, planned, work, None if before else filled)
        routed = [_routed(plan, planned, arrivals, work.buckets, columns)]
        for conclusions in before:
            delivered = conclusions.where(sf.col("kind").isin(int(Kind.NOW), int(Kind.AT)))
            routed.append(_routed(plan, planned, _placeless(delivered), work.buckets, columns))
        results[number] = _evaluated(work, routed, columns)
        if _read_later(plan, number):
            results[number] = results[number].persist()
    nothing = arrivals.sparkSession.createDataFrame([], row_schema(plan.vocabulary.width))
    return reduce(DataFrame.unionByName, results.values(), nothing)


def _read_later(plan: Plan, number: int) -> bool:
    concluded = plan.stages[number].stage.predicates
    return any(concluded & later.program.delivered for later in plan.stages[number + 1 :])


def _travelling(plan: Plan, planned: PlannedStage, work: Work, filled: Collection[str] | None) -> list[str]:
    """The columns that a stage looks at: a row travels with these alone."""
    if not work.columnar:
        return [*row_columns(plan.vocabulary.width), *PLACE]
    arity = max((signature.arity for signature in planned.reads), default=0)
    times = ["time", "until", "at"] if planned.program.delivered else ["time"]
    cells = cell_columns(arity)
    places = PLACE if planned.program.ordered else ()
    return ["kind", "predicate", *times, *(cell for cell in cells if filled is None or cell in filled), *places]


def _evaluated(work: Work, routed: list[DataFrame], columns: list[str]) -> DataFrame:
    seeds = _seeds(routed[0], work.buckets)
    rows = reduce(DataFrame.unionByName, routed, seeds).repartitionById(work.buckets, sf.col("bucket"))
    ordered = rows.sortWithinPartitions("time", *(name for name in PLACE if name in columns))
    told = ordered.select(*(name for name in columns if name not in PLACE))
    return told.mapInArrow(partition_function(work), row_schema(work.width))


def _routed(plan: Plan, planned: PlannedStage, rows: DataFrame, buckets: int, columns: list[str]) -> DataFrame:
    """The rows that a stage reads, with the partition they go to."""
    together: dict[int | None, list[int]] = defaultdict(list)
    for signature, position in planned.reads.items():
        together[position].append(plan.vocabulary.numbers[signature])
    if planned.program.counts_everything:
        together[None].append(OTHER)
    target = sf.lit(None).cast("int")
    for position, numbers in together.items():
        place = sf.lit(0) if position is None else bucket_column(position, buckets)
        target = sf.when(sf.col("predicate").isin(numbers), place).otherwise(target)
    return rows.select(*columns, target.alias("bucket")).where(sf.col("bucket").isNotNull())


def _placeless(rows: DataFrame) -> DataFrame:
    return rows.withColumns({"source": sf.lit(None).cast("string"), **{n: _no_number() for n in ("block", "place")}})


def _seeds(rows: DataFrame, buckets: int) -> DataFrame:
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
    return rows.sparkSession.range(buckets).select(*columns)


def _no_number() -> Column:
    return sf.lit(None).cast("bigint")
