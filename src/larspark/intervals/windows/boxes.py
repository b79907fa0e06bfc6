"""□ over columns: the evaluation times at which every point of a window is covered. Compiled."""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inlined, inner_kernel, kernel
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
    SURVIVORS,
    WIDTH,
    Column,
    Rows,
    Table,
    compact,
    hash_row,
    lent,
    lookup,
    mixed,
    reserve,
    word,
)
from larspark.intervals.tables.table import room, unite_interval, write


@kernel
def extend_runs(runs: Table, arrived: Rows, past: int, start: int, horizon: int, spare: int) -> Rows:
    """The times at which arrivals complete a sliding window: a run of time points is kept per key.

    An arrival stays in the stream, so a window is full where it lies inside a run (see `islands`). Arrived rows have
    their time point as the last key column. A run that ended before the horizon can neither grow nor be looked at; such
    keys are forgotten when there are `spare` more than twice those that were left.
    """
    out = np.empty((arrived.shape[0], lent(runs, META)[WIDTH] + 2), np.int64)
    return out[: lengthen_runs(runs, arrived, past, start, horizon, spare, out)]


@inner_kernel
def lengthen_runs(runs: Table, arrived: Rows, past: int, start: int, horizon: int, spare: int, out: Rows) -> int:
    """`extend_runs` into rows for which there is room: how many there are."""
    if lent(runs, META)[SIZE] > 2 * lent(runs, META)[SURVIVORS] + spare:
        compact(runs, horizon - 1)
    reserve(runs, arrived.shape[0])
    return _extend_runs(
        lent(runs, ENTRIES), lent(runs, HEADS), lent(runs, META), arrived, past, start, horizon - 1, out
    )


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
    width, size, stride = lent(source, META)[WIDTH] - 1, lent(source, META)[SIZE], lent(source, META)[STRIDE]
    entries, heads, chains = (
        lent(source, ENTRIES),
        lent(source, HEADS),
        lent(source, INDEXES + INDEX_ARRAYS * index + 1),
    )
    out, events = np.empty((asked.shape[0] + 1, width + 2), np.int64), np.empty(EVENTS, np.int64)
    count = 0
    for row in range(asked.shape[0]):
        begin, end = asked[row, width], asked[row, width + 1]
        # Where windows reach over fewer time points than there are entries, points are looked up, not gone through;
        # but not those of a fixed interval, which do not lie around the evaluation time.
        sliding = start > -FOREVER and hop == 1 and past < FOREVER and future < FOREVER
        few = sliding and end - begin + past + future < size
        if few:
            begin, end = _narrowed(entries, stride, heads, width, asked, row, begin, end, past, future, start)
        if begin > end:
            continue
        while True:
            if few:
                first, last = max(start, begin - past), end + future
                found = _events_of(entries, stride, heads, width, asked, row, first, last, begin, end, events)
            else:
                link = KEY + width + 1 + index
                found = _all_events(entries, stride, chains, link, width, asked, row, begin, end, events)
            if found <= events.shape[0]:
                break
            events = np.empty(2 * found, np.int64)
        out, count = full_stretches(out, count, asked, row, np.sort(events[:found]), past, future, hop, start)
    return out[:count]


EVENTS = 64
"""Room for so many beginnings and ends at first."""


@inlined
def _entry_at(entries: Column, stride: int, heads: Column, width: int, asked: Rows, row: int, code: int, u: int) -> int:
    """The entry of a key, whose hash is `code`, and a time point; NONE if there is none."""
    entry = word(heads, mixed(code, u << 1) & (heads.shape[0] - 1))
    while entry != NONE:
        at = entry * stride + KEY
        same = word(entries, at + width) == u << 1
        for column in range(width):
            same = same and word(entries, at + column) == asked[row, column]
        if same:
            return entry
        entry = word(entries, entry * stride + NEXT)
    return NONE


@inlined
def _meets(entries: Column, stride: int, entry: int, begin: int, end: int) -> bool:
    """Whether an entry holds anywhere in [begin, end]."""
    while entry != NONE:
        a, b = max(word(entries, entry * stride + FIRST), begin), min(word(entries, entry * stride + LAST), end)
        if a <= b:
            return True
        entry = word(entries, entry * stride + MORE)
    return False


@inner_kernel
def _narrowed(
    entries: Column,
    stride: int,
    heads: Column,
    width: int,
    asked: Rows,
    row: int,
    begin: int,
    end: int,
    past: int,
    future: int,
    start: int,
) -> tuple[int, int]:
    """The part of [begin, end] left when no window may contain the missing points nearest to where it begins.

    A point v that is missing leaves no window full from v − future to v + past.
    """
    code = hash_row(asked, row, width)
    lowest, highest = max(start, begin - past), end + future
    middle = begin + future
    point = middle
    while point >= lowest:
        entry = _entry_at(entries, stride, heads, width, asked, row, code, point)
        if not _meets(entries, stride, entry, begin, end):
            begin = point + past + 1
            break
        point -= 1
    point = middle + 1
    while point <= highest and begin <= end:
        entry = _entry_at(entries, stride, heads, width, asked, row, code, point)
        if not _meets(entries, stride, entry, begin, end):
            if point + past >= end:
                end = point - future - 1
            break
        point += 1
    return begin, end


@inner_kernel
def _events_of(
    entries: Column,
    stride: int,
    heads: Column,
    width: int,
    asked: Rows,
    row: int,
    first: int,
    last: int,
    begin: int,
    end: int,
    events: Column,
) -> int:
    """Where intervals of the points from `first` to `last` begin and end; how many these are, if there is room."""
    code = hash_row(asked, row, width)
    count = 0
    for point in range(first, last + 1):
        entry = _entry_at(entries, stride, heads, width, asked, row, code, point)
        count = _add_events(entries, stride, entry, begin, end, events, count)
    return count


@inner_kernel
def _all_events(
    entries: Column,
    stride: int,
    chains: Column,
    link: int,
    width: int,
    asked: Rows,
    row: int,
    begin: int,
    end: int,
    events: Column,
) -> int:
    """The same for all points of a key."""
    count = 0
    key = chains[hash_row(asked, row, width) & (chains.shape[0] - 1)]
    while key != NONE:
        same = True
        for column in range(width):
            if entries[key * stride + KEY + column] != asked[row, column]:
                same = False
                break
        if same:
            count = _add_events(entries, stride, key, begin, end, events, count)
        key = entries[key * stride + link]
    return count


@inlined
def _add_events(entries: Column, stride: int, entry: int, begin: int, end: int, events: Column, count: int) -> int:
    """Note where the intervals of an entry begin and end within [begin, end], as far as there is room."""
    while entry != NONE:
        first, last = word(entries, entry * stride + FIRST), word(entries, entry * stride + LAST)
        a, b = max(begin, first), min(end, last)
        if a <= b and first <= last:
            if count + 2 <= events.shape[0]:
                events[count] = a << 1 | 1
                events[count + 1] = (b + 1) << 1
            count += 2
        entry = word(entries, entry * stride + MORE)
    return count


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
