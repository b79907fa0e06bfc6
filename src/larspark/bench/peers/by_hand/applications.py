"""Programs of several rules, each turned into the few dictionaries that its answer needs."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from heapq import heappop, heappush

from larspark.bench.workloads.task import Args, Parameters
from larspark.language.facts import Fact
from larspark.language.values import normal


class Cooling:
    """What each time point of the window saw, and since when every time point has seen steam, or liquid."""

    def __init__(self, parameters: Parameters) -> None:
        self._window = parameters.window
        self._seen: dict[int, tuple[set[int], set[int]]] = {}
        self._very_hot: set[int] = set()
        self._very_cold: set[int] = set()
        self._recent: deque[int] = deque()
        self._steam_since: int | None = None
        self._liquid_since: int | None = None
        self._states: tuple[str, ...] = ()
        self._time = -1

    def step(self, time: int, arrived: Mapping[str, list[Args]]) -> None:
        steam: set[int] = set()
        liquid: set[int] = set()
        for (value,) in arrived.get("temp", []):
            if value >= 100:
                steam.add(value)
            elif value >= 1:
                liquid.add(value)
        self._seen[time] = steam, liquid
        if any(value >= 150 for value in steam):
            self._very_hot.add(time)
        if 1 in liquid:
            self._very_cold.add(time)
        self._recent.append(time)
        while self._recent[0] < time - self._window:
            old = self._recent.popleft()
            del self._seen[old]
            self._very_hot.discard(old)
            self._very_cold.discard(old)
        interrupted = time != self._time + 1
        self._steam_since = _since(self._steam_since, bool(steam), interrupted, time)
        self._liquid_since = _since(self._liquid_since, bool(liquid), interrupted, time)
        limit = max(time - self._window, 0)
        alarm = self._steam_since is not None and self._steam_since <= limit
        normal = self._liquid_since is not None and self._liquid_since <= limit
        self._states = ("alarm",) * alarm + ("normal",) * normal or ("freeze",)
        self._time = time

    def answer(self) -> Iterable[tuple[int, Fact]]:
        now = self._time
        for time, (steam, liquid) in self._seen.items():
            for name, flag, values in (("steam", "isSteam", steam), ("liquid", "isLiquid", liquid)):
                yield from ((time, Fact(name, (value,))) for value in values)
                if values:
                    yield time, Fact(flag)
        yield from ((now, Fact("veryHot", (time,))) for time in self._very_hot)
        yield from ((now, Fact("veryCold", (time,))) for time in self._very_cold)
        yield from ((now, Fact(state)) for state in self._states)


def _since(since: int | None, holds: bool, interrupted: bool, time: int) -> int | None:
    """The begin of the unbroken run that reaches `time`."""
    if not holds:
        return None
    return time if since is None or interrupted else since


class Strategy:
    """The bucket at each time point of the window, and since when it is the same."""

    _CHOICE = (("high", "lfu"), ("mid", "lru"), ("low", "fifo"))

    def __init__(self, parameters: Parameters) -> None:
        self._window, self._size = parameters.window, parameters.size
        third = self._size // 3
        self._third = third if third >= 1 else None
        self._bucket = {value: self._place(value) for value in range(1, self._size + 1)}
        self._history: deque[tuple[int, int]] = deque()
        self._since = 0
        self._time = -1

    def _place(self, value: int) -> int:
        if self._third is None:
            return 1
        if value > 2 * self._third:
            return 0
        return 2 if value <= self._third else 1

    def step(self, time: int, arrived: Mapping[str, list[Args]]) -> None:
        ((value,),) = arrived["alpha"]
        bucket = self._bucket[value]
        if not self._history or self._history[-1][1] != bucket or time != self._time + 1:
            self._since = time
        self._history.append((time, bucket))
        while self._history[0][0] < time - self._window:
            self._history.popleft()
        self._time = time

    def answer(self) -> Iterable[tuple[int, Fact]]:
        now = self._time
        for value, bucket in self._bucket.items():
            yield now, Fact("max" if value == self._size else "nMax", (value,))
            yield now, Fact(("upper", "middle", "lower")[bucket], (value,))
        if self._third is not None:
            yield now, Fact("third", (self._third,))
        for time, bucket in self._history:
            yield time, Fact(self._CHOICE[bucket][0])
        if self._since <= max(now - self._window, 0):
            yield now, Fact(self._CHOICE[self._history[-1][1]][1])
            yield now, Fact("specific")
        else:
            yield now, Fact("random")


class NegationByHand:
    """The state of every machine, looked at again when something about it arrives or expires."""

    def __init__(self, parameters: Parameters) -> None:
        self._window, self._time = parameters.window, 0
        self._last: dict[str, dict[Args, int]] = {"beat": {}, "service": {}}
        self._recent: deque[tuple[int, Mapping[str, list[Args]]]] = deque()
        machines = [(number,) for number in range(parameters.size)]
        self._holds: dict[str, set[Args]] = {name: set() for name in ("silent", "excused", "broken", "fine", "odd")}
        self._review(machines)

    def step(self, time: int, arrived: Mapping[str, list[Args]]) -> None:
        touched: set[Args] = set()
        for name, last in self._last.items():
            for machine in arrived.get(name, []):
                if machine not in last:
                    touched.add(machine)
                last[machine] = time
        self._recent.append((time, arrived))
        while self._recent[0][0] < time - self._window:
            before, old = self._recent.popleft()
            for name, last in self._last.items():
                for machine in old.get(name, []):
                    if last.get(machine) == before:
                        del last[machine]
                        touched.add(machine)
        self._review(touched)
        self._time = time

    def _review(self, machines: Iterable[Args]) -> None:
        beat, service, holds = self._last["beat"], self._last["service"], self._holds
        for machine in machines:
            silent, excused = machine not in beat, machine in service
            for name, now in (
                ("silent", silent),
                ("excused", excused),
                ("broken", silent and not excused),
                ("fine", not silent and not excused),
                ("odd", excused),
            ):
                if now:
                    holds[name].add(machine)
                else:
                    holds[name].discard(machine)

    def answer(self) -> Iterable[tuple[int, Fact]]:
        return ((self._time, Fact(name, machine)) for name, machines in self._holds.items() for machine in machines)


class AggregateByHand:
    """Per stop the vehicles in the window, their number and sum, and a heap for the largest."""

    def __init__(self, parameters: Parameters) -> None:
        self._window, self._size, self._time = parameters.window, parameters.size, 0
        self._last: dict[Args, int] = {}
        self._recent: deque[tuple[int, list[Args]]] = deque()
        self._count: dict[int, int] = defaultdict(int)
        self._sum: dict[int, int] = defaultdict(int)
        self._largest: dict[int, list[int]] = defaultdict(list)

    def step(self, time: int, arrived: Mapping[str, list[Args]]) -> None:
        last = self._last
        atoms = arrived.get("seen", [])
        for atom in atoms:
            if atom not in last:
                vehicle, stop = atom
                self._count[stop] += 1
                self._sum[stop] += vehicle
                heappush(self._largest[stop], -vehicle)
            last[atom] = time
        self._recent.append((time, atoms))
        while self._recent[0][0] < time - self._window:
            before, old = self._recent.popleft()
            for atom in old:
                if last.get(atom) == before:
                    del last[atom]
                    vehicle, stop = atom
                    self._count[stop] -= 1
                    self._sum[stop] -= vehicle
        for stop, heap in self._largest.items():
            while heap and (-heap[0], stop) not in last:
                heappop(heap)
        self._time = time

    def answer(self) -> Iterable[tuple[int, Fact]]:
        for stop in range(self._size):
            yield self._time, Fact("load", (stop, self._count[stop]))
            yield self._time, Fact("weight", (stop, self._sum[stop]))
            if self._largest[stop]:
                yield self._time, Fact("latest", (stop, -self._largest[stop][0]))


class DecimalsByHand(AggregateByHand):
    """The same with Python's decimals, which add up exactly; a sum of them is shown as numbers are."""

    def answer(self) -> Iterable[tuple[int, Fact]]:
        for time, fact in super().answer():
            stop, value = fact.args
            yield time, Fact(fact.predicate, (stop, normal(value)))
