"""The progress of one precondition: which premises have been met, and what each stage still has to do.

Premises hang on time variables; those of one variable are a *cluster*, met in the order of their offsets. The first
premises of a cluster *anchor* its variable, from then on every further premise has a due time. A stage is the number
of premise groups met per cluster; what its rows know is fixed by that, so every transition is a ready-made step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from larspark.hypothetical.offline.preconditions import Precondition, grouped_by_variable
from larspark.hypothetical.online.joins import Extended, Layout, Step, check, join, lookup, respect, sequence
from larspark.hypothetical.online.relations import PatternRows, PremisePattern, Row
from larspark.hypothetical.theory.terms import ABSOLUTE, Literal
from larspark.language import tree

Progress = tuple[int, ...]


@dataclass(frozen=True)
class PremiseGroup:
    """The premises of a cluster at one offset."""

    offset: int
    premises: tuple[Literal, ...]


@dataclass(frozen=True)
class Cluster:
    """All premises on one time variable; without a variable they are due at fixed time points."""

    base: str
    groups: tuple[PremiseGroup, ...]


def clusters_of(precondition: Precondition) -> tuple[Cluster, ...]:
    found = []
    for base, literals in sorted(grouped_by_variable(precondition.premises).items()):
        groups = groupby(literals, key=lambda lit: lit.time.offset if lit.time else 0)
        found.append(Cluster(base, tuple(PremiseGroup(offset, tuple(premises)) for offset, premises in groups)))
    return tuple(found)


@dataclass(frozen=True)
class ProgressStage:
    """A point of progress: the layout of its rows and the comparisons still open."""

    progress: Progress
    layout: Layout
    open: tuple[tree.Comparison, ...]

    def place(self, name: str) -> int | None:
        return self.layout.index(name) if name in self.layout else None


@dataclass(frozen=True)
class Transition:
    """Meet the next group of a cluster at the current time."""

    target: ProgressStage
    base: str
    offset: int
    base_place: int | None
    """Where the rows already hold the variable."""
    step: Step

    def apply(self, rows: list[Row], time: int, relations: Mapping[PremisePattern, PatternRows]) -> list[Row]:
        value = time - self.offset
        if self.base == ABSOLUTE:
            if value != 0:
                return []
        elif self.base_place is None:
            rows = [(*row, value) for row in rows]
        else:
            place = self.base_place
            rows = [row for row in rows if row[place] == value]
        return self.step(rows, relations) if rows else rows


class Stages:
    """All stages of a precondition, built when first reached."""

    def __init__(self, precondition: Precondition, rigid: Mapping[PremisePattern, PatternRows]) -> None:
        self.precondition = precondition
        self.clusters = clusters_of(precondition)
        self._rigid = rigid
        self._stages: dict[Progress, ProgressStage] = {}
        self._transitions: dict[tuple[Progress, int], Transition] = {}

    @cached_property
    def patterns(self) -> list[PremisePattern]:
        return [PremisePattern.of(literal) for literal in self.precondition.premises]

    @cached_property
    def complete(self) -> Progress:
        return tuple(len(cluster.groups) for cluster in self.clusters)

    @cached_property
    def initial(self) -> ProgressStage:
        return ProgressStage((0,) * len(self.clusters), (), self.precondition.conditions)

    def met(self, progress: Progress) -> list[Literal]:
        return [
            premise
            for cluster, done in zip(self.clusters, progress, strict=True)
            for group in cluster.groups[:done]
            for premise in group.premises
        ]

    def unmet(self, progress: Progress) -> list[Literal]:
        return [
            premise
            for cluster, done in zip(self.clusters, progress, strict=True)
            for group in cluster.groups[done:]
            for premise in group.premises
        ]

    @cached_property
    def _bases(self) -> frozenset[str]:
        return frozenset(cluster.base for cluster in self.clusters)

    def transition(self, stage: ProgressStage, number: int) -> Transition:
        """The step of this cluster from this stage."""
        key = stage.progress, number
        if key not in self._transitions:
            self._transitions[key] = self._build(stage, number)
        return self._transitions[key]

    def _build(self, stage: ProgressStage, number: int) -> Transition:
        cluster = self.clusters[number]
        group = cluster.groups[stage.progress[number]]
        layout = stage.layout
        place = stage.place(cluster.base)
        if cluster.base != ABSOLUTE and place is None:
            layout = (*layout, cluster.base)
        steps: list[Step] = []
        for premise in group.premises:
            extended = join(layout, premise)
            steps.append(extended.step)
            layout = extended.layout
        if not any(stage.progress):
            more = self._with_rigid(layout)
            steps += more.step
            layout = more.layout
        progress = tuple(n + (i == number) for i, n in enumerate(stage.progress))
        target = self._settled(progress, layout, stage, steps)
        return Transition(target, cluster.base, group.offset, place, sequence(steps))

    @dataclass(frozen=True)
    class _Steps:
        step: list[Step]
        layout: Layout

    def _with_rigid(self, layout: Layout) -> _Steps:
        steps = []
        for literal in self.precondition.rigid:
            extended = lookup(layout, literal, self._rigid)
            steps.append(extended.step)
            layout = extended.layout
        return Stages._Steps(steps, layout)

    def _settled(self, progress: Progress, layout: Layout, before: ProgressStage, steps: list[Step]) -> ProgressStage:
        """Append what can be checked now; bring the rows to the one layout of the stage."""
        awaited = self._bases | {ABSOLUTE}
        checked = check(layout, before.open, awaited)
        parts: list[Extended] = []
        if checked.extended is not None:
            parts.append(checked.extended)
            layout = checked.extended.layout
        decided = frozenset({*before.layout, ABSOLUTE}) if any(before.progress) else frozenset({ABSOLUTE})
        limits = respect(layout, self.precondition.differences, decided)
        if limits is not None:
            parts.append(limits)
        steps += [part.step for part in parts]
        known = self._stages.get(progress)
        if known is None:
            known = self._stages[progress] = ProgressStage(progress, layout, checked.open)
        elif known.layout != layout:
            steps.append(_rearranged(layout, known.layout))
        return known

    def starting_rows(self) -> tuple[ProgressStage, list[Row]]:
        """Rows before any premise: for a precondition without premises these are complete already."""
        steps = self._with_rigid(())
        built = steps.step
        stage = self._settled(self.initial.progress, steps.layout, self.initial, built)
        return stage, sequence(built)([()], {}) if built else [()]


def _rearranged(layout: Layout, wanted: Layout) -> Step:
    places = [layout.index(name) for name in wanted]
    return lambda rows, _: [tuple(row[i] for i in places) for row in rows]
