"""What the record of a state is going to be, followed key by key before the rules are. Compiled.

Of a state such as `on(M) :- switch_on(M). on(M) :- @(now-1) on(M), not switch_off(M).` all rules ask for relations of
the same key. Where these do not depend on any record they are known for the whole step before the state is looked at,
and its record follows from them in one walk along the time:

    time              4 5 6 7 8 9
    switch_on(m)      . # . . # .       starts
    switch_off(m)     . . . # . .       inertia ends
    on(m)             . # # . # #  ...  goes on if nothing ends it

It is an assumption like any other: the rounds compare it with what the rules conclude, and mostly find no difference.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inner_kernel
from larspark.intervals.sets import FOREVER
from larspark.intervals.step.network import GAINED, LOST, R_TABLE, R_WIDTH, RELATION, RELATIONS, array
from larspark.intervals.step.rows import rows_of
from larspark.intervals.tables.addresses import table_at
from larspark.intervals.tables.lists import Pool
from larspark.intervals.tables.storage import (
    ENTRIES,
    FIRST,
    HEADS,
    LAST,
    META,
    MORE,
    NONE,
    STRIDE,
    WIDTH,
    Column,
    Rows,
    Table,
    content,
    find,
    lent,
    passing_table,
)
from larspark.intervals.tables.table import SPARE, absorb, room, write

# The rules of a state: how many relations they ask for, and how many rules there are; for each relation its number and
# the columns of the state that make its key (as many numbers as the state has columns); for each rule whether it has
# concluded anything so far, whether it is inertia, and for each relation whether it must hold (1), must not (0), or is
# not asked for (NONE).
ASKED_FOR, RULES, STATE_RULES = 0, 1, 2
FIRED, INERTIA, WANTED = 0, 1, 2


@inner_kernel
def foreseen(state: int, pool: Pool, rules: Column, recorded: int, since: int) -> tuple[Rows, Rows]:
    """What the record of a state loses and gains from `since` on, by what its relations have gained and lost."""
    relations = array(state, RELATIONS)
    width = relations[recorded * RELATION + R_WIDTH]
    keys = _concerned(state, pool, rules, width, since)
    if keys.shape[0] == 0:
        return keys, keys
    count = rules[ASKED_FOR]
    begins = np.empty((count + 1, keys.shape[0] + 1), np.int64)
    spans, filled = np.empty(((count + 1) * keys.shape[0] + SPARE, 2), np.int64), 0
    for place in range(count):
        at = STATE_RULES + place * (1 + width)
        relation = rules[at] * RELATION
        table = table_at(relations[relation + R_TABLE])
        narrow = projected(keys, rules[at + 1 : at + 1 + relations[relation + R_WIDTH]])
        spans, filled = _add_spans(table, narrow, since, begins[place], spans, filled)
    table = table_at(relations[recorded * RELATION + R_TABLE])
    spans, filled = _add_spans(table, keys, since - 1, begins[count], spans, filled)
    return _followed(keys, begins, spans, rules[STATE_RULES + count * (1 + width) :], rules[RULES], since)


@inner_kernel
def _concerned(state: int, pool: Pool, rules: Column, width: int, since: int) -> Rows:
    """The keys that changed relations name, each once."""
    relations = array(state, RELATIONS)
    keys = passing_table(width)
    for place in range(rules[ASKED_FOR]):
        at = STATE_RULES + place * (1 + width)
        if relations[rules[at] * RELATION + R_WIDTH] < width:
            continue
        for change in (GAINED, LOST):
            rows = rows_of(state, pool, rules[at], change)
            if rows.shape[0]:
                named = np.empty_like(rows)
                for row in range(rows.shape[0]):
                    for column in range(width):
                        named[row, rules[at + 1 + column]] = rows[row, column]
                    named[row, width], named[row, width + 1] = since, FOREVER
                absorb(keys, named, -FOREVER)
    return content(keys)


@inner_kernel
def projected(keys: Rows, columns: Column) -> Rows:
    """The keys of another relation, which these columns make."""
    out = np.empty((keys.shape[0], columns.shape[0]), np.int64)
    for row in range(keys.shape[0]):
        for place in range(columns.shape[0]):
            out[row, place] = keys[row, columns[place]]
    return out


@inner_kernel
def _add_spans(table: Table, keys: Rows, since: int, begins: Column, spans: Rows, count: int) -> tuple[Rows, int]:
    """Add the intervals of each key that reach `since`; `begins` says where those of a key lie."""
    row = 0
    while True:
        row, count = _spans(
            lent(table, ENTRIES), lent(table, HEADS), lent(table, META), keys, row, since, begins, spans, count
        )
        if row == keys.shape[0]:
            begins[row] = count
            return spans, count
        spans = room(spans, spans.shape[0])


@inner_kernel
def _spans(
    entries: Column,
    heads: Column,
    meta: Column,
    keys: Rows,
    row: int,
    since: int,
    begins: Column,
    spans: Rows,
    count: int,
) -> tuple[int, int]:
    """From a row on, as far as there is room: the next row, and how many there are."""
    width, stride = meta[WIDTH], meta[STRIDE]
    while row < keys.shape[0]:
        begins[row] = count
        entry = find(entries, heads, stride, width, keys, row)
        while entry != NONE:
            first, last = entries[entry * stride + FIRST], entries[entry * stride + LAST]
            if first <= last and last >= since:
                if count == spans.shape[0]:
                    return row, begins[row]
                spans[count, 0], spans[count, 1] = first, last
                count += 1
            entry = entries[entry * stride + MORE]
        row += 1
    return row, count


@inner_kernel
def _followed(keys: Rows, begins: Rows, spans: Rows, rules: Column, rule_count: int, since: int) -> tuple[Rows, Rows]:
    """Walk along the time of every key: what the record loses, and what it gains."""
    width, record = keys.shape[1] - 2, begins.shape[0] - 1
    most = keys.shape[0] + 2 * begins[record, keys.shape[0]]
    lost, gained = np.empty((most, width + 2), np.int64), np.empty((most, width + 2), np.int64)
    at, holding = np.empty(record + 1, np.int64), np.empty(record + 1, np.bool_)
    losses, gains = 0, 0
    for row in range(keys.shape[0]):
        for place in range(record + 1):
            at[place] = begins[place, row]
        holds = at[record] < begins[record, row + 1] and spans[at[record], 0] < since
        own_losses, own_gains = losses, gains
        time = since
        while time < FOREVER:
            change = FOREVER
            for place in range(record + 1):
                end = begins[place, row + 1]
                while at[place] < end and spans[at[place], 1] < time:
                    at[place] += 1
                holding[place] = at[place] < end and spans[at[place], 0] <= time
                if at[place] < end:
                    change = min(change, spans[at[place], 1] if holding[place] else spans[at[place], 0] - 1)
            before, holds = holds, False
            for rule in range(rule_count):
                first = rule * (WANTED + record)
                fires = before or rules[first + INERTIA] == 0
                for place in range(record):
                    wanted = rules[first + WANTED + place]
                    fires = fires and (wanted == NONE or (wanted == 1) == holding[place])
                if fires:
                    holds, rules[first + FIRED] = True, 1
            if holds and not holding[record]:
                gains = _extended(gained, own_gains, gains, keys, row, time, change)
            elif holding[record] and not holds:
                losses = _extended(lost, own_losses, losses, keys, row, time, change)
            time = change + 1
    return lost[:losses], gained[:gains]


@inner_kernel
def _extended(out: Rows, own: int, count: int, keys: Rows, row: int, first: int, last: int) -> int:
    """Add an interval to those of a key, which begin at `own`; it may go on with the last one."""
    width = out.shape[1] - 2
    if count > own and out[count - 1, width + 1] == first - 1:
        out[count - 1, width + 1] = last
        return count
    return write(out, count, keys, row, first, last)
