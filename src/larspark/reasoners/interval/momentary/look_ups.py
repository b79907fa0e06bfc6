"""What always holds, looked up for many rows at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from typing import NamedTuple

import numpy as np

from larspark.blocks import Numbers
from larspark.intervals.tables.storage import Column, Rows
from larspark.reasoners.interval.network import Operand

_DENSE = 8
"""Values are looked up by their number when these reach at most so far beyond how many there are."""


class FoundPairs(NamedTuple):
    """Rows that ask, and the given row that each has found; ascending by who asks."""

    asking: Numbers
    given: Numbers


class LookUp:
    """Given rows by the columns that are known when they are looked up."""

    def __init__(self, rows: Rows, columns: Sequence[Operand | None], known: Set[str]) -> None:
        """`columns` as in the literal: constants as codes, variables that are known or new, None for any value."""
        keep = np.ones(len(rows), np.bool_)
        self.new: dict[str, int] = {}
        """The columns of variables that become known."""
        bound: dict[str, int] = {}
        for place, column in enumerate(columns):
            if isinstance(column, int):
                keep &= rows[:, place] == column
            elif column is not None:
                first = (bound if column in known else self.new).setdefault(column, place)
                keep &= rows[:, first] == rows[:, place]
        self.rows = rows[keep]
        self.keys = tuple(bound)
        """The variables by which it is looked up."""
        self._distinct: list[Column] = []
        self._combined: list[Column] = []
        """What stands in each key column, and the combinations of it with those before."""
        numbers = np.zeros(len(self.rows), np.int64)
        for place in bound.values():
            self._distinct.append(np.unique(self.rows[:, place]))
            numbers = numbers * len(self._distinct[-1]) + _places(self._distinct[-1], self.rows[:, place])
            self._combined.append(np.unique(numbers))
            numbers = _places(self._combined[-1], numbers)
        self._order = np.argsort(numbers, kind="stable")
        count = len(self._combined[-1]) if self._combined else 1
        self._begins = np.searchsorted(numbers[self._order], np.arange(count + 1))

    def _numbers(self, columns: Sequence[Column], count: int) -> Numbers:
        """One number for the values of all columns; −1 where they do not occur together."""
        numbers = np.zeros(count, np.int64)
        for distinct, combined, column in zip(self._distinct, self._combined, columns, strict=True):
            places = _places(distinct, column)
            missing = (places < 0) | (numbers < 0)
            numbers = _places(combined, numbers * len(distinct) + places)
            numbers[missing] = -1
        return numbers

    def find(self, codes_of: Callable[[str], Column], count: int) -> FoundPairs:
        """For `count` rows, whose codes are told for a variable."""
        first, number = self._range([codes_of(one) for one in self.keys], count)
        if (number <= 1).all():
            asking = np.flatnonzero(number)
            return FoundPairs(asking, self._order[first[asking]])
        asking = np.repeat(np.arange(count), number)
        steps = np.arange(len(asking)) - np.repeat(np.cumsum(number) - number, number)
        return FoundPairs(asking, self._order[np.repeat(first, number) + steps])

    def _range(self, columns: Sequence[Column], count: int) -> tuple[Numbers, Numbers]:
        """Where what each row has found begins, and how many there are."""
        numbers = self._numbers(columns, count)
        inside = np.maximum(numbers, 0)
        first = self._begins[inside]
        last = self._begins[np.minimum(inside + 1, len(self._begins) - 1)]
        return first, np.where(numbers < 0, 0, last - first)


def _places(distinct: Column, column: Column) -> Numbers:
    """The place of each value among some, or −1."""
    if not len(distinct):
        return np.full(len(column), -1, np.int64)
    low, high = int(distinct[0]), int(distinct[-1])
    if high - low <= _DENSE * len(distinct):
        table = np.full(high - low + 2, -1, np.int64)
        table[distinct - low] = np.arange(len(distinct))
        return table[np.where((column >= low) & (column <= high), column - low, high - low + 1)]
    found = np.minimum(np.searchsorted(distinct, column), len(distinct) - 1)
    return np.where(distinct[found] == column, found, -1)
