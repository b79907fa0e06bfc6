"""Window functions: given a stream and a reference time, a substream (thesis Def. 3–9 and 40)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from larspark.language.facts import Fact, fact_order
from larspark.language.tree import (
    FilterWindow,
    IntervalWindow,
    KeyedWindow,
    PartitionWindow,
    Pattern,
    RegisteredWindow,
    SessionWindow,
    Term,
    TimeWindow,
    TupleWindow,
    Window,
    points,
)
from larspark.language.values import Value
from larspark.language.windows.selection import CONCLUDED, Selection
from larspark.language.windows.selection import Arrival as Numbered
from larspark.semantics.streams import Arrival, Stream, by_time


def apply(window: Window, stream: Stream, time: int, value: Callable[[Term], Value]) -> Stream:
    """w(S, t); `value` evaluates the bounds of an interval window."""
    match window:
        case TimeWindow(past, future, hop):
            return time_window(stream, time, points(past), points(future), points(hop) or 1)
        case TupleWindow(past, future, whole):
            return tuple_window(stream, time, points(past), points(future), whole)
        case PartitionWindow():
            return partition_window(stream, time, window)
        case SessionWindow():
            return session_window(stream, time, window)
        case RegisteredWindow():
            return registered_window(stream, time, window)
        case FilterWindow(patterns):
            return filter_window(stream, patterns)
        case IntervalWindow(start, end):
            return interval_window(stream, value(start), value(end))


def time_window(stream: Stream, time: int, past: int | None, future: int | None, hop: int) -> Stream:
    """τ^{past,future(hop)} (Def. 4 and 8): around the pivot, the last multiple of the hop size up to `time`.

    The pivot counts from 0, not from the start of the timeline. Before the first pivot inside the timeline the
    bounds cross and the selected timeline is empty.
    """
    if time not in stream:
        return stream
    pivot = time // hop * hop
    lower = stream.start if past is None else pivot - past
    return stream.restricted(lower, None if future is None else pivot + future)


def tuple_window(stream: Stream, time: int, past: int | None, future: int | None, whole: bool = False) -> Stream:
    """#^{past,future} (Def. 5 and 9), the refinement that breaks ties by arrival.

    Input atoms alone are counted and selected, derived ones are not part of the result. The other single-valued
    refinement that sec. 3.1.4 names is `whole`: all of the smallest interval that has as many.
    """
    if time not in stream:
        return stream
    left, right, kept = _last_and_next(list(enumerate(stream.arrivals())), stream, time, past, future, whole)
    return _selection(left, right, kept)


def partition_window(stream: Stream, time: int, window: PartitionWindow) -> Stream:
    """p^{idx,n} (Def. 6): one tuple window per value of the key arguments, all other predicates counted with size 0.

    Only values that occur have an index: an index without atoms would stretch the timeline to its ends.
    """
    if time not in stream:
        return stream
    past, future = points(window.past), points(window.future)
    groups = ((group, past, future) for group in _by_key(stream, window))
    return union_of_tuple_windows(stream, time, groups, window.whole)


def session_window(stream: Stream, time: int, window: SessionWindow) -> Stream:
    """Per key, the arrivals up to `time` of the session that it is in, on the timeline from the first of them to it.

    Back from `time`, arrivals belong to the session until one lies more than `gap` time points before the next (or
    before `time`). Input atoms alone are selected. Nothing of the future is.
    """
    if time not in stream:
        return stream
    gap = points(window.gap)
    kept: list[tuple[int, Arrival]] = []
    for group in _by_key(stream, window):
        following = time
        for number, arrival in reversed([numbered for numbered in group if numbered[1].time <= time]):
            if gap is not None and following - arrival.time > gap:
                break
            kept.append((number, arrival))
            following = arrival.time
    return _selection(min((arrival.time for _, arrival in kept), default=time), time, sorted(kept))


def registered_window(stream: Stream, time: int, window: RegisteredWindow) -> Stream:
    """Whatever the function says, which is given the input up to `time`, or else everything, and nothing else."""
    if time not in stream:
        return stream
    given = [Numbered(arrival.time, number, arrival.fact) for number, arrival in enumerate(stream.arrivals(), 1)]
    if window.sees_everything:
        for at in stream.derived:
            facts = sorted(stream.derived[at], key=fact_order) if at in stream else ()
            given += [Numbered(at, CONCLUDED, fact) for fact in facts]
        given.sort(key=lambda one: one[:2])
    else:
        given = [one for one in given if one.time <= time]
    found = window.select(Selection(stream.start, stream.end, given), time)
    kept = [Arrival(one.time, one.fact) for one in found.arrivals if one.number != CONCLUDED]
    derived = by_time(Arrival(one.time, one.fact) for one in found.arrivals if one.number == CONCLUDED)
    return Stream.of(found.first, found.last, kept, derived)


def _by_key(stream: Stream, window: KeyedWindow) -> Iterable[list[tuple[int, Arrival]]]:
    """The numbered arrivals of the predicates of a window, apart for each value of their key."""
    groups: dict[tuple[Value, ...], list[tuple[int, Arrival]]] = {}
    for number, arrival in enumerate(stream.arrivals()):
        for one in window.predicates:
            if arrival.fact.signature == one.signature:
                groups.setdefault(tuple(arrival.fact.args[key] for key in one.keys), []).append((number, arrival))
    return groups.values()


def union_of_tuple_windows(
    stream: Stream,
    time: int,
    groups: Iterable[tuple[list[tuple[int, Arrival]], int | None, int | None]],
    whole: bool = False,
) -> Stream:
    """⋃ #^{n(i)}(S_i, t) for numbered arrivals with their sizes; the timeline contains the reference time."""
    left, right = time, time
    open_end = False
    kept: list[tuple[int, Arrival]] = []
    for group, past, future in groups:
        first, last, part = _last_and_next(group, stream, time, past, future, whole)
        left = min(left, first)
        open_end = open_end or last is None
        right = max(right, last or right)
        kept += part
    return _selection(left, None if open_end else right, sorted(kept))


