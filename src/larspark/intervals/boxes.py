"""□ over columns: the evaluation times at which every point of a window is covered. Compiled."""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import kernel
from larspark.intervals.sets import FOREVER
from larspark.intervals.storage import (
    ENTRIES,
    FIRST,
    HEADS,
    INDEX_ARRAYS,
    INDEXES,
    KEY,
    LAST,
    META,
    MORE,
    NONE,
    STRIDE,
    WIDTH,
    Column,
    Rows,
    Table,
    find,
    hash_row,
)
from larspark.intervals.table import absorb, room, write


@kernel
def extend_runs(runs: Table, arrived: Rows, past: int, future: int, start: int, horizon: int) -> Rows:
    """The times at which arrivals complete a sliding window: a run of time points is kept per key.

    An arrival stays in the stream, so a window is full where it lies inside a run (see `islands`). Arrived rows have
    their time point as the last key column.
    """
    width = runs[META][WIDTH]
    present = np.empty((arrived.shape[0], width + 2), np.int64)
    for row in range(arrived.shape[0]):
        present[row, :width] = arrived[row, :width]
        present[row, width] = present[row, width + 1] = arrived[row, width] >> 1
    absorb(runs, present, horizon - past - 1)
    entries, heads, stride = runs[ENTRIES], runs[HEADS], runs[META][STRIDE]
    out = np.empty((arrived.shape[0] + 1, width + 2), np.int64)
    count = 0
    for row in range(arrived.shape[0]):
        time = present[row, width]
        entry = find(entries, heads, stride, width, present, row)
        while entry != NONE and not entries[entry * stride + FIRST] <= time <= entries[entry * stride + LAST]:
            entry = entries[entry * stride + MORE]
        if entry != NONE:
            begun, reached = entries[entry * stride + FIRST], entries[entry * stride + LAST]
            first = start if begun <= start else begun + past
            first, last = max(first, time - future), min(reached - future, time + past)
            if first <= last:
                count = write(out, count, present, row, first, last)
    return out[:count]


@kernel
def full_windows(source: Table, index: int, asked: Rows, past: int, future: int, hop: int, start: int) -> Rows:
    """For each asked key and interval the times t at which all of [max(start, p − past), p + future] is covered.

    p is the pivot of t. The source has one more column than the keys, a time point u, and its rows are already
    clipped to the evaluation times whose window contains u, so that it is enough to count. `index` is over the key.
    """
    width = source[META][WIDTH] - 1
    entries, stride = source[ENTRIES], source[META][STRIDE]
    heads, link = source[INDEXES + INDEX_ARRAYS * index + 1], KEY + width + 1 + index
    out = np.empty((asked.shape[0] + 1, width + 2), np.int64)
    count = 0
    for row in range(asked.shape[0]):
        begin, end = asked[row, width], asked[row, width + 1]
        events = np.empty(16, np.int64)
        size = 0
        key = heads[hash_row(asked, row, width) & (heads.shape[0] - 1)]
        while key != NONE:
            same = True
            for column in range(width):
                if entries[key * stride + KEY + column] != asked[row, column]:
                    same = False
                    break
            entry = key if same else NONE
            while entry != NONE:
                first, last = entries[entry * stride + FIRST], entries[entry * stride + LAST]
                a, b = max(begin, first), min(end, last)
                if a <= b and first <= last:
                    if size + 2 > events.shape[0]:
                        larger = np.empty(2 * events.shape[0], np.int64)
                        larger[:size] = events
                        events = larger
                    events[size] = a << 1 | 1
                    events[size + 1] = (b + 1) << 1
                    size += 2
                entry = entries[entry * stride + MORE]
            key = entries[key * stride + link]
        out, count = full_stretches(out, count, asked, row, np.sort(events[:size]), past, future, hop, start)
    return out[:count]


@kernel
def full_stretches(
    out: Rows, count: int, asked: Rows, row: int, events: Column, past: int, future: int, hop: int, start: int
) -> tuple[Rows, int]:
    """Sweep over the counts: they suffice where they equal the number of time points in the window."""
    covered = 0
    # From here on windows are no longer cut off at the start of the timeline.
    whole = FOREVER if past >= FOREVER else -((-start - past) // hop) * hop
    for place in range(events.shape[0]):
        covered += 1 if events[place] & 1 else -1
        if place + 1 == events.shape[0]:
            break
        first, last = events[place] >> 1, (events[place + 1] >> 1) - 1
        if first > last:
            continue
        if covered == past + future + 1 and last >= whole:
            out = room(out, count)
            count = write(out, count, asked, row, max(first, whole), last)
        pivot = covered - 1 - future + start
        if covered > 0 and pivot % hop == 0 and first < whole:
            a, b = max(first, pivot), min(last, pivot + hop - 1, whole - 1)
            if a <= b:
                out = room(out, count)
                count = write(out, count, asked, row, a, b)
    return out, count
