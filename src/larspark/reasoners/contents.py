"""What a reading over the input currently finds, kept up to date by its changes.

A reading is answered by the values of its variables. Sliding time windows and windows that count arrivals are
maintained at the cost of what enters and leaves; everything else is selected anew at every evaluation and compared.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeAlias

from larspark.language.extended_atoms import ExtendedAtom, Quantifier
from larspark.language.facts import Fact, Signature
from larspark.language.tree import Constant, FilterWindow, Hold, TimeWindow, TupleWindow, points
from larspark.language.values import Value
from larspark.language.windows.selection import Selection
from larspark.reasoners.arrivals_for_readings import ArrivalsForReadings

Row: TypeAlias = tuple[Value, ...]
"""Values for the names of a reading."""


class Delta(NamedTuple):
    """The rows that a reading finds now and did not find before, and the other way round."""

    entered: list[Row]
    left: list[Row]


class Changing(Protocol):
    """The rows of one reading, by their changes."""

    def arrive(self, time: int, fact: Fact) -> None:
        """An input atom arrives."""
        ...

    def settle(self, now: int) -> Delta:
        """Move to the evaluation time; what changed since the last call."""
        ...


class Content(Changing, Protocol):
    """The rows of one reading, which can be kept and taken up again."""

    def state(self) -> object:
        """All that later calls depend on, as plain data."""
        ...

    def resume(self, state: Any) -> None:
        """Go back to what was found then."""
        ...


def content_of(
    reading: ExtendedAtom,
    background: Iterable[Fact],
    start: int,
    holds: Mapping[Signature, Hold] = MappingProxyType({}),
) -> Content:
    """The cheapest way to keep the rows of a reading."""
    signature = reading.signature
    known = [fact for fact in background if fact.signature == signature]
    if (known and reading.quantifier is Quantifier.AT) or (signature in holds and not reading.counts_arrivals):
        return _Selected(reading, known, start, holds)
    match reading.quantifier, reading.windows:
        case Quantifier.NOW, _:
            return _Sliding(reading, 0, known)
        case Quantifier.AT, []:
            return _Sliding(reading, None, known)
        case ((Quantifier.SOME | Quantifier.AT), [TimeWindow(past, _, 1)]):
            return _Sliding(reading, points(past), known)
        case ((Quantifier.SOME | Quantifier.AT), [*filters, TupleWindow(past, _, False)]) if all(
            isinstance(window, FilterWindow) for window in filters
        ):
            return _Latest(reading, points(past), known)
        case Quantifier.ALWAYS, [TimeWindow(int(past), 0, 1)]:
            return _Steady(reading, past, known, start)
    return _Selected(reading, known, start)


class _Counted:
    """Rows with the number of arrivals behind each; the changes since they were last asked for."""

    def __init__(self, reading: ExtendedAtom, known: Iterable[Fact]) -> None:
        self._reading = reading
        self._behind: Counter[Row] = Counter()
        self._before: dict[Row, bool] = {}
        for fact in known:
            row = reading.match(fact, 0)
            if row is not None:
                self._add(row)

    def _add(self, row: Row) -> None:
        if not self._behind[row]:
            self._before.setdefault(row, False)
        self._behind[row] += 1

    def _drop(self, row: Row) -> None:
        self._behind[row] -= 1
        if not self._behind[row]:
            del self._behind[row]
            self._before.setdefault(row, True)

    def _changes(self) -> Delta:
        before, self._before = self._before, {}
        behind = self._behind
        return Delta(
            [row for row, was in before.items() if not was and row in behind],
            [row for row, was in before.items() if was and row not in behind],
        )

    def _rows(self) -> object:
        return self._behind, self._before

    def _resume_rows(self, state: Any) -> None:
        behind, self._before = state
        self._behind = Counter(behind)


class _Sliding(_Counted):
    """τ^past with ◇ or @, an atom at now, or `@T` over the whole history (past None)."""

    def __init__(self, reading: ExtendedAtom, past: int | None, known: Iterable[Fact]) -> None:
        super().__init__(reading, known)
        self._past = past
        self._leaving: deque[tuple[int, Row]] = deque()

    def arrive(self, time: int, fact: Fact) -> None:
        row = self._reading.match(fact, time)
        if row is not None:
            self._add(row)
            if self._past is not None:
                self._leaving.append((time + self._past + 1, row))

    def settle(self, now: int) -> Delta:
        leaving = self._leaving
        while leaving and leaving[0][0] <= now:
            self._drop(leaving.popleft()[1])
        return self._changes()

    def state(self) -> object:
        return self._rows(), list(self._leaving)

    def resume(self, state: Any) -> None:
        rows, leaving = state
        self._resume_rows(rows)
        self._leaving = deque(leaving)


class _Latest(_Counted):
    """#^size with ◇ or @, over all arrivals or those that pass filters."""

    def __init__(self, reading: ExtendedAtom, size: int | None, known: Iterable[Fact]) -> None:
        super().__init__(reading, known)
        self._size = size
        self._filters = [window.patterns for window in reading.windows if isinstance(window, FilterWindow)]
        self._inside: deque[Row | None] = deque()

    def arrive(self, time: int, fact: Fact) -> None:
        if not all(any(pattern.lets_through(fact) for pattern in patterns) for patterns in self._filters):
            return
        row = self._reading.match(fact, time)
        self._inside.append(row)
        if row is not None:
            self._add(row)
        if self._size is not None and len(self._inside) > self._size:
            oldest = self._inside.popleft()
            if oldest is not None:
                self._drop(oldest)

    def settle(self, now: int) -> Delta:
        return self._changes()

    def state(self) -> object:
        return self._rows(), list(self._inside)

    def resume(self, state: Any) -> None:
        rows, inside = state
        self._resume_rows(rows)
        self._inside = deque(inside)


