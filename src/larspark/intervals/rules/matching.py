"""How the machine finds the entries of a table that agree with its registers.

A PROBE or ABSENT instruction at `at` reads: operation, table, index, whether entries of this step count, the first
column with a given value, whether there are more to check, width, cells, number of key registers, key registers.
A cell is (BIND, register), (CHECK, register), (SAME, earlier column) or (SKIP, 0) for one column.
"""

from __future__ import annotations

from larspark.intervals.compiled import inlined, inner_kernel
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.addresses import column_at
from larspark.intervals.tables.storage import (
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
    lent,
    mixed,
    word,
)

TABLE, INDEX, AGE, LEAD, REST, COLUMNS, CELLS = 1, 2, 3, 4, 5, 6, 7  # the places of operands
BIND, CHECK, SKIP, SAME = 0, 1, 2, 3
EVERY, WHOLE = -2, -1  # instead of the number of an index: look at all entries, or use the whole key
STATE, BEGIN, END, STARTED, KEY_AT, ENTRY_AT, FROM, TO = 0, 1, 2, 3, 4, 5, 6, 7
"""Where an instruction stands (0 = just entered) and its interval; then for look-ups: whether there is a place to go on
at, the next key and the next interval of the key found last, and what was found."""
FRAME = 8
ANY, EARLIER = 0, 1  # whether entries made in this step are looked at, or left to the plan that starts from them


ENTRIES_AT, ENTRIES_SIZE, HEADS_AT, HEADS_SIZE, STEP, LINK, LIMIT, PLACE = 0, 1, 2, 3, 4, 5, 6, 7
"""What a look-up knows of its table: the addresses and sizes of two columns, how far entries are apart, where an entry
holds the link of the chains to follow, and from where on entries are not looked at."""


@inner_kernel
def locate(table: Table, plan: Column, at: int, limits: Column, places: Rows, place: int) -> None:
    """Note what the look-up at `at` must know of its table."""
    meta, entries, index = lent(table, META), lent(table, ENTRIES), plan[at + INDEX]
    heads = lent(table, HEADS) if index < 0 else lent(table, INDEXES + INDEX_ARRAYS * index + 1)
    places[place, ENTRIES_AT], places[place, ENTRIES_SIZE] = entries.ctypes.data, entries.shape[0]
    places[place, HEADS_AT], places[place, HEADS_SIZE] = heads.ctypes.data, heads.shape[0]
    places[place, STEP] = meta[STRIDE]
    places[place, LINK] = NEXT if index < 0 else KEY + meta[WIDTH] + index
    places[place, LIMIT] = meta[SIZE]
    if plan[at + AGE] == EARLIER:
        places[place, LIMIT] = min(meta[SIZE], limits[plan[at + TABLE]])


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
    return word(heads, code & (heads.shape[0] - 1))


@inlined
def whole_match(entries: Column, stride: int, heads: Column, plan: Column, at: int, registers: Column) -> int:
    """The entry with the key that the registers hold, or NONE."""
    arguments = at + CELLS + 1 + 2 * plan[at + COLUMNS]
    wanted, more = registers[plan[arguments]], plan[at + REST] == 1
    code = 0
    for argument in range(plan[arguments - 1]):
        code = mixed(code, registers[plan[arguments + argument]])
    entry = word(heads, code & (heads.shape[0] - 1))
    while entry != NONE:
        key = entry * stride + KEY
        if word(entries, key) == wanted and (not more or agrees(entries, key, plan, at, registers)):
            break
        entry = word(entries, entry * stride + NEXT)
    return entry


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
        kind, operand = plan[at + CELLS + 2 * column], plan[at + CELLS + 1 + 2 * column]
        if kind == BIND:
            registers[operand] = entries[key + column]
        elif differs(entries, key, column, kind, operand, registers):
            return False
    return True


@inlined
def agrees(entries: Column, key: int, plan: Column, at: int, registers: Column) -> bool:
    """`matches`, but binds nothing."""
    for column in range(plan[at + COLUMNS]):
        kind, operand = plan[at + CELLS + 2 * column], plan[at + CELLS + 1 + 2 * column]
        if differs(entries, key, column, kind, operand, registers):
            return False
    return True


@inlined
def differs(entries: Column, key: int, column: int, kind: int, operand: int, registers: Column) -> bool:
    """Whether a column has another value than its cell asks for."""
    return (kind == CHECK and registers[operand] != word(entries, key + column)) or (
        kind == SAME and word(entries, key + operand) != word(entries, key + column)
    )


