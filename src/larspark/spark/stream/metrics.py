"""The figures of a stream on Spark: from its own progress, and from what Spark tells about queries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pyspark.sql.streaming.listener import (
    QueryIdleEvent,
    QueryProgressEvent,
    QueryStartedEvent,
    QueryTerminatedEvent,
    StreamingQueryListener,
)

from larspark.monitoring.metrics import Metrics
from larspark.monitoring.status import Situation, status
from larspark.spark.plan.plan import SparkPlan
from larspark.spark.read.rules import InputSource
from larspark.spark.stream.buckets.counting import by_stage
from larspark.spark.stream.checkpoint import Progress
from larspark.write.times import POINTS, TimeWriter

MILLISECONDS = 1000


@dataclass(frozen=True)
class StreamMetrics:
    """Takes note after every micro-batch."""

    metrics: Metrics
    plan: SparkPlan
    sources: Sequence[InputSource]
    lateness: int
    times: Callable[[], TimeWriter] = lambda: POINTS
    """How times are written by now."""

    def __post_init__(self) -> None:
        self.take(Progress())

    def take(self, now: Progress) -> None:
        put, clear = self.metrics.put, self.metrics.clear
        put("larspark_atoms_read_total", now.arrivals + now.late + now.refused)
        put("larspark_atoms_used_total", now.arrivals)
        put("larspark_atoms_late_total", now.late)
        for code, count in now.reasons.items():
            put("larspark_records_refused_total", count, reason=code)
        for name, count in now.answers.items():
            put("larspark_answers_total", count, predicate=name)
        heard = [*now.heard, *[None] * (len(self.sources) - len(now.heard))]
        inputs = {one.name: time for one, time in zip(self.sources, heard, strict=False)}
        for name, time in inputs.items():
            put("larspark_input_time_seen", time, input=name)
        if now.seen is not None:
            put("larspark_time_seen", now.seen)
            put("larspark_watermark", now.watermark)
            put("larspark_time_behind", now.behind)
        awaited = [one.name for one in self.sources if one.awaited]
        clear("larspark_held_back_by")
        if awaited:
            slowest = min(awaited, key=lambda name: -1 if (time := inputs[name]) is None else time)
            put("larspark_held_back_by", 1, input=slowest)
        for signature, retention in self.plan.analysis.retention.items():
            put("larspark_retention", -1 if retention.past is None else retention.past, predicate=str(signature))
        for stage, (kept, mattering) in by_stage(now.kept).items():
            put("larspark_facts_kept", kept, stage=stage)
            put("larspark_facts_bound", mattering, stage=stage)
        fed = frozenset(now.fed)
        situation = Situation(inputs, awaited, now.first, now.watermark, self.lateness, now.rows, fed, now.refused)
        self.metrics.status = status(situation, self.plan.analysis, self.times())


class MetricsListener(StreamingQueryListener):
    """What Spark tells about its queries: `spark.streams.addListener(MetricsListener(metrics))`."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def onQueryStarted(self, event: QueryStartedEvent) -> None:  # noqa: N802 - Spark's interface
        pass

    def onQueryProgress(self, event: QueryProgressEvent) -> None:  # noqa: N802
        progress, name = event.progress, event.progress.name or str(event.progress.id)
        for source in progress.sources:
            self._metrics.add("larspark_source_rows_total", source.numInputRows, query=name, input=source.description)
        for phase, spent in progress.durationMs.items():
            self._metrics.add("larspark_stage_seconds_total", spent / MILLISECONDS, query=name, stage=phase)
        for number, one in enumerate(progress.stateOperators, 1):
            stage = f"operator {number}"
            spent = one.allUpdatesTimeMs + one.commitTimeMs
            self._metrics.add("larspark_stage_seconds_total", spent / MILLISECONDS, query=name, stage=stage)
            self._metrics.put("larspark_state_bytes", one.memoryUsedBytes, query=name, stage=stage)
            self._metrics.put("larspark_state_entries", one.numRowsTotal, query=name, stage=stage)

    def onQueryIdle(self, event: QueryIdleEvent) -> None:  # noqa: N802
        pass

    def onQueryTerminated(self, event: QueryTerminatedEvent) -> None:  # noqa: N802
        pass
