"""Chains of windows that are no intersection, and □ over tuple windows: selected by the definition at every time point.

Only input can stand under them. The points at which nothing can change are passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.storage import Rows
from larspark.language.facts import Fact
from larspark.language.tree import Window
from larspark.language.windows.selection import Arrival, Selection
from larspark.reasoners.interval.network import Relation, Selected, Spanned
from larspark.reasoners.interval.state.arrivals import Arrivals
from larspark.reasoners.interval.state.dictionary import Dictionary
from larspark.reasoners.interval.state.tables import as_rows
from larspark.reasoners.selection import forgetting, select

Row = tuple[int, ...]

SLACK = 256
"""How many arrivals may be kept before those that are never selected again are looked for."""


class Selector(Protocol):
    """An exact operator from arrivals, and time, to rows."""

    target: Relation

    def change(self, arrivals: Arrivals, after: int, until: int) -> tuple[Rows, Rows]:
        """Rows gained and lost."""
        ...


class KeptArrivals:
    """The arrivals that windows may still select."""

    def __init__(self, windows: tuple[Window, ...], dictionary: Dictionary, start: int) -> None:
        self._windows, self._start = windows, start
        self._dictionary = dictionary
        self._arrivals: list[Arrival] = []
        self._number = 0
        self._forgetting = forgetting(windows)
        self._enough = SLACK

    def selections(self, arriving: Iterable[Arrival], times: Iterable[int]) -> Iterator[tuple[int, Selection]]:
        """What the windows select at these times, in order."""
        coming = list(arriving)
        place = 0
        for time in times:
            while place < len(coming) and coming[place].time <= time:
                self._arrivals.append(coming[place])
                place += 1
            yield time, select(self._windows, self._arrivals, self._start, time)
            if self._forgetting and len(self._arrivals) > self._enough:
                self._arrivals = list(select(self._forgetting, self._arrivals, self._start, time).arrivals)
                self._enough = 2 * len(self._arrivals) + SLACK

    def decoded(self, arrivals: Arrivals) -> Iterator[Arrival]:
        """The arrivals in order, as facts; where nothing is counted, places do not tell the order of predicates."""
        found = [
            (time, place, Fact(signature.predicate, tuple(map(self._dictionary.decode, codes))))
            for signature, batch in arrivals.batches.items()
            for place, time, codes in zip(
                batch.places.tolist(), batch.times.tolist(), batch.codes.tolist(), strict=True
            )
        ]
        for time, _, fact in sorted(found, key=lambda arrival: arrival[:2]):
            self._number += 1
            yield Arrival(time, self._number, fact)


class Selecting:
    """The rows of one predicate that windows select."""

    def __init__(self, node: Selected, dictionary: Dictionary, start: int) -> None:
        self.node, self.target = node, node.target
        self._dictionary = dictionary
        self._kept = KeptArrivals(node.windows, dictionary, start)
        self._content: dict[Row, int] = {}
        """The rows selected last, and since when."""
        self._by_count = all(window.moves_by_arrivals for window in node.windows)

    def change(self, arrivals: Arrivals, after: int, until: int) -> tuple[Rows, Rows]:
        arriving = list(self._kept.decoded(arrivals))
        gained: dict[tuple[Row, int], int] = {}
        lost: list[Row] = []
        for time, selection in self._kept.selections(arriving, self._times(arriving, after, until)):
            selected = set(self._rows(selection))
            for row in self._content.keys() - selected:
                since = self._content.pop(row)
                if (row, since) in gained:
                    gained[row, since] = time - 1
                else:
                    lost.append((*row, time, FOREVER))
            for row in selected - self._content.keys():
                self._content[row] = time
                gained[row, time] = FOREVER
        width = self.target.width
        return as_rows([(*row, first, last) for (row, first), last in gained.items()], width), as_rows(lost, width)

    def _times(self, arriving: list[Arrival], after: int, until: int) -> Iterator[int]:
        """The time points to look at, in order; counting windows change only when something arrives, or right after."""
        if not self._by_count:
            yield from range(min(after + 1, until), until + 1)
            return
        times = {time for arrival in arriving for time in (arrival.time, arrival.time + 1)} | {after + 1}
        yield from sorted(time for time in times if time <= until)

    def _rows(self, selection: Selection) -> Iterator[Row]:
        found = [arrival for arrival in selection.arrivals if arrival.fact.signature == self.node.signature]
        if not self.node.always:
            for arrival in found:
                yield (*self._codes(arrival.fact), arrival.time << 1) if self.node.timed else self._codes(arrival.fact)
            return
        if selection.last is None:
            return  # nothing covers an endless future
        covered: dict[Fact, set[int]] = {}
        for arrival in found:
            covered.setdefault(arrival.fact, set()).add(arrival.time)
        for fact, times in covered.items():
            if len(times) == selection.last - selection.first + 1:
                yield self._codes(fact)

    def _codes(self, fact: Fact) -> Row:
        return tuple(map(self._dictionary.encode, fact.args))


class Spanning:
    """The time points that windows select; of an endless future only the first, which says that there are any."""

    def __init__(self, node: Spanned, dictionary: Dictionary, start: int) -> None:
        self.target = node.target
        self._kept = KeptArrivals(node.windows, dictionary, start)
        self._content = range(0)
        self._since: dict[int, int] = {}

    def change(self, arrivals: Arrivals, after: int, until: int) -> tuple[Rows, Rows]:
        arriving = list(self._kept.decoded(arrivals))
        gained: dict[tuple[int, int], int] = {}
        lost: list[Row] = []
        for time, selection in self._kept.selections(arriving, range(min(after + 1, until), until + 1)):
            before, self._content = self._content, _points(selection)
            for point in _without(before, self._content):
                since = self._since.pop(point)
                if (point, since) in gained:
                    gained[point, since] = time - 1
                else:
                    lost.append((point << 1, time, FOREVER))
            for point in _without(self._content, before):
                self._since[point] = time
                gained[point, time] = FOREVER
        rows = [(point << 1, first, last) for (point, first), last in gained.items() if first <= last]
        return as_rows(rows, 1), as_rows(lost, 1)


def _points(selection: Selection) -> range:
    if selection.empty:
        return range(0)
    return range(selection.first, (selection.first if selection.last is None else selection.last) + 1)


def _without(points: range, others: range) -> Iterator[int]:
    """The points of one interval that are not in another."""
    if not others:
        yield from points
        return
    yield from range(points.start, min(points.stop, others.start))
    yield from range(max(points.start, others.stop), points.stop)
