"""The arrivals of a recording, found by time, predicate and values of arguments.

Each index is made when it is asked for the first time, so that further questions cost what they are about.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from larspark.explain.evaluations.history import Sourced, Span
from larspark.explain.evaluations.relevance import Pattern, Relevance, fits
from larspark.language.facts import Fact, Signature
from larspark.language.values import Value


class ArrivalIndex:
    """In the order of arrival, which is that of time."""

    def __init__(self, arrivals: Sequence[Sourced]) -> None:
        self.all = tuple(arrivals)
        self._by_value: dict[tuple[Signature, int], dict[Value, list[int]]] = {}

    @cached_property
    def signatures(self) -> frozenset[Signature]:
        return frozenset(self._by_signature)

    def number(self, time: int) -> int:
        """How many there are by then."""
        return bisect_right(self._times, time)

    def between(self, first: int, last: int) -> tuple[Sourced, ...]:
        return self.all[bisect_left(self._times, first) : bisect_right(self._times, last)]

    def of(self, signature: Signature, pattern: Pattern, first: int, last: int) -> Iterator[Sourced]:
        """Those of a predicate that fit, in a stretch of time."""
        return (self.all[place] for place in self.places(signature, pattern, first, last))

    def of_fact(self, fact: Fact, first: int, last: int) -> Iterator[Sourced]:
        return self.of(fact.signature, fact.args, first, last)

    def taken(self, relevance: Relevance, first: int, last: int) -> Sequence[Sourced]:
        """Those that may matter, in a stretch of time."""
        if relevance.patterns is None:
            return self.between(first, last)
        wanted = [
            (signature, pattern, *stretch)
            for signature, own in relevance.patterns.items()
            if signature in self._by_signature
            for pattern in own
            for stretch in _stretches(relevance.points.get(signature), first, last)
        ]
        if len(wanted) == 1:
            return [self.all[place] for place in self.places(*wanted[0])]
        places = {place for one in wanted for place in self.places(*one)}
        return [self.all[place] for place in sorted(places)]

    def places(self, signature: Signature, pattern: Pattern, first: int, last: int) -> Iterator[int]:
        """Where those are in `all`; found by the argument that leaves the fewest."""
        fewest: Sequence[int] = self._by_signature.get(signature, ())
        for argument, value in enumerate(pattern):
            if value is not None and fewest:
                found = self._index(signature, argument).get(value, ())
                fewest = found if len(found) < len(fewest) else fewest
        low = bisect_left(fewest, bisect_left(self._times, first))
        high = bisect_left(fewest, bisect_right(self._times, last))
        within = fewest[low:high]
        if all(value is None for value in pattern):
            return iter(within)
        return (place for place in within if fits(pattern, self.all[place].fact.args))

    def _index(self, signature: Signature, argument: int) -> dict[Value, list[int]]:
        key = (signature, argument)
        if key not in self._by_value:
            own = self._by_value.setdefault(key, {})
            for place in self._by_signature[signature]:
                own.setdefault(self.all[place].fact.args[argument], []).append(place)
        return self._by_value[key]

    @cached_property
    def _by_signature(self) -> dict[Signature, list[int]]:
        found: dict[Signature, list[int]] = {}
        for place, one in enumerate(self.all):
            found.setdefault(one.fact.signature, []).append(place)
        return found

    @cached_property
    def _times(self) -> list[int]:
        return [one.time for one in self.all]


def _stretches(points: Collection[int] | None, first: int, last: int) -> list[Span]:
    """What of a stretch of time is looked at."""
    return [(first, last)] if points is None else [(point, point) for point in points if first <= point <= last]


def in_order(arrivals: Iterable[Sourced]) -> tuple[Sourced, ...]:
    """As they are, or sorted by time."""
    found = tuple(arrivals)
    ordered = all(one.time <= other.time for one, other in pairwise(found))
    return found if ordered else tuple(sorted(found, key=lambda one: one.time))
