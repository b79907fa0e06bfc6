"""Recorded conclusions as intervals: where they differ from what is concluded, and what to assume instead. Compiled.

What is recorded at a time point is what the evaluation there concludes, which depends on what was recorded before. So
the two are brought together from the past to the future: up to the first time point at which they differ, and at that
point too, the conclusions are right. Behind it there are assumptions only.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inlined, inner_kernel
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
    Column,
    Rows,
    Table,
    find,
    lent,
)
from larspark.intervals.tables.table import SPARE, room, write

LOSSES, GAINS, DELAYS = 0, 1, 2


@inlined
def state_at(entries: Column, stride: int, entry: int, time: int) -> tuple[bool, int]:
    """Whether an entry holds at a time, and up to when that stays so."""
    while entry != NONE:
        first, last = entries[entry * stride + FIRST], entries[entry * stride + LAST]
        if first <= last and last >= time:
            return (True, last) if first <= time else (False, first - 1)
        entry = entries[entry * stride + MORE]
    return False, FOREVER


@inlined
def first_difference(
    left: Column, left_stride: int, one: int, right: Column, right_stride: int, other: int, since: int
) -> tuple[int, bool]:
    """The first time from `since` on at which only one of two entries holds, and whether it is the left one."""
    time = since
    while time < FOREVER:
        here, here_until = state_at(left, left_stride, one, time)
        there, there_until = state_at(right, right_stride, other, time)
        if here != there:
            return time, here
        time = min(here_until, there_until) + 1
    return FOREVER, False


@inner_kernel
def revised_stretches(
    concluded: Table, recorded: Table, asked: Rows, until: int, sustained: int
) -> tuple[Rows, Rows, Rows]:
    """What the record of some keys loses and gains, and the keys that differ only after `until`, with the time.

    The asked rows say from when on. A conclusion that grows out of its own record is taken to go on, and where the
    record has conclusions `sustained`, a new one, too; one that does not come where it was recorded, to have ended;
    others are taken as they are.
    """
    lost = np.empty((asked.shape[0] + SPARE, asked.shape[1]), np.int64)
    gained, later = np.empty_like(lost), np.empty_like(lost)
    counts = np.zeros(3, np.int64)
    row = 0
    while True:
        row = _revise(
            lent(concluded, ENTRIES),
            lent(concluded, HEADS),
            lent(concluded, META)[STRIDE],
            lent(recorded, ENTRIES),
            lent(recorded, HEADS),
            lent(recorded, META)[STRIDE],
            asked,
            row,
            until,
            sustained,
            lost,
            gained,
            later,
            counts,
        )
        if row == asked.shape[0]:
            return lost[: counts[LOSSES]], gained[: counts[GAINS]], later[: counts[DELAYS]]
        lost, gained = room(lost, lost.shape[0]), room(gained, gained.shape[0])


@inner_kernel
def _revise(
    entries: Column,
    heads: Column,
    stride: int,
    noted: Column,
    noted_heads: Column,
    noted_stride: int,
    asked: Rows,
    row: int,
    until: int,
    sustained: int,
    lost: Rows,
    gained: Rows,
    later: Rows,
    counts: Column,
) -> int:
    """From a row on, as far as there is room: the next row. `counts` says how many rows there are of each kind."""
    width = asked.shape[1] - 2
    losses, gains, delays = counts[LOSSES], counts[GAINS], counts[DELAYS]
    while row < asked.shape[0]:
        counts[LOSSES], counts[GAINS], counts[DELAYS] = losses, gains, delays
        drawn = find(entries, heads, stride, width, asked, row)
        known = find(noted, noted_heads, noted_stride, width, asked, row)
        time, holds = first_difference(entries, stride, drawn, noted, noted_stride, known, asked[row, width])
        if gains == gained.shape[0] or losses == lost.shape[0]:
            return row
        if until < time < FOREVER:
            delays = write(later, delays, asked, row, time, time)
        elif time < FOREVER and holds and (sustained or state_at(noted, noted_stride, known, time - 1)[0]):
            gains = write(gained, gains, asked, row, time, FOREVER)
        elif time < FOREVER:
            while holds and drawn != NONE:
                first, last = max(entries[drawn * stride + FIRST], time), entries[drawn * stride + LAST]
                if first <= last:
                    if gains + 1 >= gained.shape[0] or losses + 1 >= lost.shape[0]:
                        return row
                    gains = write(gained, gains, asked, row, first, last)
                    if time < first:
                        losses = write(lost, losses, asked, row, time, first - 1)
                    time = last + 1
                drawn = entries[drawn * stride + MORE]
            if time <= FOREVER:
                losses = write(lost, losses, asked, row, time, FOREVER)
        row += 1
    counts[LOSSES], counts[GAINS], counts[DELAYS] = losses, gains, delays
    return row


@inner_kernel
def revised_notes(concluded: Table, noted: Table, asked: Rows, until: int, past: int) -> tuple[Rows, Rows, Rows]:
    """The same for conclusions about time points: a note is there after the first evaluation that drew it, for good.

    The last key column is the time point u; nobody asks for u later than `past` time points after it.
    """
    width = asked.shape[1] - 2
    entries, stride = lent(noted, ENTRIES), lent(noted, META)[STRIDE]
    lost = np.empty((asked.shape[0], width + 2), np.int64)
    gained, later = lost.copy(), lost.copy()
    losses, gains, delays = 0, 0, 0
    for row in range(asked.shape[0]):
        since = asked[row, width]
        entry = find(entries, lent(noted, HEADS), stride, width, asked, row)
        while entry != NONE and entries[entry * stride + FIRST] > entries[entry * stride + LAST]:
            entry = entries[entry * stride + MORE]
        first, last = FOREVER, -FOREVER
        if entry != NONE:
            first, last = entries[entry * stride + FIRST], entries[entry * stride + LAST]
            if first <= since:  # an earlier evaluation has drawn it
                continue
        drawn = find(lent(concluded, ENTRIES), lent(concluded, HEADS), lent(concluded, META)[STRIDE], width, asked, row)
        holds, change = state_at(lent(concluded, ENTRIES), lent(concluded, META)[STRIDE], drawn, since)
        time = since if holds else min(change + 1, FOREVER)
        if until < time < FOREVER:
            delays = write(later, delays, asked, row, time, time)
        end = min((asked[row, width - 1] >> 1) + past, FOREVER)
        if time > until or end <= time:
            if entry != NONE:
                losses = write(lost, losses, asked, row, first, last)
        elif entry == NONE:
            gains = write(gained, gains, asked, row, time + 1, end)
        elif first < time + 1:
            losses = write(lost, losses, asked, row, first, time)
        elif first > time + 1:
            gains = write(gained, gains, asked, row, time + 1, first - 1)
    return lost[:losses], gained[:gains], later[:delays]
