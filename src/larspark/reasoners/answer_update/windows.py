"""Window functions on substreams: everything a window atom needs to know about its window.

A window that is not built in is plugged in as a `WindowFunction` under the name of its `PluginWindow`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from larspark.language.facts import Fact
from larspark.language.tree import (
    Constant,
    FilterWindow,
    IntervalWindow,
    PartitionWindow,
    Pattern,
    PluginWindow,
    TimeWindow,
    TupleWindow,
    Window,
    points,
)
from larspark.language.values import Value
from larspark.reasoners.answer_update.history import Arrival
from larspark.reasoners.answer_update.labels import FOREVER, Intervals


@dataclass(frozen=True, slots=True)
class Substream:
    """A part of the stream: a timeline, input in arrival order, and derived atoms with their times."""

    start: int
    end: int
    """Inclusive; `FOREVER` for the open right end."""
    arrivals: Sequence[Arrival]
    derived: Sequence[Arrival] = ()

    def clip(self, start: int, end: int) -> Substream:
        start, end = max(start, self.start), min(end, self.end)
        return self.keep(lambda arrival: start <= arrival.time <= end, start, end)

    def keep(self, wanted: Callable[[Arrival], bool], start: int | None = None, end: int | None = None) -> Substream:
        return Substream(
            self.start if start is None else start,
            self.end if end is None else end,
            tuple(filter(wanted, self.arrivals)),
            tuple(filter(wanted, self.derived)),
        )


class WindowFunction(Protocol):
    """A plugged-in window: any function from a substream, a time point and arguments to a smaller substream."""

    def __call__(self, stream: Substream, time: int, args: tuple[Value, ...]) -> Substream: ...


Plugins = Mapping[str, WindowFunction]


def select(window: Window, stream: Substream, time: int, plugins: Plugins) -> Substream:
    """The window of the stream at `time`."""
    match window:
        case TimeWindow():
            if not stream.start <= time <= stream.end:  # thesis Def. 8: outside its timeline a stream is left alone
                return stream
            start, end = extent(window, time)
            return stream.clip(start, end)
        case TupleWindow():
            return _tuple(window, stream, time)
        case PartitionWindow():
            return _partition(window, stream, time)
        case FilterWindow(patterns):
            return stream.keep(lambda arrival: any(_matches(pattern, arrival.fact) for pattern in patterns))
        case IntervalWindow(Constant(start), Constant(end)) if isinstance(start, int) and isinstance(end, int):
            return stream.clip(start, end)
        case IntervalWindow():
            return stream.clip(0, -1)  # bounds that are no time points select nothing
        case PluginWindow(name, args):
            return plugins[name](stream, time, args)


def extent(window: TimeWindow, time: int) -> tuple[int, int]:
    """The first and last time point selected at `time` (thesis Def. 8)."""
    past, future, hop = points(window.past), points(window.future), points(window.hop)
    pivot = time if hop in (None, 1) else time // hop * hop
    return 0 if past is None else pivot - past, FOREVER if future is None else pivot + future


def lasting(window: TimeWindow, time: int) -> Intervals:
    """The evaluation times at which the window selects the time point `time`: the inverse of `extent`."""
    past, future, hop = points(window.past), points(window.future), points(window.hop)
    first = 0 if future is None else max(0, time - future)
    last = FOREVER if past is None else time + past
    if hop not in (None, 1):
        first = -(-first // hop) * hop
        last = last if past is None else last // hop * hop + hop - 1
    return ((first, last),) if first <= last else ()


def counts(window: Window) -> bool:
    """Does the window depend on arrivals other than those of the atom it is used with?"""
    return isinstance(window, TupleWindow | PartitionWindow | PluginWindow)


def forgets(window: Window) -> bool:
    """Is an arrival that has left the window gone for good?"""
    return not isinstance(window, PluginWindow | IntervalWindow)


def _tuple(window: TupleWindow, stream: Substream, time: int) -> Substream:
    """#^{past,future} over input atoms in arrival order (thesis Def. 9)."""
    if not stream.start <= time <= stream.end:
        return stream
    past, future = points(window.past), points(window.future)
    before = [arrival for arrival in stream.arrivals if arrival.time <= time]
    after = [arrival for arrival in stream.arrivals if arrival.time > time]
    start, end = stream.start, stream.end
    if past is not None and past <= len(before):
        before = before[len(before) - past :]
        start = before[0].time if before else time
    if future is not None and future <= len(after):
        after = after[:future]
        end = after[-1].time if after else time
    return Substream(start, end, (*before, *after))


def _partition(window: PartitionWindow, stream: Substream, time: int) -> Substream:
    """Of one predicate, the last arrivals per key that occurs; the rest counts with size 0 (thesis Def. 6)."""
    if not stream.start <= time <= stream.end:
        return stream
    groups: dict[tuple[Value, ...], list[Arrival]] = defaultdict(list)
    for arrival in stream.arrivals:
        if arrival.fact.signature == window.signature:
            groups[tuple(arrival.fact.args[key] for key in window.keys)].append(arrival)
    inner = TupleWindow(window.past, window.future)
    parts = [_tuple(inner, replace(stream, arrivals=group), time) for group in groups.values()]
    chosen = {id(arrival) for part in parts for arrival in part.arrivals}
    return Substream(
        min([time, *(part.start for part in parts)]),
        max([time, *(part.end for part in parts)]),
        tuple(arrival for arrival in stream.arrivals if id(arrival) in chosen),
    )


def _matches(pattern: Pattern, fact: Fact) -> bool:
    return (
        fact.predicate == pattern.predicate
        and len(fact.args) == len(pattern.args)
        and all(wanted is None or wanted == value for wanted, value in zip(pattern.args, fact.args, strict=True))
    )
