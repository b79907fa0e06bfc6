"""The changes of several steps as those of one: what was gained and lost again in between has not changed."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.storage import Rows, Table, content, new_table
from larspark.intervals.tables.table import absorb, remove, uncovered
from larspark.reasoners.interval.engine.changes import Moved, RelationChanges
from larspark.reasoners.interval.network import Relation


class Net:
    """Collects the changes of some relations, step by step."""

    def __init__(self, relations: Iterable[Relation]) -> None:
        self._gained: dict[Relation, list[Rows]] = {relation: [] for relation in relations}
        self._revised: dict[Relation, tuple[Table, Table]] = {}
        """Gained and lost so far, for relations that have lost anything."""
        self._moved: list[Moved] = []

    def add(self, changes: RelationChanges) -> None:
        self._moved += changes.moved
        for relation, parts in self._gained.items():
            lost, gained = changes.lost.get(relation), changes.gained.get(relation)
            if lost is not None and relation not in self._revised:
                self._revised[relation] = new_table(relation.width, []), new_table(relation.width, [])
                for rows in parts:
                    absorb(self._revised[relation][0], rows, -FOREVER)
                parts.clear()
            if relation not in self._revised:
                if gained is not None:
                    parts.append(gained)
                continue
            plus, minus = self._revised[relation]
            if lost is not None:
                _cancel(plus, minus, lost)
            if gained is not None:
                _cancel(minus, plus, gained)

    def changes(self) -> RelationChanges:
        result = RelationChanges()
        result.moved.extend(self._moved)
        for relation, parts in self._gained.items():
            if parts:
                result.gain(relation, np.concatenate(parts))
        for relation, (plus, minus) in self._revised.items():
            result.gain(relation, content(plus))
            result.lose(relation, content(minus))
        return result


def _cancel(against: Table, towards: Table, rows: Rows) -> None:
    """Take the rows out of one table, and put what was not there into the other."""
    rest = uncovered(against, rows)
    remove(against, rows)
    absorb(towards, rest, -FOREVER)
