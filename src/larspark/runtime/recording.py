"""A recorded stream on its timeline, to be played back time point by time point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from larspark.blocks import Block
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import Fact, Signature
from larspark.language.values import Value

CHUNK = 1 << 15
"""Arrivals that are taken at once."""


@dataclass(frozen=True)
class Recording:
    """Arrivals in order of time, on the timeline [start, end]."""

    arrivals: Sequence[tuple[int, Fact]]
    start: int
    end: int

    @staticmethod
    def on_timeline(arrivals: Sequence[tuple[int, Fact]], timeline: tuple[int, int] | None = None) -> Recording:
        """The timeline as given, or from the first to the last arrival."""
        first, last = (arrivals[0][0], arrivals[-1][0]) if arrivals else (0, 0)
        start, end = timeline or (first, last)
        if end < start:
            raise _off_timeline(f"The timeline {start} {end} ends before it starts.", "Give T0 <= T1.")
        if arrivals and first < start:
            message = f"{arrivals[0][1]} arrives at {first}, before the timeline starts at {start}."
            raise _off_timeline(message, "Let the timeline start earlier.")
        return Recording(arrivals, start, end)

    def require(self, time: int) -> None:
        """`Rejected` when a time point lies before the timeline."""
        if time < self.start:
            message = f"Time point {time} lies before the timeline, which starts at {self.start}."
            raise _off_timeline(message, "Evaluate later, or let the timeline start earlier.")

    def chunks(self, size: int = CHUNK) -> Iterator[list[Block]]:
        """The arrivals in blocks, some thousand at a time."""
        for begin in range(0, len(self.arrivals), size):
            yield blocks_of_arrivals(self.arrivals[begin : begin + size], begin)

    def time_points(self, last: int) -> Iterator[tuple[int, list[Fact]]]:
        """Every time point from the start to `last` with what arrives there, in arrival order."""
        self.require(last)
        upcoming = self.start
        for time, group in groupby(self.arrivals, key=lambda arrival: arrival[0]):
            if time > last:
                break
            yield from ((idle, []) for idle in range(upcoming, time))
            yield time, [fact for _, fact in group]
            upcoming = time + 1
        yield from ((idle, []) for idle in range(upcoming, last + 1))


def blocks_of_arrivals(arrivals: Sequence[tuple[int, Fact]], first: int = 0) -> list[Block]:
    """A block for each predicate; the first arrival has the place `first`."""
    rows: dict[Signature, list[tuple[int, int, tuple[Value, ...]]]] = {}
    for place, (time, fact) in enumerate(arrivals, first):
        rows.setdefault(fact.signature, []).append((place, time, fact.args))
    return [
        replace(
            Block.of(signature, ((time, args) for _, time, args in found)),
            order=np.array([place for place, *_ in found], np.int64),
        )
        for signature, found in rows.items()
    ]


def _off_timeline(message: str, hint: str) -> Rejected:
    return Rejected([Diagnostic("E411", message, hint)])
