"""How tables of facts with validity lie in memory: entries in one array, hash chains over them. All compiled.

A table is a numba list of int64 arrays (the constants below name them). An *entry* is a key with its first interval;
further intervals of the same key hang on it in ascending order as *overflow* entries, which no index knows.
An entry whose interval is empty (`first > last`) stays until the table is compacted. All that belongs to an entry
lies together, because a look-up at random costs as much as the cache lines it touches.
Rows passed in and out are two-dimensional: the key columns, then `first` and `last`.

A table of width 2 with one index, over column 0. p(1,7) holds in [3,5] and [9,12], p(1,8) in [4,4]:

    entry   FIRST  LAST  MORE  NEXT    key       link of the index
      0       3      5     2     -1    1  7         -1
      1       4      4    -1     -1    1  8          0
      2       9     12    -1     -2    .  .          .      overflow: reached from entry 0 alone

    heads of keys          hash(1,7) -> 0      hash(1,8) -> 1       keys with the same hash: on through NEXT
    heads of the index     hash(1)   -> 1 -> 0 -> end               keys with the same column 0: on through the link

"Is p(1,7) known at 10?" goes: head of hash(1,7), entry 0, not in [3,5], MORE, entry 2, in [9,12]: yes.
"Which p(1,Y) in [4,9]?" goes: head of hash(1) in the index, entry 1: Y = 8 in [4,4]; entry 0: Y = 7 in [4,5];
its MORE, entry 2: Y = 7 in [9,9]; end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.typed import List

from larspark.intervals.compiled import inlined, inner_kernel, kernel
from larspark.intervals.tables import lists

Column: TypeAlias = lists.Column
Rows: TypeAlias = lists.Rows
Table: TypeAlias = lists.Table

META, ENTRIES, HEADS, INDEXES = 0, 1, 2, 3
INDEX_ARRAYS = 2  # per index: its key columns, the heads of the chains

SIZE, WIDTH, STRIDE, SURVIVORS = 0, 1, 2, 3  # in META; SURVIVORS: the size after the last compaction
FIRST, LAST, MORE, NEXT, KEY = 0, 1, 2, 3, 4  # in an entry; behind the key follows one link per index

NONE = -1
OVERFLOW = -2
_structure: Any = cgutils.create_struct_proxy  # numba carries no types for these
_null: Any = cgutils.get_null_value
MIX = -7046029254386353131  # the golden ratio in 64 bits, a common multiplier for hashing
SMALLEST = 16
SLACK = 1024
"""How many more entries than twice the survivors of the last compaction a table may have."""


def new_table(width: int, indexes: list[tuple[int, ...]]) -> Table:
    """An empty table with the given number of key columns and one index per tuple of columns."""
    table = passing_table(width)
    if indexes:
        reindex(table, indexes)
    return table


@kernel
def passing_table(width: int) -> Table:
    """An empty table without indexes, also for the use of a moment: compiled code makes it in little time."""
    meta = np.zeros(SURVIVORS + 1, np.int64)
    meta[WIDTH], meta[STRIDE] = width, KEY + width
    table = List()
    table.append(meta)
    table.append(np.empty(SMALLEST * (KEY + width), np.int64))
    table.append(np.full(SMALLEST, NONE, np.int64))
    return table


def reindex(table: Table, indexes: list[tuple[int, ...]]) -> None:
    """Replace the indexes of a table."""
    drop_indexes(table, len(indexes))
    for columns in indexes:
        add_index(table, np.array(columns, np.int64))
    link_indexes(table, 0)


@kernel
def drop_indexes(table: Table, coming: int) -> None:
    """Forget all indexes, and give every entry room for the links of those to come."""
    while len(table) > INDEXES:
        table.pop()
    meta, old = lent(table, META), lent(table, ENTRIES)
    kept, stride = KEY + meta[WIDTH], KEY + meta[WIDTH] + coming
    capacity = old.shape[0] // meta[STRIDE]
    entries = np.empty(capacity * stride, np.int64)
    for entry in range(meta[SIZE]):
        for place in range(kept):
            entries[entry * stride + place] = old[entry * meta[STRIDE] + place]
    table[ENTRIES] = entries
    meta[STRIDE] = stride


@kernel
def add_index(table: Table, columns: Column) -> None:
    """An index that knows no entry yet."""
    table.append(columns)
    table.append(np.full(lent(table, HEADS).shape[0], NONE, np.int64))


@intrinsic
def _word(_: Any, column: Any, place: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        held, place = arguments
        return builder.load(builder.gep(context.make_array(column)(context, builder, held).data, [place]))

    return column.dtype(column, types.int64), generate


word = cast("Callable[[Column, int], int]", _word)
"""What stands at a place that is not negative: spares the question whether to count from the end."""


@intrinsic
def _lent(_: Any, held: Any, place: Any) -> Any:
    kind = held.item_type

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        given, place = arguments
        words = ir.IntType(64).as_pointer()
        head = builder.bitcast(_structure(held)(context, builder, value=given).data, words)
        items = builder.load(builder.gep(head, [ir.IntType(64)(ITEMS)]))
        item = builder.inttoptr(items, context.get_data_type(kind).as_pointer())
        made = context.make_array(kind) if isinstance(kind, types.Array) else _structure(kind)
        found = made(context, builder, value=builder.load(builder.gep(item, [place])))
        found.meminfo = _null(found.meminfo.type)
        return found._getvalue()

    return kind(held, types.int64), generate


ITEMS = 6
"""The word of a numba list that says where its items lie."""

lent = cast("Callable[[Table | lists.Pool, int], Any]", _lent)
"""What a list holds, an array or another list, and still does: to count who uses it costs more than to look into it.

