"""What arrives in a chunk: columns per predicate, and the order of arrival over all predicates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from larspark.intervals.sets import FOREVER
from larspark.intervals.storage import Column, Rows
from larspark.intervals.unroll import stamped
from larspark.language.facts import Fact, Signature, UniformFacts
from larspark.language.values import Value
from larspark.reasoners.interval.state.dictionary import Dictionary


class Batch(NamedTuple):
    """Arrivals of one predicate."""

    codes: Rows
    """One row per arrival, one column per argument."""
    times: Column
    places: Column
    """The place of each arrival among all arrivals of the chunk, from 0; ascending."""

    def rows(self) -> Rows:
        """As rows of an input relation: arguments, time, valid from then on."""
        return stamped(self.codes, self.times)

    def where(self, keep: npt.NDArray[np.bool_]) -> Batch:
        return Batch(self.codes[keep], self.times[keep], self.places[keep])

    def part(self, first: int, last: int) -> Batch:
        return Batch(self.codes[first:last], self.times[first:last], self.places[first:last])


@dataclass(eq=False)
class Arrivals:
    """All arrivals of a chunk, in the order of their places. Never changed; one is made for every step."""

    batches: Mapping[Signature, Batch]
    count: int

    @cached_property
    def earliest(self) -> int:
        """The first time of an arrival."""
        return min((int(batch.times.min()) for batch in self.batches.values() if len(batch.times)), default=FOREVER)

    @property
    def places(self) -> int:
        """How many places there are up to the last arrival."""
        return max((int(batch.places[-1]) + 1 for batch in self.batches.values() if len(batch.places)), default=0)

    @property
    def in_order(self) -> bool:
        """Whether the arrivals of each predicate come in the order of time."""
        return all(bool((batch.times[1:] >= batch.times[:-1]).all()) for batch in self.batches.values())

    def cut(self, size: int) -> Iterator[tuple[int, Arrivals]]:
        """Parts of about this size, each with its last time; a time point is never divided."""
        if self.count <= size:
            yield FOREVER, self
            return
        columns = [batch.times for batch in self.batches.values()]
        # Sorting runs that are in order is merging them, and a single one is in order.
        times = np.sort(np.concatenate(columns), kind="stable") if len(columns) > 1 else columns[0]
        ends = np.unique(np.append(times[size - 1 :: size], times[-1]))
        before = -FOREVER
        for end in ends.tolist():
            parts = {}
            for signature, batch in self.batches.items():
                first, last = np.searchsorted(batch.times, (before, end), side="right")
                if first < last:
                    parts[signature] = batch.part(first, last)
            before = end
            yield end, Arrivals(parts, sum(len(batch.times) for batch in parts.values()))

    def between(self, first: int, last: int) -> Arrivals:
        """Those with a time from first to last."""
        parts = {}
        for signature, batch in self.batches.items():
            part = batch.where((batch.times >= first) & (batch.times <= last))
            if len(part.times):
                parts[signature] = part
        return Arrivals(parts, sum(len(batch.times) for batch in parts.values()))

    @classmethod
    def single(cls, signature: Signature, codes: Rows, times: Column) -> Arrivals:
        """Arrivals of one predicate in the given order."""
        return cls({signature: Batch(codes, times, np.arange(len(times)))}, len(times))

    @classmethod
    def at(cls, time: int, facts: Sequence[Fact], dictionary: Dictionary) -> Arrivals:
        """From the facts of one time point, in order."""
        if not facts:
            return NOTHING
        if isinstance(facts, UniformFacts):
            codes = dictionary.encode_rows(facts.rows, facts.types)
            batches = {facts.signature: Batch(codes, np.full(len(facts), time), np.arange(len(facts)))}
        elif len(facts) == 1:
            ((predicate, args),) = facts
            codes = np.array([[*map(dictionary.encode, args)]], np.int64)
            batches = {Signature(predicate, len(args)): Batch(codes, np.array([time]), _FIRST)}
        else:
            parts: dict[Signature, list[int]] = {}
            for place, (predicate, args) in enumerate(facts):
                parts.setdefault(Signature(predicate, len(args)), []).append(place)
            batches = {}
            for signature, places in parts.items():
                codes = dictionary.encode_rows([facts[place].args for place in places])
                batches[signature] = Batch(codes, np.full(len(places), time), np.array(places))
        arrivals = cls(batches, len(facts))
        arrivals.__dict__["earliest"] = time  # what it would look up
        return arrivals

    @classmethod
    def of(cls, arrivals: Iterable[tuple[int, Fact]], dictionary: Dictionary) -> Arrivals:
        """From facts with their times, in order."""
        parts: dict[tuple[str, int], list[tuple[int, int, tuple[Value, ...]]]] = {}
        place = 0
        for time, (predicate, args) in arrivals:
            kind = predicate, len(args)
            if kind not in parts:
                parts[kind] = []
            parts[kind].append((place, time, args))
            place += 1
        batches = {}
        for (predicate, arity), found in parts.items():
            places, times, rows = zip(*found, strict=True)
            codes = dictionary.encode_rows(rows)
            batches[Signature(predicate, arity)] = Batch(codes, np.array(times, np.int64), np.array(places, np.int64))
        return cls(batches, place)


_FIRST = np.zeros(1, np.int64)
NOTHING = Arrivals({}, 0)
