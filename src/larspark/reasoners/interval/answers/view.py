"""The live view: which rows of a relation are valid at the current time.

Nothing is scanned and nothing is copied: a step costs the rows that have changed and those whose validity begins or
ends.
"""

from __future__ import annotations

from larspark.intervals.tables.addresses import valid_keys_at
from larspark.intervals.tables.storage import Column, Rows
from larspark.intervals.tables.watch import renumber
from larspark.reasoners.interval.engine.engine import IntervalEngine
from larspark.reasoners.interval.network import Relation


class RelationView:
    """The valid rows of one relation, from the time on at which it is made; steps of the engine tell what moves."""

    def __init__(self, relation: Relation, engine: IntervalEngine) -> None:
        self.relation = relation
        self._tables = engine.tables
        self._watch = engine.watch(relation)
        self._tables.watchers[relation.number] = self._renumber

    def keys(self, time: int) -> Rows:
        """All valid keys at the time to which the engine has gone."""
        return valid_keys_at(self._tables.place(self.relation), time)

    def _renumber(self, numbers: Column) -> None:
        renumber(self._watch, numbers, self._tables.capacity(self.relation))
