"""Where rows go: to the bucket of their key, in every stage that reads their predicate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from larspark.spark.cells import numbers_of
from larspark.spark.evaluate.buckets import buckets_of_spellings as buckets_of_cells
from larspark.spark.plan import Plan
from larspark.spark.rows import OTHER, Kind
from larspark.spark.streaming.parcels import Numbers


@dataclass(frozen=True)
class Route:
    """What one stage reads."""

    buckets: int
    arriving: Mapping[int, int | None]
    """The predicates that arrive, and the argument by which they are split; None: all to the first bucket."""
    delivered: Mapping[int, int | None]
    """The same for conclusions of earlier stages."""

    def parts(self, table: pa.Table) -> Iterator[tuple[int, pa.Table]]:
        """The rows that the stage reads, by bucket; their order is kept."""
        target = self._targets(table)
        for bucket in np.unique(target[target >= 0]).tolist():
            yield bucket, table.take(pa.array(np.flatnonzero(target == bucket)))

    def _targets(self, table: pa.Table) -> Numbers:
        kinds, predicates = numbers_of(table.column("kind")), numbers_of(table.column("predicate"))
        target = np.full(len(table), -1, np.int64)
        for wanted, chosen in (
            (self.arriving, kinds == Kind.ARRIVAL),
            (self.delivered, (kinds == Kind.NOW) | (kinds == Kind.AT)),
        ):
            for number, position in wanted.items():
                rows = np.flatnonzero(chosen & (predicates == number))
                if position is None or not len(rows):
                    target[rows] = 0
                else:
                    target[rows] = _buckets(table.take(pa.array(rows)), position, self.buckets)
        return target


def _buckets(table: pa.Table, position: int, buckets: int) -> Numbers:
    """The bucket of each row, as `rows.bucket` says it."""
    texts = table.column(f"s{position}").combine_chunks().dictionary_encode()
    numbers, places = np.unique(numbers_of(table.column(f"n{position}")), return_inverse=True)
    of_texts = buckets_of_cells(texts.dictionary, buckets)
    of_numbers = buckets_of_cells(pa.array(numbers).cast(pa.string()), buckets)
    indices = texts.indices.fill_null(len(of_texts)).to_numpy(zero_copy_only=False)
    return np.where(indices < len(of_texts), np.append(of_texts, 0)[indices], of_numbers[places])


def routes(plan: Plan, buckets: int) -> tuple[Route, ...]:
    """The routes of all stages."""
    numbers = plan.vocabulary.numbers
    found = []
    for planned in plan.stages:
        arriving = {numbers[one]: planned.reads[one] for one in planned.program.inputs}
        if planned.program.counts_everything:
            arriving[OTHER] = None
        delivered = {numbers[one]: planned.reads[one] for one in planned.program.delivered}
        found.append(Route(buckets if planned.stage.keyed else 1, arriving, delivered))
    if found:
        # What no stage reads is looked at once all the same, since it may be late.
        unread = {OTHER, *numbers.values()} - {number for route in found for number in route.arriving}
        first = found[0]
        found[0] = Route(first.buckets, {**first.arriving, **dict.fromkeys(sorted(unread))}, first.delivered)
    return tuple(found)


def sink_route(plan: Plan, buckets: int) -> Route:
    """Where conclusions end: all about one atom in one place."""
    positions = {plan.vocabulary.numbers[one]: 0 if one.arity and buckets > 1 else None for one in plan.shown}
    return Route(buckets, {}, positions)


def owners(stages: tuple[Route, ...]) -> tuple[frozenset[int], ...]:
    """For each stage the predicates of which it is the first reader, so that what concerns an atom is said once."""
    claimed: set[int] = set()
    found = []
    for route in stages:
        found.append(frozenset(route.arriving) - claimed)
        claimed |= set(route.arriving)
    return tuple(found)
