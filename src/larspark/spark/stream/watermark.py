"""How far a stream has come: the first time point, what was heard from each input, and what is final.

Every bucket of every stage hears the same of each micro-batch, so all know the same watermark without asking anyone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class Heard:
    """What one task has heard in a micro-batch."""

    first: int | None = None
    """The earliest time of an atom."""
    latest: tuple[int | None, ...] = ()
    """The latest time of an atom, for each input."""
    ended: bool = False
    """The data has ended, and everything seen is final; the stream may go on all the same."""
    atoms: int = 0
    """How many there were, late ones included."""
    came: dict[str, int] = field(default_factory=dict)
    """The same, of each predicate: `hot/1`."""

    def dump(self) -> bytes:
        return json.dumps(asdict(self)).encode()

    @classmethod
    def load(cls, data: bytes) -> Heard:
        found = json.loads(data)
        return cls(found["first"], tuple(found["latest"]), found["ended"], found["atoms"], found["came"])


@dataclass(frozen=True)
class Waiting:
    """What is waited for before a time point is final."""

    lateness: int = 0
    """How many time points late an atom may arrive."""
    awaited: tuple[int, ...] = ()
    """The inputs of which the slowest decides; none: the fastest of all does."""


@dataclass(frozen=True)
class Timeline:
    first: int | None = None
    """The first time point; it may still fall until the watermark has reached it."""
    latest: tuple[int | None, ...] = ()
    """The latest time of an arrival, for each input."""
    watermark: int = -1
    """Every evaluation up to here is final."""

    @property
    def seen(self) -> int | None:
        """The latest time of an arrival."""
        return latest_of(self.latest)

    def moved(self, heard: Sequence[Heard], waiting: Waiting) -> Timeline:
        """The timeline after a micro-batch."""
        first = self.first
        if self.watermark < 0:  # otherwise earlier atoms are late
            known = [one for one in (first, *(task.first for task in heard)) if one is not None]
            first = min(known, default=None)
        columns = [self.latest, *(task.latest for task in heard)]
        width = max(map(len, columns), default=0)
        latest = tuple(latest_of(one[number] for one in columns if number < len(one)) for number in range(width))
        watermark = self.watermark
        frontier = _frontier(latest, waiting)
        if frontier is not None:
            watermark = max(watermark, frontier - waiting.lateness - 1)
        if any(task.ended for task in heard):
            watermark = max(watermark, latest_of(latest) or -1)
        if first is None or watermark < first:
            watermark = self.watermark  # the timeline has not begun
        return Timeline(first, latest, watermark)


def latest_of(times: Iterable[int | None]) -> int | None:
    return max((time for time in times if time is not None), default=None)


def _frontier(latest: Sequence[int | None], waiting: Waiting) -> int | None:
    """The latest time of the slowest input that is waited for; none while one of them has said nothing."""
    if not waiting.awaited:
        return latest_of(latest)
    times = [latest[number] if number < len(latest) else None for number in waiting.awaited]
    known = [time for time in times if time is not None]
    return min(known) if len(known) == len(times) else None
