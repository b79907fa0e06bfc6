"""What window atoms need to know about windows, beyond what they select (`language/windows/`).

A window that is not built in is plugged in as a `WindowFunction` under the name of its `PluginWindow`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, TypeAlias

from larspark.intervals.sets import FOREVER, IntervalSet
from larspark.language.tree import UNBOUNDED, PluginWindow, TimeWindow, Window, points
from larspark.language.values import Value
from larspark.language.windows.selection import Arrival, Selection


class WindowFunction(Protocol):
    """A plugged-in window: any function from a substream, a time point and arguments to a smaller substream."""

    def __call__(self, stream: Selection, time: int, args: tuple[Value, ...]) -> Selection: ...


Plugins: TypeAlias = Mapping[str, WindowFunction]

CONCLUDED = 0
"""The number of what has not arrived: conclusions, also recorded ones. Windows that count do not select it."""


def select(chain: Iterable[Window], arrivals: Sequence[Arrival], start: int, time: int, plugins: Plugins) -> Selection:
    """What the windows, applied left to right at `time`, leave of the stream of these arrivals and conclusions."""
    stream = Selection(start, None, arrivals)
    for window in chain:
        match window:
            case PluginWindow(name, args):
                stream = plugins[name](stream, time, args)
            case _ if window.counts_arrivals and time in stream:
                arrived = [arrival for arrival in stream.arrivals if arrival.number != CONCLUDED]
                stream = window.select(replace(stream, arrivals=arrived), time)
            case _:
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


def counts(window: Window) -> bool:
    """Does the window depend on arrivals other than those of the atom it is used with?"""
    return window.counts_arrivals or isinstance(window, PluginWindow)
