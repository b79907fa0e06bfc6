"""Streams and substreams (thesis Def. 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from larspark.language.facts import Fact

NOTHING: frozenset[Fact] = frozenset()


class Arrival(NamedTuple):
    """An input atom at its time point; their order in a stream is the order of arrival."""

    time: int
    fact: Fact


@dataclass(frozen=True, slots=True)
class Stream:
    """S = (T, v): a timeline and an evaluation function.

    `end` None is the open right end: T = [start, ∞). A timeline with end < start is empty; no stream has one by
    Def. 1, but a hopping window whose pivot lies before the timeline selects it, and an interval beside it.

    v consists of the input, of which the order of arrival is known, and of derived atoms, among them those recorded
    at earlier evaluations (`#record`); tuple windows do not count these. Both may reach beyond
    the timeline: only what lies inside belongs to the stream, so that a time window costs nothing.
    """

    start: int
    end: int | None
    input: tuple[Arrival, ...] = ()
    derived: Mapping[int, frozenset[Fact]] = field(default_factory=dict)
    arrived: Mapping[int, frozenset[Fact]] = field(default_factory=dict, repr=False)
    """The input by time."""
    content: Mapping[int, frozenset[Fact]] = field(default_factory=dict, repr=False)
    """Input and derived atoms together, by time."""

    @classmethod
    def of(
        cls,
        start: int,
        end: int | None,
        arrivals: Iterable[tuple[int, Fact]] = (),
        derived: Mapping[int, frozenset[Fact]] | None = None,
    ) -> Stream:
        """A stream from arrivals, brought into time order (stably: the order inside a time point is kept)."""
        ordered = tuple(sorted((Arrival(*arrival) for arrival in arrivals), key=lambda arrival: arrival.time))
        arrived = by_time(ordered)
        return cls(start, end, ordered, derived or {}, arrived, merged(arrived, derived or {}))

    def __contains__(self, time: int) -> bool:
        """time ∈ T."""
        return self.start <= time and (self.end is None or time <= self.end)

    @property
    def open(self) -> bool:
        return self.end is None

    @property
    def empty(self) -> bool:
        """T = ∅."""
        return self.end is not None and self.end < self.start

    @property
    def timeline(self) -> tuple[int, int | None] | None:
        """The ends of T, None when T is empty."""
        return None if self.empty else (self.start, self.end)

    def at(self, time: int) -> frozenset[Fact]:
        """v(time)."""
        return self.content.get(time, NOTHING) if time in self else NOTHING

    def occupied(self) -> list[int]:
        """The time points of T with atoms, in order."""
        return sorted(time for time, facts in self.content.items() if facts and time in self)

    @property
    def last(self) -> int:
        """The last time point with atoms, or the start."""
        return max((time for time, facts in self.content.items() if facts and time in self), default=self.start)

    def arrivals(self) -> Iterator[Arrival]:
        """The input inside T in the order of arrival."""
        return (arrival for arrival in self.input if arrival.time in self)

    def facts(self) -> dict[int, frozenset[Fact]]:
        """v as the set of its non-empty mappings."""
        return {time: self.content[time] for time in self.occupied()}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stream):
            return NotImplemented
        return (
            self.timeline == other.timeline
            and self.facts() == other.facts()
            and list(self.arrivals()) == list(other.arrivals())
        )

    __hash__ = None  # type: ignore[assignment]

    # -- Def. 2 ------------------------------------------------------------------------------------

    def substream_of(self, other: Stream) -> bool:
        """S' ⊆ S: T' ⊆ T and v'(t) ⊆ v(t) everywhere."""
        if self.timeline is None:
            return True
        ends_inside = other.end is None or (self.end is not None and self.end <= other.end)
        return other.start <= self.start and ends_inside and all(f <= other.at(t) for t, f in self.facts().items())

    @property
    def count(self) -> int:
        """|S|: the number of atom occurrences."""
        return sum(map(len, self.facts().values()))

    @property
    def size(self) -> int:
        """|S| plus the number of empty time points; only a closed timeline has a size."""
        if self.end is None:
            raise ValueError("a stream with an open end has no size")
        return self.count + max(0, self.end - self.start + 1) - len(self.occupied())

    def restricted(self, start: int, end: int | None) -> Stream:
        """S|_[start,end], clipped at the timeline."""
        if self.end is not None:
            end = self.end if end is None else min(end, self.end)
        return Stream(max(start, self.start), end, self.input, self.derived, self.arrived, self.content)

    def with_derived(self, derived: Mapping[int, frozenset[Fact]]) -> Stream:
        """The stream with these derived atoms instead of its own."""
        return Stream(self.start, self.end, self.input, derived, self.arrived, merged(self.arrived, derived))

    def data(self) -> Stream:
        """The data stream: the input alone."""
        return self.with_derived({})

    def until(self, time: int, count: int | None = None) -> Stream:
        """The same timeline with the data up to `time`, or with the first `count` arrivals of it (a tick)."""
        arrivals = tuple(arrival for arrival in self.input if arrival.time <= time)[:count]
        return Stream.of(self.start, self.end, arrivals, self.derived)


def by_time(arrivals: Iterable[Arrival]) -> dict[int, frozenset[Fact]]:
    """The evaluation function of some arrivals."""
    sets: dict[int, set[Fact]] = {}
    for time, fact in arrivals:
        sets.setdefault(time, set()).add(fact)
    return {time: frozenset(facts) for time, facts in sets.items()}


def merged(left: Mapping[int, frozenset[Fact]], right: Mapping[int, frozenset[Fact]]) -> Mapping[int, frozenset[Fact]]:
    """v1 ∪ v2."""
    if not right:
        return left
    return {time: left.get(time, NOTHING) | right.get(time, NOTHING) for time in {**left, **right}}