def _last_and_next(
    arrivals: list[tuple[int, Arrival]],
    stream: Stream,
    time: int,
    past: int | None,
    future: int | None,
    whole: bool,
) -> tuple[int, int | None, list[tuple[int, Arrival]]]:
    """Left point, right point and the selected arrivals of Def. 9; `whole`: all there are between these points."""
    before = [numbered for numbered in arrivals if numbered[1].time <= time]
    after = [numbered for numbered in arrivals if numbered[1].time > time]
    last = before if past is None else before[len(before) - min(past, len(before)) :]
    following = after if future is None else after[:future]
    # Size 0 selects [t,t]; with too few atoms Def. 9 falls back on the ends of the timeline.
    all_before, all_after = past is None or len(before) < past, future is None or len(after) < future
    left = stream.start if all_before else last[0][1].time if last else time
    right = stream.end if all_after else following[-1][1].time if following else time
    if whole:
        last = [numbered for numbered in before if past != 0 and left <= numbered[1].time]
        following = [numbered for numbered in after if future != 0 and (right is None or numbered[1].time <= right)]
    return left, right, last + following


def _selection(start: int, end: int | None, kept: list[tuple[int, Arrival]]) -> Stream:
    arrivals = tuple(arrival for _, arrival in kept)
    content = by_time(arrivals)
    return Stream(start, end, arrivals, {}, content, content)


def filter_window(stream: Stream, patterns: tuple[Pattern, ...]) -> Stream:
    """f^A (Def. 7): the timeline stays, atoms outside A go."""
    return project(stream, lambda fact: any(matches(pattern, fact) for pattern in patterns))


def project(stream: Stream, keep: Callable[[Fact], bool]) -> Stream:
    """S|_A for the set A of atoms to keep."""
    kept = [{time: frozenset(filter(keep, facts)) for time, facts in part.items()} for part in _parts(stream)]
    return Stream(stream.start, stream.end, tuple(arrival for arrival in stream.input if keep(arrival.fact)), *kept)


def _parts(stream: Stream) -> tuple[Mapping[int, frozenset[Fact]], ...]:
    return stream.derived, stream.arrived, stream.content


def matches(pattern: Pattern, fact: Fact) -> bool:
    return (
        pattern.predicate == fact.predicate
        and len(pattern.args) == len(fact.args)
        and all(wanted is None or wanted == value for wanted, value in zip(pattern.args, fact.args, strict=True))
    )


def interval_window(stream: Stream, start: Value, end: Value) -> Stream:
    """w_[start,end] (Def. 40): the same interval at every reference time, clipped at the timeline."""
    if not isinstance(start, int) or not isinstance(end, int):
        return stream.restricted(0, -1)
    return stream.restricted(start, end)


def mode(window: TimeWindow) -> str:
    """How the window moves (sec. 3.1.3 and 3.1.7): sliding, tumbling or hopping."""
    hop, past, future = points(window.hop), points(window.past), points(window.future)
    if hop == 1:
        return "sliding"
    return "tumbling" if past is not None and future is not None and hop == past + future else "hopping"