@inlined
def gap(places: Rows, place: int, plan: Column, at: int, registers: Column, start: int, end: int) -> tuple[int, int]:
    """The first stretch of [start, end] at which no matching entry is valid; empty when there is none."""
    entries = column_at(places[place, ENTRIES_AT], places[place, ENTRIES_SIZE])
    heads = column_at(places[place, HEADS_AT], places[place, HEADS_SIZE])
    stride, link, limit = places[place, STEP], places[place, LINK], places[place, LIMIT]
    every = plan[at + INDEX] == EVERY
    # The intervals of one key ascend: one look at them is enough.
    moved = plan[at + INDEX] != WHOLE
    following = FOREVER + 1
    while moved and start <= end:
        moved = False
        following = FOREVER + 1
        key = first_match(entries, stride, heads, limit, plan, at, registers)
        while key != NONE:
            if matches(entries, key * stride + KEY, plan, at, registers):
                entry = key
                while entry != NONE:
                    a, b = word(entries, entry * stride + FIRST), word(entries, entry * stride + LAST)
                    if a <= start <= b:
                        start = b + 1
                        moved = True
                    elif start < a <= b:
                        following = min(following, a)
                    entry = word(entries, entry * stride + MORE)
            key = next_match(entries, stride, link, limit, every, key)
    if plan[at + INDEX] == WHOLE:
        entry = whole_match(entries, stride, heads, plan, at, registers)
        while entry != NONE and following > FOREVER:
            a, b = word(entries, entry * stride + FIRST), word(entries, entry * stride + LAST)
            if start < a <= b:
                following = a
            elif a <= start <= b:
                start = b + 1
            entry = word(entries, entry * stride + MORE)
    return start, min(end, following - 1)


@inlined
def seek(places: Rows, place: int, plan: Column, at: int, registers: Column, frames: Rows, depth: int) -> bool:
    """Find the next interval of a matching entry that meets the one of the frame; false when there is none."""
    entries = column_at(places[place, ENTRIES_AT], places[place, ENTRIES_SIZE])
    heads = column_at(places[place, HEADS_AT], places[place, HEADS_SIZE])
    stride, link, limit = places[place, STEP], places[place, LINK], places[place, LIMIT]
    every = plan[at + INDEX] == EVERY
    key, entry = frames[depth, KEY_AT], frames[depth, ENTRY_AT]
    if frames[depth, STARTED] == 0:
        frames[depth, STARTED] = 1
        key, entry = first_match(entries, stride, heads, limit, plan, at, registers), NONE
    found = False
    while not found and (entry != NONE or key != NONE):
        if entry == NONE:
            if key < limit and matches(entries, key * stride + KEY, plan, at, registers):
                entry = key
            # There is one entry with a whole key.
            over = entry != NONE and plan[at + INDEX] == WHOLE
            key = NONE if over else next_match(entries, stride, link, limit, every, key)
        else:
            a, b = word(entries, entry * stride + FIRST), word(entries, entry * stride + LAST)
            entry = word(entries, entry * stride + MORE)
            begin, end = max(frames[depth, BEGIN], a), min(frames[depth, END], b)
            if a <= b and begin <= end:
                frames[depth, FROM], frames[depth, TO] = begin, end
                found = True
    frames[depth, KEY_AT], frames[depth, ENTRY_AT] = key, entry
    return found


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

    `emit` is the place of the registers of the conclusion, behind which stand the columns of the entry to take instead:
    nothing is bound. Two columns are written without a loop, which would cost more than they do. Returns the number of
    conclusions. When `out` is full before the end, the frame tells where to go on; it is not STARTED at the end.
    """
    width = out.shape[1] - 2
    every, more, lead = plan[at + INDEX] == EVERY, plan[at + REST] == 1, plan[at + LEAD]
    first, last = frames[depth, BEGIN], frames[depth, END]
    key, entry = frames[depth, KEY_AT], frames[depth, ENTRY_AT]
    if frames[depth, STARTED] == 0:
        key, entry = first_match(entries, stride, heads, limit, plan, at, registers), NONE
    frames[depth, STARTED] = 0
    wanted = registers[plan[at + CELLS + 1 + 2 * plan[at + COLUMNS]]] if lead != NONE else 0
    left = plan[emit + width] if width > 0 else NONE
    right = plan[emit + width + 1] if width > 1 else NONE
    own_left = registers[plan[emit]] if width > 0 else 0
    own_right = registers[plan[emit + 1]] if width > 1 else 0
    while key != NONE:
        place = key * stride
        if entry == NONE:
            # One test for conditions none of which can be foreseen.
            meets = (word(entries, place + FIRST) <= last) & (word(entries, place + LAST) >= first)
            if (meets | (word(entries, place + MORE) != NONE)) & (key < limit):
                same = lead == NONE or word(entries, place + KEY + lead) == wanted
                if same and (not more or agrees(entries, place + KEY, plan, at, registers)):
                    entry = key
        while entry != NONE:
            a, b = word(entries, entry * stride + FIRST), word(entries, entry * stride + LAST)
            if (a <= last) & (b >= first) & (a <= b):
                if count == out.shape[0]:
                    frames[depth, STARTED], frames[depth, KEY_AT], frames[depth, ENTRY_AT] = 1, key, entry
                    return count
                if width > 0:
                    out[count, 0] = own_left if left == NONE else word(entries, place + KEY + left)
                if width > 1:
                    out[count, 1] = own_right if right == NONE else word(entries, place + KEY + right)
                for column in range(2, width):
                    taken = plan[emit + width + column]
                    other = registers[plan[emit + column]]
                    out[count, column] = other if taken == NONE else word(entries, place + KEY + taken)
                out[count, width], out[count, width + 1] = max(first, a), min(last, b)
                count += 1
            entry = word(entries, entry * stride + MORE)
        key = key_entry(entries, stride, key + 1, limit) if every else word(entries, place + link)
    return count
