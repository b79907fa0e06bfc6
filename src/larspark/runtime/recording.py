"""A recorded stream on its timeline, to be played back time point by time point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import Fact


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

    def time_points(self, last: int) -> Iterator[tuple[int, list[Fact]]]:
        """Every time point from the start to `last` with what arrives there, in arrival order."""
        if last < self.start:
            message = f"Time point {last} lies before the timeline, which starts at {self.start}."
            raise _off_timeline(message, "Evaluate later, or let the timeline start earlier.")
        upcoming = self.start
        for time, group in groupby(self.arrivals, key=lambda arrival: arrival[0]):
            if time > last:
                break
            yield from ((idle, []) for idle in range(upcoming, time))
            yield time, [fact for _, fact in group]
            upcoming = time + 1
        yield from ((idle, []) for idle in range(upcoming, last + 1))


def _off_timeline(message: str, hint: str) -> Rejected:
    return Rejected([Diagnostic("E411", message, hint)])
