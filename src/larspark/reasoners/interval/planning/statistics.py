"""How large the relations of a running engine are: what the order of joins is chosen by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any, TypeAlias

import numpy as np

from larspark.intervals.tables.lists import column
from larspark.intervals.tables.storage import (
    ENTRIES,
    FIRST,
    KEY,
    LAST,
    META,
    NEXT,
    OVERFLOW,
    SIZE,
    STRIDE,
    WIDTH,
    Column,
    Table,
)

SAMPLE = 1024
"""How many entries of a table are looked at."""

SMALL = 16
"""Below this a number of rows or values is as good as any other: small relations never change the order."""

DRIFT = 10
"""A plan is made anew when a number has grown or shrunk by more than this factor."""


@dataclass(frozen=True)
class Size:
    """Rows that are or will be valid, and distinct values per column; both estimated from a sample."""

    rows: float
    distinct: tuple[float, ...]

    def fan_out(self, bound: Iterable[int]) -> float:
        """How many rows agree with given values in these columns, if columns are independent of each other."""
        found = self.rows
        for place in bound:
            found /= max(1.0, self.distinct[place])
        return found

    def value(self) -> dict[str, Any]:
        return {"rows": round(self.rows), "distinct": [round(count) for count in self.distinct]}


Statistics: TypeAlias = Mapping[str, Size]
"""By the name of the relation, which says what it reads; relations of equal name are alike enough for an estimate."""


def size_of(table: Table, horizon: int) -> Size:
    """The size of a table, without what ended before the horizon."""
    meta = column(table, META)
    size, width, stride = int(meta[SIZE]), int(meta[WIDTH]), int(meta[STRIDE])
    if not size:
        return Size(0.0, (0.0,) * width)
    entries = column(table, ENTRIES)
    places = np.linspace(0, size - 1, min(size, SAMPLE)).astype(np.int64) * stride
    firsts, lasts, marks = (entries[places + part] for part in (FIRST, LAST, NEXT))
    live = places[(firsts <= lasts) & (lasts >= horizon) & (marks != OVERFLOW)]
    rows = size * len(live) / len(places)
    return Size(rows, tuple(_distinct(entries[live + KEY + place], rows) for place in range(width)))


def drifted(planned: Statistics, found: Statistics) -> bool:
    """Is a number far from what the plans were made for?"""
    return any(name not in planned or _far(planned[name], size) for name, size in found.items())


def _far(planned: Size, found: Size) -> bool:
    pairs = zip((planned.rows, *planned.distinct), (found.rows, *found.distinct), strict=True)
    return any(max(a, b, SMALL) > DRIFT * max(min(a, b), SMALL) for a, b in pairs)


def _distinct(sample: Column, rows: float) -> float:
    """Charikar et al. (PODS 2000): values seen once stand for many, those seen again for themselves."""
    if not len(sample):
        return 0.0
    _, counts = np.unique(sample, return_counts=True)
    once = int(np.count_nonzero(counts == 1))
    return min(rows, sqrt(rows / len(sample)) * once + len(counts) - once)
