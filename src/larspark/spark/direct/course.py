"""How a program runs over plain files: which way its arrivals and conclusions go, and who writes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from larspark.language.facts import Signature
from larspark.spark.direct.columns import Unfit
from larspark.spark.direct.diary import Diary, diary_in
from larspark.spark.direct.evaluating import Evaluating
from larspark.spark.direct.routing import Keys, Route
from larspark.spark.direct.sending import Errand, Sending
from larspark.spark.direct.tables import FileTable
from larspark.spark.direct.uniting import Uniting
from larspark.spark.direct.written import Target
from larspark.spark.plan import Plan, Span
from larspark.spark.rows import OTHER
from larspark.spark.skew import Division
from larspark.spark.tables import argument_names, table_names
from larspark.spark.work import Part
from larspark.spark.writing import file_name


@dataclass(frozen=True)
class Course:
    """A planned run."""

    plan: Plan
    tables: tuple[FileTable, ...]
    span: Span
    buckets: int
    divisions: tuple[Division, ...]
    """For each stage."""
    folder: Path
    """Where the result tables are written."""

    @property
    def last(self) -> int:
        """The number of the stage that unites conclusions; it comes after all others."""
        return len(self.plan.stages)

    @property
    def diary(self) -> Diary:
        return diary_in(self.folder)

    @cached_property
    def targets(self) -> dict[Signature, Target]:
        numbers = self.plan.vocabulary.numbers
        return {
            one: Target(numbers[one], self.folder / file_name(name), tuple(argument_names(self.plan, one)))
            for name, one in table_names(self.plan).items()
        }

    @cached_property
    def united(self) -> frozenset[Signature]:
        """Shown predicates with conclusions about one atom from several partitions, or that others may take back."""
        if self.plan.may_be_void:
            return frozenset(self.plan.shown)
        pairs = zip(self.plan.stages, self.divisions, strict=True)
        cut = frozenset[Signature]().union(*(one.stage.predicates for one, division in pairs if division.divided))
        return self.plan.scattered | (cut & frozenset(self.plan.shown))

    def written_by(self, stage: int) -> dict[Signature, Target]:
        """What a stage writes."""
        if stage == self.last:
            return {one: target for one, target in self.targets.items() if one in self.united}
        concluded = self.plan.stages[stage].stage.predicates - self.united
        return {one: target for one, target in self.targets.items() if one in concluded}

    def division(self, stage: int) -> Division:
        if stage < self.last:
            return self.divisions[stage]
        return Division(tuple(Part(bucket, self.span.begin, self.span.end) for bucket in range(self.buckets)), 0)

    def evaluating(self, stage: int) -> Evaluating | Uniting:
        """What a stage does in its partitions."""
        targets = self.written_by(stage)
        if stage == self.last:
            return Uniting(targets, self.plan.vocabulary.numbers)
        division = self.divisions[stage]
        work = self.plan.work(self.plan.stages[stage], self.span, self.buckets)
        if division.divided:
            work = replace(work, divided=division.parts)
        void_to = self._route(self.last, {}) if self.plan.may_be_void else None
        return Evaluating(work, targets, self.ways(stage), void_to, stage, self.diary)

    def sources(self, stage: int) -> list[int]:
        """The stages whose conclusions a stage reads."""
        return [number for number in range(stage) if any(route.stage == stage for route in self.ways(number))]

    def ways(self, stage: int) -> list[Route]:
        """Where the conclusions of a stage go."""
        if stage == self.last:
            return []
        concluded = self.plan.stages[stage].stage.predicates
        wanted = ((later, self._delivered(later) & concluded) for later in range(stage + 1, self.last + 1))
        return [self._route(later, self._keys(later, found)) for later, found in wanted if found]

    def sending(self, stage: int) -> Sending:
        """How arrivals get to a stage."""
        program = self.plan.stages[stage].program if stage < self.last else None
        arriving = program.inputs if program else self.united & self.plan.analysis.extensional
        keys = self._keys(stage, arriving)
        if program and program.counts_everything:
            keys[OTHER] = ()
        errands = tuple(one for one in self.errands() if one.table.predicate in keys)
        ordered = program is not None and program.ordered
        return Sending(errands, self._route(stage, keys), ordered, self.span.end, self.plan.calendar)

    def errands(self) -> Iterator[Errand]:
        """All row groups in the order of arrival."""
        groups = ((table, group) for table in self.tables for group in table.groups)
        order = 0
        for table, group in sorted(groups, key=lambda one: (Path(one[1].path).as_uri(), one[1].number)):
            yield Errand(table, group, order)
            order += group.rows

    def _delivered(self, stage: int) -> frozenset[Signature]:
        return self.united if stage == self.last else self.plan.stages[stage].program.delivered

    def _keys(self, stage: int, signatures: frozenset[Signature]) -> dict[int, Keys]:
        numbers = self.plan.vocabulary.numbers
        if stage == self.last:
            return {numbers[one]: range(one.arity) for one in signatures}
        reads: Mapping[Signature, int | None] = self.plan.stages[stage].reads
        places = {one: reads[one] for one in signatures}
        return {numbers[one]: () if place is None else (place,) for one, place in places.items()}

    def _route(self, stage: int, keys: Mapping[int, Keys]) -> Route:
        keyed = stage == self.last or self.plan.stages[stage].stage.keyed
        return Route(stage, keys, self.buckets if keyed else 1, self.division(stage))


def check_plan(plan: Plan) -> None:
    """`Unfit` says why the reasoner of a program does not take parcels."""
    if plan.chooses or any(planned.program.records for planned in plan.stages):
        raise Unfit("every evaluation depends on the one before")
    for one in plan.shown:
        if {"from", "to", "at"} & {*argument_names(plan, one)}:
            raise Unfit(f"an argument of {one} is named like a column of the results")
