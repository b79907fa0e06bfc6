"""How a program runs over bounded data: which way its arrivals and conclusions go, and who writes them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from larspark.language.facts import Signature
from larspark.runtime.findings.observation import Watch
from larspark.spark.evaluate.progress import NO_PROGRESS, ProgressNotes
from larspark.spark.evaluate.routing import Route, Ways
from larspark.spark.evaluate.stage import Leaving, StageTask, TableOutput, UnitingTask
from larspark.spark.plan.division import TimeDivision
from larspark.spark.plan.plan import EvaluationSpan, SparkPlan
from larspark.spark.plan.work import StagePart


@dataclass(frozen=True)
class Flow:
    """A planned run."""

    plan: SparkPlan
    span: EvaluationSpan
    buckets: int
    output: TableOutput
    divisions: list[TimeDivision] = field(default_factory=list)
    """For each stage, as far as they have been made."""
    progress: ProgressNotes = NO_PROGRESS
    profiles: Path | None = None
    """Where partitions note what their rules cost."""

    @cached_property
    def watched(self) -> list[Watch]:
        """What each stage takes note of: every input in the first one that reads it."""
        found, whole = list[Watch](), Watch.of(self.plan.analysis)
        for number in range(self.last):
            own = whole.signatures & self.arriving(number).keys.keys()
            found.append(whole.only(own - frozenset[Signature]().union(*(one.signatures for one in found))))
        return found

    @property
    def last(self) -> int:
        """The number of the stage that unites conclusions; it comes after all others."""
        return len(self.plan.stages)

    @property
    def _ways(self) -> Ways:
        return Ways(self.plan, self.buckets)

    @property
    def united(self) -> frozenset[Signature]:
        """Shown predicates with conclusions about one atom from several partitions, or that others may take back."""
        if self.plan.may_be_void:
            return frozenset(self.plan.shown)
        pairs = zip(self.plan.stages, self.divisions, strict=False)
        cut = frozenset[Signature]().union(*(one.stage.predicates for one, division in pairs if division.divided))
        return self.plan.scattered | (cut & frozenset(self.plan.shown))

    def parts(self, stage: int) -> tuple[StagePart, ...]:
        if stage < len(self.divisions):
            return self.divisions[stage].parts
        return tuple(
            StagePart(bucket, self.span.begin, self.span.end) for bucket in range(self._ways.buckets_of(stage))
        )

    def task(self, stage: int, sampled: int = 0) -> StageTask | UnitingTask:
        """What a stage does in its partitions."""
        numbers = self.plan.vocabulary.numbers
        if stage == self.last:
            return UnitingTask(numbers, Leaving(self.output, self.united))
        planned = self.plan.stages[stage]
        written = frozenset(self.plan.shown) & planned.stage.predicates - self.united
        void_to = (self.last, self.buckets) if self.plan.may_be_void else None
        work = replace(self.plan.work(planned, self.span, self.buckets), divided=self.divisions[stage].parts)
        leaving = Leaving(self.output, written, self.ways(stage), void_to, sampled)
        return StageTask(stage, work, leaving, self.progress, self.profiles, self.watched[stage])

    def sources(self, stage: int) -> list[int]:
        """The stages whose conclusions a stage reads, or by which it knows where there is no answer stream."""
        if stage == self.last and self.plan.may_be_void:
            return [*range(stage)]
        return [number for number in range(stage) if any(route.stage == stage for route in self.ways(number))]

    def ways(self, stage: int) -> list[Route]:
        """Where the conclusions of a stage go."""
        if stage == self.last:
            return []
        concluded = self.plan.stages[stage].stage.predicates
        wanted = ((later, self._delivered(later) & concluded) for later in range(stage + 1, self.last + 1))
        return [self._ways.route(later, found) for later, found in wanted if found]

    def arriving(self, stage: int) -> Route:
        """The way of arrivals to a stage."""
        if stage < self.last:
            return self._ways.arriving(stage)
        return self._ways.route(stage, self.united & self.plan.analysis.extensional)

    def divided(self, route: Route) -> Route:
        """The same way, to the partitions that a stage has."""
        return route if route.stage == self.last else replace(route, division=self.divisions[route.stage])

    def _delivered(self, stage: int) -> frozenset[Signature]:
        return self.united if stage == self.last else self.plan.stages[stage].program.delivered
