"""What arrives in a chunk: columns per predicate, and the order of arrival over all predicates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.storage import Column, Rows
from larspark.intervals.tables.unroll import stamped
from larspark.language.facts import Fact, Signature, UniformFacts
from larspark.language.values import Value
from larspark.reasoners.interval.state.dictionary import Dictionary

FEW = 8
"""So many facts are faster taken one by one than in columns."""

_signature = lru_cache(Signature)
_FIRST = np.zeros(1, np.int64)


class ArrivalBatch(NamedTuple):
    """Arrivals of one predicate."""

    codes: Rows
    """One row per arrival, one column per argument."""
    times: Column
    places: Column
    """The place of each arrival among all arrivals of the chunk, from 0; ascending."""

    def rows(self) -> Rows:
        """As rows of an input relation: arguments, time, valid from then on."""
        return stamped(self.codes, self.times)

    def where(self, keep: npt.NDArray[np.bool_]) -> ArrivalBatch:
        return ArrivalBatch(self.codes[keep], self.times[keep], self.places[keep])

    def part(self, first: int, last: int) -> ArrivalBatch:
        return ArrivalBatch(self.codes[first:last], self.times[first:last], self.places[first:last])


Coded = tuple[Signature, list[int]]
"""An arrival by itself: its predicate and the codes of its arguments."""


class Arrivals:
    """All arrivals of a chunk, in the order of their places. Never changed; one is made for every step."""

    __slots__ = ("_batches", "_earliest", "count", "few")

    def __init__(self, batches: Mapping[Signature, ArrivalBatch], count: int) -> None:
        self._batches: Mapping[Signature, ArrivalBatch] | None = batches
        self.count = count
        self._earliest: int | None = None
        self.few: Sequence[Coded] | None = None
        """The arrivals one by one, where they are few and of one time: columns are made if somebody asks for them."""

    @property
    def batches(self) -> Mapping[Signature, ArrivalBatch]:
        if self._batches is None:
            assert self.few is not None
            if self.count == 1:
                ((signature, codes),) = self.few
                times = np.array((self.earliest,), np.int64)
                self._batches = {signature: ArrivalBatch(np.array((codes,), np.int64), times, _FIRST)}
                return self._batches
            parts: dict[Signature, list[tuple[int, list[int]]]] = {}
            for place, (signature, codes) in enumerate(self.few):
                parts.setdefault(signature, []).append((place, codes))
            self._batches = {
                signature: ArrivalBatch(
                    np.array([codes for _, codes in found], np.int64).reshape(len(found), signature.arity),
                    np.full(len(found), self.earliest),
                    np.array([place for place, _ in found]),
                )
                for signature, found in parts.items()
            }
        return self._batches

    @property
    def earliest(self) -> int:
        """The first time of an arrival."""
        if self._earliest is None:
            times = (int(batch.times.min()) for batch in self.batches.values() if len(batch.times))
            self._earliest = min(times, default=FOREVER)
        return self._earliest

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
        ends = dict.fromkeys((*times[size - 1 :: size].tolist(), int(times[-1])))
        before = -FOREVER
        for end in ends:
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
        return cls({signature: ArrivalBatch(codes, times, np.arange(len(times)))}, len(times))

    @classmethod
    def at(cls, time: int, facts: Sequence[Fact], dictionary: Dictionary) -> Arrivals:
        """From the facts of one time point, in order."""
        if not facts:
            return NOTHING
        if len(facts) <= FEW:
            arrivals = cls.__new__(cls)
            encode = dictionary.encode
            arrivals.few = [(_signature(name, len(args)), [encode(value) for value in args]) for name, args in facts]
            arrivals._batches, arrivals._earliest, arrivals.count = None, time, len(facts)
            return arrivals
        if isinstance(facts, UniformFacts):
            codes = dictionary.encode_rows(facts.rows, facts.types)
            batches = {facts.signature: ArrivalBatch(codes, np.full(len(facts), time), np.arange(len(facts)))}
        else:
            parts: dict[Signature, list[int]] = {}
            for place, (predicate, args) in enumerate(facts):
                parts.setdefault(Signature(predicate, len(args)), []).append(place)
            batches = {}
            for signature, places in parts.items():
                codes = dictionary.encode_rows([facts[place].args for place in places])
                batches[signature] = ArrivalBatch(codes, np.full(len(places), time), np.array(places))
        arrivals = cls(batches, len(facts))
        arrivals._earliest = time
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
            batches[Signature(predicate, arity)] = ArrivalBatch(
                codes, np.array(times, np.int64), np.array(places, np.int64)
            )
        result = cls(batches, place)
        if 0 < place <= FEW:
            result._take_apart()
        return result

    def _take_apart(self) -> None:
        """Have the arrivals one by one, too, if they are of one time."""
        found: list[tuple[int, Signature, list[int]]] = []
        times: set[int] = set()
        for signature, batch in self.batches.items():
            times.update(batch.times.tolist())
            found += zip(batch.places.tolist(), repeat(signature), batch.codes.tolist(), strict=False)
        if len(times) == 1:
            (self._earliest,) = times
            self.few = [(signature, codes) for _, signature, codes in sorted(found)]


NOTHING = Arrivals({}, 0)
NOTHING.few = ()
