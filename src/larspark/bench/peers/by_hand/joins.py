"""Joins and transitive closure by horizons: a conclusion lives until its first-dying premise dies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from larspark.bench.workloads.task import Args, Parameters
from larspark.language.facts import Fact


class Expiries:
    """Which entries of a dictionary of horizons end when."""

    def __init__(self) -> None:
        self._ends: dict[int, list[Args]] = defaultdict(list)
        self._passed = 0

    def add(self, until: int, key: Args) -> None:
        self._ends[until].append(key)

    def before(self, time: int) -> Iterable[tuple[int, list[Args]]]:
        """What ended before `time` and was not asked for yet."""
        ends = self._ends
        if time - self._passed < len(ends):
            passed: Iterable[int] = range(self._passed, time)
        else:
            passed = sorted(until for until in ends if until < time)
        self._passed = time
        return [(until, ends.pop(until)) for until in passed if until in ends]


class Join:
    """q(A,C) :- p(A,B) [n], p(B,C) [n], under one or several names of q."""

    def __init__(self, parameters: Parameters, heads: tuple[str, ...] = ("q",)) -> None:
        self._window, self._time = parameters.window, 0
        self._by_first: dict[int, dict[int, int]] = {}
        self._by_second: dict[int, dict[int, int]] = {}
        self._joined: dict[str, dict[Args, int]] = {head: {} for head in heads}
        self._atoms, self._conclusions = Expiries(), Expiries()

    def step(self, time: int, arrived: Mapping[str, list[Args]]) -> None:
        self._expire(time)
        self._time = time
        until = time + self._window
        by_first, by_second = self._by_first, self._by_second
        first_answer, *more = self._joined.values()
        nothing: dict[int, int] = {}
        atoms = arrived.get("p", [])
        found: list[tuple[Args, int]] = []
        for a, b in atoms:
            by_first.setdefault(a, {})[b] = until
            by_second.setdefault(b, {})[a] = until
            for c, end in by_first.get(b, nothing).items():
                if first_answer.get((a, c), -1) < end:
                    first_answer[a, c] = end
                    found.append(((a, c), end))
            for z, end in by_second.get(a, nothing).items():
                if first_answer.get((z, b), -1) < end:
                    first_answer[z, b] = end
                    found.append(((z, b), end))
        for atom in atoms:
            self._atoms.add(until, atom)
        for key, end in found:
            self._conclusions.add(end, key)
        for answer in more:
            answer.update(found)

    def _expire(self, time: int) -> None:
        by_first, by_second = self._by_first, self._by_second
        for until, atoms in self._atoms.before(time):
            for a, b in atoms:
                seconds = by_first.get(a)
                if seconds is not None and seconds.get(b) == until:
                    del seconds[b]
                    if not seconds:
                        del by_first[a]
                    firsts = by_second[b]
                    del firsts[a]
                    if not firsts:
                        del by_second[b]
        for until, keys in self._conclusions.before(time):
            for answer in self._joined.values():
                for key in keys:
                    if answer.get(key) == until:
                        del answer[key]

    def answer(self) -> Iterable[tuple[int, Fact]]:
        return ((self._time, Fact(head, key)) for head, answer in self._joined.items() for key in answer)


class Closure:
    """Paths over the edges in the window; a path lives as long as the best choice of its edges."""

    def __init__(
        self, parameters: Parameters, edge: str = "edge", head: str = "path", allowed: frozenset[Args] | None = None
    ) -> None:
        self._window, self._edge, self._head, self._allowed = parameters.window, edge, head, allowed
        self._after: dict[int, dict[int, int]] = defaultdict(dict)
        self._before: dict[int, dict[int, int]] = defaultdict(dict)
        self._calendar = Expiries()
        self._time = 0

    def step(self, time: int, arrived: Mapping[str, list[Args]]) -> None:
        after, before = self._after, self._before
        for until, paths in self._calendar.before(time):
            for x, y in paths:
                if after[x].get(y) == until:
                    del after[x][y], before[y][x]
        until = self._time = time
        until += self._window
        for a, b in arrived.get(self._edge, []):
            if self._allowed is not None and (a, b) not in self._allowed:
                continue
            sources = [(a, until), *before[a].items()]
            targets = [(b, until), *after[b].items()]
            for x, begun in sources:
                known = after[x]
                for y, ended in targets:
                    end = min(begun, ended)
                    if known.get(y, -1) < end:
                        known[y] = before[y][x] = end
                        self._calendar.add(end, (x, y))

    def answer(self) -> Iterable[tuple[int, Fact]]:
        return ((self._time, Fact(self._head, (x, y))) for x, ends in self._after.items() for y in ends)
