"""Windows over stretches: when a window sees something that holds over a stretch of time points. Compiled.

A row (key, first, last) of the source says that something holds at each time point u of [first, last], and is known at
the evaluations from u + lag on. So a window sees a stretch, or lies inside it, over an interval: nothing is done per
time point.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inner_kernel
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.storage import (
    ENTRIES,
    FIRST,
    HEADS,
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
    lent,
)
from larspark.intervals.tables.table import SPARE, room, write


@inner_kernel
def stretches_seen(
    source: Table, asked: Rows, past: int, future: int, hop: int, lag: int, start: int, always: int
) -> Rows:
    """For each asked key and interval the evaluation times t at which the window [p − past, p + future] sees the key.

    p is the pivot of t. With `always` (1 or 0) every time point of the window is asked for (the hop is 1, and nothing
    is known about time points ahead, so the future is not positive); else some time point.
    """
    out = np.empty((asked.shape[0] + SPARE, asked.shape[1]), np.int64)
    row, count = 0, 0
    while True:
        row, count = _seen(
            lent(source, ENTRIES),
            lent(source, HEADS),
            lent(source, META),
            asked,
            row,
            past,
            future,
            hop,
            lag,
            start,
            always,
            out,
            count,
        )
        if row == asked.shape[0]:
            return out[:count]
        out = room(out, out.shape[0])


@inner_kernel
def _seen(
    entries: Column,
    heads: Column,
    meta: Column,
    asked: Rows,
    row: int,
    past: int,
    future: int,
    hop: int,
    lag: int,
    start: int,
    always: int,
    out: Rows,
    count: int,
) -> tuple[int, int]:
    """From a row on, as far as there is room: the next row, and what is seen of those before it."""
    width, stride = meta[WIDTH], meta[STRIDE]
    while row < asked.shape[0]:
        before = count
        entry = find(entries, heads, stride, width, asked, row)
        while entry != NONE:
            first, last = entries[entry * stride + FIRST], entries[entry * stride + LAST]
            if first <= last:
                if always:
                    begin = start - future if first <= start else first + past if past < FOREVER else FOREVER
                    end = last - future if last < FOREVER else FOREVER
                else:
                    begin = max(first + lag, -((future - first) // hop) * hop if future < FOREVER else first + lag)
                    endless = last >= FOREVER or past >= FOREVER
                    end = FOREVER if endless else (last + past) // hop * hop + hop - 1
                begin, end = max(begin, asked[row, width]), min(end, asked[row, width + 1])
                if begin <= end:
                    if count == out.shape[0]:
                        return row, before
                    count = write(out, count, asked, row, begin, end)
            entry = entries[entry * stride + MORE]
        row += 1
    return row, count
