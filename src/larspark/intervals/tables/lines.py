"""Rows with intervals as lines: every time point with the rows that hold there, and their texts one after the other."""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import kernel
from larspark.intervals.tables.lists import Bytes, Column


@kernel
def rows_at_points(first: Column, last: Column, points: int) -> tuple[Column, Column]:
    """For the points 0, 1, … the rows that hold there, in their order; and where each point begins in this list.

    What holds at a point is what held at the one before, without what has ended, merged with what begins.
    """
    begins, ended = np.zeros(points + 1, np.int64), np.zeros(points + 1, np.int64)
    total = 0
    for row in range(first.shape[0]):
        begins[first[row] + 1] += 1
        ended[last[row] + 1] += 1
        total += last[row] - first[row] + 1
    for point in range(points):
        begins[point + 1] += begins[point]
    beginning, place = np.empty(first.shape[0], np.int64), begins.copy()
    for row in range(first.shape[0]):
        beginning[place[first[row]]] = row
        place[first[row]] += 1
    rows, offsets = np.empty(total, np.int64), np.zeros(points + 1, np.int64)
    before, at = 0, 0
    for point in range(points):
        held, new, new_end = before, begins[point], begins[point + 1]
        before = at
        if new == new_end and not ended[point]:
            for old in range(held, before):
                rows[at] = rows[old]
                at += 1
        else:
            for old in range(held, before):
                row = rows[old]
                if last[row] >= point:
                    while new < new_end and beginning[new] < row:
                        rows[at] = beginning[new]
                        new, at = new + 1, at + 1
                    rows[at] = row
                    at += 1
            while new < new_end:
                rows[at] = beginning[new]
                new, at = new + 1, at + 1
        offsets[point + 1] = at
    return rows, offsets


@kernel
def joined(rows: Column, offsets: Column, ends: Column, texts: Bytes, between: Bytes) -> tuple[Bytes, Column]:
    """The texts of the rows of each line, with something between them; and where the lines end.

    The text of a row ends at its place in `texts`, where the next one begins.
    """
    lines, gap = offsets.shape[0] - 1, between.shape[0]
    lengths, size = np.zeros(lines + 1, np.int64), 0
    for line in range(lines):
        for place in range(offsets[line], offsets[line + 1]):
            size += ends[rows[place] + 1] - ends[rows[place]]
        size += max(offsets[line + 1] - offsets[line] - 1, 0) * gap
        lengths[line + 1] = size
    out = np.empty(size, np.uint8)
    at = 0
    for line in range(lines):
        for place in range(offsets[line], offsets[line + 1]):
            if place > offsets[line]:
                for byte in range(gap):
                    out[at] = between[byte]
                    at += 1
            for byte in range(ends[rows[place]], ends[rows[place] + 1]):
                out[at] = texts[byte]
                at += 1
    return out, lengths
