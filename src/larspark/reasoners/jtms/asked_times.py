"""`@T p` where some atoms of p are background: they hold at infinitely many time points, so T must be asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from larspark.language.extended_atoms import ExtendedAtom
from larspark.language.facts import Fact, Signature
from larspark.language.tree import Hold
from larspark.language.values import Value
from larspark.language.windows.selection import Selection
from larspark.reasoners.arrivals_for_readings import ArrivalsForReadings
from larspark.reasoners.contents import Delta, Row


class AskedTimes:
    """The rows of such a reading: all arrivals in its window, and background at the times somebody asks about."""

    def __init__(
        self, reading: ExtendedAtom, background: Iterable[Fact], start: int, holds: Mapping[Signature, Hold]
    ) -> None:
        self._reading = reading
        self._known = [fact for fact in background if fact.signature == reading.signature]
        self._history = ArrivalsForReadings([reading], start, holds)
        self._asked: Counter[Value] = Counter()
        self._current: set[Row] = set()
        self.touched = False

    def ask(self, row: Row, asked: bool) -> None:
        """A time is asked about, or no longer; several rules may ask."""
        self._asked[row[0]] += 1 if asked else -1
        self.touched = True

    def arrive(self, time: int, fact: Fact) -> None:
        self._history.append(time, fact)

    def settle(self, now: int) -> Delta:
        found = self._found(self._history.select(self._reading, now))
        current = {row for fact, time in found if (row := self._reading.match(fact, time)) is not None}
        before, self._current, self.touched = self._current, current, False
        return Delta(list(current - before), list(before - current))

    def _found(self, selection: Selection) -> Iterator[tuple[Fact, int]]:
        yield from ((arrival.fact, arrival.time) for arrival in selection.arrivals)
        times = [time for time, number in self._asked.items() if number and isinstance(time, int) and time in selection]
        yield from ((fact, time) for fact in self._known for time in times)
