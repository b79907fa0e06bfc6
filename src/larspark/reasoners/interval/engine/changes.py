"""What relations have gained and lost in a step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from larspark.intervals.step.network import APPEARED, LOST
from larspark.intervals.tables.storage import Column, Rows
from larspark.reasoners.interval.network import Relation

Told: TypeAlias = Column | bytearray
"""What a step tells (`intervals.step.finish`), as numbers or as their bytes."""

NOTHING_TOLD = np.zeros(1, np.int64)

Moved = tuple[Relation, bool, Column, int, int]
"""Keys of a relation that have appeared (True) or disappeared: where they lie in what was told, and how many."""


def keys_of(moved: Moved) -> Rows:
    """One row each."""
    relation, _, told, at, count = moved
    return told[at : at + count * relation.width].reshape(count, relation.width)


class RelationChanges:
    """What the relations have gained and lost in a step; parts of one list do not overlap."""

    __slots__ = ("_gained", "_lost", "_moved", "_relations", "_told")

    def __init__(self, told: Told = NOTHING_TOLD, relations: Sequence[Relation] = ()) -> None:
        """What is told is taken apart when somebody looks at it."""
        self._told = told
        self._relations = relations

    @property
    def _numbers(self) -> Column:
        told = self._told
        return np.frombuffer(told, np.int64) if isinstance(told, bytearray) else told

    @property
    def gained(self) -> dict[Relation, Rows]:
        return self._gained if hasattr(self, "_gained") else self._take_apart()

    @property
    def lost(self) -> dict[Relation, Rows]:
        if not hasattr(self, "_gained"):
            self._take_apart()
        return self._lost

    def _take_apart(self) -> dict[Relation, Rows]:
        gained: dict[Relation, Rows] = {}
        self._gained = gained
        self._lost: dict[Relation, Rows] = {}
        told, relations = self._numbers, self._relations
        head = told[: 1 + 3 * int(told[0])].tolist()
        at = len(head)
        for place in range(1, len(head), 3):
            number, what, count = head[place : place + 3]
            if number == len(relations):  # what holds everywhere
                at += 2 * count
            elif what >= APPEARED:
                at += count * relations[number].width
            else:
                width = relations[number].width + 2
                rows = told[at : at + count * width].reshape(count, width)
                _append(self._lost if what == LOST else gained, relations[number], rows)
                at += count * width
        return gained

    @property
    def moved(self) -> list[Moved]:
        """What has appeared and disappeared at the present, where that is watched."""
        if not hasattr(self, "_moved"):
            found: list[Moved] = []
            self._moved = found
            told, relations = self._numbers, self._relations
            head = told[: 1 + 3 * int(told[0])].tolist()
            at = len(head)
            for place in range(1, len(head), 3):
                number, what, count = head[place], head[place + 1], head[place + 2]
                if what >= APPEARED:
                    found.append((relations[number], what == APPEARED, told, at, count))
                    at += count * relations[number].width
                else:
                    at += count * (2 + relations[number].width if number < len(relations) else 2)
        return self._moved

    def gain(self, relation: Relation, rows: Rows) -> None:
        _append(self.gained, relation, rows)

    def lose(self, relation: Relation, rows: Rows) -> None:
        _append(self.lost, relation, rows)


def _append(target: dict[Relation, Rows], relation: Relation, rows: Rows) -> None:
    if len(rows):
        known = target.get(relation)
        target[relation] = rows if known is None else np.concatenate((known, rows))
