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
        self._only_gained: dict[Relation, list[Rows]] = {relation: [] for relation in relations}
        self._only_lost: dict[Relation, list[Rows]] = {}
        """As long as a relation does only one of both, nothing can have come back."""
        self._revised: dict[Relation, tuple[Table, Table]] = {}
        """Gained and lost so far, for relations that have done both."""
        self._moved: list[Moved] = []

    def add(self, changes: RelationChanges) -> None:
        self._moved += changes.moved
        for relation, gains in self._only_gained.items():
            lost, gained = changes.lost.get(relation), changes.gained.get(relation)
            if relation not in self._revised:
                losses = self._only_lost.setdefault(relation, [])
                if (gains or gained is not None) and (losses or lost is not None):
                    self._revised[relation] = _table_of(gains, relation.width), _table_of(losses, relation.width)
                    gains.clear()
                    losses.clear()
                else:
                    gains.extend([] if gained is None else [gained])
                    losses.extend([] if lost is None else [lost])
                    continue
            plus, minus = self._revised[relation]
            if lost is not None:
                _cancel(plus, minus, lost)
            if gained is not None:
                _cancel(minus, plus, gained)

    def changes(self) -> RelationChanges:
        result = RelationChanges()
        result.moved.extend(self._moved)
        for target, found in ((result.gain, self._only_gained), (result.lose, self._only_lost)):
            for relation, parts in found.items():
                if parts:
                    target(relation, np.concatenate(parts))
        for relation, (plus, minus) in self._revised.items():
            result.gain(relation, content(plus))
            result.lose(relation, content(minus))
        return result


def _table_of(parts: Iterable[Rows], width: int) -> Table:
    table = new_table(width, [])
    for rows in parts:
        absorb(table, rows, -FOREVER)
    return table


def _cancel(against: Table, towards: Table, rows: Rows) -> None:
    """Take the rows out of one table, and put what was not there into the other."""
    rest = uncovered(against, rows)
    if len(rest) < len(rows) or not np.array_equal(rest, rows):
        remove(against, rows)
    absorb(towards, rest, -FOREVER)
