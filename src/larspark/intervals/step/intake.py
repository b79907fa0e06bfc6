"""A few arrivals, one by one, and the windows that look at arrivals themselves: held values, runs, counts. Compiled.

Such a window turns arrivals into an exact change of its relation. It is asked once in a step, for all arrivals that it
looks at, in their order: what comes and goes at once has not changed.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inner_kernel
from larspark.intervals.sets import FOREVER
from larspark.intervals.step.network import (
    ARENA,
    ARRIVED,
    COUNTING,
    FILLING,
    G_ARITY,
    G_RELATION,
    G_TAKINGS,
    G_TAKINGS_END,
    GAINED,
    GATE,
    GATES,
    HEAD,
    HORIZON,
    K_ASKED,
    K_FILTERS,
    K_KEYS,
    K_WINDOW,
    POOL_AT,
    RUNNING,
    SIEVES,
    SPARE,
    TAKING,
    TAKINGS,
    TOP,
    UNTIL,
    W_BEHIND,
    W_KEYS,
    W_KIND,
    W_LATEST,
    W_SIZE,
    W_START,
    W_STATE,
    W_TABLE,
    W_TARGET,
    W_WHOLE,
    W_WIDTH,
    WINDOW,
    WINDOWS,
    array,
    await_readers,
)
from larspark.intervals.step.phases import change
from larspark.intervals.step.rows import add_rows, fresh_rows
from larspark.intervals.tables.addresses import pool_at, rows_at, start_of, table_at
from larspark.intervals.tables.storage import NONE, Column, Rows, Table
from larspark.intervals.tables.table import write
from larspark.intervals.windows.boxes import lengthen_runs
from larspark.intervals.windows.held import hold
from larspark.intervals.windows.latest import fill_latest
from larspark.intervals.windows.queues import most_leaving, put_in_line


@inner_kernel
def let_in(state: int, given: Column, time: int) -> None:
    """Arrivals of one time in their order: each the number of its gate and its arguments."""
    gates, place, count, looked_at = array(state, GATES), 0, 0, False
    while place < given.shape[0]:
        gate = given[place] * GATE
        apart = gates[gate + G_ARITY] + 1
        alike = 1
        while place + alike * apart < given.shape[0] and given[place + alike * apart] == given[place]:
            alike += 1
        if gates[gate + G_RELATION] != NONE:
            arrive_alike(state, gates[gate + G_RELATION], given[place : place + alike * apart], apart, time)
        looked_at = looked_at or gates[gate + G_TAKINGS] < gates[gate + G_TAKINGS_END]
        place += alike * apart
        count += alike
    if looked_at:
        look_at_all(state, given, count, time)
    array(state, ARRIVED)[0] += count


@inner_kernel
def arrive_alike(state: int, relation: int, given: Column, apart: int, time: int) -> None:
    """Arrivals of an input relation."""
    rows = fresh_rows(state, given.shape[0] // apart, apart + 2)
    for row in range(rows.shape[0]):
        for column in range(1, apart):
            rows[row, column - 1] = given[row * apart + column]
        rows[row, apart - 1], rows[row, apart], rows[row, apart + 1] = time << 1, time, FOREVER
    add_rows(state, pool_at(array(state, HEAD)[POOL_AT]), relation, GAINED, rows)
    await_readers(state, relation)


@inner_kernel
def look_at_all(state: int, given: Column, count: int, time: int) -> None:
    """Ask each window that looks at any of the arrivals, with the first that it looks at."""
    gates, place = array(state, GATES), 0
    for left in range(count, 0, -1):
        gate = given[place] * GATE
        for taking in range(gates[gate + G_TAKINGS], gates[gate + G_TAKINGS_END]):
            window = array(state, TAKINGS)[taking * TAKING + K_WINDOW]
            if left == count or not is_looked_at(state, given[:place], window):
                number = array(state, ARRIVED)[0] + count - left
                look_at_few(state, given[place:], left, number, time, window)
        place += 1 + gates[gate + G_ARITY]


@inner_kernel
def is_looked_at(state: int, given: Column, window: int) -> bool:
    """Whether a window looks at any of these arrivals."""
    place = 0
    while place < given.shape[0]:
        if taking_of(state, given[place], window) != NONE:
            return True
        place += 1 + array(state, GATES)[given[place] * GATE + G_ARITY]
    return False


@inner_kernel
def taking_of(state: int, gate: int, window: int) -> int:
    """Where a window looks at the arrivals of a gate; NONE if it does not."""
    gates = array(state, GATES)
    for taking in range(gates[gate * GATE + G_TAKINGS], gates[gate * GATE + G_TAKINGS_END]):
        if array(state, TAKINGS)[taking * TAKING + K_WINDOW] == window:
            return taking
    return NONE


@inner_kernel
def look_at_few(state: int, given: Column, count: int, number: int, time: int, window: int) -> None:
    """Change the relation of a window by what it makes of these arrivals, the first of which has a number."""
    head, pool = array(state, HEAD), pool_at(array(state, HEAD)[POOL_AT])
    windows = array(state, WINDOWS)[window * WINDOW : (window + 1) * WINDOW]
    kind, width, key_width = windows[W_KIND], windows[W_WIDTH], windows[W_KEYS]
    memory, table = table_at(windows[W_STATE]), table_at(windows[W_TABLE])
    more = min(kind, COUNTING)  # columns behind the arguments: those that count know number and time, runs the time
    leaving = most_leaving(memory, count, windows[W_WHOLE] > 0) if kind == COUNTING else 0
    wide = width + windows[W_BEHIND] + 2
    # What changes is noted at the top of the arena, what is lost a second time for its ghost, so all else lies above.
    free = (count + 2 * leaving) * wide
    keys = scratch(state, free, count, key_width + 2)
    free += count * (key_width + 2)
    rows = scratch(state, free, count, width + more)
    free += count * (width + more)
    asked = scratch(state, free, 1, count)[0]
    found = gather(state, given, number, time, window, keys, rows, asked)
    if found == 0:
        return
    keys, rows = keys[:found], rows[:found]
    free += count
    gained = scratch(state, free, found, wide)
    if kind == COUNTING:
        lost = scratch(state, free + found * wide, leaving, wide)
        gained, lost = put_in_line(
            memory,
            table,
            table_at(windows[W_LATEST]),
            keys,
            rows,
            asked,
            windows[W_SIZE],
            windows[W_WHOLE] > 0,
            windows[W_BEHIND],
            head[SPARE],
            gained,
            lost,
        )
        change(state, pool, windows[W_TARGET], gained, lost)
    elif kind == RUNNING:
        came = lengthen_runs(table, rows, windows[W_SIZE], windows[W_START], head[HORIZON], head[SPARE], gained)
        change(state, pool, windows[W_TARGET], gained[:came], gained[:0])
    elif kind == FILLING:
        gained, lost = fill_latest(memory, table, rows, asked, windows[W_SIZE], windows[W_START], head[SPARE])
        change(state, pool, windows[W_TARGET], gained, lost)
    else:
        for row in range(found):
            asked[row] = time
        arrive_holding(state, windows[W_TARGET], windows[W_WHOLE], memory, table, rows, asked[:found])


@inner_kernel
def gather(
    state: int, given: Column, number: int, time: int, window: int, keys: Rows, rows: Rows, asked: Column
) -> int:
    """Write keys and rows of the arrivals that a window counts, and which are of the predicate it asks for; how many.

    A row is the arguments, and as far as there is room the number of the arrival and the code of the time.
    """
    takings, sieves, place, found = array(state, TAKINGS), array(state, SIEVES), 0, 0
    width = array(state, WINDOWS)[window * WINDOW + W_WIDTH]
    while place < given.shape[0]:
        arity = array(state, GATES)[given[place] * GATE + G_ARITY]
        taking = taking_of(state, given[place], window) * TAKING
        if taking >= 0 and passes(sieves, takings[taking + K_FILTERS], given[place + 1 : place + 1 + arity]):
            asked[found] = takings[taking + K_ASKED]
            for column in range(width):
                rows[found, column] = given[place + 1 + column] if asked[found] else 0
            if rows.shape[1] > width + 1:
                rows[found, width] = number << 1
            if rows.shape[1] > width:
                rows[found, rows.shape[1] - 1] = time << 1
            for column in range(keys.shape[1] - 2):
                keys[found, column] = given[place + 1 + sieves[takings[taking + K_KEYS] + column]]
            found += 1
        number += 1
        place += 1 + arity
    return found


@inner_kernel
def passes(sieves: Column, at: int, arguments: Column) -> bool:
    """Whether arguments fit a pattern of every filter; these are written as their number, then for each of them the
    number of its patterns and what they want of each argument (NONE: any value)."""
    if at == NONE:
        return True
    filters = sieves[at]
    at += 1
    for _ in range(filters):
        patterns, fits = sieves[at], False
        at += 1
        for _ in range(patterns):
            fit = True
            for place in range(arguments.shape[0]):
                fit = fit and (sieves[at + place] == NONE or sieves[at + place] == arguments[place])
            fits = fits or fit
            at += arguments.shape[0]
        if not fits:
            return False
    return True


@inner_kernel
def arrive_holding(
    state: int, relation: int, passing: int, values: Table, keys: Table, codes: Rows, times: Column
) -> None:
    """Arrivals of a predicate that is held: what holds from now on, and no longer.

    What is over before the step ends stays as it is; where nobody looks it up, it is `passing` (1 or 0): not stored.
    """
    head, pool = array(state, HEAD), pool_at(array(state, HEAD)[POOL_AT])
    gained, lost = hold(values, keys, codes, times, head[HORIZON], head[SPARE])
    if passing:
        over, gained = parted(gained, head[UNTIL])
        add_rows(state, pool, relation, GAINED, over)
    change(state, pool, relation, gained, lost)


@inner_kernel
def parted(rows: Rows, time: int) -> tuple[Rows, Rows]:
    """The rows that end before a time, and the others."""
    over, others = np.empty_like(rows), np.empty_like(rows)
    ended, left, width = 0, 0, rows.shape[1] - 2
    for row in range(rows.shape[0]):
        if rows[row, width + 1] < time:
            ended = write(over, ended, rows, row, rows[row, width], rows[row, width + 1])
        else:
            left = write(others, left, rows, row, rows[row, width], rows[row, width + 1])
    return over[:ended], others[:left]


@inner_kernel
def scratch(state: int, behind: int, count: int, width: int) -> Rows:
    """Room for rows of a moment, so many numbers behind the top of the arena."""
    arena, top = array(state, ARENA), array(state, HEAD)[TOP] + behind
    if top + count * width <= arena.shape[0]:
        return rows_at(start_of(arena) + 8 * top, count, width)
    return np.empty((count, width), np.int64)
