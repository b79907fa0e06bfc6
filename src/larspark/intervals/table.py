"""Tables of facts with validity: int64 columns, hash indexes, and a chain of intervals per key. All compiled.

A table is a numba list of int64 arrays (the constants below name them). An *entry* is a key with its first interval;
further intervals of the same key hang on it in ascending order as *overflow* entries, which no index knows.
An entry whose interval is empty (`first > last`) stays until the table is compacted.
Rows passed in and out are two-dimensional: the key columns, then `first` and `last`.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from larspark.intervals.compiled import kernel
from larspark.intervals.lists import list_of_columns

Column: TypeAlias = npt.NDArray[np.int64]
Rows: TypeAlias = npt.NDArray[np.int64]
Table: TypeAlias = Any  # a numba list of columns, which has no Python type

META, KEYS, FIRST, LAST, MORE, NEXT, HEADS, INDEXES = 0, 1, 2, 3, 4, 5, 6, 7
INDEX_ARRAYS = 3  # per index: its key columns, the heads of the chains, the links of the chains

SIZE, WIDTH, SURVIVORS = 0, 1, 2  # in META; SURVIVORS: the size after the last compaction

NONE = -1
OVERFLOW = -2
MIX = -7046029254386353131  # the golden ratio in 64 bits, a common multiplier for hashing
SMALLEST = 16


def new_table(width: int, indexes: list[tuple[int, ...]]) -> Table:
    """An empty table with the given number of key columns and one index per tuple of columns."""
    arrays = [
        np.array([0, width, 0], np.int64),
        np.empty(SMALLEST * width, np.int64),
        *(np.empty(SMALLEST, np.int64) for _ in range(4)),
        np.full(SMALLEST, NONE, np.int64),
    ]
    for columns in indexes:
        arrays += [np.array(columns, np.int64), np.full(SMALLEST, NONE, np.int64), np.empty(SMALLEST, np.int64)]
    return list_of_columns(arrays)


def reindex(table: Table, indexes: list[tuple[int, ...]]) -> None:
    """Replace the indexes of a table."""
    drop_indexes(table)
    for columns in indexes:
        add_index(table, np.array(columns, np.int64))
    link_indexes(table, 0)


@kernel
def drop_indexes(table: Table) -> None:
    while len(table) > INDEXES:
        table.pop()


@kernel
def add_index(table: Table, columns: Column) -> None:
    """An index that knows no entry yet."""
    table.append(columns)
    table.append(np.full(table[HEADS].shape[0], NONE, np.int64))
    table.append(np.empty(table[FIRST].shape[0], np.int64))


@kernel
def mixed(code: int, value: int) -> int:
    code = (code ^ value) * MIX
    return code ^ (code >> 29)


@kernel
def hash_row(rows: Rows, row: int, width: int) -> int:
    code = 0
    for column in range(width):
        code = mixed(code, rows[row, column])
    return code


@kernel
def grown(array: Column, size: int, filler: int) -> Column:
    result = np.full(size, filler, np.int64)
    result[: array.shape[0]] = array
    return result


@kernel
def reserve(table: Table, more: int) -> None:
    """Make room for `more` entries, and rebuild the chains when the room grew."""
    needed = table[META][SIZE] + more
    capacity = table[FIRST].shape[0]
    if needed <= capacity:
        return
    capacity = max(needed, capacity + capacity // 2)
    width = table[META][WIDTH]
    table[KEYS] = grown(table[KEYS], capacity * width, 0)
    for part in (FIRST, LAST, MORE, NEXT):
        table[part] = grown(table[part], capacity, NONE)
    buckets = table[HEADS].shape[0]
    while buckets < capacity:
        buckets *= 2
    table[HEADS] = np.full(buckets, NONE, np.int64)
    for position in range(INDEXES, len(table), INDEX_ARRAYS):
        table[position + 1] = np.full(buckets, NONE, np.int64)
        table[position + 2] = grown(table[position + 2], capacity, NONE)
    link_keys(table, 0)
    link_indexes(table, 0)


@kernel
def link_keys(table: Table, since: int) -> None:
    """Enter the keys from this entry on into the main chains."""
    keys, heads, links = table[KEYS], table[HEADS], table[NEXT]
    size, width = table[META][SIZE], table[META][WIDTH]
    for entry in range(since, size):
        if links[entry] != OVERFLOW:
            code = 0
            for column in range(width):
                code = mixed(code, keys[entry * width + column])
            bucket = code & (heads.shape[0] - 1)
            links[entry] = heads[bucket]
            heads[bucket] = entry


@kernel
def link_indexes(table: Table, since: int) -> None:
    """Enter the keys from this entry on into every index."""
    keys, marks = table[KEYS], table[NEXT]
    size, width = table[META][SIZE], table[META][WIDTH]
    for position in range(INDEXES, len(table), INDEX_ARRAYS):
        columns, heads, links = table[position], table[position + 1], table[position + 2]
        for entry in range(since, size):
            if marks[entry] != OVERFLOW:
                code = 0
                for column in columns:
                    code = mixed(code, keys[entry * width + column])
                bucket = code & (heads.shape[0] - 1)
                links[entry] = heads[bucket]
                heads[bucket] = entry


@kernel
def lookup(keys: Column, links: Column, entry: int, width: int, rows: Rows, row: int) -> int:
    """The entry in the chain from `entry` on that has the key of this row, or NONE."""
    while entry != NONE:
        start = entry * width
        same = True
        for column in range(width):
            if keys[start + column] != rows[row, column]:
                same = False
                break
        if same:
            return entry
        entry = links[entry]
    return NONE


@kernel
def find(table: Table, rows: Rows, row: int) -> int:
    """The entry with the key of this row, or NONE."""
    heads = table[HEADS]
    width = table[META][WIDTH]
    bucket = hash_row(rows, row, width) & (heads.shape[0] - 1)
    return lookup(table[KEYS], table[NEXT], heads[bucket], width, rows, row)


@kernel
def written(out: Rows, count: int, rows: Rows, row: int, first: int, last: int) -> Rows:
    """`out` (grown when full) with the key of a row and an interval at position `count`."""
    if count >= out.shape[0]:
        larger = np.empty((out.shape[0] * 2, out.shape[1]), np.int64)
        larger[:count] = out
        out = larger
    width = out.shape[1] - 2
    for column in range(width):
        out[count, column] = rows[row, column]
    out[count, width] = first
    out[count, width + 1] = last
    return out


@kernel
def absorb(table: Table, rows: Rows, horizon: int) -> Rows:
    """Unite the intervals of the rows with the table; return the parts that were not yet in it.

    Intervals that end before the horizon are forgotten when they are met.
    """
    reserve(table, rows.shape[0])
    meta, firsts, lasts, more, links = table[META], table[FIRST], table[LAST], table[MORE], table[NEXT]
    keys, heads = table[KEYS], table[HEADS]
    width, old = meta[WIDTH], meta[SIZE]
    mask = heads.shape[0] - 1
    out = np.empty((rows.shape[0] + 1, width + 2), np.int64)
    count = 0
    for row in range(rows.shape[0]):
        first, last = rows[row, width], rows[row, width + 1]
        if first > last:
            continue
        bucket = hash_row(rows, row, width) & mask
        key = lookup(keys, links, heads[bucket], width, rows, row)
        if key == NONE:
            key = meta[SIZE]
            meta[SIZE] += 1
            for column in range(width):
                keys[key * width + column] = rows[row, column]
            firsts[key], lasts[key], more[key] = first, last, NONE
            links[key] = heads[bucket]
            heads[bucket] = key
            out = written(out, count, rows, row, first, last)
            count += 1
            continue
        uncovered = first
        before, holder, entry = NONE, NONE, key
        while entry != NONE:
            a, b = firsts[entry], lasts[entry]
            following = more[entry]
            if a > b or b < horizon:  # empty or expired
                if entry == key:
                    firsts[entry], lasts[entry] = 1, 0
                else:
                    more[before] = following
                    entry = following
                    continue
            elif a > last + 1:
                break
            elif b >= first - 1:
                if a > uncovered:
                    out = written(out, count, rows, row, uncovered, a - 1)
                    count += 1
                uncovered = max(uncovered, b + 1)
                if holder == NONE:
                    holder = entry
                    firsts[entry] = min(a, first)
                    lasts[entry] = max(b, last)
                else:
                    lasts[holder] = max(lasts[holder], b)
                    more[before] = following
                    entry = following
                    continue
            before = entry
            entry = following
        if uncovered <= last:
            out = written(out, count, rows, row, uncovered, last)
            count += 1
        if holder == NONE:
            if before == NONE or (before == key and firsts[key] > lasts[key]):
                if before == NONE:  # everything in the chain is later: the key takes the new interval first
                    push_down(table, key)
                firsts[key], lasts[key] = first, last
            else:
                fresh = meta[SIZE]
                meta[SIZE] += 1
                firsts[fresh], lasts[fresh], links[fresh] = first, last, OVERFLOW
                more[fresh] = more[before]
                more[before] = fresh
    link_indexes(table, old)
    return out[:count]


@kernel
def push_down(table: Table, key: int) -> None:
    """Move the interval of a key entry into an overflow entry behind it."""
    meta, firsts, lasts, more = table[META], table[FIRST], table[LAST], table[MORE]
    fresh = meta[SIZE]
    meta[SIZE] += 1
    firsts[fresh], lasts[fresh], more[fresh] = firsts[key], lasts[key], more[key]
    table[NEXT][fresh] = OVERFLOW
    more[key] = fresh


@kernel
def remove(table: Table, rows: Rows) -> Rows:
    """Subtract the intervals of the rows from the table; return the parts that were in it."""
    reserve(table, rows.shape[0])
    meta, firsts, lasts, more, links = table[META], table[FIRST], table[LAST], table[MORE], table[NEXT]
    width = meta[WIDTH]
    out = np.empty((rows.shape[0] + 1, width + 2), np.int64)
    count = 0
    for row in range(rows.shape[0]):
        first, last = rows[row, width], rows[row, width + 1]
        key = find(table, rows, row)
        before, entry = NONE, key
        while entry != NONE and first <= last:
            a, b = firsts[entry], lasts[entry]
            following = more[entry]
            if a <= b and a <= last and b >= first:
                out = written(out, count, rows, row, max(a, first), min(b, last))
                count += 1
                if a < first and b > last:
                    fresh = meta[SIZE]
                    meta[SIZE] += 1
                    firsts[fresh], lasts[fresh], links[fresh] = last + 1, b, OVERFLOW
                    more[fresh] = following
                    more[entry] = fresh
                    lasts[entry] = first - 1
                elif a < first:
                    lasts[entry] = first - 1
                elif b > last:
                    firsts[entry] = last + 1
                else:
                    firsts[entry], lasts[entry] = 1, 0
                    if entry != key:
                        more[before] = following
                        entry = following
                        continue
            before = entry
            entry = following
    return out[:count]


@kernel
def covered(table: Table, rows: Rows) -> Rows:
    """The parts of the rows that are in the table."""
    firsts, lasts, more = table[FIRST], table[LAST], table[MORE]
    width = table[META][WIDTH]
    out = np.empty((rows.shape[0] + 1, width + 2), np.int64)
    count = 0
    for row in range(rows.shape[0]):
        entry = find(table, rows, row)
        while entry != NONE:
            first, last = max(firsts[entry], rows[row, width]), min(lasts[entry], rows[row, width + 1])
            if first <= last and firsts[entry] <= lasts[entry]:
                out = written(out, count, rows, row, first, last)
                count += 1
            entry = more[entry]
    return out[:count]


@kernel
def uncovered(table: Table, rows: Rows) -> Rows:
    """The parts of the rows that are not in the table."""
    firsts, lasts, more = table[FIRST], table[LAST], table[MORE]
    width = table[META][WIDTH]
    out = np.empty((rows.shape[0] + 1, width + 2), np.int64)
    count = 0
    for row in range(rows.shape[0]):
        start, end = rows[row, width], rows[row, width + 1]
        entry = find(table, rows, row)
        while entry != NONE and start <= end:
            a, b = firsts[entry], lasts[entry]
            if a <= b and b >= start:
                if a > start:
                    out = written(out, count, rows, row, start, min(a - 1, end))
                    count += 1
                start = max(start, b + 1)
            entry = more[entry]
        if start <= end:
            out = written(out, count, rows, row, start, end)
            count += 1
    return out[:count]


@kernel
def content(table: Table) -> Rows:
    """All rows of the table."""
    size, width = table[META][SIZE], table[META][WIDTH]
    keys, firsts, lasts, more, links = table[KEYS], table[FIRST], table[LAST], table[MORE], table[NEXT]
    out = np.empty((size, width + 2), np.int64)
    count = 0
    for key in range(size):
        if links[key] == OVERFLOW:
            continue
        entry = key
        while entry != NONE:
            if firsts[entry] <= lasts[entry]:
                for column in range(width):
                    out[count, column] = keys[key * width + column]
                out[count, width] = firsts[entry]
                out[count, width + 1] = lasts[entry]
                count += 1
            entry = more[entry]
    return out[:count]


@kernel
def clear(table: Table) -> None:
    """Forget everything, keep the room."""
    table[META][SIZE] = 0
    table[META][SURVIVORS] = 0
    table[HEADS][:] = NONE
    for position in range(INDEXES, len(table), INDEX_ARRAYS):
        table[position + 1][:] = NONE


@kernel
def compact(table: Table, horizon: int) -> Column:
    """Drop every interval that ends before the horizon, and the room it took; return the new places of the entries."""
    size, width = table[META][SIZE], table[META][WIDTH]
    keys, firsts, lasts, more, links = table[KEYS], table[FIRST], table[LAST], table[MORE], table[NEXT]
    kept = 0
    for entry in range(size):
        kept += firsts[entry] <= lasts[entry] and lasts[entry] >= horizon
    capacity = max(SMALLEST, kept + kept // 2)
    buckets = SMALLEST
    while buckets < capacity:
        buckets *= 2
    new_keys = np.empty(capacity * width, np.int64)
    new_firsts, new_lasts = np.empty(capacity, np.int64), np.empty(capacity, np.int64)
    new_more, new_links = np.full(capacity, NONE, np.int64), np.full(capacity, NONE, np.int64)
    numbers = np.full(size, NONE, np.int64)
    fresh = 0
    for key in range(size):
        if links[key] == OVERFLOW:
            continue
        before = NONE
        entry = key
        while entry != NONE:
            if firsts[entry] <= lasts[entry] and lasts[entry] >= horizon:
                new_firsts[fresh], new_lasts[fresh] = firsts[entry], lasts[entry]
                if before == NONE:
                    numbers[key] = fresh
                    new_keys[fresh * width : (fresh + 1) * width] = keys[key * width : (key + 1) * width]
                else:
                    new_links[fresh] = OVERFLOW
                    new_more[before] = fresh
                before = fresh
                fresh += 1
            entry = more[entry]
    table[KEYS], table[FIRST], table[LAST], table[MORE], table[NEXT] = (
        new_keys,
        new_firsts,
        new_lasts,
        new_more,
        new_links,
    )
    table[HEADS] = np.full(buckets, NONE, np.int64)
    for position in range(INDEXES, len(table), INDEX_ARRAYS):
        table[position + 1] = np.full(buckets, NONE, np.int64)
        table[position + 2] = np.empty(capacity, np.int64)
    table[META][SIZE] = table[META][SURVIVORS] = fresh
    link_keys(table, 0)
    link_indexes(table, 0)
    return numbers
