"""What a stream must remember of its arrivals: those that a later evaluation can still see."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as sf

from larspark.spark.intake import PLACE
from larspark.spark.plan import Plan


def remembered(plan: Plan, arrivals: DataFrame, watermark: int) -> DataFrame:
    """The arrivals that matter after the watermark, by the retention of their predicates."""
    needed = (sf.col("time") > watermark) | _recent(plan, watermark)
    ranks: dict[str, Column] = {}
    for number, (predicate, keys, count) in enumerate(_latest(plan)):
        columns = [f"{cell}{key}" for key in keys for cell in "ns"]
        ranks[f"rank{number}"] = _rank(watermark, "predicate", *columns)
        needed |= (sf.col("predicate") == predicate) & (sf.col(f"rank{number}") <= count)
    counted = _counted_over_everything(plan)
    if counted:
        ranks["rank"] = _rank(watermark)
        needed |= sf.col("rank") <= counted
    return arrivals.withColumns(ranks).where(needed).drop(*ranks)


def _recent(plan: Plan, watermark: int) -> Column:
    """Within the reach of a time window; where arrivals of all predicates are counted, the longest reach is for all."""
    numbers, retention = plan.vocabulary.numbers, plan.analysis.retention
    if _counted_over_everything(plan):
        pasts = [kept.past for one, kept in retention.items() if one in plan.analysis.extensional]
        longest = None if None in pasts else max((past for past in pasts if past is not None), default=0)
        return sf.lit(True) if longest is None else sf.col("time") > watermark - longest
    recent = sf.lit(False)
    for signature in sorted(plan.analysis.extensional):
        past = retention[signature].past
        reached = sf.lit(True) if past is None else sf.col("time") > watermark - past
        recent |= (sf.col("predicate") == numbers[signature]) & reached
    return recent


def _latest(plan: Plan) -> list[tuple[int, tuple[int, ...], int]]:
    """Predicate, keys and number of the latest arrivals that windows count."""
    return [
        (plan.vocabulary.numbers[signature], keys, count)
        for signature in sorted(plan.analysis.extensional)
        for keys, count in plan.analysis.retention[signature].latest
    ]


def _counted_over_everything(plan: Plan) -> int:
    """The size of the largest window that counts the arrivals of all predicates; 0 when there is none."""
    if not any(planned.program.counts_everything for planned in plan.stages):
        return 0
    return max((count for _, _, count in _latest(plan)), default=1)


def _rank(watermark: int, *within: str) -> Column:
    """The place of an arrival from the end, among those up to the watermark."""
    order = [sf.col(name).desc() for name in ("time", *PLACE)]
    pending = sf.col("time") > watermark
    return sf.row_number().over(Window.partitionBy(pending, *within).orderBy(*order))
