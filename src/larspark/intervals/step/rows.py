"""The rows of a step: few lie in the arena, one behind the other, and many where they were made. Compiled."""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inlined, inner_kernel, kernel
from larspark.intervals.step.network import (
    ARENA,
    DIRECTORY,
    F_GAINED,
    F_LOST,
    FLAG,
    FLAGS,
    HEAD,
    LOST,
    N_AT,
    N_COUNT,
    N_WIDTH,
    NOTE,
    NOTED,
    NOTES,
    R_WIDTH,
    RELATION,
    RELATIONS,
    S_LOST,
    S_NEXT,
    S_RELATION,
    S_ROWS,
    SEGMENT,
    SEGMENTS,
    TOP,
    array,
    ensure,
)
from larspark.intervals.tables.addresses import is_lent, rows_at, start_of
from larspark.intervals.tables.lists import Pool
from larspark.intervals.tables.storage import NONE, Rows, copy_rows


@inlined
def rows_in(state: int, number: int) -> Rows:
    """The rows of this number, lent."""
    notes, at = array(state, NOTES), number * NOTE
    return rows_at(notes[at + N_AT], notes[at + N_COUNT], notes[at + N_WIDTH])


@inner_kernel
def fresh_rows(state: int, count: int, width: int) -> Rows:
    """Room for rows. In the arena it is the same until rows in it are kept."""
    arena, top = array(state, ARENA), array(state, HEAD)[TOP]
    if top + count * width <= arena.shape[0]:
        return rows_at(start_of(arena) + 8 * top, count, width)
    return np.empty((count, width), np.int64)


@inner_kernel
def own_rows(state: int, rows: Rows) -> Rows:
    """A copy of rows of somebody else."""
    out = fresh_rows(state, rows.shape[0], rows.shape[1])
    copy_rows(rows, out, rows.shape[0], rows.shape[1])
    return out


@inner_kernel
def keep_rows(state: int, pool: Pool, rows: Rows) -> int:
    """Keep rows until the end of the step; their number."""
    number = array(state, HEAD)[NOTED]
    array(state, HEAD)[NOTED] += 1
    ensure(state, NOTES, (number + 1) * NOTE)
    replace_rows(state, pool, number, rows)
    return number


@inner_kernel
def replace_rows(state: int, pool: Pool, number: int, rows: Rows) -> None:
    """Let a number stand for other rows."""
    head, notes, at = array(state, HEAD), array(state, NOTES), number * NOTE
    notes[at + N_AT], notes[at + N_COUNT], notes[at + N_WIDTH] = start_of(rows), rows.shape[0], rows.shape[1]
    if not is_lent(rows):
        pool.append(rows)
    elif start_of(rows) == start_of(array(state, ARENA)) + 8 * head[TOP]:
        head[TOP] += rows.shape[0] * rows.shape[1]


@inner_kernel
def tell_rows(state: int, pool: Pool, relation: int, what: int, rows: Rows) -> None:
    """A segment of what the step tells."""
    if rows.shape[0] == 0:
        return
    segment = array(state, HEAD)[SEGMENTS]
    array(state, HEAD)[SEGMENTS] += 1
    ensure(state, DIRECTORY, (segment + 1) * SEGMENT)
    directory, at = array(state, DIRECTORY), segment * SEGMENT
    directory[at + S_RELATION], directory[at + S_LOST], directory[at + S_NEXT] = relation, what, NONE
    directory[at + S_ROWS] = keep_rows(state, pool, rows)


@kernel
def add_rows(state: int, pool: Pool, relation: int, lost: int, rows: Rows) -> None:
    """Note rows that a relation has gained or lost."""
    if rows.shape[0] == 0:
        return
    segment = array(state, HEAD)[SEGMENTS]
    tell_rows(state, pool, relation, lost, rows)
    link_segment(state, segment)


@inner_kernel
def link_segment(state: int, segment: int) -> None:
    """Let a segment be the last one of what its relation has gained or lost."""
    directory, flags = array(state, DIRECTORY), array(state, FLAGS)
    lost = directory[segment * SEGMENT + S_LOST] == LOST
    first = directory[segment * SEGMENT + S_RELATION] * FLAG + (F_LOST if lost else F_GAINED)
    if flags[first] == NONE:
        flags[first] = segment
    else:
        directory[flags[first + 1] * SEGMENT + S_NEXT] = segment
    flags[first + 1] = segment


@inner_kernel
def rows_changed(state: int, pool: Pool, relation: int, lost: int) -> Rows:
    """`rows_of`, lent where they lie together."""
    first = array(state, FLAGS)[relation * FLAG + (F_LOST if lost else F_GAINED)]
    if first == NONE:
        return rows_at(0, 0, array(state, RELATIONS)[relation * RELATION + R_WIDTH] + 2)
    if array(state, DIRECTORY)[first * SEGMENT + S_NEXT] == NONE:
        return rows_in(state, array(state, DIRECTORY)[first * SEGMENT + S_ROWS])
    return rows_of(state, pool, relation, lost)


@kernel
def rows_of(state: int, pool: Pool, relation: int, lost: int) -> Rows:
    """All rows that a relation has gained or lost in this step."""
    directory = array(state, DIRECTORY)
    first = array(state, FLAGS)[relation * FLAG + (F_LOST if lost else F_GAINED)]
    total, segment = 0, first
    while segment != NONE:
        total += array(state, NOTES)[directory[segment * SEGMENT + S_ROWS] * NOTE + N_COUNT]
        segment = directory[segment * SEGMENT + S_NEXT]
    out = np.empty((total, array(state, RELATIONS)[relation * RELATION + R_WIDTH] + 2), np.int64)
    count, segment = 0, first
    while segment != NONE:
        rows = rows_in(state, directory[segment * SEGMENT + S_ROWS])
        for row in range(rows.shape[0]):
            for column in range(rows.shape[1]):
                out[count + row, column] = rows[row, column]
        count += rows.shape[0]
        segment = directory[segment * SEGMENT + S_NEXT]
    return out


@kernel
def put_rows(state: int, pool: Pool, relation: int, lost: int, rows: Rows) -> None:
    """Replace what a relation has gained or lost, which was something, by these rows."""
    directory = array(state, DIRECTORY)
    segment = array(state, FLAGS)[relation * FLAG + (F_LOST if lost else F_GAINED)]
    left = rows
    while segment != NONE:
        replace_rows(state, pool, directory[segment * SEGMENT + S_ROWS], left)
        left = rows[:0]
        segment = directory[segment * SEGMENT + S_NEXT]
