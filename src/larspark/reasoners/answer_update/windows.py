"""What window atoms need to know about windows, beyond what they select (`language/windows/`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from larspark.intervals.sets import FOREVER, IntervalSet
from larspark.language.tree import UNBOUNDED, TimeWindow, Window, points
from larspark.language.windows.selection import CONCLUDED, Arrival, Selection


def select(chain: Iterable[Window], arrivals: Sequence[Arrival], start: int, time: int) -> Selection:
    """What the windows, applied left to right at `time`, leave of the stream of these arrivals and conclusions."""
    stream = Selection(start, None, arrivals)
    for window in chain:
        if window.counts_arrivals and time in stream:
            stream = replace(stream, arrivals=[one for one in stream.arrivals if one.number != CONCLUDED])
        stream = window.select(stream, time)
    return stream


def extent(window: TimeWindow, time: int) -> tuple[int, int]:
    """The first and last time point selected at `time` (thesis Def. 8)."""
    past, future, centre = points(window.past), points(window.future), window.pivot(time)
    return 0 if past is None else centre - past, FOREVER if future is None else centre + future


def lasting(window: TimeWindow, time: int) -> IntervalSet:
    """The evaluation times at which the window selects the time point `time`: the inverse of `extent`."""
    past, future, hop = points(window.past), points(window.future), points(window.hop) or 1
    first = 0 if future is None else max(0, time - future)
    first = -(-first // hop) * hop
    last = FOREVER if past is None else (time + past) // hop * hop + hop - 1
    return ((first, last),) if first <= last else ()


def first_nonempty(window: TimeWindow, start: int) -> int:
    """The first evaluation time at which the window selects a point of the timeline, which begins at `start`."""
    ((first, _),) = lasting(TimeWindow(UNBOUNDED, window.future, window.hop), start)
    return max(first, start)
