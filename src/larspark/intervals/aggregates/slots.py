"""The groups of a sweep, each in a slot: how they lie in memory, come and go. All compiled.

A sweep is a numba list of int64 arrays, named by the constants below. The keys of the groups are in a table beside; the
first time of an entry is the place of its slot.
"""

from __future__ import annotations

import numpy as np

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
    copy_rows,
    find,
    grown,
)
from larspark.intervals.tables.table import absorb

HEAD, NODES, SLOTS, TUPLES = 0, 1, 2, 3

# In HEAD, behind the pool of nodes: how many events wait, the heap of alarms and its first time, where slots were
# never used, the first free slot, the slots to be swept, those that are late, whether a value cannot be swept, and the
# last event of any group that was over.
PENDING, ALARMS, NEXT_ALARM, SLOTS_USED, FREE_SLOT, TOUCHED, LATE, UNFIT, OVER, HEAD_SIZE = (
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    11,
)

# In a slot: its entry among the keys, the heap of events, elements inside, the last event followed, the alarm, the next
# slot of a list, whether an event lies before those followed; then every part of the elements, the value of every
# function, for every output the last time for which it is published, and where tuples are ranked, the list of the
# first: its length, and their nodes.
ENTRY, EVENTS, INSIDE, SINCE, DUE, LINK, BEHIND, SEVERAL = 0, 1, 2, 3, 4, 5, 6, 7
NUMBER, TOTAL, EXTREMES, PART = 0, 1, 2, 8  # in a part: elements inside, their sum, what the extremes are taken from
ENTERED, GONE, LEFT, EXTREME = 0, 1, 2, 3  # the heaps of values that have entered and gone, and the size of the latter
CURRENT, DIVISOR, PAIR = 0, 1, 2  # the value of a function

# What is asked of a sweep: how many parts, functions and outputs there are, the columns of the widest output; what each
# part is needed for; part and kind of every function; for every output the number of its columns, and their functions.
# Where tuples are ranked, how many come into the list, and whether the largest come first; then an output is a place of
# the list, and the columns of a tuple stand where functions do.
PARTS, FUNCTIONS, OUTPUTS, WIDEST, LIMIT, DESCENDING, NEEDS = 0, 1, 2, 3, 4, 5, 6
SUMMED, LOW, HIGH = 1, 2, 4  # what a part is needed for

UNTOUCHED = -2
NEVER = FOREVER + 1


def new_sweep() -> Table:
    """A sweep without groups."""
    head = np.zeros(HEAD_SIZE, np.int64)
    head[[FREE, ALARMS, FREE_SLOT, TOUCHED, LATE]] = NONE
    head[NEXT_ALARM], head[OVER] = NEVER, -FOREVER
    return list_of_columns([head, *(np.empty(0, np.int64) for _ in (NODES, SLOTS, TUPLES))])


@inlined
def function_at(asked: Column, function: int) -> int:
    """The place of part and kind of a function."""
    return NEEDS + asked[PARTS] + 2 * function


@inlined
def output_at(asked: Column, output: int) -> int:
    """The place of an output: its number of columns, then their functions."""
    return NEEDS + asked[PARTS] + 2 * asked[FUNCTIONS] + output * (1 + asked[WIDEST])


@inlined
def value_place(asked: Column, slot: int, function: int) -> int:
    """Where the value of a function is."""
    return slot + SEVERAL + PART * asked[PARTS] + PAIR * function


@inlined
def upto_place(asked: Column, slot: int, output: int) -> int:
    """Where the last time is for which an output is published."""
    return slot + SEVERAL + PART * asked[PARTS] + PAIR * asked[FUNCTIONS] + output


@inlined
def list_place(asked: Column, slot: int) -> int:
    """Where the list of the first tuples is."""
    return upto_place(asked, slot, asked[OUTPUTS])


@inlined
def slot_size(asked: Column) -> int:
    return list_place(asked, 0) + (1 + asked[LIMIT] if asked[LIMIT] else 0)


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
def admit(state: Table, groups: Table, rows: Rows, asked: Column, whole: int) -> None:
    """A slot for every group of the rows that has none.

    A group that was over may be asked for again, from a time on at which it had elements; unless these are given, too
    (`whole`), what lies before the end of any such group is late.
    """
    head = state[HEAD]
    if groups[META][SIZE] > 2 * groups[META][SURVIVORS] + SLACK:
        _compact_keys(groups, state[SLOTS])
    width, length = groups[META][WIDTH], slot_size(asked)
    keys = np.full((rows.shape[0], width + 2), FOREVER, np.int64)
    copy_rows(rows, keys, rows.shape[0], width)
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
    slots[slot + EVENTS] = NONE
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
def next_event(nodes: Column, slots: Column, slot: int) -> int:
    """The time of the next event."""
    return NEVER if slots[slot + EVENTS] == NONE else nodes[slots[slot + EVENTS] + RANK]


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
        dissolve(nodes, head, slots[slot + EVENTS])
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
