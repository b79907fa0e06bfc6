"""Sets of time points as sorted, disjoint, non-adjacent closed intervals, and their algebra.

A validity set is a tuple of pairs `(first, last)`; `FOREVER` as `last` is an open end. These functions are the
small, obviously right form of what the compiled tables do to columns; the laws in the tests bind both.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

FOREVER = 2**61
"""Later than every time point; small enough that window sizes can be added without overflow."""

LATEST = 2**60
"""Time points from here on would not leave room for windows in 64 bits."""

Interval: TypeAlias = tuple[int, int]
IntervalSet: TypeAlias = tuple[Interval, ...]

EMPTY: IntervalSet = ()


def bounded(extent: int | None) -> int:
    """The size of a window in 64 bits: None, or more than all time points, is for ever."""
    return FOREVER if extent is None else min(extent, FOREVER)


def coalesce(intervals: Iterable[Interval]) -> IntervalSet:
    """The set covered by any intervals, in any order; empty ones (`first > last`) vanish."""
    merged: list[Interval] = []
    for first, last in sorted(pair for pair in intervals if pair[0] <= pair[1]):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(merged[-1][1], last)
        else:
            merged.append((first, last))
    return tuple(merged)


def unite(left: IntervalSet, right: IntervalSet) -> IntervalSet:
    return coalesce((*left, *right))


def intersect(left: IntervalSet, right: IntervalSet) -> IntervalSet:
    result: list[Interval] = []
    i = j = 0
    while i < len(left) and j < len(right):
        first, last = max(left[i][0], right[j][0]), min(left[i][1], right[j][1])
        if first <= last:
            result.append((first, last))
        if left[i][1] < right[j][1]:
            i += 1
        else:
            j += 1
    return tuple(result)


def complement(within: Interval, of: IntervalSet) -> IntervalSet:
    """The time points of one interval that are not in the set."""
    result: list[Interval] = []
    start, end = within
    for first, last in of:
        if first > start:
            result.append((start, min(first - 1, end)))
        start = max(start, last + 1)
        if start > end:
            break
    else:
        result.append((start, end))
    return tuple(pair for pair in result if pair[0] <= pair[1])


def subtract(left: IntervalSet, right: IntervalSet) -> IntervalSet:
    return tuple(piece for pair in left for piece in complement(pair, right))


def expire(intervals: IntervalSet, before: int) -> IntervalSet:
    """What is left of a set when the time points earlier than `before` no longer matter."""
    return intersect(intervals, ((before, FOREVER),))


def islands(points: IntervalSet, past: int, future: int, start: int) -> IntervalSet:
    """The times t ≥ start whose whole surrounding [max(start, t − past), t + future] lies in the set.

    This is □ under a sliding window, for atoms that stay valid as long as the window sees them.
    """
    result = []
    for first, last in points:
        end = FOREVER if last >= FOREVER else last - future
        # Nothing exists before the start, so an island that begins there needs no run-up (thesis Def. 4).
        result.append((start if first <= start <= last else first + past, end))
    return coalesce(intersect(coalesce(result), ((start, FOREVER),)))


def contains(intervals: IntervalSet, time: int) -> bool:
    return any(first <= time <= last for first, last in intervals)
