"""Sessions over columns: the arrivals of a key that no pause parts, and all of them leave when it ends. Compiled.

The state is a numba list of int64 arrays, named by the constants below. Keys are the entries of a table; an arrival
inside is a record in one array, with the record of another one of its session. Records that have left are used again.
Sessions that go on wait for their ends in the order of their last arrivals, which is the order in which arrivals come;
who waits for an earlier arrival than the last is passed over.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

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
    compact,
    find,
    grown,
    lent,
)
from larspark.intervals.tables.table import absorb

STATE, RECORDS, MEMBERS, LAST, WAITING = 0, 1, 2, 3, 4  # of a key: its first record, and the time of its last arrival
USED, FREE, FRONT, BACK, CALLS, LOST = 0, 1, 2, 3, 4, 5  # in STATE: records, who waits, calls, rows lost in this one
AFTER, CALL, PLACE, ROW = 0, 1, 2, 3  # in a record: the next one, when it came, and its place among the rows gained


def new_sessions() -> Table:
    """No session; keys are kept in a table beside."""
    return list_of_columns([np.array([0, NONE, 0, 0, 0, 0], np.int64), *(np.empty(0, np.int64) for _ in range(4))])


@kernel
def join_sessions(
    sessions: Table, keys: Table, own: Rows, rows: Rows, asked: Column, gap: int, until: int
) -> tuple[Rows, Rows]:
    """Let arrivals come in the order of time, and time go on to `until`; return the rows gained and lost.

    `own` are the keys of the arrivals as rows of the table, each with the time for which its session goes on; `rows`
    the arguments, where the predicate is the one asked for, the number of the arrival, and the code of the time. A row
    gained or lost is these and the interval; a session that goes on has no end yet.
    """
    count, width = rows.shape
    absorb(keys, own, rows[0, width - 1] >> 1 if count else until)
    room = lent(keys, META)[SIZE]
    if sessions[LAST].shape[0] < room:
        sessions[MEMBERS] = grown(sessions[MEMBERS], 2 * room, NONE)
        sessions[LAST] = grown(sessions[LAST], 2 * room, NONE)
    state = sessions[STATE]
    before = state[USED]
    needed = (before + count) * (ROW + width)
    if sessions[RECORDS].shape[0] < needed:
        sessions[RECORDS] = grown(sessions[RECORDS], needed + needed // 2, 0)
    if sessions[WAITING].shape[0] < 2 * (state[BACK] + count):
        waiting = sessions[WAITING][2 * state[FRONT] : 2 * state[BACK]].copy()
        state[FRONT], state[BACK] = 0, waiting.shape[0] // 2
        sessions[WAITING] = grown(waiting, 2 * (waiting.shape[0] + 2 * count), 0)
    gained = np.empty((count, width + 2), np.int64)
    lost = np.empty((before, width + 2), np.int64)
    came = _join(
        state,
        sessions[RECORDS],
        sessions[MEMBERS],
        sessions[LAST],
        sessions[WAITING],
        lent(keys, ENTRIES),
        lent(keys, HEADS),
        lent(keys, META),
        own,
        rows,
        asked,
        gap,
        until,
        gained,
        lost,
    )
    return gained[:came], lost[: state[LOST]]


@inner_kernel
def _join(
    state: Column,
    records: Column,
    members: Column,
    last: Column,
    waiting: Column,
    entries: Column,
    heads: Column,
    meta: Column,
    own: Rows,
    rows: Rows,
    asked: Column,
    gap: int,
    until: int,
    gained: Rows,
    lost: Rows,
) -> int:
    """How many rows were gained."""
    width = rows.shape[1]
    stride = ROW + width
    state[CALLS] += 1
    state[LOST] = 0
    came = 0
    for row in range(rows.shape[0]):
        time = rows[row, width - 1] >> 1
        key = find(entries, heads, meta[STRIDE], meta[WIDTH], own, row)
        if last[key] != NONE and last[key] + gap < time:
            _end(state, records, members, last, key, gap, width, gained, lost)
        if last[key] != time:
            last[key] = time
            waiting[2 * state[BACK]], waiting[2 * state[BACK] + 1] = time, key
            state[BACK] += 1
        if not asked[row]:
            continue
        record = state[FREE]
        if record == NONE:
            record = state[USED]
            state[USED] += 1
        else:
            state[FREE] = records[record * stride + AFTER]
        at = record * stride
        records[at + AFTER], records[at + CALL], records[at + PLACE] = members[key], state[CALLS], came
        members[key] = record
        for column in range(width):
            records[at + ROW + column] = gained[came, column] = rows[row, column]
        gained[came, width], gained[came, width + 1] = time, FOREVER
        came += 1
    while state[FRONT] < state[BACK]:
        time, key = waiting[2 * state[FRONT]], waiting[2 * state[FRONT] + 1]
        if key != NONE and last[key] == time:
            if time + gap >= until:
                break
            _end(state, records, members, last, key, gap, width, gained, lost)
        state[FRONT] += 1
    return came


@inner_kernel
def _end(
    state: Column,
    records: Column,
    members: Column,
    last: Column,
    key: int,
    gap: int,
    width: int,
    gained: Rows,
    lost: Rows,
) -> None:
    """The session of a key is over."""
    end = last[key] + gap
    record = members[key]
    while record != NONE:
        at = record * (ROW + width)
        following = records[at + AFTER]
        if records[at + CALL] == state[CALLS]:
            gained[records[at + PLACE], width + 1] = end
        else:
            for column in range(width):
                lost[state[LOST], column] = records[at + ROW + column]
            lost[state[LOST], width], lost[state[LOST], width + 1] = end + 1, FOREVER
            state[LOST] += 1
        records[at + AFTER], state[FREE] = state[FREE], record
        record = following
    members[key], last[key] = NONE, NONE


def next_end(sessions: Table, gap: int) -> int:
    """When the first of the sessions that go on is over if nothing arrives."""
    state = sessions[STATE]
    return int(sessions[WAITING][2 * state[FRONT]]) + gap + 1 if state[FRONT] < state[BACK] else FOREVER


@kernel
def forget_keys(sessions: Table, keys: Table, horizon: int) -> None:
    """Drop the keys whose sessions were over before the horizon."""
    numbers = compact(keys, horizon)
    state, members, last, waiting = sessions[STATE], sessions[MEMBERS], sessions[LAST], sessions[WAITING]
    room = 2 * lent(keys, META)[SIZE]
    left, times = np.full(room, NONE, np.int64), np.full(room, NONE, np.int64)
    for old in range(min(numbers.shape[0], last.shape[0])):
        if numbers[old] != NONE:
            left[numbers[old]], times[numbers[old]] = members[old], last[old]
    for place in range(state[FRONT], state[BACK]):
        key = waiting[2 * place + 1]
        waiting[2 * place + 1] = NONE if key == NONE else numbers[key]
    sessions[MEMBERS], sessions[LAST] = left, times


def going_on(keys: npt.NDArray[np.int64], times: Column, gap: int, now: int) -> npt.NDArray[np.bool_]:
    """Which of some arrivals are in sessions that go on at `now`; equal keys are equal numbers."""
    order = np.lexsort((times, keys))
    own, at = keys[order], times[order]
    last = np.append(own[1:] != own[:-1], True) if len(own) else np.empty(0, np.bool_)
    following = np.where(last, now, np.append(at[1:], now)) if len(own) else at
    apart = following - at > gap
    # An arrival goes on unless a pause follows it, before the next key begins.
    pauses = np.cumsum(apart[::-1])[::-1]
    behind = np.append(pauses[1:], 0)[last] if len(own) else pauses
    found = np.empty(len(own), np.bool_)
    found[order] = pauses == np.repeat(behind, np.diff(np.append(-1, np.flatnonzero(last))))
    return found
