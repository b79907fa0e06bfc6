"""To which bucket of a stage a row goes."""

from __future__ import annotations

from collections import defaultdict

from pyspark.sql import Column
from pyspark.sql import functions as sf

from larspark.spark.plan import Plan, PlannedStage
from larspark.spark.rows import OTHER, bucket_column


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
