"""When parts of an engine are to be looked at though nothing changes for them."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush

from larspark.intervals.tables.watch import NEVER


class Alarms:
    """One time for each part that waits for one."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int]] = []
        """Times with parts; those that `_time_of` does not name are out of date."""
        self._time_of: dict[int, int] = {}
        self.first = NEVER
        """The first time for which a part waits."""

    def _find_first(self) -> None:
        while self._heap and self._time_of.get(self._heap[0][1]) != self._heap[0][0]:
            heappop(self._heap)
        self.first = self._heap[0][0] if self._heap else NEVER

    def due(self, until: int) -> Iterator[int]:
        """The parts whose time has come; they wait no longer."""
        while self.first <= until:
            _, place = heappop(self._heap)
            del self._time_of[place]
            self._find_first()
            yield place

    def set(self, place: int, time: int) -> None:
        """Let a part wait for this time, and for no other."""
        if time != self._time_of.get(place, NEVER):
            self._time_of[place] = time
            if time < NEVER:
                heappush(self._heap, (time, place))
            self._find_first()
