"""Local operators: they propose which rows of their target may change with rows of their source, and derive which hold.

Where a core rule cannot derive a relation from another. A local operator may stand in a recursion. Compiled.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inner_kernel
from larspark.intervals.sets import FOREVER
from larspark.intervals.step.network import O_KIND, O_PARAMETERS, O_SOURCE
from larspark.intervals.tables.lists import Tables
from larspark.intervals.tables.storage import META, WIDTH, Column, Rows, content, lent
from larspark.intervals.tables.table import covered
from larspark.intervals.tables.unroll import unroll
from larspark.intervals.windows.boxes import full_windows
from larspark.intervals.windows.seen import stretches_seen

UNROLLING, POINTING, STRETCHING, BOXING = 0, 1, 2, 3
"""Kinds: what holds at the evaluation time, with that time as a column; the time points of stretches one by one; a
window over stretches; always in a window over time points."""

# Parameters: of a POINTING and a STRETCHING, and of a BOXING.
PAST, LAG, FUTURE, HOP, START, ALWAYS = 0, 1, 2, 3, 4, 5
INDEX = 1


@inner_kernel
def without_column(rows: Rows, gone: int) -> Rows:
    out = np.empty((rows.shape[0], rows.shape[1] - 1), np.int64)
    for row in range(rows.shape[0]):
        for column in range(gone):
            out[row, column] = rows[row, column]
        for column in range(gone + 1, rows.shape[1]):
            out[row, column - 1] = rows[row, column]
    return out


@inner_kernel
def seen_later(found: Rows, past: int, lag: int) -> Rows:
    """Time points as they are seen: from `lag` later on, as long as the window reaches back."""
    last = found.shape[1] - 1
    for row in range(found.shape[0]):
        found[row, last - 1] += lag
        found[row, last] = min(found[row, last] + past, FOREVER)
    return found


@inner_kernel
def longer(rows: Rows, more: int) -> Rows:
    out = rows.copy()
    last = rows.shape[1] - 1
    for row in range(rows.shape[0]):
        out[row, last] = min(out[row, last] + more, FOREVER)
    return out


@inner_kernel
def shifted(rows: Rows, by: int) -> Rows:
    """The rows, later in time."""
    out = rows.copy()
    last = rows.shape[1] - 1
    for row in range(rows.shape[0]):
        out[row, last - 1] += by
        out[row, last] = min(out[row, last] + by, FOREVER)
    return out


@inner_kernel
def proposed(operator: Column, rows: Rows, until: int) -> Rows:
    """The rows of the target that may change with these rows of the source."""
    kind, given = operator[O_KIND], operator[O_PARAMETERS:]
    if kind == UNROLLING:
        return unroll(rows, -FOREVER, until)
    if kind == POINTING:
        return seen_later(unroll(rows, -FOREVER, until - given[LAG]), given[PAST], given[LAG])
    if kind == STRETCHING:  # whoever can see a changed time point: no window sees what is ahead
        return longer(rows, min(given[PAST] + given[HOP], FOREVER))
    return without_column(rows, rows.shape[1] - 3)


@inner_kernel
def derived(operator: Column, tables: Tables, asked: Rows, until: int) -> Rows:
    """The parts of proposed rows that hold."""
    kind, given = operator[O_KIND], operator[O_PARAMETERS:]
    source = tables[operator[O_SOURCE]]
    width = lent(source, META)[WIDTH]
    if kind == UNROLLING:
        return unroll(covered(source, without_column(asked, width)), -FOREVER, until)
    if kind == POINTING:
        points = without_column(asked, width)
        for row in range(points.shape[0]):
            points[row, width] = points[row, width + 1] = asked[row, width] >> 1
        return proposed(operator, covered(source, points), until)
    if kind == STRETCHING:
        return stretches_seen(
            source, asked, given[PAST], given[FUTURE], given[HOP], given[LAG], given[START], given[ALWAYS]
        )
    return full_windows(source, given[INDEX], asked, given[PAST], given[FUTURE], given[HOP], given[START])


@inner_kernel
def woken(operator: Column, tables: Tables, after: int, until: int) -> Rows:
    """What holds newly, or can be seen newly, only because time went on from `after`."""
    rows, given = content(tables[operator[O_SOURCE]]), operator[O_PARAMETERS:]
    if operator[O_KIND] == UNROLLING:
        return unroll(rows, after + 1, until)
    found = unroll(rows, after + 1 - given[LAG], until - given[LAG])
    return seen_later(found, given[PAST], given[LAG])
