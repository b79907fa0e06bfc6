"""The online update for one precondition: rows wait where their next premise is due (AAAI 2020, Prop. 11).

A time point costs what arrives in it and the rows that fall due in it. Rows of one cluster move from due time to due
time in bulk; with several time variables a row is kept and forked when a further cluster anchors (Example 10), found
through an index on what it shares with the arriving facts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from larspark.hypothetical.offline.preconditions import Precondition
from larspark.hypothetical.online.changes import RowChanges
from larspark.hypothetical.online.relations import PatternRows, PremisePattern, Row, getter
from larspark.hypothetical.online.stages import Progress, ProgressStage, Stages
from larspark.hypothetical.theory.terms import ABSOLUTE, NOW


@dataclass
class _Index:
    """Waiting rows by the values they share with the first premise of a cluster."""

    key: Callable[[Row], Row]
    shape: PremisePattern
    keyed: tuple[int, ...]
    rows: defaultdict[Row, dict[Row, None]] = field(default_factory=lambda: defaultdict(dict))


class _Waiting:
    """The rows of one stage that still lack premises."""

    def __init__(self, stage: ProgressStage) -> None:
        self.stage = stage
        self.due: defaultdict[int, list[Row]] = defaultdict(list)
        self.ends: defaultdict[int, list[Row]] = defaultdict(list)
        self.idle: dict[Row, None] = {}
        """Rows of stages where a cluster is not anchored yet, whether they have a due time or not."""
        self.indexes: dict[int, _Index] = {}

    def remove(self, row: Row) -> None:
        if row in self.idle:
            del self.idle[row]
            for index in self.indexes.values():
                key = index.key(row)
                index.rows[key].pop(row, None)
                if not index.rows[key]:
                    del index.rows[key]


class Matcher:
    """The rows of one precondition at the current time."""

    def __init__(
        self, precondition: Precondition, rigid: Mapping[PremisePattern, PatternRows], keep: int | None
    ) -> None:
        self.precondition = precondition
        self.stages = Stages(precondition, rigid)
        self._keep = keep
        self._single = len(self.stages.clusters) == 1
        self._waiting: dict[Progress, _Waiting] = {}
        self.completed: defaultdict[int | None, list[Row]] = defaultdict(list)
        """Complete rows by the time at which they are forgotten."""
        self.complete_stage: ProgressStage | None = None
        self._changes: RowChanges | None = None
        if not self.stages.clusters:
            self.complete_stage, self.completed[None] = self.starting

    @cached_property
    def starting(self) -> tuple[ProgressStage, list[Row]]:
        """The rows before any premise is met: one per way to meet the rigid ones."""
        return self.stages.starting_rows()

    # -- reading -----------------------------------------------------------------------------------------

    def rows(self) -> Iterator[tuple[ProgressStage, Row]]:
        """Every row with at least one premise met, and the complete ones."""
        for waiting in self._waiting.values():
            if self._unanchored(waiting.stage):
                yield from ((waiting.stage, row) for row in waiting.idle)
            else:
                yield from ((waiting.stage, row) for rows in waiting.due.values() for row in rows)
        if self.complete_stage is not None:
            stage = self.complete_stage
            yield from ((stage, row) for rows in self.completed.values() for row in rows)

    def __len__(self) -> int:
        return sum(1 for _ in self.rows())

    # -- following -----------------------------------------------------------------------------------------

    def follow(self) -> None:
        """From now on remember which rows enter and leave."""
        self._changes = RowChanges()
        self._entered(self.rows())

    def changes(self) -> RowChanges:
        """The changes since the last call."""
        found, self._changes = self._changes or RowChanges(), RowChanges()
        return found

    def _entered(self, rows: Iterable[tuple[ProgressStage, Row]]) -> None:
        if self._changes is not None:
            for stage, row in rows:
                self._changes.enter(stage, row)

    def _left(self, stage: ProgressStage | None, rows: Iterable[Row]) -> None:
        if self._changes is not None and stage is not None:
            for row in rows:
                self._changes.leave(stage, row)

    # -- one time point ------------------------------------------------------------------------------------

    def advance(self, time: int, relations: Mapping[PremisePattern, PatternRows]) -> None:
        """Let the facts of `time` arrive; nothing may be due strictly before it."""
        self._left(self.complete_stage, self.completed.pop(time, ()))
        if self._single:
            self._advance_chain(time, relations)
        elif self.stages.clusters:
            self._advance_forks(time, relations)

    def next_due(self) -> int | None:
        """The next time at which something happens even if nothing arrives."""
        times = [t for w in self._waiting.values() for t in (*w.due, *w.ends)]
        return min([*times, *(t for t in self.completed if t is not None)], default=None)

    def _advance_chain(self, time: int, relations: Mapping[PremisePattern, PatternRows]) -> None:
        moved: list[tuple[ProgressStage, list[Row]]] = []
        for waiting in self._waiting.values():
            rows = waiting.due.pop(time, None)
            if rows:
                self._left(waiting.stage, rows)
                transition = self.stages.transition(waiting.stage, 0)
                moved.append((transition.target, transition.apply(rows, time, relations)))
        anchoring = self.stages.transition(self.stages.initial, 0)
        moved.append((anchoring.target, anchoring.apply([()], time, relations)))
        cluster = self.stages.clusters[0]
        for stage, rows in moved:
            if not rows:
                continue
            done = stage.progress[0]
            if done == len(cluster.groups):
                self._complete(stage, rows, time)
            else:
                due = time + cluster.groups[done].offset - cluster.groups[done - 1].offset
                self._at(stage).due[due] += rows
                self._entered((stage, row) for row in rows)

    def _at(self, stage: ProgressStage) -> _Waiting:
        if stage.progress not in self._waiting:
            self._waiting[stage.progress] = _Waiting(stage)
        return self._waiting[stage.progress]

    def _complete(self, stage: ProgressStage, rows: list[Row], time: int) -> None:
        self.complete_stage = stage
        if NOW in self.precondition.differences.names:
            for row in rows:
                known = self.known_times(stage, row)
                last = known.get(NOW, self.precondition.differences.high(NOW, known))
                if last is None or last >= time:
                    self.completed[None if last is None else last + 1].append(row)
                    self._entered([(stage, row)])
        else:
            self.completed[None if self._keep is None else time + self._keep + 1] += rows
            self._entered((stage, row) for row in rows)

    def known_times(self, stage: ProgressStage, row: Row) -> dict[str, int]:
        """The time variables that a row has values for."""
        names = self.precondition.differences.names
        return {
            name: value
            for name, value in zip(stage.layout, row, strict=True)
            if name in names and isinstance(value, int)
        }

    # -- several time variables ------------------------------------------------------------------------

    def _unanchored(self, stage: ProgressStage) -> list[int]:
        return [i for i, n in enumerate(stage.progress) if n == 0]

    def _advance_forks(self, time: int, relations: Mapping[PremisePattern, PatternRows]) -> None:
        moved: list[tuple[ProgressStage, list[Row]]] = []
        for waiting in list(self._waiting.values()):
            for row in waiting.due.pop(time, ()):
                if self._unanchored(waiting.stage):
                    if row not in waiting.idle:
                        continue
                    waiting.remove(row)
                self._left(waiting.stage, [row])
                moved += self._through_due(waiting.stage, row, time, relations)
        for stage, rows in moved:
            self._store(stage, rows, time)
        for number in range(len(self.stages.clusters)):
            anchored: list[tuple[ProgressStage, list[Row]]] = []
            for waiting in list(self._waiting.values()):
                if waiting.stage.progress[number] == 0:
                    transition = self.stages.transition(waiting.stage, number)
                    rows = self._touched(waiting, number, relations)
                    if rows:
                        anchored.append((transition.target, transition.apply(rows, time, relations)))
            first = self.stages.transition(self.stages.initial, number)
            anchored.append((first.target, first.apply([()], time, relations)))
            for stage, rows in anchored:
                self._store(stage, rows, time)
        for waiting in list(self._waiting.values()):
            for row in waiting.ends.pop(time, ()):
                if row in waiting.idle:
                    waiting.remove(row)
                    self._left(waiting.stage, [row])

    def _through_due(
        self, stage: ProgressStage, row: Row, time: int, relations: Mapping[PremisePattern, PatternRows]
    ) -> list[tuple[ProgressStage, list[Row]]]:
        rows = [row]
        for number in range(len(self.stages.clusters)):
            if rows and self._due(stage, rows[0], number) == time:
                transition = self.stages.transition(stage, number)
                rows = transition.apply(rows, time, relations)
                stage = transition.target
        return [(stage, rows)] if rows else []

    def _due(self, stage: ProgressStage, row: Row, number: int) -> int | None:
        """When the next group of an anchored cluster is due."""
        cluster, done = self.stages.clusters[number], stage.progress[number]
        if done in (0, len(cluster.groups)):
            return None
        return self._base_value(stage, row, cluster.base) + cluster.groups[done].offset

    def _base_value(self, stage: ProgressStage, row: Row, base: str) -> int:
        if base == ABSOLUTE:
            return 0
        value = row[stage.layout.index(base)]
        return value if isinstance(value, int) else 0

    def _store(self, stage: ProgressStage, rows: list[Row], time: int) -> None:
        if not rows:
            return
        if stage.progress == self.stages.complete:
            self._complete(stage, rows, time)
            return
        waiting = self._at(stage)
        unanchored = self._unanchored(stage)
        for row in rows:
            dues = [due for i in range(len(stage.progress)) if (due := self._due(stage, row, i)) is not None]
            if dues:
                waiting.due[min(dues)].append(row)
            if not unanchored:
                self._entered([(stage, row)])
            else:
                end = self._end(stage, row, unanchored)
                if end is not None and end < time:
                    continue
                waiting.idle[row] = None
                self._entered([(stage, row)])
                for number in unanchored:
                    index = self._index(waiting, number)
                    index.rows[index.key(row)][row] = None
                if end is not None:
                    waiting.ends[end].append(row)

    def _end(self, stage: ProgressStage, row: Row, unanchored: list[int]) -> int | None:
        """The last time at which the row can still be forked: its open clusters must begin by then."""
        known = self.known_times(stage, row)
        ends: list[int] = []
        for number in unanchored:
            cluster = self.stages.clusters[number]
            first = cluster.groups[0].offset
            if cluster.base == ABSOLUTE:
                ends.append(first)
            elif cluster.base in known:
                ends.append(known[cluster.base] + first)
            elif (high := self.precondition.differences.high(cluster.base, known)) is not None:
                ends.append(high + first)
        return min(ends, default=None)

    def _index(self, waiting: _Waiting, number: int) -> _Index:
        if number not in waiting.indexes:
            cluster = self.stages.clusters[number]
            pattern = PremisePattern.of(cluster.groups[0].premises[0])
            layout = waiting.stage.layout
            keyed = tuple(i for i, name in enumerate(pattern.names) if name in layout)
            key = getter([layout.index(pattern.names[i]) for i in keyed])
            waiting.indexes[number] = _Index(key, pattern.shape, keyed)
            for row in waiting.idle:
                waiting.indexes[number].rows[key(row)][row] = None
        return waiting.indexes[number]

    def _touched(self, waiting: _Waiting, number: int, relations: Mapping[PremisePattern, PatternRows]) -> list[Row]:
        """The waiting rows that some arriving fact can anchor in this cluster."""
        index = self._index(waiting, number)
        relation = relations.get(index.shape)
        if relation is None or not index.rows:
            return []
        rest = tuple(i for i in range(len(index.shape.names)) if i not in index.keyed)
        keys = relation.index(index.keyed, rest)
        return [row for key in keys if key in index.rows for row in index.rows[key]]
