"""The input seen so far, as far as some reading can still see it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from larspark.language.extended_atoms import ExtendedAtom, Quantifier
from larspark.language.facts import Fact, Signature
from larspark.language.tree import Hold, TimeWindow, Window, points
from larspark.language.windows.selection import Arrival, Selection
from larspark.reasoners.holding import with_held
from larspark.reasoners.selection import forgetting, select

_SLACK = 256
"""Arrivals tolerated beyond what is needed before old ones are looked for."""


class ArrivalsForReadings:
    """Arrivals in order, kept per predicate where no reading counts arrivals, and all together where one does."""

    def __init__(
        self, readings: Iterable[ExtendedAtom], start: int, holds: Mapping[Signature, Hold] = MappingProxyType({})
    ) -> None:
        self.start = start
        self._holds = holds
        self.count = 0
        readings = tuple(readings)
        self._counting = tuple(reading for reading in readings if reading.counts_arrivals)
        self._ranging: dict[Signature, list[ExtendedAtom]] = defaultdict(list)
        for reading in readings:
            if not reading.counts_arrivals:
                self._ranging[reading.signature].append(reading)
        self._all: list[Arrival] = []
        self._by_signature: dict[Signature, list[Arrival]] = defaultdict(list)
        self._tolerated: dict[Signature | None, int] = defaultdict(partial(int, _SLACK))
        self._now = start
        self._ahead: dict[tuple[int, Fact], None] = {}
        """Recorded conclusions whose time has not come."""

    def move(self, now: int) -> None:
        """Time goes on: recorded conclusions that lay ahead join the data when their time comes."""
        self._now = now
        for time, fact in [one for one in self._ahead if one[0] <= now]:
            del self._ahead[time, fact]
            self._join(time, fact)

    def append(self, time: int, fact: Fact) -> None:
        """The next arrival."""
        self._now = time
        self.count += 1
        arrival = Arrival(time, self.count, fact)
        if self._counting:
            self._all.append(arrival)
            if len(self._all) > self._tolerated[None]:
                self._all = _needed(self._all, self._counting, self.start, time)
                self._tolerated[None] = 2 * len(self._all) + _SLACK
        self._keep(arrival)

    def record(self, time: int, fact: Fact) -> None:
        """A conclusion joins the data at its own time, from then on if it lies ahead.

        It is no arrival, so nothing counts it.
        """
        if time > self._now:
            self._ahead[time, fact] = None
        else:
            self._join(time, fact)

    def _join(self, time: int, fact: Fact) -> None:
        known = self._by_signature.get(fact.signature, [])
        same_time = known[bisect_left(known, time, key=_time) : bisect_right(known, time, key=_time)]
        if all(arrival.fact != fact for arrival in same_time):
            self._keep(Arrival(time, self.count, fact))

    def _keep(self, arrival: Arrival) -> None:
        signature = arrival.fact.signature
        if signature in self._ranging:
            kept = self._by_signature[signature]
            kept.insert(bisect_right(kept, arrival.time, key=_time), arrival)
            if len(kept) > self._tolerated[signature]:
                kept = self._needed(signature, kept)
                self._by_signature[signature] = kept
                self._tolerated[signature] = 2 * len(kept) + _SLACK

    def _needed(self, signature: Signature, kept: list[Arrival]) -> list[Arrival]:
        readings = self._ranging[signature]
        if signature not in self._holds:
            return _needed(kept, readings, self.start, self._now)
        length = points(self._holds[signature].length)
        longest = max(_reach(_chain(reading)) for reading in readings)
        oldest = float("-inf") if length is None else self._now - length - longest
        return [arrival for arrival in kept if arrival.time >= oldest]

    def knows(self, signature: Signature) -> bool:
        """Is anything kept of this predicate because it came lately?"""
        return signature in self._by_signature

    def state(self) -> object:
        """All that is kept, as plain data."""
        apart = {one: [tuple(arrival) for arrival in kept] for one, kept in self._by_signature.items()}
        return self.count, [tuple(arrival) for arrival in self._all], apart, list(self._ahead)

    def resume(self, state: Any) -> None:
        """Go back to what was kept then."""
        self.count, together, apart, ahead = state
        self._all = [Arrival(*arrival) for arrival in together]
        self._by_signature.update({one: [Arrival(*arrival) for arrival in kept] for one, kept in apart.items()})
        self._ahead = dict.fromkeys(ahead)

    def select(self, reading: ExtendedAtom, now: int) -> Selection:
        """What the windows of the reading select of the input; other predicates may be left out."""
        if reading.counts_arrivals:
            return select(reading.windows, self._all, self.start, now)
        signature = reading.signature
        arrivals: Sequence[Arrival] = self._by_signature.get(signature, ())
        if signature in self._holds:
            arrivals = with_held(self._holds[signature], arrivals, now)
        return select(_chain(reading), arrivals, self.start, now)


def _chain(reading: ExtendedAtom) -> Sequence[Window]:
    return (TimeWindow(0),) if reading.quantifier is Quantifier.NOW else reading.windows


def _needed(arrivals: list[Arrival], readings: Sequence[ExtendedAtom], start: int, now: int) -> list[Arrival]:
    kept: set[Arrival] = set()
    for reading in readings:
        chain = _chain(reading)
        if beginning := forgetting(chain):
            kept.update(select(beginning, arrivals, start, now).arrivals)
        else:
            oldest = now - _reach(chain)
            kept.update(arrival for arrival in arrivals if arrival.time >= oldest)
    return sorted(kept, key=_place)


def _time(arrival: Arrival) -> int:
    return arrival.time


def _place(arrival: Arrival) -> tuple[int, int]:
    """Recorded conclusions share their number with an arrival, and facts have no order."""
    return arrival.time, arrival.number


def _reach(chain: Sequence[Window]) -> float:
    """How far back a chain with hopping or interval windows can see: its first time window is always applied."""
    match chain:
        case [TimeWindow(past, _, hop), *_]:
            back = points(past)
            return float("inf") if back is None else back + (points(hop) or 1)
    return float("inf")
