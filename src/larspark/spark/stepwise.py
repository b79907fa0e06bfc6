"""A partition evaluated time point by time point, by any reasoner."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

import pyarrow as pa

from larspark.language.facts import Fact, Signature
from larspark.reasoners.protocol import Change, Foreseeing, Reasoner
from larspark.spark.cells import decode_values, encode_values
from larspark.spark.rows import OTHER, Kind, row_columns
from larspark.spark.stage_program import DELIVERED, OTHERS, PINNED
from larspark.spark.work import Work


class Conclusion(NamedTuple):
    """An interval row: the evaluations from `time` to `until`; no fact: no answer stream there."""

    kind: Kind
    fact: Fact | None
    time: int
    until: int
    at: int | None = None


Event: TypeAlias = tuple[int, int, Fact]
"""A fact that is given to the reasoner at every time point from the first to the second."""


def evaluate_stepwise(work: Work, number: int, table: pa.Table) -> pa.Table:
    """The conclusions of a partition; the table is in the order of arrival."""
    found = list(conclusions(work.make(number), events(work, table), work.begin, work.end))
    return as_table([one for one in found if one.fact is None or one.fact.signature in work.stage.concludes], work)


def events(work: Work, table: pa.Table) -> list[Event]:
    """Arrivals, and conclusions of earlier stages under their delivered names, in the order of the table."""
    placed: list[tuple[int, Event]] = []
    names = {number: signature for signature, number in work.numbers.items()}
    indexes: dict[tuple[int, int], list[int]] = defaultdict(list)
    pairs = zip(table.column("kind").to_pylist(), table.column("predicate").to_pylist(), strict=True)
    for index, pair in enumerate(pairs):
        indexes[pair].append(index)
    for (kind, predicate), rows in indexes.items():
        if kind == Kind.SEED:
            continue
        part = table.take(rows)
        signature = Signature(OTHERS, 0) if predicate == OTHER else names[predicate]
        spans = zip(*(part.column(name).to_pylist() for name in ("time", "until", "at")), strict=True)
        for index, (time, until, at), args in zip(rows, spans, decode_values(part, signature.arity), strict=True):
            match kind:
                case Kind.ARRIVAL:
                    placed.append((index, (time, time, Fact(signature.predicate, args))))
                case Kind.NOW:
                    placed.append((index, (time, until, Fact(DELIVERED + signature.predicate, args))))
                case Kind.AT:
                    placed.append((index, (time, until, Fact(PINNED + signature.predicate, (*args, at)))))
    return [event for _, event in sorted(placed, key=lambda one: one[0])]


class Schedule:
    """What is given at each time point, asked for one after the other; an interval is not spelled out."""

    def __init__(self, given: Iterable[Event]) -> None:
        self._begins: dict[int, list[Event]] = defaultdict(list)
        for event in given:
            self._begins[event[0]].append(event)
        self._times = deque(sorted(self._begins))
        self._going_on: list[Event] = []

    def at(self, time: int) -> list[Fact]:
        """The facts of a time point, later than those asked for before."""
        self._going_on = [event for event in self._going_on if event[1] >= time]
        while self._times and self._times[0] <= time:
            self._going_on += self._begins.pop(self._times.popleft())
        return [fact for _, _, fact in self._going_on]

    def after(self, time: int) -> int | None:
        """The next time point at which something is given."""
        if any(last > time for _, last, _ in self._going_on):
            return time + 1
        return self._times[0] if self._times else None


def evaluations(reasoner: Reasoner, schedule: Schedule, first: int, last: int) -> Iterator[tuple[int, Change]]:
    """Advance from `first` to `last`, past the time points at which nothing can change."""
    time = first
    while time <= last:
        yield time, reasoner.advance(time, schedule.at(time))
        change = reasoner.next_change() if isinstance(reasoner, Foreseeing) else time + 1
        time = min((one for one in (change, schedule.after(time)) if one is not None), default=last + 1)


def conclusions(reasoner: Reasoner, given: Iterable[Event], begin: int, end: int) -> Iterator[Conclusion]:
    """Advance through the time points from `begin` to `end`, and join what stays true to intervals."""
    holding: dict[Fact, int] = {}
    pinned: dict[tuple[int, Fact], int] = {}
    void: int | None = None
    for time, change in evaluations(reasoner, Schedule(given), begin, end):
        for fact in change.disappeared:
            yield Conclusion(Kind.NOW, fact, holding.pop(fact), time - 1)
        for at, fact in change.unpinned:
            yield Conclusion(Kind.AT, fact, pinned.pop((at, fact)), time - 1, at)
        holding.update(dict.fromkeys(change.appeared, time))
        pinned.update(dict.fromkeys(change.pinned, time))
        if change.consistent and void is not None:
            yield Conclusion(Kind.VOID, None, void, time - 1)
            void = None
        elif not change.consistent and void is None:
            void = time
    for fact, since in holding.items():
        yield Conclusion(Kind.NOW, fact, since, end)
    for (at, fact), since in pinned.items():
        yield Conclusion(Kind.AT, fact, since, end, at)
    if void is not None:
        yield Conclusion(Kind.VOID, None, void, end)


def as_table(found: list[Conclusion], work: Work) -> pa.Table:
    """Conclusions as rows."""
    numbers = [work.numbers[one.fact.signature] if one.fact else 0 for one in found]
    columns = [
        pa.array([int(one.kind) for one in found], pa.int32()),
        pa.array(numbers, pa.int32()),
        *(pa.array([getattr(one, name) for one in found], pa.int64()) for name in ("time", "until", "at")),
        *encode_values([one.fact.args if one.fact else () for one in found], work.width),
    ]
    return pa.table(columns, names=row_columns(work.width))
