"""How the machine finds the entries of a table that agree with its registers.

A PROBE or ABSENT instruction at `at` reads: operation, table, index, width, cells, number of key
registers, key registers. A cell is
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
def chains(table: Table, index: int) -> tuple[Column, Column]:
    """Heads and links of the chains to follow."""
    if index < 0:
        return table[HEADS], table[NEXT]
    position = INDEXES + INDEX_ARRAYS * index
    return table[position + 1], table[position + 2]


@kernel
def first_match(heads: Column, marks: Column, size: int, plan: Column, at: int, registers: Column) -> int:
    """The first entry that may match, or NONE."""
    if plan[at + 2] == EVERY:
        return key_entry(marks, 0, size)
    code = 0
    arguments = at + 5 + 2 * plan[at + 3]
    for argument in range(plan[arguments - 1]):
        code = mixed(code, registers[plan[arguments + argument]])
    return heads[code & (heads.shape[0] - 1)]


@kernel
def next_match(links: Column, size: int, plan: Column, at: int, entry: int) -> int:
    return key_entry(links, entry + 1, size) if plan[at + 2] == EVERY else links[entry]


@kernel
def key_entry(marks: Column, entry: int, size: int) -> int:
    """The first entry from here on that holds a key, in the order of the table."""
    while entry < size:
        if marks[entry] != OVERFLOW:
            return entry
        entry += 1
    return NONE


@kernel
def matches(keys: Column, plan: Column, at: int, registers: Column, entry: int) -> bool:
    """Whether the key agrees with the registers; binds those that are free."""
    width = plan[at + 3]
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
    keys, firsts, lasts, more = table[KEYS], table[FIRST], table[LAST], table[MORE]
    heads, links = chains(table, plan[at + 2])
    size = table[META][SIZE]
    moved = True
    following = FOREVER + 1
    while moved and start <= end:
        moved = False
        following = FOREVER + 1
        key = first_match(heads, links, size, plan, at, registers)
        while key != NONE:
            if matches(keys, plan, at, registers, key):
                entry = key
                while entry != NONE:
                    a, b = firsts[entry], lasts[entry]
                    if a <= start <= b:
                        start = b + 1
                        moved = True
                    elif start < a <= b:
                        following = min(following, a)
                    entry = more[entry]
            key = next_match(links, size, plan, at, key)
    return start, min(end, following - 1)


@kernel
def seek(table: Table, plan: Column, at: int, registers: Column, cursor: Column, first: int, last: int) -> bool:
    """Move the cursor to the next interval of a matching entry that meets [first, last]; false when there is none.

    A cursor holds: 0 = not yet started, the next key, the next interval of the key found last, first, last.
    """
    keys, firsts, lasts, more = table[KEYS], table[FIRST], table[LAST], table[MORE]
    heads, links = chains(table, plan[at + 2])
    size = table[META][SIZE]
    return seek_columns(keys, firsts, lasts, more, heads, links, size, plan, at, registers, cursor, first, last)


@kernel
def seek_columns(
    keys: Column,
    firsts: Column,
    lasts: Column,
    more: Column,
    heads: Column,
    links: Column,
    size: int,
    plan: Column,
    at: int,
    registers: Column,
    cursor: Column,
    first: int,
    last: int,
) -> bool:
    """`seek` for columns that the caller has taken out of the table once for many calls."""
    if cursor[0] == 0:
        cursor[0] = 1
        key, entry = first_match(heads, links, size, plan, at, registers), NONE
    else:
        key, entry = cursor[1], cursor[2]
    while True:
        while entry == NONE:
            if key == NONE:
                cursor[1], cursor[2] = NONE, NONE
                return False
            if matches(keys, plan, at, registers, key):
                entry = key
            key = next_match(links, size, plan, at, key)
        a, b = firsts[entry], lasts[entry]
        entry = more[entry]
        if a <= b:
            a, b = max(first, a), min(last, b)
            if a <= b:
                cursor[1], cursor[2], cursor[3], cursor[4] = key, entry, a, b
                return True
