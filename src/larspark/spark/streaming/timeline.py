"""How far a stream has come: the first time point, what was heard from each input, and what is final.

Every bucket of every stage hears the same of each micro-batch, so all know the same timeline without asking anyone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Pulse:
    """What one task saw of a micro-batch."""

    first: int | None = None
    """The earliest time of an atom."""
    heard: tuple[int | None, ...] = ()
    """The latest time of an atom, for each input."""
    ended: bool = False
    """The data has ended, and everything seen is final; the stream may go on all the same."""

    def dump(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def load(cls, text: str) -> Pulse:
        data = json.loads(text)
        return cls(data["first"], tuple(data["heard"]), data["ended"])


@dataclass(frozen=True)
class Patience:
    """What is waited for before a time point is final."""

    lateness: int = 0
    """How many time points late an atom may arrive."""
    awaited: tuple[int, ...] = ()
    """The inputs of which the slowest decides; none: the fastest of all does."""


@dataclass(frozen=True)
class Timeline:
    first: int | None = None
    """The first time point; it may still fall until the watermark has reached it."""
    heard: tuple[int | None, ...] = ()
    watermark: int = -1
    """Every evaluation up to here is final."""

    @property
    def seen(self) -> int | None:
        """The latest time of an arrival."""
        return latest(self.heard)

    def moved(self, pulses: Sequence[Pulse], patience: Patience) -> Timeline:
        """The timeline after a micro-batch."""
        first = self.first
        if self.watermark < 0:  # otherwise earlier atoms are late
            known = [one for one in (first, *(pulse.first for pulse in pulses)) if one is not None]
            first = min(known, default=None)
        width = max((len(one) for one in (self.heard, *(pulse.heard for pulse in pulses))), default=0)
        heard = tuple(
            latest(one[number] for one in (self.heard, *(pulse.heard for pulse in pulses)) if number < len(one))
            for number in range(width)
        )
        watermark = self.watermark
        frontier = _frontier(heard, patience)
        if frontier is not None:
            watermark = max(watermark, frontier - patience.lateness - 1)
        if any(pulse.ended for pulse in pulses):
            watermark = max(watermark, latest(heard) or -1)
        if first is None or watermark < first:
            watermark = self.watermark  # the timeline has not begun
        return Timeline(first, heard, watermark)


def latest(times: Iterable[int | None]) -> int | None:
    return max((time for time in times if time is not None), default=None)


def _frontier(heard: Sequence[int | None], patience: Patience) -> int | None:
    """The latest time of the slowest input that is waited for; none while one of them has said nothing."""
    if not patience.awaited:
        return latest(heard)
    times = [heard[number] if number < len(heard) else None for number in patience.awaited]
    known = [time for time in times if time is not None]
    return min(known) if len(known) == len(times) else None
