"""□ over columns: the evaluation times at which every point of a window is covered. Compiled."""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inner_kernel, kernel
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.storage import (
    ENTRIES,
    FIRST,
    HEADS,
    INDEX_ARRAYS,
    INDEXES,
    KEY,
    LAST,
    META,
    MORE,
    NEXT,
    NONE,
    SIZE,
    STRIDE,
    WIDTH,
    Column,
    Rows,
    Table,
    copy_words,
    hash_row,
    lookup,
    reserve,
)
from larspark.intervals.tables.table import room, unite_interval, write


@kernel
def extend_runs(runs: Table, arrived: Rows, past: int, start: int, horizon: int) -> Rows:
    """The times at which arrivals complete a sliding window: a run of time points is kept per key.

    An arrival stays in the stream, so a window is full where it lies inside a run (see `islands`). Arrived rows have
    their time point as the last key column. A run that ended before the horizon can neither grow nor be looked at.
    """
    reserve(runs, arrived.shape[0])
    out = np.empty((arrived.shape[0], runs[META][WIDTH] + 2), np.int64)
    count = _extend_runs(runs[ENTRIES], runs[HEADS], runs[META], arrived, past, start, horizon - 1, out)
    return out[:count]


@inner_kernel
def _extend_runs(
    entries: Column, heads: Column, meta: Column, arrived: Rows, past: int, start: int, horizon: int, out: Rows
) -> int:
    width, stride = meta[WIDTH], meta[STRIDE]
    count = 0
    for row in range(arrived.shape[0]):
        time = arrived[row, width] >> 1
        bucket = hash_row(arrived, row, width) & (heads.shape[0] - 1)
        key = lookup(entries, stride, heads[bucket], width, arrived, row)
        if key == NONE:
            at = meta[SIZE] * stride
            entries[at + FIRST], entries[at + LAST], entries[at + MORE] = time, time, NONE
            entries[at + NEXT] = heads[bucket]
            for column in range(width):
                entries[at + KEY + column] = arrived[row, column]
            heads[bucket] = meta[SIZE]
            meta[SIZE] += 1
        else:
            at = _run_with(entries, meta, key, time, horizon) * stride
        first = start if entries[at + FIRST] <= start else entries[at + FIRST] + past
        first, last = max(first, time), min(entries[at + LAST], time + past)
        if first <= last:
            count = write(out, count, arrived, row, first, last)
    return count


@inner_kernel
def _run_with(entries: Column, meta: Column, key: int, time: int, horizon: int) -> int:
    """The run of a key that contains a time point, put into it if it was not."""
    at = key * meta[STRIDE]
    if entries[at + MORE] == NONE:
        first, last = entries[at + FIRST], entries[at + LAST]
        if first <= last and last == time - 1:
            entries[at + LAST] = time
            return key
        if first > last or last < horizon:
            entries[at + FIRST], entries[at + LAST] = time, time
            return key
    unite_interval(entries, meta, key, time, time, horizon)
    entry = key
    while not entries[entry * meta[STRIDE] + FIRST] <= time <= entries[entry * meta[STRIDE] + LAST]:
        entry = entries[entry * meta[STRIDE] + MORE]
    return entry


@inner_kernel
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
                        copy_words(events, larger, size)
                        events = larger
                    events[size] = a << 1 | 1
                    events[size + 1] = (b + 1) << 1
                    size += 2
                entry = entries[entry * stride + MORE]
            key = entries[key * stride + link]
        out, count = full_stretches(out, count, asked, row, np.sort(events[:size]), past, future, hop, start)
    return out[:count]


@inner_kernel
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
