"""The groups of a sweep: how they come and go, and are looked at when their time comes. All compiled.

`layout` says how they lie in memory.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.aggregates.events import drop_events
from larspark.intervals.aggregates.heaps import (
    CHILD,
    FREE,
    NODE,
    RANK,
    USED,
    VALUE,
    dissolve,
    give_back,
    meld,
    taken,
    without_root,
)
from larspark.intervals.aggregates.layout import (
    ALARMS,
    BEHIND,
    COMING,
    CURRENT,
    DUE,
    ENTERED,
    ENTRY,
    EXTREME,
    EXTREMES,
    FREE_SLOT,
    FUNCTIONS,
    GONE,
    HEAD,
    HEAD_SIZE,
    HEAP,
    LATE,
    LIMIT,
    LINE,
    LINK,
    NEVER,
    NEXT_ALARM,
    NODES,
    OVER,
    PART,
    PARTS,
    SEVERAL,
    SINCE,
    SLOTS,
    SLOTS_USED,
    TOUCHED,
    TUPLES,
    UNTOUCHED,
    WIDEST,
    list_place,
    slot_size,
    value_place,
)
from larspark.intervals.compiled import inlined, inner_kernel, kernel
from larspark.intervals.rules.arithmetic import MISSING
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.lists import list_of_columns
from larspark.intervals.tables.storage import (
    ENTRIES,
    FIRST,
    HEADS,
    KEY,
    LAST,
    META,
    NONE,
    SIZE,
    SLACK,
    STRIDE,
    SURVIVORS,
    WIDTH,
    Column,
    Rows,
    Table,
    compact,
    find,
    grown,
    lent,
)
from larspark.intervals.tables.table import absorb, write


def new_sweep() -> Table:
    """A sweep without groups."""
    head = np.zeros(HEAD_SIZE, np.int64)
    head[[FREE, ALARMS, FREE_SLOT, TOUCHED, LATE]] = NONE
    head[NEXT_ALARM], head[OVER] = NEVER, -FOREVER
    return list_of_columns([head, *(np.empty(0, np.int64) for _ in (NODES, SLOTS, TUPLES))])


@inner_kernel
def reserve_nodes(state: Table, more: int, asked: Column) -> None:
    """Room for so many nodes more; what is ranked has its tuple at the same place of another array."""
    needed = state[HEAD][USED] + NODE * more
    if state[NODES].shape[0] < needed:
        size = needed + needed // 2
        state[NODES] = grown(state[NODES], size, 0)
        if asked[LIMIT]:
            state[TUPLES] = grown(state[TUPLES], (size // NODE + 1) * asked[WIDEST], 0)


@inner_kernel
def admit(state: Table, groups: Table, rows: Rows, asked: Column, whole: int) -> Column:
    """The slots of the groups of the rows, which are to be swept; a group that has none gets one.

    A group that was over may be asked for again, from a time on at which it had elements; unless these are given, too
    (`whole`), what lies before the end of any such group is late.
    """
    if lent(groups, META)[SIZE] > 2 * lent(groups, META)[SURVIVORS] + SLACK:
        _compact_keys(groups, lent(state, SLOTS))
    places = np.empty(rows.shape[0], np.int64)
    strangers = _found(state, groups, rows, places)
    if strangers:
        _give_slots(state, groups, rows, places, strangers, asked, whole)
        _found(state, groups, rows, places)
    return places


@inner_kernel
def _found(state: Table, groups: Table, rows: Rows, places: Column) -> int:
    """Touch the slots of the rows and put them down, NONE for those of groups that have none; how many these are."""
    slots, head = lent(state, SLOTS), lent(state, HEAD)
    entries, heads, meta = lent(groups, ENTRIES), lent(groups, HEADS), lent(groups, META)
    width, stride, first, strangers = meta[WIDTH], meta[STRIDE], rows.shape[1] - 2, 0
    for row in range(rows.shape[0]):
        entry = find(entries, heads, stride, width, rows, row)
        if entry == NONE or entries[entry * stride + LAST] != FOREVER:  # the key of a group that is over
            places[row] = NONE
            strangers += 1
            continue
        slot = entries[entry * stride + FIRST]
        places[row] = slot
        touch(slots, head, slot)
        if rows[row, first] < slots[slot + SINCE]:
            slots[slot + BEHIND] = 1
    return strangers


@inner_kernel
def _give_slots(
    state: Table, groups: Table, rows: Rows, places: Column, strangers: int, asked: Column, whole: int
) -> None:
    """A slot for every group of the rows that has none."""
    head, width, length = state[HEAD], groups[META][WIDTH], slot_size(asked)
    keys, count = np.empty((strangers, width + 2), np.int64), 0
    for row in range(rows.shape[0]):
        if places[row] == NONE:
            count = write(keys, count, rows, row, FOREVER, FOREVER)
    fresh = absorb(groups, keys, -FOREVER)
    needed = head[SLOTS_USED] + length * fresh.shape[0]
    if state[SLOTS].shape[0] < needed:
        state[SLOTS] = grown(state[SLOTS], needed + needed // 2, 0)
    slots, entries, stride = state[SLOTS], groups[ENTRIES], groups[META][STRIDE]
    for row in range(fresh.shape[0]):
        slot = head[FREE_SLOT]
        if slot == NONE:
            slot = head[SLOTS_USED]
            head[SLOTS_USED] += length
        else:
            head[FREE_SLOT] = slots[slot + LINK]
        _clear(slots, slot, length, asked)
        if not whole:
            slots[slot + SINCE] = head[OVER]
        entry = find(entries, groups[HEADS], stride, width, fresh, row)
        slots[slot + ENTRY], entries[entry * stride + FIRST] = entry, slot


@inlined
def _clear(slots: Column, slot: int, length: int, asked: Column) -> None:
    for place in range(slot, slot + length):
        slots[place] = 0
    slots[slot + SINCE], slots[slot + DUE], slots[slot + LINK] = -FOREVER, NEVER, UNTOUCHED
    slots[slot + COMING], slots[slot + LINE], slots[slot + HEAP] = NONE, NONE, NONE
    for part in range(slot + SEVERAL, slot + SEVERAL + PART * asked[PARTS], PART):
        for extreme in (part + EXTREMES, part + EXTREMES + EXTREME):
            slots[extreme + ENTERED], slots[extreme + GONE] = NONE, NONE
    for function in range(asked[FUNCTIONS]):
        slots[value_place(asked, slot, function) + CURRENT] = MISSING


@inlined
def touch(slots: Column, head: Column, slot: int) -> None:
    """Put a slot among those to be swept."""
    if slots[slot + LINK] == UNTOUCHED:
        slots[slot + LINK], head[TOUCHED] = head[TOUCHED], slot


@inlined
def release(slots: Column, head: Column, entries: Column, stride: int, slot: int) -> None:
    """The group is over: its key has no interval any more, its slot is free."""
    at = slots[slot + ENTRY] * stride
    entries[at + FIRST], entries[at + LAST] = 1, 0
    slots[slot + LINK], head[FREE_SLOT] = head[FREE_SLOT], slot
    slots[slot + DUE] = NEVER


@inlined
def set_alarm(nodes: Column, slots: Column, head: Column, slot: int, time: int) -> None:
    """Have a slot looked at when this time comes."""
    alarm = taken(nodes, head)
    nodes[alarm + RANK], nodes[alarm + CHILD], nodes[alarm + VALUE] = time, NONE, slot
    slots[slot + DUE], head[ALARMS] = time, meld(nodes, head[ALARMS], alarm)


@inner_kernel
def wake_due(nodes: Column, slots: Column, head: Column, until: int) -> None:
    """Touch the groups whose alarm has come."""
    while head[ALARMS] != NONE and nodes[head[ALARMS] + RANK] <= until:
        alarm = head[ALARMS]
        slot = nodes[alarm + VALUE]
        if slots[slot + DUE] == nodes[alarm + RANK]:  # otherwise an earlier one has been set since
            slots[slot + DUE] = NEVER
            touch(slots, head, slot)
        head[ALARMS] = without_root(nodes, alarm)
        give_back(nodes, head, alarm)


@inner_kernel
def doubt_all(state: Table, groups: Table) -> None:
    """Let all groups be late."""
    slots, head, entries, stride = state[SLOTS], state[HEAD], groups[ENTRIES], groups[META][STRIDE]
    for entry in range(groups[META][SIZE]):
        if entries[entry * stride + LAST] == FOREVER:
            slot = entries[entry * stride + FIRST]
            slots[slot + BEHIND] = 1
            touch(slots, head, slot)


@inner_kernel
def _compact_keys(groups: Table, slots: Column) -> None:
    """Drop the keys of groups that are over."""
    compact(groups, 0)
    entries, stride = groups[ENTRIES], groups[META][STRIDE]
    for entry in range(groups[META][SIZE]):
        slots[entries[entry * stride + FIRST] + ENTRY] = entry


@inner_kernel
def forget_late(nodes: Column, slots: Column, head: Column, entries: Column, meta: Column, asked: Column) -> Rows:
    """Release the groups that are late; return their keys, with an interval."""
    width, stride = meta[WIDTH], meta[STRIDE]
    count, slot = 0, head[LATE]
    while slot != NONE:
        count += 1
        slot = slots[slot + LINK]
    keys = np.zeros((count, width + 2), np.int64)
    for row in range(count):
        slot = head[LATE]
        head[LATE] = slots[slot + LINK]
        for column in range(width):
            keys[row, column] = entries[slots[slot + ENTRY] * stride + KEY + column]
        drop_events(nodes, slots, head, slot)
        for part in range(slot + SEVERAL, slot + SEVERAL + PART * asked[PARTS], PART):
            low, high = part + EXTREMES, part + EXTREMES + EXTREME
            for heap in (low + ENTERED, low + GONE, high + ENTERED, high + GONE):
                dissolve(nodes, head, slots[heap])
        for place in range(slots[list_place(asked, slot)] if asked[LIMIT] else 0):
            give_back(nodes, head, slots[list_place(asked, slot) + 1 + place])
        release(slots, head, entries, stride, slot)
    return keys


@kernel
def rows_of(keys: Table, rows: Rows) -> Rows:
    """The rows that begin with one of the keys."""
    entries, heads, stride, width = keys[ENTRIES], keys[HEADS], keys[META][STRIDE], keys[META][WIDTH]
    out = np.empty(rows.shape, np.int64)
    count = 0
    for row in range(rows.shape[0]):
        if find(entries, heads, stride, width, rows, row) != NONE:
            out[count] = rows[row]
            count += 1
    return out[:count]
