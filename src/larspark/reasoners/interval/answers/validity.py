"""When the atoms of a relation hold, as far as that has not been handed out yet."""

from __future__ import annotations

import numpy as np

from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.lists import column
from larspark.intervals.tables.storage import META, SIZE, SURVIVORS, Rows, compact, content, new_table
from larspark.intervals.tables.table import absorb, remove
from larspark.reasoners.interval.engine.changes import RelationChanges
from larspark.reasoners.interval.network import Relation

FEW = 1 << 12
"""Rows that are not worth looking through."""


class MaximalIntervals:
    """Rows with maximal intervals of evaluations; what has ended is handed out and forgotten."""

    def __init__(self, width: int) -> None:
        self.width = self._width = width
        self._table = new_table(width, [])
        self._meta = column(self._table, META)  # asked of the list itself, it would be compiled in every process

    def follow(self, relation: Relation, changes: RelationChanges, first: int) -> None:
        """The changes of a step of the engine that evaluates from `first` on; what was before is final."""
        if relation in changes.lost:
            remove(self._table, clipped(changes.lost[relation], first))
        if relation in changes.gained:
            self.add(clipped(changes.gained[relation], first))

    def add(self, rows: Rows) -> None:
        absorb(self._table, np.ascontiguousarray(rows), -FOREVER)

    def remove(self, rows: Rows) -> None:
        """Take out parts of intervals."""
        remove(self._table, np.ascontiguousarray(rows))

    def all(self) -> Rows:
        """All rows."""
        rows: Rows = content(self._table)
        return rows

    def since(self, first: int) -> Rows:
        """The intervals, from their beginnings on, that reach `first`; the others are forgotten."""
        compact(self._table, first)
        rows: Rows = content(self._table)
        return rows

    def within(self, first: int, until: int) -> Rows:
        """The parts of the intervals that lie between two evaluations; what ended before them is forgotten."""
        return clipped(self.since(first), first, until)

    def ended(self, until: int) -> Rows:
        """Take out the intervals that cannot become longer when all evaluations up to `until` are known.

        Before the end they are only looked for when the table has doubled, so that what goes on for long costs nothing.
        """
        size, survivors = self._meta[SIZE], self._meta[SURVIVORS]
        if until <= FOREVER and size < 2 * survivors + FEW:
            return np.empty((0, self._width + 2), np.int64)
        rows: Rows = content(self._table)
        compact(self._table, until)
        return rows[rows[:, -1] < until]


def clipped(rows: Rows, first: int, last: int = FOREVER) -> Rows:
    """The parts of the rows' intervals between two evaluations; the rows themselves where all lie between them."""
    begins, ends = rows[:, -2], rows[:, -1]
    if (begins >= first).all() and (ends <= last).all() and (begins <= ends).all():
        return np.ascontiguousarray(rows)
    result = rows.copy()
    result[:, -2] = np.maximum(result[:, -2], first)
    result[:, -1] = np.minimum(result[:, -1], last)
    return np.ascontiguousarray(result[result[:, -2] <= result[:, -1]])


def outside_of(rows: Rows, others: Rows) -> Rows:
    """What is left of the intervals of the rows outside of some others, which are disjoint and in order."""
    if not len(others):
        return rows
    first, last = rows[:, -2], rows[:, -1]
    low, high = np.searchsorted(others[:, 1], first), np.searchsorted(others[:, 0], last, side="right")
    counts = high - low + 1
    left = np.repeat(rows, counts, axis=0)
    # The piece with number n of an interval lies between the n-th gap in it and the next.
    gap = np.arange(len(left)) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(low, counts)
    before = np.concatenate(([-FOREVER], others[:, 1]))[gap] + 1
    after = np.concatenate((others[:, 0], [FOREVER]))[gap] - 1
    left[:, -2] = np.maximum(left[:, -2], before)
    left[:, -1] = np.minimum(left[:, -1], after)
    return left[left[:, -2] <= left[:, -1]]
