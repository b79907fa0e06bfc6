"""Ticks (t, c): the time point and the number of signals so far (thesis Def. 29)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tick:
    time: int = 0
    count: int = 0


def append(current: Tick, time: int, signals: int) -> Iterator[Tick]:
    """The ticks passed when signals arrive at `time`: first the time catches up, then one count per signal."""
    for point in range(current.time + 1, time + 1):
        yield Tick(point, current.count)
    for number in range(1, signals + 1):
        yield Tick(max(time, current.time), current.count + number)
