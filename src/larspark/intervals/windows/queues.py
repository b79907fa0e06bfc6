"""Tuple windows over columns: the last arrivals of every partition, and who leaves when another one comes. Compiled.

Queues are a numba list of int64 arrays, named by the constants below. Partitions are the entries of a table; an arrival
inside is a record in one array, with the record of the arrival after it in the same partition. Records that have left
are used again.

A row is the arguments of an arrival and what stands `behind` them: its number and its time (2), the time (1), or
nothing (0). Without their numbers several arrivals can have one row, which is there as long as the last of them is
inside: another table has the record of the last arrival for every row.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inner_kernel, kernel
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.lists import list_of_columns
from larspark.intervals.tables.storage import (
    ENTRIES,
    HEADS,
    KEY,
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
    grown,
    hash_row,
    lent,
    lookup,
    reserve,
    word,
)
from larspark.intervals.tables.storage import FIRST as BEGIN
from larspark.intervals.tables.storage import LAST as END
from larspark.intervals.tables.table import outside

STATE, RECORDS, OLDEST, NEWEST, COUNTS, FIRST = 0, 1, 2, 3, 4, 5  # FIRST: how many are as old as the oldest
NUMBER, USED, FREE, CALLS, BACK = 0, 1, 2, 3, 4
"""In STATE: arrivals so far, records ever used, the first free one, calls, and whether a row was lost and came back."""
SINCE, AFTER, ASKED, PLACE, ROW = 0, 1, 2, 3, 4
"""In a record: the number of the arrival with which its row began, and the place of that row among those gained; the
record after it; whether it is of the predicate."""
GONE = -1  # instead of the last record of a row


def new_queues() -> Table:
    """Empty queues; partitions, and the last records of rows, are kept in tables beside."""
    return list_of_columns([np.array([0, 0, NONE, 0, 0], np.int64), *(np.empty(0, np.int64) for _ in range(5))])


@kernel
def enqueue(
    queues: Table,
    partitions: Table,
    latest: Table,
    keys: Rows,
    rows: Rows,
    asked: Column,
    size: int,
    whole: bool,
    behind: int,
    spare: int,
) -> tuple[Rows, Rows]:
    """Let arrivals come in order; return the rows gained and lost when a window holds the last `size` of a partition.

    `whole`: it holds all of the same time as the oldest of these.

    `keys` are the partitions as rows of the table; `rows` the arguments, where the predicate is the one asked for, the
    number of the arrival, and the code of the time. Rows that have left are forgotten when there are `spare` more than
    twice those that were left.
    """
    wide = rows.shape[1] + behind
    gained = np.empty((rows.shape[0], wide), np.int64)
    lost = np.empty((most_leaving(queues, rows.shape[0], whole), wide), np.int64)
    return put_in_line(queues, partitions, latest, keys, rows, asked, size, whole, behind, spare, gained, lost)


@inner_kernel
def most_leaving(queues: Table, coming: int, whole: bool) -> int:
    """How many can leave when some come."""
    return coming + (lent(queues, STATE)[USED] if whole else 0)


@inner_kernel
def put_in_line(
    queues: Table,
    partitions: Table,
    latest: Table,
    keys: Rows,
    rows: Rows,
    asked: Column,
    size: int,
    whole: bool,
    behind: int,
    spare: int,
    gained: Rows,
    lost: Rows,
) -> tuple[Rows, Rows]:
    """`enqueue`, in rows for which there is room."""
    width = rows.shape[1]
    reserve(partitions, rows.shape[0])
    if lent(latest, META)[SIZE] > 2 * lent(latest, META)[SURVIVORS] + spare:
        compact(latest, 0)
    reserve(latest, rows.shape[0])
    room = lent(partitions, META)[SIZE] + rows.shape[0]
    if lent(queues, COUNTS).shape[0] < room:
        for part in (OLDEST, NEWEST, COUNTS, FIRST):
            queues[part] = grown(queues[part], 2 * room, 0)
    needed = (lent(queues, STATE)[USED] + rows.shape[0]) * (ROW + width)
    if lent(queues, RECORDS).shape[0] < needed:
        queues[RECORDS] = grown(queues[RECORDS], needed + needed // 2, 0)
    came, gone = _enqueue(
        lent(queues, STATE),
        lent(queues, RECORDS),
        lent(queues, OLDEST),
        lent(queues, NEWEST),
        lent(queues, COUNTS),
        lent(queues, FIRST),
        lent(partitions, ENTRIES),
        lent(partitions, HEADS),
        lent(partitions, META),
        lent(latest, ENTRIES),
        lent(latest, HEADS),
        lent(latest, META),
        keys,
        rows,
        asked,
        size,
        whole,
        behind,
        gained,
        lost,
    )
    if lent(queues, STATE)[BACK]:
        return gained[:came], outside(lost[:gone], gained[:came])
    return gained[:came], lost[:gone]


@inner_kernel
def _entry_of(entries: Column, heads: Column, meta: Column, keys: Rows, row: int, last: int) -> int:
    """The entry of a key, which is new if there is none; there is room for it."""
    width, stride = meta[WIDTH], meta[STRIDE]
    bucket = hash_row(keys, row, width) & (heads.shape[0] - 1)
    found = lookup(entries, stride, word(heads, bucket), width, keys, row)
    if found == NONE:
        found = meta[SIZE]
        meta[SIZE] += 1
        at = found * stride
        entries[at + BEGIN], entries[at + END], entries[at + MORE] = 0, last, NONE
        entries[at + NEXT] = heads[bucket]
        for column in range(width):
            entries[at + KEY + column] = keys[row, column]
        heads[bucket] = found
    return found


@inner_kernel
def _enqueue(
    state: Column,
    records: Column,
    oldest: Column,
    newest: Column,
    counts: Column,
    first: Column,
    entries: Column,
    heads: Column,
    meta: Column,
    last_entries: Column,
    last_heads: Column,
    last_meta: Column,
    keys: Rows,
    rows: Rows,
    asked: Column,
    size: int,
    whole: bool,
    behind: int,
    gained: Rows,
    lost: Rows,
) -> tuple[int, int]:
    """How many rows were gained and lost."""
    width, apart = rows.shape[1], last_meta[STRIDE]
    stride, wide = ROW + width, rows.shape[1] - 2 + behind
    before = state[NUMBER]
    state[CALLS] += 1
    state[BACK] = 0
    came, gone = 0, 0
    for row in range(rows.shape[0]):
        state[NUMBER] += 1
        time = rows[row, width - 1] >> 1
        if asked[row]:
            for column in range(wide):
                gained[came, column] = rows[row, column]
            if behind == 1:
                gained[came, wide - 1] = rows[row, width - 1]
            gained[came, wide], gained[came, wide + 1] = time, FOREVER
        if size >= FOREVER:  # nobody leaves
            came += asked[row]
            continue
        partition = _entry_of(entries, heads, meta, keys, row, FOREVER)
        record = state[FREE]
        if record == NONE:
            record = state[USED]
            state[USED] += 1
        else:
            state[FREE] = records[record * stride + AFTER]
        at = record * stride
        records[at + SINCE], records[at + AFTER], records[at + ASKED] = state[NUMBER], NONE, asked[row]
        records[at + PLACE] = came
        for column in range(width):
            records[at + ROW + column] = rows[row, column]
        if asked[row]:
            came += 1
            if behind < 2:
                own = _entry_of(last_entries, last_heads, last_meta, gained, came - 1, GONE) * apart
                known = last_entries[own + END] * stride
                if known >= 0:  # its row is there already
                    came -= 1
                    records[at + SINCE], records[at + PLACE] = records[known + SINCE], records[known + PLACE]
                elif last_entries[own + BEGIN] == state[CALLS]:
                    state[BACK] = 1
                last_entries[own + BEGIN], last_entries[own + END] = 0, record
        if counts[partition]:
            records[newest[partition] * stride + AFTER] = record
        else:
            oldest[partition] = record
        newest[partition] = record
        counts[partition] += 1
        if whole and counts[partition] == 1:
            first[partition] = 0
        if whole and records[oldest[partition] * stride + ROW + width - 1] >> 1 == time:
            first[partition] += 1
        together = first[partition] if whole else 1
        if counts[partition] - together < size:
            continue
        for _ in range(together):
            leaving = oldest[partition]
            at = leaving * stride
            oldest[partition] = records[at + AFTER]
            counts[partition] -= 1
            records[at + AFTER], state[FREE] = state[FREE], leaving
            if not records[at + ASKED]:
                continue
            for column in range(wide):
                lost[gone, column] = records[at + ROW + column]
            if behind == 1:
                lost[gone, wide - 1] = records[at + ROW + width - 1]
            if behind < 2:
                own = find(last_entries, last_heads, apart, wide, lost, gone) * apart
                if last_entries[own + END] != leaving:  # another one has its row
                    continue
                last_entries[own + BEGIN], last_entries[own + END] = 0, GONE
                if records[at + SINCE] <= before:
                    last_entries[own + BEGIN] = state[CALLS]
            if records[at + SINCE] > before:  # it came and went among these arrivals
                gained[records[at + PLACE], wide + 1] = time - 1
            else:
                lost[gone, wide], lost[gone, wide + 1] = time, FOREVER
                gone += 1
        if whole:
            first[partition] = _as_old(records, oldest[partition], stride, width)
    return came, gone


@inner_kernel
def _as_old(records: Column, record: int, stride: int, width: int) -> int:
    """How many records from this one on have its time."""
    time, found = records[record * stride + ROW + width - 1], 0
    while record != NONE and records[record * stride + ROW + width - 1] == time:
        record = records[record * stride + AFTER]
        found += 1
    return found
