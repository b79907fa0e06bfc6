"""How a program runs on Spark: its predicates, its stages with their programs, and which reasoner each takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from larspark.analysis.analysis import Analysis
from larspark.analysis.formulas.lower_formulas import as_plain
from larspark.analysis.partitioning.decompose import decompose
from larspark.analysis.partitioning.stage_program import StageProgram, own_values, stage_program
from larspark.analysis.partitioning.stages import Stage, stages
from larspark.analysis.structure.consistency import can_be_inconsistent
from larspark.diagnostics import Diagnostic
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact, Signature
from larspark.language.tree import Input
from larspark.runtime.admission import Admission
from larspark.spark.evaluate.messages import numbered
from larspark.spark.plan.work import Work


class EvaluationSpan(NamedTuple):
    """Evaluations from `begin` to `end`, on a timeline that starts at `start`."""

    start: int
    begin: int
    end: int


@dataclass(frozen=True)
class PlannedStage:
    """A stage and the program that runs in its partitions."""

    stage: Stage
    program: StageProgram

    @property
    def reasoner(self) -> str:
        return "clingo" if self.stage.chooses else "interval"

    @property
    def depends(self) -> bool:
        """Whether an evaluation depends on the one before, so that time goes on point by point."""
        return self.stage.chooses or self.program.records

    @property
    def ordered(self) -> bool:
        """Whether the order of arrivals within a time point matters."""
        return self.program.ordered or self.depends

    @property
    def reads(self) -> Mapping[Signature, int | None]:
        """What is routed to the stage: by which argument, None: everything to the one partition."""
        read = self.program.inputs | self.program.delivered
        return {one: self.stage.positions.get(one) if self.stage.keyed else None for one in sorted(read)}


@dataclass(frozen=True)
class ProgramVocabulary:
    """The predicates of a program, as messages and inputs know them."""

    analysis: Analysis
    calendar: Calendar

    @property
    def signatures(self) -> frozenset[Signature]:
        return self.analysis.intensional | self.analysis.extensional

    @property
    def numbers(self) -> dict[Signature, int]:
        return numbered(self.signatures)

    def columns_of(self, predicate: str) -> tuple[str, ...]:
        """The columns that `#input tram(id, station)` names."""
        return next((one.columns for one in self.inputs if one.signature.predicate == predicate), ())

    @property
    def inputs(self) -> list[Input]:
        return [one for one in self.analysis.program.directives if isinstance(one, Input)]

    def objection(self, signature: Signature) -> Diagnostic | None:
        return Admission(self.analysis).objection(Fact(signature.predicate, (0,) * signature.arity))


@dataclass(frozen=True)
class SparkPlan:
    """An analysed program, ready to run."""

    analysis: Analysis
    background: tuple[Fact, ...]
    calendar: Calendar
    stages: tuple[PlannedStage, ...]
    may_be_void: bool

    @cached_property
    def vocabulary(self) -> ProgramVocabulary:
        return ProgramVocabulary(self.analysis, self.calendar)

    @property
    def chooses(self) -> bool:
        """There are several answer streams, and one is taken."""
        return any(planned.stage.chooses for planned in self.stages)

    @property
    def ordered(self) -> bool:
        """Whether the order of arrivals within a time point matters anywhere."""
        return any(planned.ordered for planned in self.stages)

    @property
    def shown(self) -> tuple[Signature, ...]:
        return tuple(sorted(self.analysis.shown & self.analysis.intensional))

    @property
    def scattered(self) -> frozenset[Signature]:
        """Shown predicates with conclusions about one atom from several partitions."""
        settled = frozenset().union(*(planned.stage.settled for planned in self.stages))
        return frozenset(self.shown) - (settled - self.analysis.extensional)

    def work(self, planned: PlannedStage, span: EvaluationSpan, buckets: int) -> Work:
        own = {
            name: own_values(guard, self.analysis, self.background) for name, guard in planned.program.guards.items()
        }
        return Work(
            planned.program,
            self.background,
            own,
            self.vocabulary.numbers,
            span.start,
            span.begin,
            span.end,
            buckets if planned.stage.keyed else 1,
            planned.reasoner,
            self.calendar,
            self.analysis.allow_functions,
        )


def make_plan(analysis: Analysis, background: tuple[Fact, ...] = (), calendar: Calendar | None = None) -> SparkPlan:
    """The plan of a program that Spark takes; `Rejected` otherwise."""
    plain, given = as_plain(analysis.require("spark"), background)
    analysis = decompose(plain)
    planned = tuple(PlannedStage(stage, stage_program(analysis, stage)) for stage in stages(analysis))
    return SparkPlan(analysis, tuple(given), calendar or Calendar(), planned, can_be_inconsistent(analysis))
