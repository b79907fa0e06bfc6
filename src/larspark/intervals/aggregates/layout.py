"""How the groups of a sweep lie in memory. All compiled.

A sweep is a numba list of int64 arrays, named by the constants below; each group is in a slot. The keys of the groups
are in a table beside; the first time of an entry is the place of its slot.
"""

from __future__ import annotations

from larspark.intervals.compiled import inlined
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.storage import Column

HEAD, NODES, SLOTS, TUPLES = 0, 1, 2, 3

# In HEAD, behind the pool of nodes: how many events wait, the heap of alarms and its first time, where slots were
# never used, the first free slot, the slots to be swept, those that are late, whether a value cannot be swept, the last
# event of any group that was over, and whether anything was ever lost.
PENDING, ALARMS, NEXT_ALARM, SLOTS_USED, FREE_SLOT, TOUCHED, LATE, UNFIT, OVER, LOSING, HEAD_SIZE = range(2, 13)

# In a slot: its entry among the keys, elements inside, the last event followed, the alarm, the next slot of a list,
# whether an event lies before those followed; the first and last of the rows that are coming in this step, and of the
# events in line, and the heap of the others; then every part of the elements, the value of every function, for every
# output the last time for which it is published, and where tuples are ranked, the list of the first: its length, and
# their nodes.
ENTRY, INSIDE, SINCE, DUE, LINK, BEHIND, COMING, LAST_COMING, LINE, LAST_IN_LINE, HEAP, SEVERAL = range(12)
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
