"""Window functions that only the conformance vectors need, registered for all atoms of a stream."""

from __future__ import annotations

from collections.abc import Callable

from larspark import register_window
from larspark.language.values import Value
from larspark.language.windows.registered import SelectionFunction
from larspark.language.windows.selection import CONCLUDED, Selection
from larspark.semantics.streams import Arrival, Stream, by_time
from larspark.semantics.windows import matches, project, tuple_window, union_of_tuple_windows
from support.notation import fact, pattern


def partition(stream: Stream, time: int, args: tuple[Value, ...]) -> Stream:
    """p^{idx,n} (Def. 6) with the index function spelled out as lists of patterns; the last part is the rest."""
    if time not in stream:
        return stream
    parts = [args[at : at + 3] for at in range(0, len(args), 3)]
    groups: list[list[tuple[int, Arrival]]] = [[] for _ in parts]
    for number, arrival in enumerate(stream.arrivals()):
        indices = (
            index
            for index, (patterns, _, _) in enumerate(parts[:-1])
            if any(matches(pattern(text), arrival.fact) for text in str(patterns).split(";"))
        )
        groups[next(indices, -1)].append((number, arrival))
    sized = [(group, _size(past), _size(future)) for group, (_, past, future) in zip(groups, parts, strict=True)]
    return union_of_tuple_windows(stream, time, sized)


def _size(text: Value) -> int | None:
    return None if text == "inf" else int(text)


def tuple_lexfirst(stream: Stream, time: int, args: tuple[Value, ...]) -> Stream:
    """#^n that counts derived atoms too and keeps the alphabetically first ones (Example 30)."""
    return tuple_window(_all_as_input(stream, reverse=True), time, _size(args[0]), 0)


def tuple_counting_all(stream: Stream, time: int, args: tuple[Value, ...]) -> Stream:
    """#^n that counts derived atoms too, after the input of their time point."""
    return tuple_window(_all_as_input(stream, reverse=False), time, _size(args[0]), 0)


def _all_as_input(stream: Stream, *, reverse: bool) -> Stream:
    arrivals = list(stream.input)
    for time, facts in stream.derived.items():
        arrivals += [Arrival(time, derived) for derived in sorted(facts)]
    if reverse:
        arrivals.sort(key=lambda arrival: str(arrival.fact), reverse=True)
    return Stream.of(stream.start, stream.end, arrivals)


def at_least(stream: Stream, time: int, args: tuple[Value, ...]) -> Stream:
    """The unique refinement with at least n atoms: nothing is dropped at the left point (sec. 3.1.4)."""
    exact = tuple_window(stream, time, _size(args[0]), 0)
    return stream.restricted(exact.start, exact.end)


def remove_at_zero(stream: Stream, time: int, args: tuple[Value, ...]) -> Stream:
    """`set:x` of the QBF reduction (Theorem 7): applied at 0 it removes x everywhere."""
    dropped = fact(str(args[0]))
    return project(stream, lambda present: present != dropped) if time == 0 else stream


def clear_if_present(stream: Stream, time: int, args: tuple[Value, ...]) -> Stream:
    """[t,t], without atoms if the named one holds at t (Example 43)."""
    now = stream.restricted(time, time)
    return project(now, lambda _: False) if fact(str(args[0])) in stream.at(time) else now


def drop_if_present(stream: Stream, time: int, args: tuple[Value, ...]) -> Stream:
    """Drops the second atom if the first holds at t (sec. 5.6)."""
    present, dropped = (fact(str(arg)) for arg in args)
    return project(stream, lambda atom: atom != dropped) if present in stream.at(time) else stream


def over_streams(function: Callable[[Stream, int, tuple[Value, ...]], Stream]) -> SelectionFunction:
    """A function of the definition, from streams to substreams, as one from selections to selections."""

    def select(given: Selection, now: int, *args: Value) -> Selection:
        arrived = [(one.time, one.fact) for one in given.arrivals if one.number != CONCLUDED]
        derived = by_time(Arrival(one.time, one.fact) for one in given.arrivals if one.number == CONCLUDED)
        found = function(Stream.of(given.first, given.last, arrived, derived), now, args)
        return Selection(found.start, found.end, [one for one in given.arrivals if one.fact in found.at(one.time)])

    return select


for name, function in {
    "partition": partition,
    "tuple_lexfirst": tuple_lexfirst,
    "tuple_counting_all": tuple_counting_all,
    "at_least": at_least,
    "set": remove_at_zero,
    "clear_if_present": clear_if_present,
    "drop_if_present": drop_if_present,
}.items():
    register_window(name, over_streams(function), everything=True)
