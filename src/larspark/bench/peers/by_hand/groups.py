"""Several functions of one group, the first of a group, and groups that have been large for a while, by hand."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping

from larspark.bench.workloads.programs import BEST, FEW, WHILE, usual_load
from larspark.bench.workloads.task import Args, Parameters
from larspark.language.facts import Fact


class Sightings:
    """Per stop the vehicles in the window, sorted."""

    def __init__(self, parameters: Parameters) -> None:
        self._window, self._size, self._time = parameters.window, parameters.size, 0
        self._last: dict[Args, int] = {}
        self._recent: deque[tuple[int, list[Args]]] = deque()
        self._sorted: dict[int, list[int]] = defaultdict(list)

    def step(self, time: int, arrived: Mapping[str, list[Args]]) -> None:
        last, atoms = self._last, arrived.get("seen", [])
        for atom in atoms:
            if atom not in last:
                insort(self._sorted[atom[1]], atom[0])
                self.enter(*atom)
            last[atom] = time
        self._recent.append((time, atoms))
        while self._recent[0][0] < time - self._window:
            before, old = self._recent.popleft()
            for atom in old:
                if last.get(atom) == before:
                    del last[atom]
                    inside = self._sorted[atom[1]]
                    del inside[bisect_left(inside, atom[0])]
                    self.leave(*atom)
        self._time = time

    def enter(self, vehicle: int, stop: int) -> None:
        """A vehicle is new at a stop."""

    def leave(self, vehicle: int, stop: int) -> None:
        """A vehicle is no longer seen at a stop."""


class GroupReport(Sightings):
    """Their number, how many are small, and their sum beside."""

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(parameters)
        self._few: dict[int, int] = defaultdict(int)
        self._sum: dict[int, int] = defaultdict(int)

    def enter(self, vehicle: int, stop: int) -> None:
        self._few[stop] += vehicle < FEW
        self._sum[stop] += vehicle

    def leave(self, vehicle: int, stop: int) -> None:
        self._few[stop] -= vehicle < FEW
        self._sum[stop] -= vehicle

    def answer(self) -> Iterable[tuple[int, Fact]]:
        for stop in range(self._size):
            inside = self._sorted[stop]
            if inside:
                values = (len(inside), self._few[stop], self._sum[stop], inside[0], inside[-1])
                yield self._time, Fact("report", (stop, *values))


class Ranks(Sightings):
    """The last of the sorted."""

    def answer(self) -> Iterable[tuple[int, Fact]]:
        for stop in range(self._size):
            for place, vehicle in enumerate(reversed(self._sorted[stop][-BEST:]), 1):
                yield self._time, Fact("best", (stop, place, vehicle))


class CrowdedStops:
    """Per stop how many vehicles are in the window, and since when they are more than usual."""

    def __init__(self, parameters: Parameters) -> None:
        self._window, self._size, self._time = parameters.window, parameters.size, 0
        self._usual = usual_load(parameters)
        self._last: dict[Args, int] = {}
        self._recent: deque[tuple[int, list[Args]]] = deque()
        self._load: dict[int, int] = defaultdict(int)
        self._since: dict[int, int] = {}
        self._lasting: list[int] = []

    def step(self, time: int, arrived: Mapping[str, list[Args]]) -> None:
        last, load, usual, since = self._last, self._load, self._usual, self._since
        atoms = arrived.get("seen", [])
        for atom in atoms:
            if atom not in last:
                load[atom[1]] += 1
            last[atom] = time
        self._recent.append((time, atoms))
        while self._recent[0][0] < time - self._window:
            before, old = self._recent.popleft()
            for atom in old:
                if last.get(atom) == before:
                    del last[atom]
                    load[atom[1]] -= 1
        for stop, number in load.items():
            if number <= usual:
                since.pop(stop, None)
            elif stop not in since:
                since[stop] = time
        limit = max(time - WHILE, 0)
        self._lasting = [stop for stop, first in since.items() if first <= limit]
        self._time = time

    def answer(self) -> Iterable[tuple[int, Fact]]:
        for stop in range(self._size):
            yield self._time, Fact("load", (stop, self._load[stop]))
        for stop in self._since:
            yield self._time, Fact("crowded", (stop,))
        for stop in self._lasting:
            yield self._time, Fact("lasting", (stop,))
