"""□ over the latest arrivals: what has come at every time point since the oldest of them. Compiled.

A window of the last `size` arrivals reaches back to the time of the oldest one, or to the start of the timeline as long
as there are fewer. An atom fills it at t if it is among those selected at its first time point and has come at every
one from then on: it is looked for among the oldest arrivals, and runs of time points are kept per key. Where nothing
comes at t, nothing fills a window; so each row holds at its own time point, and nothing has to be taken back when time
goes on.

The state is a numba list of int64 arrays, named by the constants below; the latest arrivals lie in a ring.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inner_kernel, kernel
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.lists import list_of_columns
from larspark.intervals.tables.storage import (
    ENTRIES,
    FIRST,
    HEADS,
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
    find,
    hash_row,
    lent,
    lookup,
    passing_table,
    reserve,
    word,
)
from larspark.intervals.tables.table import absorb, room, uncovered

STATE, RING, HOLDING = 0, 1, 2  # HOLDING: the keys that fill the window at the time of the last arrival
FRONT, COUNT, NOW, HELD = 0, 1, 2, 3  # in STATE: the oldest in the ring, how many there are, and of HOLDING
TIME, ASKED, ARGUMENTS = 0, 1, 2  # in the ring: whether an arrival is of the predicate


def new_latest() -> Table:
    """Nothing has come; runs are kept in a table beside."""
    return list_of_columns([np.array([0, 0, NONE, 0], np.int64), np.empty(0, np.int64), np.empty(0, np.int64)])


@kernel
def fill_latest(
    latest: Table, runs: Table, rows: Rows, asked: Column, size: int, start: int, spare: int
) -> tuple[Rows, Rows]:
    """Let arrivals come in order; return the rows gained and lost. Rows are lost only where more comes at a time point.

    `rows` are the arguments, where the predicate is the one asked for, the number of the arrival, and the code of the
    time. A row gained or lost is the arguments and the interval. Keys whose runs are over are forgotten when there are
    `spare` more than twice those that were left.
    """
    width = rows.shape[1] - 2
    gained = np.empty((rows.shape[0], width + 2), np.int64)
    lost, came, row = gained[:0], 0, 0
    if lent(runs, META)[SIZE] > 2 * lent(runs, META)[SURVIVORS] + spare:
        compact(runs, (rows[0, width + 1] >> 1) - 1)
    reserve(runs, rows.shape[0])
    _make_room(latest, rows.shape[0], ARGUMENTS + width, size)
    state = lent(latest, STATE)
    while row < rows.shape[0]:
        time = rows[row, width + 1] >> 1
        while row < rows.shape[0] and rows[row, width + 1] >> 1 == time:
            if size < FOREVER or time == start:  # else nobody leaves, and nobody is looked for
                _put(state, lent(latest, RING), rows, row, asked[row], size)
            if asked[row]:
                _run_on(lent(runs, ENTRIES), lent(runs, HEADS), lent(runs, META), rows, row, time)
            row += 1
        before = came
        first = lent(latest, RING)[state[FRONT] * (ARGUMENTS + width) + TIME] if state[COUNT] == size else start
        oldest = _coming_first(state, lent(latest, RING), ARGUMENTS + width, first)
        gained = room(gained, came, oldest)
        came = _filling(
            state,
            lent(latest, RING),
            lent(runs, ENTRIES),
            lent(runs, HEADS),
            lent(runs, META),
            first,
            oldest,
            time,
            gained,
            came,
        )
        if state[NOW] == time and state[HELD]:
            lost = _left(latest, gained[before:came], time)
        state[NOW] = time
    _hold(latest, gained[before:came])
    return gained[:came], lost


@inner_kernel
def _make_room(latest: Table, coming: int, stride: int, size: int) -> None:
    """Let more arrivals fit into the ring, as far as a window can have them; the oldest one is its first then."""
    state, ring = lent(latest, STATE), lent(latest, RING)
    needed = min(state[COUNT] + coming, size)
    if ring.shape[0] >= needed * stride:
        return
    larger = np.empty(min(2 * needed, size) * stride, np.int64)
    for place in range(state[COUNT] * stride):
        larger[place] = ring[(state[FRONT] * stride + place) % ring.shape[0]]
    state[FRONT] = 0
    latest[RING] = larger


@inner_kernel
def _put(state: Column, ring: Column, rows: Rows, row: int, asked: int, size: int) -> None:
    """Put an arrival into the ring, in place of the oldest one if there are enough."""
    width = rows.shape[1] - 2
    stride = ARGUMENTS + width
    places = ring.shape[0] // stride
    if state[COUNT] == size:
        state[FRONT] = (state[FRONT] + 1) % places
        state[COUNT] -= 1
    at = (state[FRONT] + state[COUNT]) % places * stride
    state[COUNT] += 1
    ring[at + TIME], ring[at + ASKED] = rows[row, width + 1] >> 1, asked
    for column in range(width):
        ring[at + ARGUMENTS + column] = rows[row, column]


@inner_kernel
def _run_on(entries: Column, heads: Column, meta: Column, rows: Rows, row: int, time: int) -> None:
    """Let the run of a key go on to a time point, or begin anew there."""
    width, stride = meta[WIDTH], meta[STRIDE]
    bucket = hash_row(rows, row, width) & (heads.shape[0] - 1)
    key = lookup(entries, stride, word(heads, bucket), width, rows, row)
    at = (meta[SIZE] if key == NONE else key) * stride
    if key == NONE:
        entries[at + MORE], entries[at + NEXT] = NONE, heads[bucket]
        for column in range(width):
            entries[at + KEY + column] = rows[row, column]
        heads[bucket] = meta[SIZE]
        meta[SIZE] += 1
    if key == NONE or entries[at + LAST] < time - 1:
        entries[at + FIRST] = time
    entries[at + LAST] = time


@inner_kernel
def _coming_first(state: Column, ring: Column, stride: int, first: int) -> int:
    """How many arrivals from the oldest one on have this time."""
    places, count = ring.shape[0] // stride, 0
    while count < state[COUNT] and ring[(state[FRONT] + count) % places * stride + TIME] == first:
        count += 1
    return count


@inner_kernel
def _filling(
    state: Column,
    ring: Column,
    entries: Column,
    heads: Column,
    meta: Column,
    first: int,
    oldest: int,
    time: int,
    out: Rows,
    count: int,
) -> int:
    """Write which of the oldest arrivals have come from the first time point of the window up to a time."""
    width, stride = meta[WIDTH], meta[STRIDE]
    apart = ARGUMENTS + width
    places = ring.shape[0] // apart
    for place in range(oldest):
        at = (state[FRONT] + place) % places * apart
        if not ring[at + ASKED]:
            continue
        for column in range(width):
            out[count, column] = ring[at + ARGUMENTS + column]
        key = find(entries, heads, stride, width, out, count)
        if key != NONE and entries[key * stride + FIRST] <= first and entries[key * stride + LAST] == time:
            out[count, width] = out[count, width + 1] = time
            count += 1
    return count


@inner_kernel
def _left(latest: Table, now: Rows, time: int) -> Rows:
    """What filled the window at this time point before more came, and does no longer."""
    held, width = lent(latest, STATE)[HELD], now.shape[1] - 2
    before = np.empty((held, width + 2), np.int64)
    for row in range(held):
        for column in range(width):
            before[row, column] = lent(latest, HOLDING)[row * width + column]
        before[row, width] = before[row, width + 1] = time
    filling = passing_table(width)
    absorb(filling, now, -FOREVER)
    return uncovered(filling, before)


@inner_kernel
def _hold(latest: Table, now: Rows) -> None:
    """Remember what fills the window now."""
    count, width = now.shape[0], now.shape[1] - 2
    lent(latest, STATE)[HELD] = count
    if lent(latest, HOLDING).shape[0] < count * width:
        latest[HOLDING] = np.empty(2 * count * width, np.int64)
    holding = lent(latest, HOLDING)
    for row in range(count):
        for column in range(width):
            holding[row * width + column] = now[row, column]
