"""The beginning of a bounded run: what arrives, the timeline, and how the program runs over it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyspark.sql import SparkSession

from larspark.diagnostics import Diagnostic, Origin, Rejected, refuse_warnings
from larspark.language.calendar import TimeForm
from larspark.runtime.findings.account import Account
from larspark.runtime.findings.unfired import FiredRules
from larspark.spark.bounded.flow import Flow
from larspark.spark.bounded.run import SAMPLED, Ran
from larspark.spark.bounded.sources import ArrivalSource, KeptMessages, read_all
from larspark.spark.evaluate.noticing import Notice
from larspark.spark.evaluate.routing import Ways
from larspark.spark.plan.division import obstacle, reach_of
from larspark.spark.plan.plan import EvaluationSpan, PlannedStage, SparkPlan
from larspark.spark.read.arrivals import ArrivalReading
from larspark.spark.read.inputs import Inputs
from larspark.spark.session.session import cores
from larspark.spark.write.dead_letters import COLUMNS as LETTERS
from larspark.spark.write.dead_letters import as_diagnostic, open_letters
from larspark.write.times import TimeWriter

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
    evaluations: tuple[int, int] | None = None
    """The first and the last evaluation that are wanted; of what arrived before, what they can see is read."""
    profile: bool = False
    points: bool = False
    """Times leave as time points, however they came."""
    letters: bool = False
    """Whether the records that are set aside are handed over."""
    strict: bool = False
    """Whether what is odd about the data is an error, and then nothing is put in place."""

    def times(self, plan: SparkPlan, arrived: TimeForm) -> TimeWriter:
        """How times leave."""
        return TimeWriter(plan.calendar, TimeForm.POINTS if self.points else max(plan.calendar.form, arrived))

    def buckets(self, session: SparkSession) -> int:
        return self.partitions or cores(session)


@dataclass(frozen=True)
class RunSummary:
    """What there is to say about a bounded run, wherever its tables are."""

    start: int
    end: int
    arrivals: int
    rows: Mapping[str, int]
    """How many rows each table has."""
    notes: tuple[str, ...]
    """About partitions that are heavier than others."""
    refused: Mapping[str, int]
    """How many records were set aside, by reason."""
    times: TimeWriter
    """How times are written."""
    findings: tuple[Diagnostic, ...]
    """What is odd about the data beside the program."""


def summary_of(
    flow: Flow, arrivals: ArrivalSource, ran: Ran, rows: Mapping[str, int], options: RunOptions
) -> RunSummary:
    """`Rejected` where nothing odd may be about the data, and something is."""
    notes = tuple(one.note for one in flow.divisions if one.note)
    times, findings = options.times(flow.plan, arrivals.form), findings_of(flow.plan, arrivals, ran, options)
    return RunSummary(flow.span.start, flow.span.end, arrivals.rows, rows, notes, arrivals.refused, times, findings)


def span_of(plan: SparkPlan, arrivals: ArrivalSource, options: RunOptions) -> EvaluationSpan:
    """The timeline, and the evaluations on it."""
    if options.evaluations is None:
        start, end = timeline_of(options.timeline, *(arrivals.span or (None, None)))
        return EvaluationSpan(start, start, end)
    begin, end = options.evaluations
    if end < begin:
        message = f"No evaluation lies from {begin} to {end}."
        raise Rejected([Diagnostic("E411", message, "Give --from before --until.")])
    return EvaluationSpan(max(0, begin - seen_before(plan)), begin, end)


def seen_before(plan: SparkPlan) -> int:
    """How far back evaluations look; `Rejected` when they look back for ever."""
    problems = [
        Diagnostic(
            "E615",
            f"A part of the time cannot be run by itself: {reason}.",
            "Put a window of some length around what reaches back, or run the whole time.",
            _farthest(plan, planned),
        )
        for planned in plan.stages
        if (reason := obstacle(plan, planned))
    ]
    if problems:
        raise Rejected(dict.fromkeys(problems))
    return max((reach_of(plan, planned) for planned in plan.stages), default=0)


def _farthest(plan: SparkPlan, planned: PlannedStage) -> Origin | None:
    """The rule that looks back for ever, or the first one of the stage."""
    retained = (plan.analysis.retention.get(one) for one in sorted(planned.program.inputs))
    endless = [one.rule for one in retained if one is not None and one.past is None and one.rule is not None]
    rules = [*endless, *planned.stage.rules]
    return rules[0].origin if rules else None


def read_inputs(session: SparkSession, plan: SparkPlan, inputs: Inputs, options: RunOptions) -> KeptMessages:
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
    routes = [Ways(plan, buckets).arriving(stage) for stage in range(len(plan.stages))]
    return ArrivalReading(plan.vocabulary.numbers, routes, SAMPLED, plan.ordered)


def findings_of(plan: SparkPlan, arrivals: ArrivalSource, ran: Ran, options: RunOptions) -> tuple[Diagnostic, ...]:
    """What is odd about the data beside the program, and the rules that never fired; `Rejected` where it may not be."""
    noticed = [one for found in ran.notices.values() for one in found]
    observed = [one.observed for one in noticed]
    account = Account.counted(
        plan.analysis, plan.calendar, arrivals.counts, arrivals.span, observed, _fired(plan, noticed)
    )
    findings = tuple(account.findings(max(plan.calendar.form, arrivals.form)))
    if options.strict:
        refuse_warnings(findings)
    return findings


def _fired(plan: SparkPlan, noticed: Sequence[Notice]) -> FiredRules | None:
    """The rules that have fired in some partition; None: some reasoner does not tell."""
    found = [one.fired for one in noticed]
    told = [one for one in found if one is not None]
    return {rule for one in told for rule in one} if len(told) == len(found) and plan.stages else None


def timeline_of(given: tuple[int, int] | None, first: int | None, last: int | None) -> tuple[int, int]:
    """The first and the last evaluation: those that are asked for, or those of the data."""
    start, end = given or (first or 0, last or 0)
    if end < start:
        raise Rejected([Diagnostic("E411", f"The timeline {start} {end} ends before it starts.", "Give T0 <= T1.")])
    if first is not None and first < start:
        message = f"An atom arrives at {first}, before the timeline starts at {start}."
        raise Rejected([Diagnostic("E411", message, "Let the timeline start earlier.")])
    return start, end
