"""How the machine finds the entries of a table that agree with its registers.

A PROBE or ABSENT instruction at `at` reads: operation, table, index, width, cells, key registers. A cell is
(BIND, register), (CHECK, register) or (SKIP, 0) for one column.
"""

from __future__ import annotations

from larspark.intervals.compiled import kernel
from larspark.intervals.sets import FOREVER
from larspark.intervals.table import (
    FIRST,
    HEADS,
    INDEX_ARRAYS,
    INDEXES,
    KEYS,
    LAST,
    META,
    MORE,
    NEXT,
    NONE,
    OVERFLOW,
    SIZE,
    Column,
    Table,
    mixed,
)

BIND, CHECK, SKIP = 0, 1, 2
EVERY, WHOLE = -2, -1  # instead of the number of an index: look at all entries, or use the whole key


@kernel
def first_match(table: Table, plan: Column, at: int, registers: Column) -> int:
    """The first entry that may match, or NONE."""
    index, width = plan[at + 2], plan[at + 3]
    if index == EVERY:
        return after(table, 0)
    arguments = at + 4 + 2 * width
    if index == WHOLE:
        heads, length = table[HEADS], width
    else:
        heads, length = table[INDEXES + INDEX_ARRAYS * index + 1], table[INDEXES + INDEX_ARRAYS * index].shape[0]
    code = 0
    for argument in range(length):
        code = mixed(code, registers[plan[arguments + argument]])
    return heads[code & (heads.shape[0] - 1)]


@kernel
def next_match(table: Table, plan: Column, at: int, entry: int) -> int:
    index = plan[at + 2]
    if index == EVERY:
        return after(table, entry + 1)
    if index == WHOLE:
        return table[NEXT][entry]
    return table[INDEXES + INDEX_ARRAYS * index + 2][entry]


@kernel
def after(table: Table, entry: int) -> int:
    """The first key entry from here on, in the order of the table."""
    links, size = table[NEXT], table[META][SIZE]
    while entry < size:
        if links[entry] != OVERFLOW:
            return entry
        entry += 1
    return NONE


@kernel
def matches(table: Table, plan: Column, at: int, registers: Column, entry: int) -> bool:
    """Whether the key agrees with the registers; binds those that are free."""
    width = plan[at + 3]
    keys = table[KEYS]
    for column in range(width):
        kind, register = plan[at + 4 + 2 * column], plan[at + 5 + 2 * column]
        if kind == BIND:
            registers[register] = keys[entry * width + column]
        elif kind == CHECK and registers[register] != keys[entry * width + column]:
            return False
    return True


@kernel
def gap(table: Table, plan: Column, at: int, registers: Column, start: int, end: int) -> tuple[int, int]:
    """The first stretch of [start, end] at which no matching entry is valid; empty when there is none."""
    firsts, lasts, more = table[FIRST], table[LAST], table[MORE]
    moved = True
    following = FOREVER + 1
    while moved and start <= end:
        moved = False
        following = FOREVER + 1
        key = first_match(table, plan, at, registers)
        while key != NONE:
            if matches(table, plan, at, registers, key):
                entry = key
                while entry != NONE:
                    a, b = firsts[entry], lasts[entry]
                    if a <= start <= b:
                        start = b + 1
                        moved = True
                    elif start < a <= b:
                        following = min(following, a)
                    entry = more[entry]
            key = next_match(table, plan, at, key)
    return start, min(end, following - 1)
