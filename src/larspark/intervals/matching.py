"""How the machine finds the entries of a table that agree with its registers.

A PROBE or ABSENT instruction at `at` reads: operation, table, index, whether entries of this step count, width, cells,
number of key registers, key registers. A cell is (BIND, register), (CHECK, register) or (SKIP, 0) for one column.
"""

from __future__ import annotations

from larspark.intervals.compiled import inlined, kernel
from larspark.intervals.sets import FOREVER
from larspark.intervals.storage import (
    ENTRIES,
    FIRST,
    HEADS,
    INDEX_ARRAYS,
    INDEXES,
    KEY,
    LAST,
    META,
    MORE,
    NEXT,
    NONE,
    OVERFLOW,
    SIZE,
    STRIDE,
    WIDTH,
    Column,
    Rows,
    Table,
    mixed,
)

TABLE, INDEX, AGE, COLUMNS, CELLS = 1, 2, 3, 4, 5  # the places of operands
BIND, CHECK, SKIP = 0, 1, 2
EVERY, WHOLE = -2, -1  # instead of the number of an index: look at all entries, or use the whole key
STATE, BEGIN, END, STARTED, KEY_AT, ENTRY_AT, FROM, TO = 0, 1, 2, 3, 4, 5, 6, 7
"""Where an instruction stands (0 = just entered) and its interval; then for look-ups: whether there is a place to go on
at, the next key and the next interval of the key found last, and what was found."""
FRAME = 8
ANY, EARLIER = 0, 1  # whether entries made in this step are looked at, or left to the plan that starts from them


@kernel
def heads_of(table: Table, index: int) -> Column:
    """Where the chains to follow begin."""
    return table[HEADS] if index < 0 else table[INDEXES + INDEX_ARRAYS * index + 1]


@kernel
def link_of(index: int, width: int) -> int:
    """Where an entry holds the link of these chains."""
    return NEXT if index < 0 else KEY + width + index


@kernel
def limit_of(plan: Column, at: int, meta: Column, limits: Column) -> int:
    """Entries from here on are not looked at."""
    return min(meta[SIZE], limits[plan[at + TABLE]]) if plan[at + AGE] == EARLIER else meta[SIZE]


@inlined
def first_match(
    entries: Column, stride: int, heads: Column, limit: int, plan: Column, at: int, registers: Column
) -> int:
    """The first entry that may match, or NONE."""
    if plan[at + INDEX] == EVERY:
        return key_entry(entries, stride, 0, limit)
    code = 0
    arguments = at + CELLS + 1 + 2 * plan[at + COLUMNS]
    for argument in range(plan[arguments - 1]):
        code = mixed(code, registers[plan[arguments + argument]])
    return heads[code & (heads.shape[0] - 1)]


@inlined
def next_match(entries: Column, stride: int, link: int, limit: int, every: bool, entry: int) -> int:
    return key_entry(entries, stride, entry + 1, limit) if every else entries[entry * stride + link]


@inlined
def key_entry(entries: Column, stride: int, entry: int, limit: int) -> int:
    """The first entry from here on that holds a key, in the order of the table."""
    while entry < limit:
        if entries[entry * stride + NEXT] != OVERFLOW:
            return entry
        entry += 1
    return NONE


@inlined
def matches(entries: Column, key: int, plan: Column, at: int, registers: Column) -> bool:
    """Whether a key, by its place, agrees with the registers; binds those that are free."""
    for column in range(plan[at + COLUMNS]):
        kind, register = plan[at + CELLS + 2 * column], plan[at + CELLS + 1 + 2 * column]
        if kind == BIND:
            registers[register] = entries[key + column]
        elif kind == CHECK and registers[register] != entries[key + column]:
            return False
    return True


