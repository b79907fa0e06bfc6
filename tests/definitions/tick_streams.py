"""Ticks: the development of a stream in time and tuple count (thesis Def. 32–35)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, permutations, product

from larspark.language.facts import Fact
from larspark.semantics.streams import Stream


@dataclass(frozen=True, order=True, slots=True)
class Tick:
    """k = (t, c): a time and the number of atoms so far."""

    time: int
    count: int


def is_tick_pattern(ticks: Sequence[Tick]) -> bool:
    """Each tick increments either the time or the count of the one before (Def. 32)."""
    steps = {(later.time - earlier.time, later.count - earlier.count) for earlier, later in pairwise(ticks)}
    return bool(ticks) and steps <= {(1, 0), (0, 1)}


@dataclass(frozen=True)
class TickStream:
    """Ṡ = (K, v): a tick pattern, with an atom at each count increment (Def. 33)."""

    ticks: tuple[Tick, ...]
    signals: tuple[tuple[Tick, Fact], ...]

    def underlying(self) -> Stream:
        """The stream that forgets the order; as a data stream ours keeps it as the order of arrival (Def. 34)."""
        arrivals = [(tick.time, fact) for tick, fact in sorted(self.signals)]
        return Stream.of(self.ticks[0].time, self.ticks[-1].time, arrivals)

    def time_window(self, at: Tick, size: int) -> TickStream:
        """τ_n (Def. 35 i): only times are compared."""
        return self._restricted([tick for tick in self.ticks if at.time - size <= tick.time <= at.time])

    def tuple_window(self, at: Tick, size: int) -> TickStream:
        """#_n, n ≥ 1 (Def. 35 ii): only counts are compared."""
        return self._restricted([tick for tick in self.ticks if at.count - size + 1 <= tick.count <= at.count])

    def _restricted(self, ticks: list[Tick]) -> TickStream:
        kept = set(ticks)
        return TickStream(tuple(ticks), tuple(signal for signal in self.signals if signal[0] in kept))


def canonical(stream: Stream) -> TickStream:
    """The ordering by arrival: time moves on, then the atoms of that time point arrive one by one."""
    return next(orderings(stream))


def orderings(stream: Stream) -> Iterator[TickStream]:
    """All orderings of a stream with a closed timeline, the one by arrival first (Def. 34)."""
    arrivals = list(stream.arrivals())
    groups = [list(group) for _, group in groupby(arrivals, key=lambda arrival: arrival.time)]
    for chosen in product(*(permutations(group) for group in groups)):
        ordered = [arrival for group in chosen for arrival in group]
        signals = [(Tick(time, count), fact) for count, (time, fact) in enumerate(ordered, start=1)]
        yield TickStream(tuple(_pattern(stream, [tick for tick, _ in signals])), tuple(signals))


def _pattern(stream: Stream, counted: list[Tick]) -> Iterator[Tick]:
    if stream.end is None:
        raise ValueError("a stream with an open end has no last tick")
    count = 0
    for time in range(stream.start, stream.end + 1):
        yield Tick(time, count)
        for tick in counted[count:]:
            if tick.time == time:
                yield tick
                count = tick.count