class _Steady:
    """τ^past with □: rows of the atoms that arrived at every point of the window, which ends now."""

    def __init__(self, reading: ExtendedAtom, past: int, known: Iterable[Fact], start: int) -> None:
        self._reading = reading
        self._past = past
        self._start = start
        self._runs: dict[Fact, tuple[int, int]] = {}
        """Atom → first and last time point of its latest unbroken run."""
        self._fixed = {row for fact in known if (row := reading.match(fact, 0)) is not None}
        self._current: set[Row] = set()

    def arrive(self, time: int, fact: Fact) -> None:
        if self._reading.match(fact, time) is not None:
            first, last = self._runs.get(fact, (time, time))
            self._runs[fact] = (first, time) if time - last <= 1 else (time, time)

    def settle(self, now: int) -> Delta:
        begin = max(self._start, now - self._past)
        # A run that ended just before may go on at a later tick of this time point.
        self._runs = {fact: run for fact, run in self._runs.items() if run[1] >= now - 1}
        steady = (
            self._reading.match(fact, now)
            for fact, (first, last) in self._runs.items()
            if first <= begin and last == now
        )
        current = self._fixed | {row for row in steady if row is not None}
        before, self._current = self._current, current
        return Delta(list(current - before), list(before - current))

    def state(self) -> object:
        return self._runs, self._current

    def resume(self, state: Any) -> None:
        self._runs, self._current = state


class _Selected:
    """Any windows: selected anew at every evaluation."""

    def __init__(
        self,
        reading: ExtendedAtom,
        known: list[Fact],
        start: int,
        holds: Mapping[Signature, Hold] = MappingProxyType({}),
    ) -> None:
        self._reading = reading
        self._known = known
        self._history = ArrivalsForReadings([reading], start, holds)
        self._current: set[Row] = set()

    def arrive(self, time: int, fact: Fact) -> None:
        self._history.append(time, fact)

    def settle(self, now: int) -> Delta:
        selection = self._history.select(self._reading, now)
        found = (
            self._steady(selection, now) if self._reading.quantifier is Quantifier.ALWAYS else self._inside(selection)
        )
        current = {row for fact, time in found if (row := self._reading.match(fact, time)) is not None}
        before, self._current = self._current, current
        return Delta(list(current - before), list(before - current))

    def state(self) -> object:
        return self._history.state(), self._current

    def resume(self, state: Any) -> None:
        history, self._current = state
        self._history.resume(history)

    def _inside(self, selection: Selection) -> Iterator[tuple[Fact, int]]:
        yield from ((arrival.fact, arrival.time) for arrival in selection.arrivals)
        yield from ((fact, time) for fact in self._known for time in self._times(selection))

    def _times(self, selection: Selection) -> Iterable[int]:
        """Where background is seen, which holds at every point of the window; of an endless one the first is named."""
        match self._reading.time:
            case Constant(time):
                return [time] if isinstance(time, int) and time in selection else []
        last = selection.first if selection.last is None else selection.last
        return range(selection.first, last + 1)

    def _steady(self, selection: Selection, now: int) -> Iterator[tuple[Fact, int]]:
        if not selection.empty:
            yield from ((fact, now) for fact in self._known)
        if selection.last is None:
            return
        times: dict[Fact, set[int]] = defaultdict(set)
        for arrival in selection.arrivals:
            times[arrival.fact].add(arrival.time)
        size = selection.last - selection.first + 1
        yield from ((fact, now) for fact, at in times.items() if len(at) == size)
