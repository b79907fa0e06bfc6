"""What windows select of the input that has arrived.

The stream at evaluation time t has the timeline [start, ∞) and no arrivals after t. Only arrivals are listed; atoms
that rules derive lie in the window when their time is inside the timeline, the filters let them through, and nothing in
the chain counts arrivals.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from larspark.language.facts import Fact

CONCLUDED = 0
"""The number of what has not arrived: conclusions, also recorded ones. Windows that count do not select it."""


class Arrival(NamedTuple):
    """An input atom, its time, and its place in the order of all arrivals, from 1 on."""

    time: int
    number: int
    fact: Fact


@dataclass(frozen=True, slots=True)
class Selection:
    """A substream: timeline [first, last] (None: open end; empty when first > last) and its arrivals in order."""

    first: int
    last: int | None
    arrivals: Sequence[Arrival]

    @property
    def empty(self) -> bool:
        return self.last is not None and self.first > self.last

    def __contains__(self, time: int) -> bool:
        return self.first <= time and (self.last is None or time <= self.last)

    def between(self, first: int, last: int | None) -> Selection:
        """What lies in an interval of time points."""
        first = max(first, self.first)
        if self.last is not None:
            last = self.last if last is None else min(last, self.last)
        begin = bisect_left(self.arrivals, first, key=_time)
        end = len(self.arrivals) if last is None else bisect_right(self.arrivals, last, key=_time)
        return Selection(first, last, self.arrivals[begin:end])

    def latest(self, size: int | None, ahead: int | None, now: int, whole: bool = False) -> Selection:
        """#^{size,ahead} (Def. 9); nothing arrives after `now`, so looking ahead reaches the end of the timeline.

        `whole`: with all arrivals of the time point at which the selected ones begin.
        """
        last = now if ahead == 0 else self.last
        if size is None or len(self.arrivals) < size:
            return Selection(self.first, last, self.arrivals)
        if size == 0:
            return Selection(now, last, ())
        begin = len(self.arrivals) - size
        first = self.arrivals[begin].time
        if whole:
            begin = bisect_left(self.arrivals, first, key=_time)
        return Selection(first, last, self.arrivals[begin:])


def _time(arrival: Arrival) -> int:
    return arrival.time
