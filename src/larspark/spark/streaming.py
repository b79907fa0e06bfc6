"""A stream: micro-batches of arrivals, answers final at the watermark, the same rows as a bounded run of the same data.

Each batch evaluates the time points that have become final, on the arrivals that still matter and the new ones. A table
of the output holds, at any moment, what a bounded run up to the watermark would write: intervals that have ended in one
file per batch, those still going on in `open.parquet`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.streaming.query import StreamingQuery

from larspark.diagnostics import Diagnostic, Rejected
from larspark.spark.checkpoint import Checkpoint, Progress, replace_table
from larspark.spark.exchange import run_stages
from larspark.spark.history import remembered
from larspark.spark.intake import INPUT, PLACE, REFUSED
from larspark.spark.pipeline_file import Source
from larspark.spark.plan import Plan, Span
from larspark.spark.rows import row_columns, row_schema
from larspark.spark.tables import text_table
from larspark.spark.union import combined, inputs_as_conclusions, shown_conclusions, void_times
from larspark.spark.writing import DEAD_LETTERS, check_output, file_name, mark_output

CHECKPOINT = "_checkpoint"
LATE = "E412"


@dataclass(frozen=True)
class Stream:
    """A program over a stream of records, into a folder of tables."""

    plan: Plan
    intake: Callable[[DataFrame], DataFrame]
    """From the records of a micro-batch to an intake."""
    output: Path
    lateness: int = 0
    """How many time points late an atom may arrive."""
    buckets: int = 2
    inputs: tuple[Source, ...] = ()
    """Where the records come from, when their intake says so."""
    report: Callable[[Progress], None] = lambda _: None

    @property
    def checkpoint(self) -> Checkpoint:
        return Checkpoint(self.output / CHECKPOINT)

    def start(self, records: DataFrame, *, once: bool = False) -> StreamingQuery:
        """Follow a streaming DataFrame; `once`: until everything that is there now has been read."""
        _check(self.plan)
        check_output(self.output)
        mark_output(self.output)
        self.checkpoint.open(self.plan, self.lateness, [one.name for one in self.inputs])
        writer = records.writeStream.foreachBatch(self.step).option("checkpointLocation", self.checkpoint.of_spark)
        return writer.trigger(availableNow=True).start() if once else writer.start()

    def step(self, records: DataFrame, batch: int) -> None:
        """One micro-batch; repeating it changes nothing."""
        before = self.checkpoint.progress(batch - 1)
        if len(self.inputs) > 1:
            records = records.persist()  # every input takes its own from all
        intake = self.intake(records).persist()
        try:
            late = sf.col("time") <= before.watermark
            seen = self._seen(before, intake, late)
            if (seen.refused, seen.late) != (before.refused, before.late):
                self._set_aside(intake, late, before.watermark, batch)
            order = sf.concat(sf.lit(f"{batch:012d}/"), sf.coalesce(sf.col("source"), sf.lit("")))
            arrivals = (
                intake.where(sf.col("objection").isNull() & ~late).drop(*REFUSED, INPUT).withColumn("source", order)
            )
            self._evaluate(before, replace(seen, batch=batch, ended=False), arrivals)
        finally:
            intake.unpersist()
            records.unpersist()

    def finish(self, session: SparkSession) -> None:
        """The end of the data: evaluate up to the latest time seen. Atoms of that time would now be late."""
        before = self.checkpoint.last()
        if before.seen is not None and before.seen > before.watermark:
            nothing = session.createDataFrame([], row_schema(self.plan.vocabulary.width))
            places = {name: sf.lit(None).cast("string" if name == "source" else "bigint") for name in PLACE}
            self._evaluate(before, replace(before, ended=True), nothing.withColumns(places), until=before.seen)

    def _seen(self, before: Progress, intake: DataFrame, late: Column) -> Progress:
        good = sf.col("objection").isNull()
        counted = intake.agg(
            sf.min(sf.when(good & ~late, sf.col("time"))).alias("first"),
            sf.max(sf.when(good & ~late, sf.col("time"))).alias("seen"),
            sf.count_if(good & ~late).alias("arrivals"),
            sf.count_if(~good).alias("refused"),
            sf.count_if(good & late).alias("late"),
            *(
                sf.max(sf.when(good & (sf.col(INPUT) == number), sf.col("time"))).alias(f"heard{number}")
                for number in range(len(self.inputs))
            ),
        ).first()
        assert counted is not None
        heard = before.heard or [None] * len(self.inputs)
        return replace(
            before,
            first=_extreme(min, before.first, counted["first"]),
            seen=_extreme(max, before.seen, counted["seen"]),
            arrivals=before.arrivals + counted["arrivals"],
            refused=before.refused + counted["refused"],
            late=before.late + counted["late"],
            heard=[_extreme(max, time, counted[f"heard{number}"]) for number, time in enumerate(heard)],
        )

    def _frontier(self, now: Progress) -> int | None:
        """The latest time of the slowest input that is waited for; none while one of them has said nothing."""
        times = [time for time, source in zip(now.heard, self.inputs, strict=True) if source.awaited]
        known = [time for time in times if time is not None]
        return now.seen if not times else min(known) if len(known) == len(times) else None

    def _evaluate(self, before: Progress, now: Progress, arrivals: DataFrame, until: int | None = None) -> None:
        """Draw the conclusions that have become final, and keep what the next batch needs."""
        session = arrivals.sparkSession
        stored = self.checkpoint.state(before) / "history"
        everything = arrivals
        if stored.exists():
            everything = session.read.schema(arrivals.schema).parquet(str(stored)).unionByName(arrivals)
        frontier = self._frontier(now)
        watermark = until if until is not None else before.watermark
        if until is None and frontier is not None:
            watermark = max(watermark, frontier - self.lateness - 1)
        if now.first is None or watermark < now.first:
            watermark = before.watermark  # the timeline has not begun
        elif watermark > before.watermark:
            span = Span(now.first, max(before.watermark + 1, now.first), watermark)
            now = replace(now, rows=before.rows + self._conclude(everything, span, before, now))
        elif (still := self._open(before)).exists():
            replace_table(self._open(now), pq.read_table(still))
        kept = remembered(self.plan, everything, watermark)
        kept.coalesce(self.buckets).write.mode("overwrite").parquet(str(self.checkpoint.state(now) / "history"))
        now = replace(now, watermark=watermark)
        self.checkpoint.commit(now)
        self.report(now)

    def _conclude(self, everything: DataFrame, span: Span, before: Progress, now: Progress) -> int:
        """Write what has ended and what goes on; the number of intervals that have ended."""
        plan, width = self.plan, self.plan.vocabulary.width
        arrivals = everything.where(sf.col("time") <= span.end)
        conclusions = run_stages(plan, arrivals, span, self.buckets)
        if plan.analysis.intensional & plan.analysis.extensional:
            arrived = arrivals.where(sf.col("time") >= span.begin)
            conclusions = conclusions.unionByName(inputs_as_conclusions(plan, arrived))
        conclusions = conclusions.persist()
        shown = shown_conclusions(plan, conclusions)
        if self._open(before).exists():
            going_on = everything.sparkSession.read.schema(shown.schema).parquet(str(self._open(before)))
            shown = shown.unionByName(going_on)
        table = combined(shown, void_times(plan, conclusions), width, self.buckets).toArrow()
        conclusions.unpersist()
        ended = pc.less(table.column("until"), span.end)
        still = table.filter(pc.invert(ended))
        self._write(table.filter(ended), f"{now.name}.parquet")
        self._write(still, "open.parquet")
        replace_table(self._open(now), still)
        return int(pc.sum(ended).as_py() or 0)

    def _open(self, progress: Progress) -> Path:
        return self.checkpoint.state(progress) / "open.parquet"

    def _write(self, conclusions: pa.Table, name: str) -> None:
        for predicate, table in text_table(self.plan, conclusions).items():
            replace_table(self.output / file_name(predicate) / name, table)

    def _set_aside(self, intake: DataFrame, late: Column, watermark: int, batch: int) -> None:
        """Bad and late records, with the reason."""
        told = sf.lit(f"{LATE}: The atom arrives late; everything up to {watermark} is final.")
        text = sf.to_json(sf.struct(*row_columns(self.plan.vocabulary.width)))
        bad = intake.where(sf.col("objection").isNotNull() | late).select(
            sf.coalesce(sf.col("objection"), told).alias("objection"),
            sf.coalesce(sf.col("record"), text).alias("record"),
            "source",
        )
        replace_table(self.output / DEAD_LETTERS / f"batch-{batch:06d}.parquet", bad.toArrow())


def _extreme(choose: Callable[[int, int], int], old: int | None, new: int | None) -> int | None:
    return new if old is None else old if new is None else choose(old, new)


def _check(plan: Plan) -> None:
    if plan.reasoner != "interval":
        message = "The program has several answer streams; which one is kept depends on all evaluations before."
        raise Rejected([Diagnostic("E604", message, "Run it over bounded data, without `--follow`.")])
    if plan.analysis.recorded:
        message = "`#record` makes an evaluation depend on all evaluations before."
        raise Rejected([Diagnostic("E604", message, "Run it over bounded data, or with `larspark tick`.")])