Nobody looks at it after another one has been put into its place, or returns or keeps any of it.
"""


@inlined
def mixed(code: int, value: int) -> int:
    code = (code ^ value) * MIX
    return code ^ (code >> 29)


@inlined
def hash_row(rows: Rows, row: int, width: int) -> int:
    code = 0
    for column in range(width):
        code = mixed(code, rows[row, column])
    return code


@inner_kernel
def copy_words(source: Column, into: Column, count: int) -> None:
    """The first words. An assignment of slices would be compiled with a message for shapes that do not agree."""
    for place in range(count):
        into[place] = source[place]


@inner_kernel
def copy_rows(source: Rows, into: Rows, count: int, width: int) -> None:
    """The first columns of the first rows."""
    for row in range(count):
        for column in range(width):
            into[row, column] = source[row, column]


@inner_kernel
def grown(array: Column, size: int, filler: int) -> Column:
    result = np.full(size, filler, np.int64)
    copy_words(array, result, array.shape[0])
    return result


@inner_kernel
def reserve(table: Table, more: int) -> None:
    """Make room for `more` entries, and at least as many chains as there are entries."""
    size, stride = lent(table, META)[SIZE], lent(table, META)[STRIDE]
    needed = size + more
    capacity = lent(table, ENTRIES).shape[0] // stride
    if needed > capacity:
        capacity = max(needed, 2 * capacity)  # room that nobody has written to takes no memory
        entries = np.empty(capacity * stride, np.int64)
        copy_words(lent(table, ENTRIES), entries, size * stride)
        table[ENTRIES] = entries
    if lent(table, HEADS).shape[0] < needed:
        renew_chains(table, 2 * needed)


@inner_kernel
def renew_chains(table: Table, capacity: int) -> None:
    """Link all entries anew, with enough chains for a number of entries."""
    buckets = SMALLEST
    while buckets < capacity:
        buckets *= 2
    table[HEADS] = emptied(table[HEADS], buckets)
    for position in range(INDEXES, len(table), INDEX_ARRAYS):
        table[position + 1] = emptied(table[position + 1], buckets)
    link_keys(lent(table, ENTRIES), lent(table, HEADS), lent(table, META))
    link_indexes(table, 0)


@inner_kernel
def emptied(heads: Column, buckets: int) -> Column:
    """So many chains without entries."""
    if heads.shape[0] != buckets:
        return np.full(buckets, NONE, np.int64)
    heads[:] = NONE
    return heads


@inner_kernel
def link_keys(entries: Column, heads: Column, meta: Column) -> None:
    """Enter all keys into the main chains."""
    size, width, stride = meta[SIZE], meta[WIDTH], meta[STRIDE]
    for entry in range(size):
        at = entry * stride
        if entries[at + NEXT] != OVERFLOW:
            code = 0
            for column in range(width):
                code = mixed(code, entries[at + KEY + column])
            bucket = code & (heads.shape[0] - 1)
            entries[at + NEXT] = heads[bucket]
            heads[bucket] = entry


@kernel
def link_indexes(table: Table, since: int) -> None:
    """Enter the keys from this entry on into every index."""
    for position in range(INDEXES, len(table), INDEX_ARRAYS):
        index = (position - INDEXES) // INDEX_ARRAYS
        link_index(
            lent(table, ENTRIES), lent(table, position), lent(table, position + 1), lent(table, META), index, since
        )


@inner_kernel
def link_index(entries: Column, columns: Column, heads: Column, meta: Column, index: int, since: int) -> None:
    size, stride = meta[SIZE], meta[STRIDE]
    link = KEY + meta[WIDTH] + index
    for entry in range(since, size):
        at = entry * stride
        if entries[at + NEXT] != OVERFLOW:
            code = 0
            for place in range(columns.shape[0]):
                code = mixed(code, entries[at + KEY + columns[place]])
            bucket = code & (heads.shape[0] - 1)
            entries[at + link] = heads[bucket]
            heads[bucket] = entry


@inlined
def lookup(entries: Column, stride: int, entry: int, width: int, rows: Rows, row: int) -> int:
    """The entry in the main chain from `entry` on that has the key of this row, or NONE."""
    while entry != NONE:
        at = entry * stride
        same = True
        for column in range(width):
            if word(entries, at + KEY + column) != rows[row, column]:
                same = False
                break
        if same:
            return entry
        entry = word(entries, at + NEXT)
    return NONE


@inlined
def find(entries: Column, heads: Column, stride: int, width: int, rows: Rows, row: int) -> int:
    """The entry with the key of this row, or NONE."""
    bucket = hash_row(rows, row, width) & (heads.shape[0] - 1)
    return lookup(entries, stride, word(heads, bucket), width, rows, row)


@kernel
def content(table: Table) -> Rows:
    """All rows of the table."""
    size, width, stride = lent(table, META)[SIZE], lent(table, META)[WIDTH], lent(table, META)[STRIDE]
    entries = lent(table, ENTRIES)
    out = np.empty((size, width + 2), np.int64)
    count = 0
    for key in range(size):
        if entries[key * stride + NEXT] == OVERFLOW:
            continue
        entry = key
        while entry != NONE:
            at = entry * stride
            if entries[at + FIRST] <= entries[at + LAST]:
                for column in range(width):
                    out[count, column] = entries[key * stride + KEY + column]
                out[count, width] = entries[at + FIRST]
                out[count, width + 1] = entries[at + LAST]
                count += 1
            entry = entries[at + MORE]
    return out[:count]


@kernel
def clear(table: Table) -> None:
    """Forget everything, keep the room."""
    size, heads = lent(table, META)[SIZE], lent(table, HEADS)
    lent(table, META)[SIZE] = lent(table, META)[SURVIVORS] = 0
    if size * FEW_CHAINS < heads.shape[0]:
        _empty_chains(table, size)
        return
    heads[:] = NONE
    for position in range(INDEXES, len(table), INDEX_ARRAYS):
        lent(table, position + 1)[:] = NONE


FEW_CHAINS = 8
"""Where the entries have no more than this part of the chains, these are emptied one by one."""


@inner_kernel
def _empty_chains(table: Table, size: int) -> None:
    """Empty the chains in which the first entries can be."""
    entries, heads, stride = lent(table, ENTRIES), lent(table, HEADS), lent(table, META)[STRIDE]
    for entry in range(size):
        at, code = entry * stride + KEY, 0
        for column in range(lent(table, META)[WIDTH]):
            code = mixed(code, entries[at + column])
        heads[code & (heads.shape[0] - 1)] = NONE
        for position in range(INDEXES, len(table), INDEX_ARRAYS):
            columns, chains, code = lent(table, position), lent(table, position + 1), 0
            for place in range(columns.shape[0]):
                code = mixed(code, entries[at + columns[place]])
            chains[code & (chains.shape[0] - 1)] = NONE


@kernel
def compact(table: Table, horizon: int) -> Column:
    """Drop every interval that ends before the horizon, and the room it took; return the new places of the entries."""
    meta, entries = lent(table, META), table[ENTRIES]
    stride = meta[STRIDE]
    numbers = np.empty(meta[SIZE], np.int64)
    kept = number_survivors(entries, meta, horizon, numbers)
    # The room is kept while it is of use, since growing costs as much as compacting.
    capacity = max(SMALLEST, min(entries.shape[0] // stride, 4 * (kept + SLACK)))
    if kept == numbers.shape[0] and capacity == entries.shape[0] // stride:
        meta[SURVIVORS] = kept
        return numbers
    target = entries if capacity == entries.shape[0] // stride else np.empty(capacity * stride, np.int64)
    move_survivors(entries, stride, numbers, target)
    meta[SIZE] = meta[SURVIVORS] = kept
    table[ENTRIES] = target
    renew_chains(table, capacity)
    return numbers


@inner_kernel
def number_survivors(entries: Column, meta: Column, horizon: int, numbers: Column) -> int:
    """Give a new place to every entry that is valid from the horizon on; return how many there are.

    Intervals of a key ascend, so the expired ones come first: the key takes over the first that is left. An overflow
    entry lies behind its key, so it is looked at after this has been done.
    """
    stride = meta[STRIDE]
    kept = 0
    for entry in range(meta[SIZE]):
        at = entry * stride
        if entries[at + NEXT] != OVERFLOW:
            while entries[at + MORE] != NONE and not lasting(entries, at, horizon):
                more = entries[at + MORE] * stride
                for part in (FIRST, LAST, MORE):
                    entries[at + part] = entries[more + part]
                entries[more + FIRST], entries[more + LAST] = 1, 0
        numbers[entry] = NONE
        if lasting(entries, at, horizon):
            numbers[entry] = kept
            kept += 1
    return kept


@inlined
def lasting(entries: Column, at: int, horizon: int) -> bool:
    """Whether the interval at this place is not empty and not over."""
    return entries[at + FIRST] <= entries[at + LAST] and entries[at + LAST] >= horizon


@inner_kernel
def move_survivors(entries: Column, stride: int, numbers: Column, target: Column) -> None:
    """Move the entries to their new places, which do not lie behind the old ones; the target may be the same array."""
    for entry in range(numbers.shape[0]):
        if numbers[entry] != NONE:
            at, to = entry * stride, numbers[entry] * stride
            for part in range(stride):
                target[to + part] = entries[at + part]
            if target[to + MORE] != NONE:
                target[to + MORE] = numbers[target[to + MORE]]
