"""One atom through one window."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import itemgetter

from larspark.bench.workloads.task import Args, Parameters
from larspark.language.facts import Fact


class Diamond:
    """Atoms that have come within the window."""

    def __init__(self, parameters: Parameters, predicate: str = "p", head: str = "q") -> None:
        self._window, self._predicate, self._head = parameters.window, predicate, head
        self._last: dict[Args, int] = {}
        self._recent: deque[tuple[int, list[Args]]] = deque()
        self._time = 0

    def step(self, time: int, arrived: Mapping[str, list[Args]]) -> None:
        last, recent, horizon = self._last, self._recent, time - self._window
        atoms = arrived.get(self._predicate, [])
        for atom in atoms:
            last[atom] = time
        recent.append((time, atoms))
        while recent[0][0] < horizon:
            before, old = recent.popleft()
            for atom in old:
                if last.get(atom) == before:
                    del last[atom]
        self._time = time

    def answer(self) -> Iterable[tuple[int, Fact]]:
        return ((self._time, Fact(self._head, atom)) for atom in self._last)


class Box:
    """Atoms that have come at every time point of the window."""

    def __init__(self, parameters: Parameters, predicate: str = "p", head: str = "q") -> None:
        self._window, self._predicate, self._head = parameters.window, predicate, head
        self._since: dict[Args, int] = {}
        self._holds: list[Args] = []
        self._time = -1

    def step(self, time: int, arrived: Mapping[str, list[Args]]) -> None:
        before = self._since if self._time == time - 1 else {}
        since: dict[Args, int] = {}
        limit = max(time - self._window, 0)
        holds = []
        for atom in arrived.get(self._predicate, []):
            first = before.get(atom, time)
            since[atom] = first
            if first <= limit:
                holds.append(atom)
        self._since, self._holds, self._time = since, holds, time

    def answer(self) -> Iterable[tuple[int, Fact]]:
        return ((self._time, Fact(self._head, atom)) for atom in self._holds)


class LastArrivals:
    """Atoms among the last arrivals, or with `always` those that came at every time point these arrivals span."""

    def __init__(self, parameters: Parameters, predicate: str, head: str, *, always: bool = False) -> None:
        self._size, self._predicate, self._head, self._always = parameters.window, predicate, head, always
        self._recent: deque[tuple[int, Args]] = deque()
        self._inside: Counter[Args] = Counter()
        self._holds: Iterable[Args] = ()
        self._time = 0

    def step(self, time: int, arrived: Mapping[str, list[Args]]) -> None:
        recent, inside = self._recent, self._inside
        for atom in arrived.get(self._predicate, []):
            recent.append((time, atom))
            inside[atom] += 1
            if len(recent) > self._size:
                _, old = recent.popleft()
                inside[old] -= 1
                if not inside[old]:
                    del inside[old]
        self._time = time
        self._holds = self._spanning(time) if self._always else inside

    def answer(self) -> Iterable[tuple[int, Fact]]:
        return ((self._time, Fact(self._head, atom)) for atom in self._holds)

    def _spanning(self, now: int) -> Iterable[Args]:
        first = self._recent[0][0] if len(self._recent) >= self._size else 0
        by_time = {time: {atom for _, atom in part} for time, part in groupby(self._recent, itemgetter(0))}
        if len(by_time) < now - first + 1:
            return ()
        return set.intersection(*by_time.values())
