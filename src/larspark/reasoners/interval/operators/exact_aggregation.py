"""Aggregates of any values, computed exactly: what `larspark.intervals.sweep` does for small integers.

Decimals, symbols and large numbers, and sums that become large, go this way.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left, insort
from collections.abc import Iterable
from decimal import Decimal

from larspark.intervals.sets import FOREVER, IntervalSet, coalesce, subtract
from larspark.intervals.storage import Rows
from larspark.language.values import NotANumber, Value, calculate, normal, order_key, total
from larspark.reasoners.interval.network import Aggregated, Relation
from larspark.reasoners.interval.state.dictionary import Dictionary
from larspark.reasoners.interval.state.tables import Tables, as_rows

Tuple = tuple[int, ...]


class Elements:
    """The distinct tuples of a group at one time, and the aggregate over them."""

    def __init__(self, function: str, dictionary: Dictionary) -> None:
        self._function = function
        self._dictionary = dictionary
        self._counts: dict[Tuple, int] = {}
        self._size = 0
        self._total: Value | None = 0
        self._sorted: list[tuple[tuple[int, Value], int]] = []

    def change(self, element: Tuple, weight: int) -> None:
        before = self._counts.get(element, 0)
        after = before + weight
        if after:
            self._counts[element] = after
        else:
            del self._counts[element]
        # Several changes of one time point may pass through other counts; only presence matters.
        if (before > 0) != (after > 0):
            self._present(element, after > 0)

    def _present(self, element: Tuple, entered: bool) -> None:
        self._size += 1 if entered else -1
        value = self._dictionary.decode(element[0])
        if self._function in ("min", "max"):
            item = order_key(value), element[0]
            if entered:
                insort(self._sorted, item)
            else:
                del self._sorted[bisect_left(self._sorted, item)]
        elif self._total is not None:
            try:
                self._total = calculate("+" if entered else "-", self._total, value)
            except NotANumber:
                self._total = None

    def __len__(self) -> int:
        return self._size

    def value(self) -> int | None:
        """The code of the aggregate; None when there is nothing, or a symbol is to be added up."""
        if not self._size:
            self._total = 0
            return None
        match self._function:
            case "min":
                return self._sorted[0][1]
            case "max":
                return self._sorted[-1][1]
        try:
            value = self._sum()
            if self._function == "avg":
                value = normal(calculate("/", Decimal(value), Decimal(self._size)))
            return self._dictionary.encode(value)
        except NotANumber:
            return None

    def _sum(self) -> Value:
        if self._total is None:  # a symbol, or too many digits, were among the elements, or still are
            present = (element for element, count in self._counts.items() if count > 0)
            self._total = total(self._dictionary.decode(element[0]) for element in present)
        return self._total


Stretch = tuple[int, int, int]
"""First and last time, and the value in between."""


class Group:
    """The value of one group over time."""

    def __init__(self, function: str, dictionary: Dictionary, start: int) -> None:
        self.elements = Elements(function, dictionary)
        self.events: list[tuple[int, int, Tuple]] = []
        self.since = start
        """Events up to here are in `elements`."""
        self._begin = start
        self._value: int | None = None
        self._until = start - 1

    @property
    def next_event(self) -> int:
        return self.events[0][0] if self.events else FOREVER + 1

    @property
    def over(self) -> bool:
        return not self.elements and not self.events

    def add(self, element: Tuple, first: int, last: int, weight: int) -> None:
        heapq.heappush(self.events, (first, weight, element))
        if last < FOREVER:
            heapq.heappush(self.events, (last + 1, -weight, element))

    def advance(self, until: int) -> tuple[list[Stretch], list[Stretch]]:
        """Follow the events up to `until`: what was published of the current value, and what is now to be."""
        before = [] if self._value is None else [(self._begin, self._until, self._value)]
        now: list[Stretch] = []
        while self.next_event <= until:
            time = self.next_event
            while self.next_event == time:
                _, weight, element = heapq.heappop(self.events)
                self.elements.change(element, weight)
            self.since = time
            value = self.elements.value()
            if value != self._value:
                if self._value is not None and self._begin < time:
                    now.append((self._begin, time - 1, self._value))
                self._begin, self._value = time, value
        self._until = self.next_event - 1
        if self._value is not None:
            now.append((self._begin, self._until, self._value))
        return before, now


class ExactAggregation:
    """One function of an aggregate as an exact operator."""

    def __init__(self, node: Aggregated, function: str, tables: Tables, start: int) -> None:
        self._source, self._columns = node.source, node.group
        self._function, self._target = function, node.values[function]
        self._tables = tables
        self._dictionary = tables.dictionary
        self._start = start
        self._groups: dict[Tuple, Group] = {}
        self._alarms: list[tuple[int, Tuple]] = []
        self._over = start
        """The last event of any group that was over; such a group may be asked for again, from before it on."""

    @property
    def next_alarm(self) -> int:
        """When a value may change next if nothing arrives."""
        return self._alarms[0][0] if self._alarms else FOREVER + 1

    def change(self, gained: Rows | None, lost: Rows | None, until: int) -> tuple[Relation, Rows, Rows]:
        """The rows of values gained and lost."""
        touched: set[Tuple] = set()
        late: set[Tuple] = set()
        for rows, weight in ((gained, 1), (lost, -1)):
            if rows is not None:
                self._record(rows, weight, touched, late)
        while self._alarms and self._alarms[0][0] <= until:
            touched.add(heapq.heappop(self._alarms)[1])
        plus: list[tuple[int, ...]] = []
        minus: list[tuple[int, ...]] = []
        for key in touched:
            group = self._groups.get(key)
            if group is None:
                continue
            before, now = self._rebuilt(key, until) if key in late else group.advance(until)
            _difference(key, now, before, plus)
            _difference(key, before, now, minus)
            group = self._groups[key]
            if group.next_event <= FOREVER:
                heapq.heappush(self._alarms, (group.next_event, key))
            elif group.over:
                self._over = max(self._over, group.since)
                del self._groups[key]
        width = self._target.width
        return self._target, as_rows(plus, width), as_rows(minus, width)

    def _record(self, rows: Rows, weight: int, touched: set[Tuple], late: set[Tuple]) -> None:
        columns = self._columns
        for row in rows.tolist():
            key, element, first, last = tuple(row[:columns]), tuple(row[columns:-2]), row[-2], row[-1]
            group = self._groups.get(key)
            if group is None:
                group = self._groups[key] = Group(self._function, self._dictionary, self._start)
                group.since = max(self._start, self._over)
            group.add(element, first, last, weight)
            touched.add(key)
            if first < group.since:
                late.add(key)

    def _rebuilt(self, key: Tuple, until: int) -> tuple[list[Stretch], list[Stretch]]:
        """A change before what was already followed: the group is built anew from its elements."""
        columns = self._columns
        fresh = Group(self._function, self._dictionary, self._start)
        for row in self._tables.content(self._source).tolist():
            if tuple(row[:columns]) == key:
                fresh.add(tuple(row[columns:-2]), row[-2], row[-1], 1)
        self._groups[key] = fresh
        _, now = fresh.advance(until)
        before = [
            (row[-2], row[-1], row[columns])
            for row in self._tables.content(self._target).tolist()
            if tuple(row[:columns]) == key
        ]
        return self._relevant(before), self._relevant(now)

    def _relevant(self, stretches: list[Stretch]) -> list[Stretch]:
        horizon = self._tables.horizon
        return [(max(first, horizon), last, value) for first, last, value in stretches if last >= horizon]


def _difference(key: Tuple, left: Iterable[Stretch], right: Iterable[Stretch], out: list[tuple[int, ...]]) -> None:
    """The rows of left stretches minus right stretches, value by value."""
    sets: dict[int, IntervalSet] = {}
    for first, last, value in right:
        sets[value] = coalesce((*sets.get(value, ()), (first, last)))
    for first, last, value in left:
        for piece in subtract(((first, last),), sets.get(value, ())):
            out.append((*key, value, *piece))
