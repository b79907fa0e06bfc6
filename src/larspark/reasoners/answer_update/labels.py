"""Labels: a status and the evaluation times for which it is guaranteed (IJCAI 2015, section 4).

All intervals are on the axis of *evaluation times*. The published examples also put reference times of `@` atoms
into labels; those are a separate question here, see `AnswerUpdateReasoner.reference_times`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple, TypeAlias

FOREVER = sys.maxsize
"""The end of an interval without end."""

Interval: TypeAlias = tuple[int, int]
"""Both ends inclusive."""

Intervals: TypeAlias = tuple[Interval, ...]
"""Disjoint, not adjacent, ascending."""


class Status(StrEnum):
    IN = "in"
    OUT = "out"
    UNKNOWN = "unknown"


class Label(NamedTuple):
    status: Status
    intervals: Intervals


def unite(parts: Iterable[Interval]) -> Intervals:
    """The union, with touching intervals merged: on integers [1,2] and [3,4] are [1,4]."""
    merged: list[Interval] = []
    for start, end in sorted(parts):
        if start > end:
            continue
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def intersect(left: Intervals, right: Intervals) -> Intervals:
    if len(left) == 1 and len(right) == 1:  # by far the most frequent case
        start, end = max(left[0][0], right[0][0]), min(left[0][1], right[0][1])
        return ((start, end),) if start <= end else ()
    return unite((max(a, c), min(b, d)) for a, b in left for c, d in right)


def around(intervals: Intervals, time: int) -> Intervals:
    """The one interval that contains `time`, if any: how long the present status has held and will hold."""
    return tuple((start, end) for start, end in intervals if start <= time <= end)
