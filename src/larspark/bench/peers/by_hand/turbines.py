"""The turbine program of foresight, written by hand: which turbines were hot last, and for how long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from larspark.language.facts import Fact
from larspark.language.values import Value


class Turbines:
    """Three hot readings in a row make a malfunction at the first; one or two may still become one."""

    def __init__(self) -> None:
        self._time = 0
        self._runs: tuple[set[Value], ...] = (set(), set(), set())
        """Turbines that were hot at the last one, two, three time points."""

    def advance(self, time: int, facts: Iterable[Fact]) -> None:
        hot = {args[0] for _, args in facts if args[1] == "high"}
        if time == self._time + 1:
            once, twice, _ = self._runs
            self._runs = hot, once & hot, twice & hot
        else:
            self._runs = hot, set(), set()
        self._time = time

    def answers(self) -> Iterator[tuple[Value, int, int]]:
        """Turbine, time of the malfunction, number of hot readings that are still needed."""
        for number, turbines in enumerate(self._runs):
            yield from ((turbine, self._time - number, 2 - number) for turbine in turbines)
