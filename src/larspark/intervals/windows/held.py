"""Values that hold until the next one of their key, over columns. Compiled.

The state is a numba list of int64 arrays, named by the constants below. Keys are the entries of a table; a value that
holds is a record in one array, with the next record of the same key. Records that are over are used again.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inlined, inner_kernel
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.lists import list_of_columns
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
    SIZE,
    STRIDE,
    SURVIVORS,
    Column,
    Rows,
    Table,
    compact,
    copy_words,
    grown,
    lent,
    mixed,
    reserve,
    word,
)
from larspark.intervals.tables.table import outside

STATE, PLACES, RECORDS, OF_KEYS = 0, 1, 2, 3  # PLACES: the arguments that make the key
USED, FREE, CALLS, LENGTH = 0, 1, 2, 3  # in STATE: records ever used, the first free one, how often arrivals came
AFTER, CALL, PLACE, ROW = 0, 1, 2, 3  # in a record: the next one, when it came, and its place among the rows gained
SINCE, VALUES, LOST_IN, LOST_FROM, LOST_TO, OF_KEY = 0, 1, 2, 3, 4, 5
"""Of a key: its last time point and its first record; the last call in which it lost rows, and which they are."""


def new_values(places: tuple[int, ...], length: int) -> Table:
    """Nothing holds; keys are kept in a table beside."""
    state = np.array([0, NONE, 0, length], np.int64)
    return list_of_columns([state, np.array(places, np.int64), np.empty(0, np.int64), np.empty(0, np.int64)])


@inner_kernel
def hold(values: Table, keys: Table, codes: Rows, times: Column, horizon: int, spare: int) -> tuple[Rows, Rows]:
    """Let arrivals come; return the rows (arguments, interval) gained and lost. A value that is lost is not gained.

    Keys that are over by the horizon are forgotten when there are `spare` more than twice those that were left.
    """
    count, width = codes.shape
    if lent(keys, META)[SIZE] > 2 * lent(keys, META)[SURVIVORS] + spare:
        _forget(values, keys, horizon, width)
    reserve(keys, count)
    room = (lent(keys, META)[SIZE] + count) * OF_KEY
    if values[OF_KEYS].shape[0] < room:
        values[OF_KEYS] = grown(values[OF_KEYS], 2 * room, NONE)
    before = values[STATE][USED]
    needed = (before + count) * (ROW + width)
    if values[RECORDS].shape[0] < needed:
        values[RECORDS] = grown(values[RECORDS], needed + needed // 2, 0)
    gained = np.empty((count, width + 2), np.int64)
    lost = np.empty((before, width + 2), np.int64)
    again = np.empty(count, np.int64)
    came, gone, back = _hold(
        values[STATE],
        values[PLACES],
        values[RECORDS],
        values[OF_KEYS],
        lent(keys, ENTRIES),
        lent(keys, HEADS),
        lent(keys, META),
        codes,
        times,
        _in_order(times),
        gained,
        lost,
        again,
    )
    if back:  # a value that comes again goes on holding
        return gained[:came], outside(lost[:gone], gained[again[:back]])
    return gained[:came], lost[:gone]


@inner_kernel
def _in_order(times: Column) -> Column:
    """The rows in the order of time; nothing if they are."""
    for row in range(1, times.shape[0]):
        if times[row] < times[row - 1]:
            return np.argsort(times, kind="mergesort")
    return times[:0]


@inlined
def _key_code(places: Column, codes: Rows, row: int) -> int:
    code = 0
    for place in range(places.shape[0]):
        code = mixed(code, codes[row, places[place]])
    return code


@inlined
def _find(entries: Column, stride: int, entry: int, places: Column, codes: Rows, row: int) -> int:
    """The entry in a chain that has the key of an arrival, or NONE."""
    while entry != NONE:
        same = True
        for place in range(places.shape[0]):
            same = same and word(entries, entry * stride + KEY + place) == codes[row, places[place]]
        if same:
            break
        entry = word(entries, entry * stride + NEXT)
    return entry


@inner_kernel
def _hold(
    state: Column,
    places: Column,
    records: Column,
    of_keys: Column,
    entries: Column,
    heads: Column,
    meta: Column,
    codes: Rows,
    times: Column,
    order: Column,
    gained: Rows,
    lost: Rows,
    again: Column,
) -> tuple[int, int, int]:
    """How many rows were gained and lost, and how many of those gained are values that were lost.

    What a key had before it loses with its first arrival at a new time: these rows lie together.
    """
    # All of it in local variables: nobody tells the compiler that the arrays are not the same.
    width, length = codes.shape[1], state[LENGTH]
    stride, apart, mask = ROW + width, meta[STRIDE], heads.shape[0] - 1
    used, free, call, size = state[USED], state[FREE], state[CALLS] + 1, meta[SIZE]
    came, gone, back = 0, 0, 0
    for turn in range(codes.shape[0]):
        row = order[turn] if order.shape[0] else turn
        time = times[row]
        last = min(time + length, FOREVER)
        bucket = _key_code(places, codes, row) & mask
        entry = _find(entries, apart, word(heads, bucket), places, codes, row)
        if entry == NONE:
            entry, size = size, size + 1
            entries[entry * apart + MORE], entries[entry * apart + NEXT] = NONE, heads[bucket]
            for place in range(places.shape[0]):
                entries[entry * apart + KEY + place] = codes[row, places[place]]
            heads[bucket] = entry
        entries[entry * apart + FIRST], entries[entry * apart + LAST] = time, last
        key = entry * OF_KEY
        since, record = word(of_keys, key + SINCE), word(of_keys, key + VALUES)
        known = False
        if since == time:
            first = record
            while record != NONE and not known:
                at = record * stride
                known = True
                for column in range(width):
                    known = known and word(records, at + ROW + column) == codes[row, column]
                record = word(records, at + AFTER)
            if known:
                continue
            record = first
        else:
            end = min(since + length, FOREVER)
            while record != NONE:  # it is over
                at = record * stride
                following = word(records, at + AFTER)
                if word(records, at + CALL) == call:
                    gained[word(records, at + PLACE), width + 1] = min(end, time - 1)
                elif end >= time:
                    for column in range(width):
                        lost[gone, column] = word(records, at + ROW + column)
                    lost[gone, width], lost[gone, width + 1] = time, end
                    if of_keys[key + LOST_IN] != call:
                        of_keys[key + LOST_IN], of_keys[key + LOST_FROM] = call, gone
                    gone += 1
                    of_keys[key + LOST_TO] = gone
                records[at + AFTER] = free
                free, record = record, following
            of_keys[key + SINCE] = time
        following = record
        record = free
        if record == NONE:
            record, used = used, used + 1
        else:
            free = word(records, record * stride + AFTER)
        at = record * stride
        records[at + AFTER], records[at + CALL], records[at + PLACE] = following, call, came
        of_keys[key + VALUES] = record
        for column in range(width):
            records[at + ROW + column] = gained[came, column] = codes[row, column]
        gained[came, width], gained[came, width + 1] = time, last
        if word(of_keys, key + LOST_IN) == call:
            for place in range(of_keys[key + LOST_FROM], of_keys[key + LOST_TO]):
                same = True
                for column in range(width):
                    same = same and lost[place, column] == codes[row, column]
                if same:
                    again[back] = came
                    back += 1
        came += 1
    state[USED], state[FREE], state[CALLS], meta[SIZE] = used, free, call, size
    return came, gone, back


@inner_kernel
def _forget(values: Table, keys: Table, horizon: int, width: int) -> None:
    """Drop the keys whose values are over by themselves."""
    numbers = compact(keys, horizon)
    state, records, old = values[STATE], values[RECORDS], values[OF_KEYS]
    left = np.full(2 * lent(keys, META)[SIZE] * OF_KEY, NONE, np.int64)
    for entry in range(numbers.shape[0]):
        at = entry * OF_KEY
        if numbers[entry] != NONE:
            to = numbers[entry] * OF_KEY
            copy_words(old[at:], left[to:], OF_KEY)
            continue
        record = old[at + VALUES]
        while record != NONE:
            following = records[record * (ROW + width) + AFTER]
            records[record * (ROW + width) + AFTER], state[FREE] = state[FREE], record
            record = following
    values[OF_KEYS] = left
