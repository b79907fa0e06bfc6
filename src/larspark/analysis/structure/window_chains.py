"""Chains of windows, brought into the one form that the interval calculus handles as an intersection.

Sliding windows, filters and tuple windows always keep the reference time and a *suffix* of the arrivals, so a chain of
them selects the intersection of what each selects. A hopping or interval window may lose the reference time; it
keeps this property only at the end of a chain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from larspark.language.clock_terms import is_clock_term, offset_from_now
from larspark.language.tree import (
    Constant,
    FilterWindow,
    IntervalWindow,
    KeyedWindow,
    PartitionWindow,
    Pattern,
    RegisteredWindow,
    SessionWindow,
    TimeWindow,
    TupleWindow,
    Window,
    points,
)

EMPTY = IntervalWindow(Constant(1), Constant(0))


@dataclass(frozen=True)
class CountedWindow:
    """A window of a chain that counts arrivals, with the filters that stand before it."""

    window: TupleWindow | PartitionWindow | SessionWindow
    filters: tuple[tuple[Pattern, ...], ...]


@dataclass(frozen=True)
class Chain:
    """The intersection that a chain of windows selects."""

    times: tuple[tuple[int | None, int | None, int], ...] = ()
    """Past, future and hop size of the time windows; None = unbounded."""
    sizes: tuple[CountedWindow, ...] = ()
    filters: tuple[tuple[Pattern, ...], ...] = ()
    spans: tuple[IntervalWindow, ...] = ()

    @property
    def sliding(self) -> bool:
        """The selected timeline is [t − past, t + future], with t inside."""
        return self.moving and all((past or 0) >= 0 and (future or 0) >= 0 for past, future, _ in self.times)

    @property
    def moving(self) -> bool:
        """The selected timeline is [t − past, t + future]."""
        return not self.sizes and not self.spans and all(hop == 1 for _, _, hop in self.times)

    @property
    def elsewhere(self) -> bool:
        """The evaluation time is never selected: the timeline lies before or behind it."""
        return any(
            (past is not None and past < 0) or (future is not None and future < 0) for past, future, _ in self.times
        )

    @property
    def has_extent(self) -> bool:
        """The number of its time points is known: it moves with the evaluation time, or it is one interval."""
        return self.extent is not None or (bool(self.spans) and not self.sizes and not self.times)

    @property
    def extent(self) -> tuple[int | None, int | None, int] | None:
        """Past, future and hop of the selected timeline; None when it is of another form."""
        if self.sizes or self.spans:
            return None
        if len(self.times) == 1:
            return self.times[0]
        if not self.moving:
            return None
        pasts = [past for past, _, _ in self.times if past is not None]
        futures = [future for _, future, _ in self.times if future is not None]
        return min(pasts, default=None), min(futures, default=None), 1

    @property
    def empty(self) -> bool:
        """No time point is selected, at any evaluation: `[0] [tumble 1]`."""
        match self.extent:
            case (int(past), int(future), _):
                return past + future < 0
        return False


@lru_cache(1024)
def chain(windows: tuple[Window, ...]) -> Chain | None:
    """The chain as an intersection, or None when it is none."""
    result = Chain()
    for position, window in enumerate(windows):
        ends = position == len(windows) - 1
        match window:
            case TimeWindow(past, future, hop):
                step = points(hop) or 1
                if step != 1 and not ends:
                    return None
                result = replace(result, times=(*result.times, (points(past), points(future), step)))
            case TupleWindow() | PartitionWindow() | SessionWindow():
                if any(isinstance(size.window, KeyedWindow) for size in result.sizes):
                    return None  # it has left others out than the oldest
                result = replace(result, sizes=(*result.sizes, CountedWindow(window, result.filters)))
            case FilterWindow(patterns):
                result = replace(result, filters=(*result.filters, patterns))
            case IntervalWindow(start, end):
                if not ends:
                    return None
                first, last = offset_from_now(start), offset_from_now(end)
                if first is not None and last is not None:
                    result = replace(result, times=(*result.times, (-first, last, 1)))
                else:
                    result = replace(result, spans=(window,))
            case RegisteredWindow():
                return None
    return result


@lru_cache(1024)
def simplified(windows: tuple[Window, ...]) -> tuple[Window, ...]:
    """Interval windows as the sliding windows that they are, or as one empty window when they have no points.

    A sliding window selects nothing where the evaluation time is lost, so after that an interval stays what it is.
    """
    found: list[Window] = []
    for window in windows:
        simple = _simplified(window)
        found.append(simple if simple == EMPTY or all(one.keeps_now for one in found) else window)
    return tuple(found)


def _simplified(window: Window) -> Window:
    match window:
        case IntervalWindow(Constant(first), Constant(last)) if not isinstance(first, int) or not isinstance(last, int):
            return EMPTY
        case IntervalWindow(start, end):
            begin, stop = offset_from_now(start), offset_from_now(end)
            if begin is not None and stop is not None:
                return EMPTY if begin > stop else window if begin > 0 or stop < 0 else TimeWindow(-begin, stop)
    return window


def computed(window: IntervalWindow) -> bool:
    """The bounds are neither two numbers nor both at a fixed distance from the evaluation time."""
    bounds = window.start, window.end
    fixed = all(isinstance(bound, Constant) for bound in bounds)
    return not fixed and any(offset_from_now(bound) is None for bound in bounds)


@lru_cache(1024)
def without_computed(windows: tuple[Window, ...]) -> tuple[tuple[Window, ...], tuple[IntervalWindow, ...]]:
    """The chain without the intervals at its end, and these, when one of them has computed bounds.

    Intervals select by the time alone, whatever stands before them, so they are conditions on it.
    """
    spans: list[IntervalWindow] = []
    for window in reversed(windows):
        if not isinstance(window, IntervalWindow):
            break
        spans.insert(0, window)
    if not any(map(computed, spans)):
        return windows, ()
    return windows[: len(windows) - len(spans)], tuple(spans)


def can_be_followed(
    windows: tuple[Window, ...],
    *,
    always: bool = False,
    timed: bool = False,
    derived: bool = False,
    given: bool = False,
    held: bool = False,
    recorded: bool = False,
    recursive: bool = False,
) -> bool:
    """Whether the interval reasoner can follow a chain over a predicate that is derived, held, recorded or given.

    `recursive`: the predicate depends on what is concluded from it.
    """
    chained, spans = without_computed(simplified(windows))
    selected = chain(chained)
    if always and spans:
        return selected is not None and selected.sliding and not given and not recursive
    if (
        given
        and (timed or spans)
        and all(window.has_no_end for window in chained)
        and (selected is None or selected.sizes)
    ):
        return False
    if selected is not None and (selected.has_extent or not always):
        return True
    counts = any(window.counts_arrivals for window in chained)
    bounds = (bound for one in chained if isinstance(one, IntervalWindow) for bound in (one.start, one.end))
    # Where a window has lost the evaluation time, the next one selects all it is given, not arrivals alone.
    if held or ((derived or recorded) and selected is None):
        return False
    return (counts or not derived) and all(map(is_clock_term, bounds))
