"""□ over columns: the evaluation times at which every point of a window is covered. Compiled."""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import kernel
from larspark.intervals.sets import FOREVER
from larspark.intervals.table import (
    FIRST,
    HEADS,
    INDEX_ARRAYS,
    INDEXES,
    KEYS,
    LAST,
    META,
    MORE,
    NEXT,
    NONE,
    WIDTH,
    Column,
    Rows,
    Table,
    absorb,
    hash_row,
    lookup,
    written,
)


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
    firsts, lasts, more = runs[FIRST], runs[LAST], runs[MORE]
    keys, heads, links = runs[KEYS], runs[HEADS], runs[NEXT]
    out = np.empty((arrived.shape[0] + 1, width + 2), np.int64)
    count = 0
    for row in range(arrived.shape[0]):
        time = present[row, width]
        bucket = hash_row(present, row, width) & (heads.shape[0] - 1)
        entry = lookup(keys, links, heads[bucket], width, present, row)
        while entry != NONE and not firsts[entry] <= time <= lasts[entry]:
            entry = more[entry]
        if entry != NONE:
            first = start if firsts[entry] <= start else firsts[entry] + past
            first, last = max(first, time - future), min(lasts[entry] - future, time + past)
            if first <= last:
                out = written(out, count, present, row, first, last)
                count += 1
    return out[:count]


@kernel
def full_windows(source: Table, index: int, asked: Rows, past: int, future: int, hop: int, start: int) -> Rows:
    """For each asked key and interval the times t at which all of [max(start, p − past), p + future] is covered.

    p is the pivot of t. The source has one more column than the keys, a time point u, and its rows are already
    clipped to the evaluation times whose window contains u, so that it is enough to count. `index` is over the key.
    """
    width = source[META][WIDTH] - 1
    keys, firsts, lasts, more = source[KEYS], source[FIRST], source[LAST], source[MORE]
    heads, links = source[INDEXES + INDEX_ARRAYS * index + 1], source[INDEXES + INDEX_ARRAYS * index + 2]
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
                if keys[key * (width + 1) + column] != asked[row, column]:
                    same = False
                    break
            entry = key if same else NONE
            while entry != NONE:
                a, b = max(begin, firsts[entry]), min(end, lasts[entry])
                if a <= b and firsts[entry] <= lasts[entry]:
                    if size + 2 > events.shape[0]:
                        larger = np.empty(2 * events.shape[0], np.int64)
                        larger[:size] = events
                        events = larger
                    events[size] = a << 1 | 1
                    events[size + 1] = (b + 1) << 1
                    size += 2
                entry = more[entry]
            key = links[key]
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
            out = written(out, count, asked, row, max(first, whole), last)
            count += 1
        pivot = covered - 1 - future + start
        if covered > 0 and pivot % hop == 0 and first < whole:
            a, b = max(first, pivot), min(last, pivot + hop - 1, whole - 1)
            if a <= b:
                out = written(out, count, asked, row, a, b)
                count += 1
    return out, count
