"""Clocks: where the present time point comes from. Nothing else in the engine reads the wall."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from larspark.language.tree import Duration

ATTENTION = 0.25
"""Seconds after which everything that waits looks up to see whether the run is over."""


class TickClock(Protocol):
    """Time points from 0 on (thesis Def. 38: the clock time is the length of one)."""

    def now(self) -> int: ...

    def until(self, point: int) -> float:
        """Seconds until the time point begins; not positive when it has begun."""
        ...


class WallClock:
    """Time points since the clock was started, the first one numbered `first`."""

    def __init__(self, length: Duration, first: int = 0, seconds: Callable[[], float] = time.monotonic) -> None:
        self._length = length.milliseconds / 1000
        self._seconds = seconds
        self._first, self._started = first, seconds()

    def now(self) -> int:
        return self._first + int((self._seconds() - self._started) / self._length)

    def until(self, point: int) -> float:
        return self._started + (point - self._first) * self._length - self._seconds()


class HandClock:
    """A clock that is set by hand, for tests and for callers with a time of their own."""

    def __init__(self, point: int = 0) -> None:
        self.point = point

    def now(self) -> int:
        return self.point

    def until(self, point: int) -> float:
        return float(point - self.point)


class Pace:
    """Replays recorded time `speed` times as fast as it passed; without a speed as fast as possible."""

    def __init__(
        self,
        length: Duration,
        speed: float | None,
        seconds: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._per_point = None if speed is None else length.milliseconds / 1000 / speed
        self._seconds, self._sleep = seconds, sleep
        self._first: tuple[int, float] | None = None

    @property
    def instant(self) -> bool:
        return self._per_point is None

    def wait_for(self, point: int, interrupted: Callable[[], bool]) -> None:
        """Return when the time point is due, or when interrupted; the first one asked for is due at once."""
        if self._per_point is None:
            return
        if self._first is None:
            self._first = (point, self._seconds())
        origin, started = self._first
        due = started + (point - origin) * self._per_point
        while (delay := due - self._seconds()) > 0 and not interrupted():
            self._sleep(min(delay, ATTENTION))
