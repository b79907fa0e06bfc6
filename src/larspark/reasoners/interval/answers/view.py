"""The live view: which rows of a relation are valid at the current time.

Nothing is scanned and nothing is copied: a step costs the rows that have changed and those whose validity begins or
ends.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from larspark.intervals.addresses import address_of, settle_at, valid_keys_at
from larspark.intervals.storage import Column, Rows
from larspark.intervals.watch import new_watch, renumber
from larspark.reasoners.interval.engine.component import Changes
from larspark.reasoners.interval.network import Relation
from larspark.reasoners.interval.state.tables import Tables


class Movement(NamedTuple):
    """The keys of a relation that have appeared and disappeared, one row each."""

    appeared: Rows
    disappeared: Rows


class RelationView:
    """The valid rows of one relation, from the time on at which it is made."""

    def __init__(self, relation: Relation, tables: Tables, time: int) -> None:
        self.relation = relation
        self.time = time
        self._tables = tables
        self._watch = new_watch()
        self._places = tables.place(relation), address_of(self._watch)
        self._nothing = np.empty((0, relation.width + 2), np.int64)
        tables.watchers[relation.number] = self._renumber
        self._still = Movement(self._nothing[:, :-2], self._nothing[:, :-2])
        self.empty = tables.size(relation) == 0
        """Nothing has been in the relation so far."""
        if not self.empty:
            settle_at(*self._places, tables.content(relation), self._nothing, time, time)

    def move(self, changes: Changes, time: int) -> Movement:
        """Go to `time`."""
        gained = changes.gained.get(self.relation, self._nothing)
        lost = changes.lost.get(self.relation, self._nothing)
        after, self.time = self.time, time
        if self.empty:
            if not len(gained):
                return self._still
            self.empty = False
        return Movement(*settle_at(*self._places, gained, lost, after, time))

    def keys(self) -> Rows:
        """All valid keys."""
        return self._still.appeared if self.empty else valid_keys_at(self._places[0], self.time)

    def _renumber(self, numbers: Column) -> None:
        renumber(self._watch, numbers, self._tables.capacity(self.relation))
