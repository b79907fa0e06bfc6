"""Groups of elements followed exactly, event by event: what aggregates of any values and ranks have in common.

Elements are rows (group, element, first, last), gained or lost. What follows from a group is published up to its next
known event, and looked at again then.
"""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from larspark.intervals.sets import FOREVER, coalesce, subtract
from larspark.intervals.tables.storage import Rows
from larspark.reasoners.interval.network import Aggregated, Listed, Relation
from larspark.reasoners.interval.operators.feeding import stored_elements
from larspark.reasoners.interval.state.tables import Tables, as_rows

Codes = tuple[int, ...]
"""The codes of some values."""

Stretch = tuple[int, int, Codes]
"""First and last time, and the values in between."""

Outlet = tuple[Relation, Codes]
"""Where values are published: a relation, and the columns between the group and the values."""


class Course:
    """The current values since when, and until when they are known."""

    def __init__(self, start: int) -> None:
        self._begin, self._until = start, start - 1
        self.values: Codes | None = None
        self.before: list[Stretch] = []
        """What was published of the values with which a step began."""
        self.now: list[Stretch] = []
        """What is to be published after it."""

    def begin(self) -> None:
        self.before = [] if self.values is None else [(self._begin, self._until, self.values)]
        self.now = []

    def take(self, time: int, values: Codes | None) -> None:
        """From this time on the values are these, other ones."""
        if self.values is not None and self._begin < time:
            self.now.append((self._begin, time - 1, self.values))
        self._begin, self.values = time, values

    def end(self, until: int) -> None:
        self._until = until
        if self.values is not None:
            self.now.append((self._begin, until, self.values))


class GroupElements(ABC):
    """The elements of one group at one time, and what is published of it."""

    def __init__(self, courses: int, start: int) -> None:
        self.events: list[tuple[int, int, Codes]] = []
        self.since = start
        """Events up to here have been followed."""
        self.courses = [Course(start) for _ in range(courses)]

    @abstractmethod
    def change(self, element: Codes, weight: int) -> None:
        """An element enters or leaves; among changes of one time point it may leave before it enters."""

    @abstractmethod
    def values(self) -> tuple[int, Sequence[Codes | None]]:
        """The values from some course on, None where there are none; those of courses before are as they were."""

    @property
    @abstractmethod
    def empty(self) -> bool: ...

    @property
    def next_event(self) -> int:
        return self.events[0][0] if self.events else FOREVER + 1

    def add(self, element: Codes, first: int, last: int, weight: int) -> None:
        heapq.heappush(self.events, (first, weight, element))
        if last < FOREVER:
            heapq.heappush(self.events, (last + 1, -weight, element))

    def advance(self, until: int) -> None:
        """Follow the events up to `until`; courses say what was published, and what is now to be."""
        for course in self.courses:
            course.begin()
        while self.next_event <= until:
            time = self.next_event
            while self.next_event == time:
                _, weight, element = heapq.heappop(self.events)
                self.change(element, weight)
            self.since = time
            first, values = self.values()
            for course, found in zip(self.courses[first:], values, strict=True):
                if found != course.values:
                    course.take(time, found)
        for course in self.courses:
            course.end(self.next_event - 1)