@kernel
def gap(table: Table, plan: Column, at: int, registers: Column, start: int, end: int) -> tuple[int, int]:
    """The first stretch of [start, end] at which no matching entry is valid; empty when there is none."""
    entries, heads = table[ENTRIES], heads_of(table, plan[at + INDEX])
    size, stride = table[META][SIZE], table[META][STRIDE]
    link, every = link_of(plan[at + INDEX], table[META][WIDTH]), plan[at + INDEX] == EVERY
    moved = True
    following = FOREVER + 1
    while moved and start <= end:
        moved = False
        following = FOREVER + 1
        key = first_match(entries, stride, heads, size, plan, at, registers)
        while key != NONE:
            if matches(entries, key * stride + KEY, plan, at, registers):
                entry = key
                while entry != NONE:
                    a, b = entries[entry * stride + FIRST], entries[entry * stride + LAST]
                    if a <= start <= b:
                        start = b + 1
                        moved = True
                    elif start < a <= b:
                        following = min(following, a)
                    entry = entries[entry * stride + MORE]
            key = next_match(entries, stride, link, size, every, key)
    return start, min(end, following - 1)


@kernel
def seek(table: Table, plan: Column, at: int, registers: Column, limits: Column, frame: Column) -> bool:
    """Find the next interval of a matching entry that meets the one of the frame; false when there is none."""
    entries, heads = table[ENTRIES], heads_of(table, plan[at + INDEX])
    stride, limit = table[META][STRIDE], limit_of(plan, at, table[META], limits)
    link, every = link_of(plan[at + INDEX], table[META][WIDTH]), plan[at + INDEX] == EVERY
    if frame[STARTED] == 0:
        frame[STARTED] = 1
        key, entry = first_match(entries, stride, heads, limit, plan, at, registers), NONE
    else:
        key, entry = frame[KEY_AT], frame[ENTRY_AT]
    while True:
        while entry == NONE:
            if key == NONE:
                frame[KEY_AT], frame[ENTRY_AT] = NONE, NONE
                return False
            if key < limit and matches(entries, key * stride + KEY, plan, at, registers):
                entry = key
            key = next_match(entries, stride, link, limit, every, key)
        a, b = entries[entry * stride + FIRST], entries[entry * stride + LAST]
        entry = entries[entry * stride + MORE]
        if a <= b:
            a, b = max(frame[BEGIN], a), min(frame[END], b)
            if a <= b:
                frame[KEY_AT], frame[ENTRY_AT], frame[FROM], frame[TO] = key, entry, a, b
                return True


@inlined
def seek_all(
    entries: Column,
    stride: int,
    heads: Column,
    link: int,
    limit: int,
    plan: Column,
    at: int,
    registers: Column,
    frames: Rows,
    depth: int,
    emit: int,
    out: Rows,
    count: int,
) -> int:
    """`seek` until there is no more, for a look-up whose finds are conclusions: they are written at once.

    `emit` is the place of the registers of the conclusion. Returns the number of conclusions. When `out` is full before
    the end, the frame tells where to go on, and it is not STARTED at the end.
    """
    width = out.shape[1] - 2
    every = plan[at + INDEX] == EVERY
    first, last = frames[depth, BEGIN], frames[depth, END]
    if frames[depth, STARTED] == 0:
        key, entry = first_match(entries, stride, heads, limit, plan, at, registers), NONE
    else:
        key, entry = frames[depth, KEY_AT], frames[depth, ENTRY_AT]
        if entry != NONE:
            matches(entries, frames[depth, FROM] * stride + KEY, plan, at, registers)
    found = key
    while count < out.shape[0]:
        while entry == NONE:
            if key == NONE:
                frames[depth, STARTED] = 0
                return count
            place = key * stride
            # The times are compared first: most of what does not fit is long over, or yet to come.
            meets = entries[place + FIRST] <= last and entries[place + LAST] >= first
            if (
                key < limit
                and (meets or entries[place + MORE] != NONE)
                and matches(entries, place + KEY, plan, at, registers)
            ):
                entry = found = key
            key = key_entry(entries, stride, key + 1, limit) if every else entries[place + link]
        a, b = entries[entry * stride + FIRST], entries[entry * stride + LAST]
        entry = entries[entry * stride + MORE]
        if a <= b and a <= last and b >= first:
            for column in range(width):
                out[count, column] = registers[plan[emit + column]]
            out[count, width], out[count, width + 1] = max(first, a), min(last, b)
            count += 1
    frames[depth, STARTED], frames[depth, KEY_AT], frames[depth, ENTRY_AT] = 1, key, entry
    frames[depth, FROM] = found
    return count
