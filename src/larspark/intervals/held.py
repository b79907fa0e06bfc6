"""Values that hold until the next one of their key, over columns. Compiled.

The state is a numba list of int64 arrays, named by the constants below. Keys are the entries of a table; a value that
holds is a record in one array, with the next record of the same key. Records that are over are used again.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import kernel
from larspark.intervals.lists import list_of_columns
from larspark.intervals.sets import FOREVER
from larspark.intervals.storage import (
    ENTRIES,
    HEADS,
    META,
    NONE,
    SIZE,
    STRIDE,
    WIDTH,
    Column,
    Rows,
    Table,
    compact,
    find,
    grown,
)
from larspark.intervals.table import absorb

STATE, RECORDS, SINCE, VALUES = 0, 1, 2, 3  # SINCE and VALUES: of a key, its last time point and its first record
USED, FREE, CALLS = 0, 1, 2  # in STATE: records ever used, the first free one, how often arrivals came
AFTER, CALL, PLACE, ROW = 0, 1, 2, 3  # in a record: the next one, when it came, and its place among the rows gained


def new_values() -> Table:
    """Nothing holds; keys are kept in a table beside."""
    return list_of_columns([np.array([0, NONE, 0], np.int64), *(np.empty(0, np.int64) for _ in range(3))])


@kernel
def hold(values: Table, keys: Table, own: Rows, codes: Rows, times: Column, length: int) -> tuple[Rows, Rows]:
    """Let arrivals come in the order of time; return the rows (arguments, interval) gained and lost.

    `own` are the keys of the arrivals as rows of the table, each with the time for which its value may hold.
    """
    absorb(keys, own, times[0] if times.shape[0] else 0)
    room = keys[META][SIZE]
    if values[SINCE].shape[0] < room:
        values[SINCE] = grown(values[SINCE], 2 * room, 0)
        values[VALUES] = grown(values[VALUES], 2 * room, NONE)
    count, width = codes.shape
    before = values[STATE][USED]
    needed = (before + count) * (ROW + width)
    if values[RECORDS].shape[0] < needed:
        values[RECORDS] = grown(values[RECORDS], needed + needed // 2, 0)
    gained = np.empty((count, width + 2), np.int64)
    lost = np.empty((before, width + 2), np.int64)
    counts = _hold(
        values[STATE],
        values[RECORDS],
        values[SINCE],
        values[VALUES],
        keys[ENTRIES],
        keys[HEADS],
        keys[META],
        own,
        codes,
        times,
        length,
        gained,
        lost,
    )
    return gained[: counts[0]], lost[: counts[1]]


@kernel
def _hold(
    state: Column,
    records: Column,
    since: Column,
    first: Column,
    entries: Column,
    heads: Column,
    meta: Column,
    own: Rows,
    codes: Rows,
    times: Column,
    length: int,
    gained: Rows,
    lost: Rows,
) -> tuple[int, int]:
    """How many rows were gained and lost."""
    width = codes.shape[1]
    stride = ROW + width
    state[CALLS] += 1
    came, gone = 0, 0
    for row in range(codes.shape[0]):
        time = times[row]
        key = find(entries, heads, meta[STRIDE], meta[WIDTH], own, row)
        known = False
        record = first[key]
        while record != NONE:
            at = record * stride
            following = records[at + AFTER]
            if since[key] == time:
                same = True
                for column in range(width):
                    same = same and records[at + ROW + column] == codes[row, column]
                known = known or same
            else:  # it is over
                end = min(since[key] + length, FOREVER)
                if records[at + CALL] == state[CALLS]:
                    gained[records[at + PLACE], width + 1] = min(end, time - 1)
                elif end >= time:
                    for column in range(width):
                        lost[gone, column] = records[at + ROW + column]
                    lost[gone, width], lost[gone, width + 1] = time, end
                    gone += 1
                records[at + AFTER], state[FREE] = state[FREE], record
            record = following
        if since[key] != time:
            first[key], since[key] = NONE, time
        if known:
            continue
        record = state[FREE]
        if record == NONE:
            record = state[USED]
            state[USED] += 1
        else:
            state[FREE] = records[record * stride + AFTER]
        at = record * stride
        records[at + AFTER], records[at + CALL], records[at + PLACE] = first[key], state[CALLS], came
        first[key] = record
        for column in range(width):
            records[at + ROW + column] = gained[came, column] = codes[row, column]
        gained[came, width], gained[came, width + 1] = time, min(time + length, FOREVER)
        came += 1
    return came, gone


@kernel
def forget(values: Table, keys: Table, horizon: int, width: int) -> None:
    """Drop the keys whose values are over by themselves."""
    numbers = compact(keys, horizon)
    state, records, since, first = values[STATE], values[RECORDS], values[SINCE], values[VALUES]
    room = 2 * keys[META][SIZE]
    left, heads = np.zeros(room, np.int64), np.full(room, NONE, np.int64)
    for old in range(min(numbers.shape[0], first.shape[0])):
        if numbers[old] != NONE:
            left[numbers[old]], heads[numbers[old]] = since[old], first[old]
            continue
        record = first[old]
        while record != NONE:
            at = record * (ROW + width)
            following = records[at + AFTER]
            records[at + AFTER], state[FREE] = state[FREE], record
            record = following
    values[SINCE], values[VALUES] = left, heads
