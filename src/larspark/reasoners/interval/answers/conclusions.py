"""What an engine concludes over time, as atoms with maximal intervals of evaluations.

An atom pinned to a time point u is seen as holding now at the evaluation u, and as pinned at the others:

    pinned to 5, valid for the evaluations 3 to 8:    @5 p at 3, 4        p at 5        @5 p at 6, 7, 8
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.storage import Rows
from larspark.language.facts import Signature
from larspark.reasoners.interval.answers.validity import MaximalIntervals
from larspark.reasoners.interval.engine.changes import RelationChanges
from larspark.reasoners.interval.engine.engine import IntervalEngine
from larspark.reasoners.interval.network import Relation

END = FOREVER + 1
"""After all evaluations."""


class FoundRows(NamedTuple):
    """Rows of one predicate: arguments as codes, the time where they are pinned, first and last evaluation."""

    signature: Signature | None
    """None: there is no answer stream in these intervals."""
    pinned: bool
    rows: Rows


class Conclusions:
    """Follows an engine, for the predicates that are wanted."""

    def __init__(self, engine: IntervalEngine, wanted: Iterable[Signature]) -> None:
        network = engine.network
        self._network = network
        chosen = sorted(wanted)
        self._pinned = {one: network.listed[one] for one in chosen if one in network.listed}
        self._plain = {one: network.now[one] for one in chosen if one in network.now and one not in self._pinned}
        both = (relation for one in self._pinned for relation in (network.now.get(one), network.listed[one]))
        self._void = network.inconsistent
        self._validity: dict[Relation, MaximalIntervals] = {}
        for relation in (self._void, *self._plain.values(), *both):
            if relation is not None:
                self._validity[relation] = MaximalIntervals(relation.width)
                self._validity[relation].add(engine.tables.content(relation))
        self._holding = {one: MaximalIntervals(one.arity) for one in self._pinned}
        self._elsewhere = {one: MaximalIntervals(one.arity + 1) for one in self._pinned}

    def follow(self, changes: RelationChanges, first: int, until: int) -> None:
        """A step of the engine that evaluates from `first` to `until`."""
        for relation, validity in self._validity.items():
            validity.follow(relation, changes, first)
        for signature, relation in self._pinned.items():
            now = self._network.now.get(signature)
            if now is not None:
                self._holding[signature].add(self._validity[now].within(first, until))
            itself, elsewhere = seen_from_evaluations(self._validity[relation].within(first, until))
            self._holding[signature].add(itself)
            self._elsewhere[signature].add(elsewhere)

    def ended(self, until: int = END) -> Iterator[FoundRows]:
        """Take out the intervals that have ended before `until`; by default all that is left."""
        return self._each(lambda validity: validity.ended(until))

    def since(self, first: int) -> Iterator[FoundRows]:
        """What holds at `first` or later with its whole interval; what ended before is forgotten."""
        return self._each(lambda validity: validity.since(first))

    def void(self, first: int, until: int) -> Rows:
        """The intervals without an answer stream from one evaluation to another, in order."""
        rows = self._validity[self._void].within(first, until)
        return rows[np.argsort(rows[:, 0])]

    def _each(self, rows_of: Callable[[MaximalIntervals], Rows]) -> Iterator[FoundRows]:
        for signature, relation in self._plain.items():
            yield FoundRows(signature, False, rows_of(self._validity[relation]))
        for signature in self._pinned:
            yield FoundRows(signature, False, rows_of(self._holding[signature]))
            yield FoundRows(signature, True, rows_of(self._elsewhere[signature]))
        yield FoundRows(None, False, rows_of(self._validity[self._void]))


def seen_from_evaluations(rows: Rows) -> tuple[Rows, Rows]:
    """Atoms pinned to a time point, as what holds at the evaluation time itself, and as what holds elsewhere."""
    time = rows[:, -3] >> 1
    inside = (rows[:, -2] <= time) & (time <= rows[:, -1])
    itself = np.column_stack((rows[inside, :-3], time[inside], time[inside]))
    earlier, later = rows[inside].copy(), rows[inside].copy()
    earlier[:, -1] = time[inside] - 1
    later[:, -2] = time[inside] + 1
    elsewhere = np.concatenate((rows[~inside], earlier, later))
    return itself, elsewhere[elsewhere[:, -2] <= elsewhere[:, -1]]
