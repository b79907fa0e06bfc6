"""Tuple windows over columns: the last arrivals of every partition, and who leaves when another one comes. Compiled.

Queues are a numba list of int64 arrays, named by the constants below. Partitions are the entries of a table; an arrival
inside is a record in one array, with the record of the arrival after it in the same partition. Records that have left
are used again.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inner_kernel, kernel
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.lists import list_of_columns
from larspark.intervals.tables.storage import (
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
    find,
    grown,
    lent,
)
from larspark.intervals.tables.table import absorb

STATE, RECORDS, OLDEST, NEWEST, COUNTS, FIRST = 0, 1, 2, 3, 4, 5  # FIRST: how many are as old as the oldest
NUMBER, USED, FREE = 0, 1, 2  # in STATE: arrivals so far, records ever used, the first free record
OWN, AFTER, ASKED, ROW = 0, 1, 2, 3  # in a record: its place, the record after it, whether it is of the predicate


def new_queues() -> Table:
    """Empty queues; partitions are kept in a table beside."""
    return list_of_columns([np.array([0, 0, NONE], np.int64), *(np.empty(0, np.int64) for _ in range(5))])


@kernel
def enqueue(
    queues: Table, partitions: Table, keys: Rows, rows: Rows, asked: Column, size: int, whole: bool
) -> tuple[Rows, Rows]:
    """Let arrivals come in order; return the rows gained and lost when a window holds the last `size` of a partition.

    `whole`: it holds all of the same time as the oldest of these.

    `keys` are the partitions as rows of the table; `rows` the arguments, where the predicate is the one asked for, the
    number of the arrival, and the code of the time. A row gained or lost is these and the interval.
    """
    absorb(partitions, keys, -FOREVER)
    width = rows.shape[1]
    room = lent(partitions, META)[SIZE]
    if queues[COUNTS].shape[0] < room:
        for part in (OLDEST, NEWEST, COUNTS, FIRST):
            queues[part] = grown(queues[part], 2 * room, 0)
    needed = (queues[STATE][USED] + rows.shape[0]) * (ROW + width)
    if queues[RECORDS].shape[0] < needed:
        queues[RECORDS] = grown(queues[RECORDS], needed + needed // 2, 0)
    gained = np.empty((rows.shape[0], width + 2), np.int64)
    leaving = rows.shape[0] + (queues[STATE][USED] if whole else 0)
    lost = np.empty((leaving, width + 2), np.int64)
    counts = _enqueue(
        queues[STATE],
        queues[RECORDS],
        queues[OLDEST],
        queues[NEWEST],
        queues[COUNTS],
        queues[FIRST],
        lent(partitions, ENTRIES),
        lent(partitions, HEADS),
        lent(partitions, META),
        keys,
        rows,
        asked,
        size,
        whole,
        gained,
        lost,
    )
    return gained[: counts[0]], lost[: counts[1]]


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
    keys: Rows,
    rows: Rows,
    asked: Column,
    size: int,
    whole: bool,
    gained: Rows,
    lost: Rows,
) -> tuple[int, int]:
    """How many rows were gained and lost."""
    width = rows.shape[1]
    stride = ROW + width
    before = state[NUMBER]
    places = np.empty(rows.shape[0], np.int64)  # of the arrivals among the gained rows
    came, gone = 0, 0
    for row in range(rows.shape[0]):
        state[NUMBER] += 1
        time = rows[row, width - 1] >> 1
        if asked[row]:
            for column in range(width):
                gained[came, column] = rows[row, column]
            gained[came, width], gained[came, width + 1] = time, FOREVER
            places[row] = came
            came += 1
        if size >= FOREVER:  # nobody leaves
            continue
        partition = find(entries, heads, meta[STRIDE], meta[WIDTH], keys, row)
        record = state[FREE]
        if record == NONE:
            record = state[USED]
            state[USED] += 1
        else:
            state[FREE] = records[record * stride + AFTER]
        at = record * stride
        records[at + OWN], records[at + AFTER], records[at + ASKED] = state[NUMBER], NONE, asked[row]
        for column in range(width):
            records[at + ROW + column] = rows[row, column]
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
            if records[at + ASKED] and records[at + OWN] > before:  # it came and went among these arrivals
                gained[places[records[at + OWN] - before - 1], width + 1] = time - 1
            elif records[at + ASKED]:
                for column in range(width):
                    lost[gone, column] = records[at + ROW + column]
                lost[gone, width], lost[gone, width + 1] = time, FOREVER
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
