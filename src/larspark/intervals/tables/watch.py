"""Which entries of a table are valid at the current time, followed by what changes and by what falls due. Compiled.

Every watched entry that will begin or end hangs in a timing wheel: one chain per time point modulo its size. A watch is
a numba list of int64 arrays, named by the constants below; all but the last two have one place per entry. NEXT_DUE is
one number: no entry is due before this time, so that whoever has many watches need not look at each of them.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inlined, inner_kernel, kernel
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
    OVERFLOW,
    SIZE,
    SMALLEST,
    STRIDE,
    WIDTH,
    Column,
    Rows,
    Table,
    find,
    grown,
    lent,
)

SHOWN, DUE, AFTER, BEFORE, WHEEL, NEXT_DUE = 0, 1, 2, 3, 4, 5
SPOKES = 1024
MOST_SPOKES = 1 << 20
NEVER = FOREVER + 1


def new_watch() -> Table:
    arrays = [np.zeros(SMALLEST, np.int64), np.full(SMALLEST, NEVER, np.int64)]
    arrays += [np.full(SMALLEST, NONE, np.int64), np.full(SMALLEST, NONE, np.int64)]
    return list_of_columns([*arrays, np.full(SPOKES, NONE, np.int64), np.full(1, NEVER, np.int64)])


@inlined
def status(entries: Column, stride: int, entry: int, time: int) -> tuple[int, int]:
    """Whether a key is valid at a time, and when that changes next if nothing else does."""
    while entry != NONE:
        first, last = entries[entry * stride + FIRST], entries[entry * stride + LAST]
        if first <= last and last >= time:
            if first <= time:
                return 1, min(last + 1, NEVER)
            return 0, first
        entry = entries[entry * stride + MORE]
    return 0, NEVER


@inlined
def unhook(due: Column, after: Column, before: Column, wheel: Column, entry: int) -> None:
    """Take an entry out of the wheel."""
    if due[entry] == NEVER:
        return
    if before[entry] == NONE:
        wheel[due[entry] & (wheel.shape[0] - 1)] = after[entry]
    else:
        after[before[entry]] = after[entry]
    if after[entry] != NONE:
        before[after[entry]] = before[entry]
    due[entry] = NEVER


@inlined
def hook(due: Column, after: Column, before: Column, wheel: Column, entry: int, time: int) -> None:
    """Hang an entry into the wheel."""
    spoke = time & (wheel.shape[0] - 1)
    due[entry], after[entry], before[entry] = time, wheel[spoke], NONE
    if wheel[spoke] != NONE:
        before[wheel[spoke]] = entry
    wheel[spoke] = entry


@inner_kernel
def make_room(watch: Table, capacity: int, reach: int) -> None:
    """A place for every entry, and enough spokes to reach ahead without turning round."""
    if lent(watch, SHOWN).shape[0] < capacity:
        watch[SHOWN] = grown(lent(watch, SHOWN), capacity, 0)
        watch[DUE] = grown(lent(watch, DUE), capacity, NEVER)
        watch[AFTER] = grown(lent(watch, AFTER), capacity, NONE)
        watch[BEFORE] = grown(lent(watch, BEFORE), capacity, NONE)
    spokes = lent(watch, WHEEL).shape[0]
    if reach < spokes or spokes >= MOST_SPOKES:
        return
    while spokes <= reach and spokes < MOST_SPOKES:
        spokes *= 2
    watch[WHEEL] = np.full(spokes, NONE, np.int64)
    due, after, before, wheel = lent(watch, DUE), lent(watch, AFTER), lent(watch, BEFORE), lent(watch, WHEEL)
    for entry in range(due.shape[0]):
        if due[entry] != NEVER:
            hook(due, after, before, wheel, entry, due[entry])


@inlined
def first_due(due: Column, after: Column, wheel: Column, since: int) -> int:
    """The first time from this one on at which an entry is due."""
    spokes = wheel.shape[0]
    waiting = False
    for moment in range(since, since + spokes):
        entry = wheel[moment & (spokes - 1)]
        waiting = waiting or entry != NONE
        while entry != NONE and due[entry] != moment:
            entry = after[entry]
        if entry != NONE:
            return moment
    found = NEVER
    if waiting:  # all lie beyond one turn of the wheel, perhaps so far that turning it would never end
        for entry in range(due.shape[0]):
            found = min(found, due[entry])
    return found


@inner_kernel
def next_change(table: Table, watch: Table, time: int) -> int:
    """The first time after this one at which a key begins or ends to be valid if nothing else happens."""
    stride, entries = lent(table, META)[STRIDE], lent(table, ENTRIES)
    due, after, before, wheel, bound = (
        lent(watch, DUE),
        lent(watch, AFTER),
        lent(watch, BEFORE),
        lent(watch, WHEEL),
        lent(watch, NEXT_DUE),
    )
    while bound[0] < NEVER:
        entry = wheel[bound[0] & (wheel.shape[0] - 1)]
        while entry != NONE:
            following = after[entry]
            if due[entry] == bound[0]:
                changing = status(entries, stride, entry, time)[1]
                if changing == bound[0]:
                    return changing
                unhook(due, after, before, wheel, entry)
                if changing < NEVER:
                    hook(due, after, before, wheel, entry, changing)
            entry = following
        bound[0] = first_due(due, after, wheel, bound[0] + 1)
    return NEVER


@inner_kernel
def settle(table: Table, watch: Table, gained: Rows, lost: Rows, time: int) -> tuple[Rows, Rows]:
    """Go on to a time; return the keys that have appeared and those that have disappeared."""
    width, stride = lent(table, META)[WIDTH], lent(table, META)[STRIDE]
    entries, heads = lent(table, ENTRIES), lent(table, HEADS)
    reach = 0
    for row in range(gained.shape[0]):
        if gained[row, width + 1] < FOREVER:
            reach = max(reach, gained[row, width + 1] + 1 - time)
    make_room(watch, entries.shape[0] // stride, reach)
    shown, due, after, before, wheel = (
        lent(watch, SHOWN),
        lent(watch, DUE),
        lent(watch, AFTER),
        lent(watch, BEFORE),
        lent(watch, WHEEL),
    )
    spokes = wheel.shape[0]
    changed = np.empty(2 * (gained.shape[0] + lost.shape[0]) + 8, np.int64)
    changes = np.empty(changed.shape[0], np.int64)
    count = 0
    steps = gained.shape[0] + lost.shape[0]
    step = 0
    bound = lent(watch, NEXT_DUE)
    moment = max(bound[0], time + 1 - spokes)
    waiting = NONE
    while True:
        # First the rows that have changed, then the spokes of the time points that have passed.
        if step < steps:
            rows, row = (gained, step) if step < gained.shape[0] else (lost, step - gained.shape[0])
            step += 1
            entry = find(entries, heads, stride, width, rows, row)
        elif waiting != NONE:
            entry = waiting
            waiting = after[entry]
            if due[entry] > time:
                continue
        elif moment <= time:
            waiting = wheel[moment & (spokes - 1)]
            moment += 1
            continue
        else:
            break
        if entry == NONE:
            continue
        valid, following = status(entries, stride, entry, time)
        if following < due[entry] or due[entry] <= time:
            # A later time needs no move: when the entry falls due early, it is looked at again.
            unhook(due, after, before, wheel, entry)
            if following < NEVER:
                hook(due, after, before, wheel, entry, following)
                bound[0] = min(bound[0], following)
        if valid != shown[entry]:
            if count == changed.shape[0]:
                changed, changes = grown(changed, 2 * count, 0), grown(changes, 2 * count, 0)
            changed[count], changes[count] = entry, valid - shown[entry]
            shown[entry] = valid
            count += 1
    if bound[0] <= time:
        bound[0] = first_due(due, after, wheel, time + 1)
    return keys_of(table, changed[:count], changes[:count], 1), keys_of(table, changed[:count], changes[:count], -1)


@inner_kernel
def keys_of(table: Table, changed: Column, changes: Column, wanted: int) -> Rows:
    """The keys of the entries with the wanted change."""
    width, stride, entries = lent(table, META)[WIDTH], lent(table, META)[STRIDE], lent(table, ENTRIES)
    total = 0
    for place in range(changed.shape[0]):
        total += changes[place] == wanted
    out = np.empty((total, width), np.int64)
    count = 0
    for place in range(changed.shape[0]):
        if changes[place] == wanted:
            for column in range(width):
                out[count, column] = entries[changed[place] * stride + KEY + column]
            count += 1
    return out


@kernel
def renumber(watch: Table, numbers: Column, capacity: int) -> None:
    """Follow a compaction of the table: `numbers` gives the new place of every old entry, or NONE."""
    shown, due = watch[SHOWN], watch[DUE]
    watch[SHOWN] = np.zeros(capacity, np.int64)
    watch[DUE] = np.full(capacity, NEVER, np.int64)
    watch[AFTER] = np.full(capacity, NONE, np.int64)
    watch[BEFORE] = np.full(capacity, NONE, np.int64)
    lent(watch, WHEEL)[:] = NONE
    new_shown, new_due = lent(watch, SHOWN), lent(watch, DUE)
    after, before, wheel = lent(watch, AFTER), lent(watch, BEFORE), lent(watch, WHEEL)
    for old in range(min(numbers.shape[0], shown.shape[0])):
        if numbers[old] != NONE:
            new_shown[numbers[old]] = shown[old]
            if due[old] != NEVER:
                hook(new_due, after, before, wheel, numbers[old], due[old])


@kernel
def valid_keys(table: Table, time: int) -> Rows:
    """All keys that are valid at a time."""
    size, stride, entries = lent(table, META)[SIZE], lent(table, META)[STRIDE], lent(table, ENTRIES)
    valid = np.zeros(size, np.int64)
    for entry in range(size):
        if entries[entry * stride + NEXT] != OVERFLOW:
            valid[entry] = status(entries, stride, entry, time)[0]
    return keys_of(table, np.arange(size), valid, 1)
