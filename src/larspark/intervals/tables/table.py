"""Set algebra on tables: unite, subtract, and ask for what is in a table and what is not. All compiled.

The loops that run most often write into arrays of fixed size and hand back control when these are full: an array that
is replaced inside a loop costs more than the loop.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inlined, inner_kernel, kernel
from larspark.intervals.sets import FOREVER
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
    STRIDE,
    WIDTH,
    Column,
    Rows,
    Table,
    copy_rows,
    find,
    hash_row,
    lent,
    link_indexes,
    lookup,
    passing_table,
    reserve,
    word,
)

BLOCK = 1024
"""How many rows are looked ahead."""
FEW = 16
"""For so many rows it is not worth it."""
SPARE = 16
"""How many more parts than rows are expected at first."""
LARGE = 1 << 13
"""A table with more chains does not fit the nearest cache."""


@inner_kernel
def room(rows: Rows, count: int, more: int = 1) -> Rows:
    """The rows, in a larger array when there is no place for `more`."""
    if count + more <= rows.shape[0]:
        return rows
    larger = np.empty((max(count + more, rows.shape[0] * 2), rows.shape[1]), np.int64)
    copy_rows(rows, larger, count, rows.shape[1])
    return larger


@inlined
def write(out: Rows, count: int, rows: Rows, row: int, first: int, last: int) -> int:
    """Put the key of a row and an interval at position `count`; return the next position."""
    width = out.shape[1] - 2
    for column in range(width):
        out[count, column] = rows[row, column]
    out[count, width] = first
    out[count, width + 1] = last
    return count + 1


@kernel
def absorb(table: Table, rows: Rows, horizon: int) -> Rows:
    """Unite the intervals of the rows with the table; return the parts that were not yet in it.

    Intervals that end before the horizon are forgotten when they are met.
    """
    return _unite(table, rows, horizon, np.empty((rows.shape[0] + SPARE, rows.shape[1]), np.int64))


@kernel
def absorb_own(table: Table, rows: Rows, horizon: int) -> Rows:
    """`absorb` for rows that nobody needs any more: the parts take their place, as far as there is room."""
    return _unite(table, rows, horizon, rows)


@inner_kernel
def _unite(table: Table, rows: Rows, horizon: int, out: Rows) -> Rows:
    reserve(table, rows.shape[0])
    old = lent(table, META)[SIZE]
    buckets = _buckets(table, rows)
    row, count, needed, end = 0, 0, 0, 0
    while row < rows.shape[0]:
        if needed > 0:
            larger = np.empty((out.shape[0] + needed + rows.shape[0] // 2, rows.shape[1]), np.int64)
            copy_rows(out, larger, count, rows.shape[1])
            out = larger
        if row == end:
            begin, end = end, min(end + BLOCK, rows.shape[0])
            if rows.shape[0] > FEW:
                _touch(table, rows, begin, end, buckets)
        row, count, needed = _absorb(table, rows, buckets, begin, row, end, horizon, out, count)
    link_indexes(table, old)
    return out[:count]


@inlined
def _buckets(table: Table, rows: Rows) -> Column:
    """Room for the chains of a block. Those of a few rows are found one by one; the other array only has to be one."""
    return np.empty(min(BLOCK, rows.shape[0]) + 1, np.int64) if rows.shape[0] > FEW else lent(table, META)


@inner_kernel
def _touch(table: Table, rows: Rows, begin: int, end: int, buckets: Column) -> None:
    """Find the chains of some rows, and look at them when the table is large: misses of the cache then overlap."""
    entries, heads = lent(table, ENTRIES), lent(table, HEADS)
    width, stride = lent(table, META)[WIDTH], lent(table, META)[STRIDE]
    mask = heads.shape[0] - 1
    for row in range(begin, end):
        buckets[row - begin] = hash_row(rows, row, width) & mask
    if mask < LARGE:
        return
    seen = 0
    for place in range(end - begin):
        seen += word(heads, buckets[place])
    for place in range(end - begin):
        entry = word(heads, buckets[place])
        seen += word(entries, max(entry, 0) * stride + KEY)
    buckets[buckets.shape[0] - 1] = seen


@inner_kernel
def _absorb(
    table: Table, rows: Rows, buckets: Column, begin: int, row: int, end: int, horizon: int, out: Rows, count: int
) -> tuple[int, int, int]:
    """Unite from a row on, as far as there is room; the next row, the parts so far, and the room it needs.

    The parts may overwrite rows that have been united, so there is room for one part per row and what `out` has more.
    """
    entries, heads, meta = lent(table, ENTRIES), lent(table, HEADS), lent(table, META)
    width, stride, size = meta[WIDTH], meta[STRIDE], meta[SIZE]
    spare, ahead = out.shape[0] - rows.shape[0], rows.shape[0] > FEW
    while row < end:
        first, last = rows[row, width], rows[row, width + 1]
        if first > last:
            row += 1
            continue
        bucket = buckets[row - begin] if ahead else hash_row(rows, row, width) & (heads.shape[0] - 1)
        key = lookup(entries, stride, word(heads, bucket), width, rows, row)
        at = (size if key == NONE else key) * stride
        if key == NONE:
            entries[at + FIRST], entries[at + LAST], entries[at + MORE] = first, last, NONE
            entries[at + NEXT] = heads[bucket]
            for column in range(width):
                entries[at + KEY + column] = rows[row, column]
            heads[bucket] = size
            size += 1
            count = write(out, count, rows, row, first, last)
        elif entries[at + MORE] != NONE:
            needed = _length(entries, stride, key) + 1
            meta[SIZE] = size
            if count + needed > row + 1 + spare:
                return row, count, needed
            count = _write_gaps(entries, stride, key, rows, row, horizon, out, count)
            unite_interval(entries, meta, key, first, last, horizon)
            size = meta[SIZE]
        else:
            a, b = entries[at + FIRST], entries[at + LAST]
            if a > b or b < horizon:  # empty or expired
                entries[at + FIRST], entries[at + LAST] = first, last
                count = write(out, count, rows, row, first, last)
            elif a <= last + 1 and b >= first - 1:
                if first < a and b < last and count + 2 > row + 1 + spare:
                    meta[SIZE] = size
                    return row, count, 2
                if first < a:
                    count = write(out, count, rows, row, first, a - 1)
                    entries[at + FIRST] = first
                if b < last:
                    count = write(out, count, rows, row, b + 1, last)
                    entries[at + LAST] = last
            else:
                count = write(out, count, rows, row, first, last)
                fresh = size * stride
                entries[at + MORE] = size
                entries[fresh + MORE], entries[fresh + NEXT] = NONE, OVERFLOW
                size += 1
                if first > b:
                    entries[fresh + FIRST], entries[fresh + LAST] = first, last
                else:
                    entries[fresh + FIRST], entries[fresh + LAST] = a, b
                    entries[at + FIRST], entries[at + LAST] = first, last
        row += 1
    meta[SIZE] = size
    return row, count, 0


@inner_kernel
def _length(entries: Column, stride: int, entry: int) -> int:
    """The number of intervals of a key."""
    count = 0
    while entry != NONE:
        count += 1
        entry = entries[entry * stride + MORE]
    return count


@inner_kernel
def _write_gaps(
    entries: Column, stride: int, entry: int, rows: Rows, row: int, horizon: int, out: Rows, count: int
) -> int:
    """Write the parts of a row that the intervals from an entry on do not cover; return the next position."""
    width = out.shape[1] - 2
    start, end = rows[row, width], rows[row, width + 1]
    while entry != NONE and start <= end:
        a, b = entries[entry * stride + FIRST], entries[entry * stride + LAST]
        if a <= b and b >= horizon and b >= start:
            if a > start:
                count = write(out, count, rows, row, start, min(a - 1, end))
            start = b + 1
        entry = entries[entry * stride + MORE]
    return write(out, count, rows, row, start, end) if start <= end else count


@inner_kernel
def unite_interval(entries: Column, meta: Column, key: int, first: int, last: int, horizon: int) -> None:
    """Unite one interval with those of a key; there is room for one more entry."""
    stride = meta[STRIDE]
    before, holder, entry = NONE, NONE, key
    while entry != NONE:
        at = entry * stride
        a, b, following = entries[at + FIRST], entries[at + LAST], entries[at + MORE]
        if a > b or b < horizon:  # empty or expired
            if entry == key:
                entries[at + FIRST], entries[at + LAST] = 1, 0
            else:
                _unlink(entries, stride, before, at)
                entry = following
                continue
        elif a > last + 1:
            break
        elif b >= first - 1:
            if holder == NONE:
                holder = entry
                entries[at + FIRST], entries[at + LAST] = min(a, first), max(b, last)
            else:
                entries[holder * stride + LAST] = max(entries[holder * stride + LAST], b)
                _unlink(entries, stride, before, at)
                entry = following
                continue
        before = entry
        entry = following
    if holder == NONE:
        _insert(entries, meta, key, before, first, last)


@inlined
def _unlink(entries: Column, stride: int, before: int, at: int) -> None:
    """Take the overflow entry at a place out of its key; what nothing leads to is empty."""
    entries[before * stride + MORE] = entries[at + MORE]
    entries[at + FIRST], entries[at + LAST] = 1, 0


@inner_kernel
def _insert(entries: Column, meta: Column, key: int, before: int, first: int, last: int) -> None:
    """Give a key an interval of its own, behind the one at `before`; NONE: it comes first."""
    stride = meta[STRIDE]
    at = key * stride
    if before == key and entries[at + FIRST] > entries[at + LAST]:
        entries[at + FIRST], entries[at + LAST] = first, last
        return
    fresh = meta[SIZE]
    meta[SIZE] += 1
    to = fresh * stride
    entries[to + NEXT] = OVERFLOW
    if before == NONE:  # the key takes the new interval, and what it had moves behind it
        entries[to + FIRST], entries[to + LAST] = entries[at + FIRST], entries[at + LAST]
        entries[at + FIRST], entries[at + LAST] = first, last
    else:
        at = before * stride
        entries[to + FIRST], entries[to + LAST] = first, last
    entries[to + MORE] = entries[at + MORE]
    entries[at + MORE] = fresh


@kernel
def remove(table: Table, rows: Rows) -> Rows:
    """Subtract the intervals of the rows from the table; return the parts that were in it."""
    return _subtract(table, rows, -FOREVER, np.empty((rows.shape[0] + SPARE, rows.shape[1]), np.int64))


@kernel
def remove_own(table: Table, rows: Rows, horizon: int) -> Rows:
    """`remove` for rows that nobody needs any more: the parts take their place, as far as there is room.

    Intervals that end before the horizon are forgotten when they are met.
    """
    return _subtract(table, rows, horizon, rows)


@inner_kernel
def _subtract(table: Table, rows: Rows, horizon: int, out: Rows) -> Rows:
    reserve(table, rows.shape[0])
    buckets = _buckets(table, rows)
    row, count, needed, end = 0, 0, 0, 0
    while row < rows.shape[0]:
        if needed > 0:
            larger = np.empty((out.shape[0] + needed + rows.shape[0] // 2, rows.shape[1]), np.int64)
            copy_rows(out, larger, count, rows.shape[1])
            out = larger
        if row == end:
            begin, end = end, min(end + BLOCK, rows.shape[0])
            if rows.shape[0] > FEW:
                _touch(table, rows, begin, end, buckets)
        row, count, needed = _remove(table, rows, buckets, begin, row, end, horizon, out, count)
    return out[:count]


@inner_kernel
def _remove(
    table: Table, rows: Rows, buckets: Column, begin: int, row: int, end: int, horizon: int, out: Rows, count: int
) -> tuple[int, int, int]:
    """Subtract from a row on, as far as there is room; the next row, the parts so far, and the room it needs.

    The parts may overwrite rows that have been subtracted, as in `_absorb`.
    """
    entries, heads, meta = lent(table, ENTRIES), lent(table, HEADS), lent(table, META)
    width, stride = meta[WIDTH], meta[STRIDE]
    spare, ahead = out.shape[0] - rows.shape[0], rows.shape[0] > FEW
    while row < end:
        first, last = rows[row, width], rows[row, width + 1]
        bucket = buckets[row - begin] if ahead else hash_row(rows, row, width) & (heads.shape[0] - 1)
        key = lookup(entries, stride, word(heads, bucket), width, rows, row)
        if key != NONE and (count == row + 1 + spare or entries[key * stride + MORE] != NONE):
            needed = _length(entries, stride, key)
            if count + needed > row + 1 + spare:
                return row, count, needed
        before, entry = NONE, key
        while entry != NONE and first <= last:
            at = entry * stride
            a, b, following = entries[at + FIRST], entries[at + LAST], entries[at + MORE]
            if b < horizon:
                entries[at + FIRST], entries[at + LAST] = 1, 0
                if entry != key:
                    entries[before * stride + MORE] = following
                    entry = following
                    continue
            elif a <= b and a <= last and b >= first:
                count = write(out, count, rows, row, max(a, first), min(b, last))
                if (
                    a < first
                    and b > last
                    and before != NONE
                    and entries[before * stride + FIRST] > entries[before * stride + LAST]
                ):
                    # The key has no interval of its own: it takes the first part.
                    entries[before * stride + FIRST], entries[before * stride + LAST] = a, first - 1
                    entries[at + FIRST] = last + 1
                elif a < first and b > last:
                    fresh = meta[SIZE]
                    meta[SIZE] += 1
                    to = fresh * stride
                    entries[to + FIRST], entries[to + LAST], entries[to + NEXT] = last + 1, b, OVERFLOW
                    entries[to + MORE] = following
                    entries[at + MORE] = fresh
                    entries[at + LAST] = first - 1
                elif a < first:
                    entries[at + LAST] = first - 1
                elif b > last:
                    entries[at + FIRST] = last + 1
                else:
                    entries[at + FIRST], entries[at + LAST] = 1, 0
                    if entry != key:
                        entries[before * stride + MORE] = following
                        entry = following
                        continue
            before = entry
            entry = following
        row += 1
    return row, count, 0


@kernel
def covered(table: Table, rows: Rows) -> Rows:
    """The parts of the rows that are in the table."""
    out = np.empty((rows.shape[0] + SPARE, rows.shape[1]), np.int64)
    row, count = 0, 0
    while True:
        row, count = _covered(lent(table, ENTRIES), lent(table, HEADS), lent(table, META), rows, row, out, count)
        if row == rows.shape[0]:
            return out[:count]
        out = room(out, out.shape[0])


@inner_kernel
def _covered(
    entries: Column, heads: Column, meta: Column, rows: Rows, row: int, out: Rows, count: int
) -> tuple[int, int]:
    """From a row on, as far as there is room: the next row, and the parts of those before it."""
    width, stride = meta[WIDTH], meta[STRIDE]
    while row < rows.shape[0]:
        before = count
        entry = find(entries, heads, stride, width, rows, row)
        while entry != NONE:
            a, b = entries[entry * stride + FIRST], entries[entry * stride + LAST]
            first, last = max(a, rows[row, width]), min(b, rows[row, width + 1])
            if first <= last and a <= b:
                if count == out.shape[0]:
                    return row, before
                count = write(out, count, rows, row, first, last)
            entry = entries[entry * stride + MORE]
        row += 1
    return row, count


@kernel
def uncovered(table: Table, rows: Rows) -> Rows:
    """The parts of the rows that are not in the table."""
    return uncovered_into(table, rows, np.empty((rows.shape[0] + SPARE, rows.shape[1]), np.int64))


@inner_kernel
def uncovered_into(table: Table, rows: Rows, out: Rows) -> Rows:
    """The same, written into other rows as far as there is room."""
    row, count = 0, 0
    while True:
        row, count = _uncovered(lent(table, ENTRIES), lent(table, HEADS), lent(table, META), rows, row, out, count)
        if row == rows.shape[0]:
            return out[:count]
        out = room(out, out.shape[0])


@inner_kernel
def _uncovered(
    entries: Column, heads: Column, meta: Column, rows: Rows, row: int, out: Rows, count: int
) -> tuple[int, int]:
    """The same for the parts that are not in the table."""
    width, stride = meta[WIDTH], meta[STRIDE]
    while row < rows.shape[0]:
        before = count
        start, end = rows[row, width], rows[row, width + 1]
        entry = find(entries, heads, stride, width, rows, row)
        while entry != NONE and start <= end:
            a, b = entries[entry * stride + FIRST], entries[entry * stride + LAST]
            if a <= b and b >= start:
                if a > start:
                    if count == out.shape[0]:
                        return row, before
                    count = write(out, count, rows, row, start, min(a - 1, end))
                start = max(start, b + 1)
            entry = entries[entry * stride + MORE]
        if start <= end:
            if count == out.shape[0]:
                return row, before
            count = write(out, count, rows, row, start, end)
        row += 1
    return row, count


@kernel
def outside(rows: Rows, others: Rows) -> Rows:
    """The parts of some rows that others do not cover."""
    covering = passing_table(rows.shape[1] - 2)
    absorb(covering, others, -FOREVER)
    return uncovered(covering, rows)
