"""The beginning of a bounded run: what arrives, the timeline, and how the program runs over it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import SparkSession

from larspark.diagnostics import Diagnostic, Rejected
from larspark.spark.bounded.flow import Flow
from larspark.spark.bounded.run import SAMPLED
from larspark.spark.bounded.sources import ArrivalSource, Kept, read_all
from larspark.spark.evaluate.progress import NO_PROGRESS, ProgressNotes
from larspark.spark.evaluate.stage import NO_OUTPUT, TableOutput
from larspark.spark.plan.plan import EvaluationSpan, SparkPlan
from larspark.spark.read.arrivals import ArrivalReading
from larspark.spark.read.inputs import Inputs
from larspark.spark.session.session import cores
from larspark.spark.write.dead_letters import COLUMNS as LETTERS
from larspark.spark.write.dead_letters import as_diagnostic, open_letters

TOLD = 5
"""Bad records that are shown when they stop a run."""


@dataclass(frozen=True)
class RunOptions:
    """How a bounded run is to be done."""

    timeline: tuple[int, int] | None = None
    partitions: int | None = None
    on_error: str = "stop"
    table_format: str = "parquet"
    changes: bool = False
    profile: bool = False

    def buckets(self, session: SparkSession) -> int:
        return self.partitions or cores(session)


def flow_over(
    plan: SparkPlan,
    arrivals: ArrivalSource,
    options: RunOptions,
    buckets: int,
    output: TableOutput,
    progress: ProgressNotes = NO_PROGRESS,
    profiles: Path | None = None,
) -> Flow:
    """How a program runs over what arrives."""
    start, end = timeline_of(options.timeline, *(arrivals.span or (None, None)))
    return Flow(plan, EvaluationSpan(start, start, end), buckets, output, progress=progress, profiles=profiles)


def read_inputs(session: SparkSession, plan: SparkPlan, inputs: Inputs, options: RunOptions) -> Kept:
    """Everything that the inputs hold; bad records may stop the run."""
    reading = reading_of(plan, options.buckets(session))
    kept = read_all(session, inputs, reading)
    if kept.refused and options.on_error == "stop":
        letters = kept.dead_letters.mapInArrow(open_letters, LETTERS).take(TOLD)
        kept.frame.unpersist()
        raise Rejected([as_diagnostic(one["objection"], one["record"] or "") for one in letters])
    return kept


def reading_of(plan: SparkPlan, buckets: int) -> ArrivalReading:
    """What tasks do with what they read."""
    sketch = Flow(plan, EvaluationSpan(0, 0, 0), buckets, NO_OUTPUT)
    routes = [sketch.arriving(stage) for stage in range(len(plan.stages))]
    return ArrivalReading(plan.vocabulary.numbers, routes, SAMPLED, in_order(plan))


def in_order(plan: SparkPlan) -> bool:
    """Whether the order of arrivals within a time point matters anywhere."""
    return any(planned.program.ordered or planned.depends for planned in plan.stages)


def timeline_of(given: tuple[int, int] | None, first: int | None, last: int | None) -> tuple[int, int]:
    """The first and the last evaluation: those that are asked for, or those of the data."""
    start, end = given or (first or 0, last or 0)
    if end < start:
        raise Rejected([Diagnostic("E411", f"The timeline {start} {end} ends before it starts.", "Give T0 <= T1.")])
    if first is not None and first < start:
        message = f"An atom arrives at {first}, before the timeline starts at {start}."
        raise Rejected([Diagnostic("E411", message, "Let the timeline start earlier.")])
    return start, end