class ExactGroups:
    """All groups of a node; every course of a group has an outlet, which is opened when the first group needs it."""

    def __init__(
        self,
        node: Aggregated | Listed,
        outlet: Callable[[int], Outlet],
        make: Callable[[], GroupElements],
        tables: Tables,
        start: int,
    ) -> None:
        self._node, self._columns = node, node.group
        self._outlet, self._make = outlet, make
        self._outlets: list[Outlet] = []
        self._tables, self._start = tables, start
        self._groups: dict[Codes, GroupElements] = {}
        self._alarms: list[tuple[int, Codes]] = []
        self._over = start
        """The last event of any group that was over; such a group may be asked for again, from before it on."""

    @property
    def next_alarm(self) -> int:
        """When a value may change next if nothing arrives."""
        return self._alarms[0][0] if self._alarms else FOREVER + 1

    def change(self, gained: Rows | None, lost: Rows | None, until: int) -> list[tuple[Relation, Rows, Rows]]:
        """The rows gained and lost, by relation."""
        touched: set[Codes] = set()
        late: set[Codes] = set()
        for rows, weight in ((gained, 1), (lost, -1)):
            if rows is not None:
                self._record(rows, weight, touched, late)
        while self._alarms and self._alarms[0][0] <= until:
            touched.add(heapq.heappop(self._alarms)[1])
        plus: dict[Relation, list[Codes]] = defaultdict(list)
        minus: dict[Relation, list[Codes]] = defaultdict(list)
        for key in touched:
            group = self._groups.get(key)
            if group is None:
                continue
            if key in late:
                moves = self._rebuilt(key, until)
                group = self._groups[key]
            else:
                group.advance(until)
                moves = [(course.before, course.now) for course in group.courses]
            self._open(len(moves))
            for (target, between), (before, now) in zip(self._outlets, moves, strict=False):
                if before != now:
                    _difference((*key, *between), now, before, plus[target])
                    _difference((*key, *between), before, now, minus[target])
            if group.next_event <= FOREVER:
                heapq.heappush(self._alarms, (group.next_event, key))
            elif group.empty:
                self._over = max(self._over, group.since)
                del self._groups[key]
        return [
            (target, as_rows(plus[target], target.width), as_rows(minus[target], target.width))
            for target in {**plus, **minus}
            if plus[target] or minus[target]
        ]

    def _open(self, courses: int) -> None:
        """Groups may have fewer."""
        self._outlets += [self._outlet(place) for place in range(len(self._outlets), courses)]

    def _record(self, rows: Rows, weight: int, touched: set[Codes], late: set[Codes]) -> None:
        columns = self._columns
        for row in rows.tolist():
            key, element, first, last = tuple(row[:columns]), tuple(row[columns:-2]), row[-2], row[-1]
            group = self._groups.get(key)
            if group is None:
                group = self._groups[key] = self._make()
                group.since = max(self._start, self._over)
            group.add(element, first, last, weight)
            touched.add(key)
            if first < group.since:
                late.add(key)

    def _rebuilt(self, key: Codes, until: int) -> list[tuple[list[Stretch], list[Stretch]]]:
        """A change before what was already followed: the group is built anew from its elements."""
        columns = self._columns
        fresh = self._make()
        for row in stored_elements(self._node, self._tables).tolist():
            if tuple(row[:columns]) == key:
                fresh.add(tuple(row[columns:-2]), row[-2], row[-1], 1)
        self._groups[key] = fresh
        fresh.advance(until)
        self._open(len(fresh.courses))
        told = {
            target: [row for row in self._tables.content(target).tolist() if tuple(row[:columns]) == key]
            for target in {target for target, _ in self._outlets}
        }
        moves: list[tuple[list[Stretch], list[Stretch]]] = []
        for place, (target, between) in enumerate(self._outlets):
            ahead = columns + len(between)
            before = [
                (row[-2], row[-1], tuple(row[ahead:-2])) for row in told[target] if tuple(row[columns:ahead]) == between
            ]
            now = fresh.courses[place].now if place < len(fresh.courses) else []
            moves.append((self._relevant(before), self._relevant(now)))
        return moves

    def _relevant(self, stretches: list[Stretch]) -> list[Stretch]:
        horizon = self._tables.horizon
        return [(max(first, horizon), last, values) for first, last, values in stretches if last >= horizon]


def _difference(begin: Codes, left: Iterable[Stretch], right: Sequence[Stretch], out: list[Codes]) -> None:
    """The rows of left stretches minus right stretches, value by value."""
    for first, last, values in left:
        same = [(start, end) for start, end, others in right if others == values]
        if not same:
            out.append((*begin, *values, first, last))
        elif len(same) == 1:  # the usual case: the same values, known for longer
            ((start, end),) = same
            if first < start:
                out.append((*begin, *values, first, min(last, start - 1)))
            if last > end:
                out.append((*begin, *values, max(first, end + 1), last))
        else:
            for piece in subtract(((first, last),), coalesce(same)):
                out.append((*begin, *values, *piece))
