"""Window functions over the input that has arrived: what a chain of windows selects at one evaluation.

The stream at evaluation time t has the timeline [start, ∞) and no arrivals after t. Only arrivals are listed; atoms
that rules derive lie in the window when their time is inside the timeline, the filters let them through, and nothing in
the chain counts arrivals.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from larspark.language.evaluate import evaluate
from larspark.language.facts import Fact
from larspark.language.tree import (
    FilterWindow,
    IntervalWindow,
    KeyedWindow,
    PartitionWindow,
    Pattern,
    SessionWindow,
    TimeWindow,
    TupleWindow,
    Window,
    points,
)
from larspark.language.values import Value


class Arrival(NamedTuple):
    """An input atom, its time, and its place in the order of all arrivals."""

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


def select(chain: Iterable[Window], arrivals: Sequence[Arrival], start: int, now: int) -> Selection:
    """Apply the windows left to right at time `now` to the stream of these arrivals (thesis Defs. 4-9, 40)."""
    selection = Selection(start, None, arrivals)
    for window in chain:
        selection = apply_window(window, selection, now)
    return selection


def forgetting(chain: Sequence[Window]) -> tuple[Window, ...]:
    """The beginning of a chain that never selects again what it once left behind; empty when there is none.

    The windows after it see nothing else, but they may leave out what counts in it.
    """
    for place, window in enumerate(chain):
        match window:
            case FilterWindow():
                continue
            case TupleWindow() | PartitionWindow() | SessionWindow() | TimeWindow(hop=1):
                return tuple(chain[: place + 1])
        break
    return ()


def lets_through(pattern: Pattern, fact: Fact) -> bool:
    """Does the filter pattern match the fact?"""
    return (
        pattern.predicate == fact.predicate
        and len(pattern.args) == len(fact.args)
        and all(wanted is None or wanted == value for wanted, value in zip(pattern.args, fact.args, strict=True))
    )


def pivot(window: TimeWindow, now: int) -> int:
    """⌊t/d⌋·d, the point from which a time window reaches back and forth."""
    hop = points(window.hop) or 1
    return now // hop * hop


def apply_window(window: Window, stream: Selection, now: int) -> Selection:
    """One window of the language at time `now`, on which alone the bounds of an interval may depend."""
    match window:
        case FilterWindow(patterns):
            kept = [a for a in stream.arrivals if any(lets_through(pattern, a.fact) for pattern in patterns)]
            return replace(stream, arrivals=kept)
        case IntervalWindow(start, end):
            first, last = evaluate(start, {}, now), evaluate(end, {}, now)
            if not isinstance(first, int) or not isinstance(last, int):
                return replace(stream, last=stream.first - 1, arrivals=())
            return _between(stream, first, last)
    if now not in stream:
        # Defs. 4-9: a window applied at a time outside the timeline returns its input.
        return stream
    match window:
        case TimeWindow(past, future):
            centre, back, ahead = pivot(window, now), points(past), points(future)
            return _between(
                stream,
                stream.first if back is None else centre - back,
                stream.last if ahead is None else centre + ahead,
            )
        case TupleWindow(past, future):
            return _last(stream, points(past), points(future), now)
        case SessionWindow(gap):
            kept = sorted(one for part in _by_key(stream, window) for one in _session(part, points(gap), now))
            return Selection(kept[0].time if kept else now, now, kept)
        case PartitionWindow(past, future):
            # Def. 6, over the partitions that have atoms; everything else is cut to the empty window at `now`.
            windows = [
                _last(replace(stream, arrivals=part), points(past), points(future), now)
                for part in _by_key(stream, window)
            ]
            return Selection(
                min((part.first for part in windows), default=now),
                windows[0].last if windows else now,
                sorted(arrival for part in windows for arrival in part.arrivals),
            )
    raise TypeError(f"window {window!r} cannot be applied to arrivals")


def _by_key(stream: Selection, window: KeyedWindow) -> Iterable[list[Arrival]]:
    parts: dict[tuple[Value, ...], list[Arrival]] = defaultdict(list)
    for arrival in stream.arrivals:
        if arrival.fact.signature == window.signature:
            parts[tuple(arrival.fact.args[key] for key in window.keys)].append(arrival)
    return parts.values()


def _session(arrivals: list[Arrival], gap: int | None, now: int) -> list[Arrival]:
    """The latest arrivals, each at most `gap` before the next one or `now`."""
    following = now
    for place in range(len(arrivals) - 1, -1, -1):
        if gap is not None and following - arrivals[place].time > gap:
            return arrivals[place + 1 :]
        following = arrivals[place].time
    return arrivals


def _between(stream: Selection, first: int, last: int | None) -> Selection:
    first = max(first, stream.first)
    if stream.last is not None:
        last = stream.last if last is None else min(last, stream.last)
    begin = bisect_left(stream.arrivals, first, key=_time)
    end = len(stream.arrivals) if last is None else bisect_right(stream.arrivals, last, key=_time)
    return Selection(first, last, stream.arrivals[begin:end])


def _time(arrival: Arrival) -> int:
    return arrival.time


def _last(stream: Selection, size: int | None, ahead: int | None, now: int) -> Selection:
    """#^{size,ahead} (Def. 9); nothing arrives after `now`, so looking ahead reaches the end of the timeline."""
    last = now if ahead == 0 else stream.last
    if size is None or len(stream.arrivals) < size:
        return Selection(stream.first, last, stream.arrivals)
    if size == 0:
        return Selection(now, last, ())
    kept = stream.arrivals[-size:]
    return Selection(kept[0].time, last, kept)
