"""The end of a step: what has changed is told, and nothing of it is left for the next one. Compiled."""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inner_kernel, kernel
from larspark.intervals.step.network import (
    DIRECTORY,
    FILLED,
    FULL,
    HEAD,
    LONG,
    N_COUNT,
    N_WIDTH,
    NOTE,
    NOTES,
    POOL_AT,
    R_GHOST,
    R_TABLE,
    RELATION,
    RELATIONS,
    S_LOST,
    S_RELATION,
    S_ROWS,
    SEGMENT,
    SEGMENTS,
    SPARE,
    WATCHED,
    array,
    ensure,
    forget_changes,
)
from larspark.intervals.step.present import watch_changes
from larspark.intervals.step.rows import rows_in
from larspark.intervals.tables.addresses import pool_at, table_at
from larspark.intervals.tables.storage import META, NONE, SIZE, SURVIVORS, Column, clear


@kernel
def finish(state: int) -> Column:
    """End the step and tell what has changed.

    The number of segments, then for each its relation, what it tells, and its length; then their rows one behind the
    other: with their intervals where they are gained or lost, without where they appear or disappear.
    """
    changed = array(state, HEAD)[SEGMENTS]
    told = np.empty(settled_size(state), np.int64)
    tell_all(state, changed, told)
    return told


@inner_kernel
def settled_size(state: int) -> int:
    """Let what is valid at the present follow the step; how many numbers are told then."""
    head = array(state, HEAD)
    if head[WATCHED]:
        watch_changes(state, pool_at(head[POOL_AT]), head[SEGMENTS])
    directory, notes = array(state, DIRECTORY), array(state, NOTES)
    size = 1
    for segment in range(head[SEGMENTS]):
        at = directory[segment * SEGMENT + S_ROWS] * NOTE
        if notes[at + N_COUNT]:
            size += 3 + notes[at + N_COUNT] * notes[at + N_WIDTH]
    return size


@inner_kernel
def tell_all(state: int, changed: int, told: Column) -> None:
    """Write down what is told; the first segments are those of relations that have changed. Then the step is over."""
    head, directory, notes = array(state, HEAD), array(state, DIRECTORY), array(state, NOTES)
    count = 0
    for segment in range(head[SEGMENTS]):
        count += notes[directory[segment * SEGMENT + S_ROWS] * NOTE + N_COUNT] > 0
    told[0] = count
    at, to = 1, 1 + 3 * count
    for segment in range(head[SEGMENTS]):
        rows = rows_in(state, directory[segment * SEGMENT + S_ROWS])
        if rows.shape[0]:
            told[at], told[at + 1] = directory[segment * SEGMENT + S_RELATION], directory[segment * SEGMENT + S_LOST]
            told[at + 2] = rows.shape[0]
            at += 3
            for row in range(rows.shape[0]):
                for column in range(rows.shape[1]):
                    told[to] = rows[row, column]
                    to += 1
    clean_tables(state, changed)
    forget_changes(state, pool_at(head[POOL_AT]))


@inner_kernel
def clean_tables(state: int, changed: int) -> None:
    """Forget what was removed, and note the tables that may have much expired content."""
    directory, relations = array(state, DIRECTORY), array(state, RELATIONS)
    filled = 0
    for segment in range(changed):
        at = directory[segment * SEGMENT + S_RELATION] * RELATION
        if directory[segment * SEGMENT + S_LOST]:
            if relations[at + R_GHOST] != NONE:
                clear(table_at(relations[at + R_GHOST]))
        elif relations[at + R_TABLE] != NONE:
            meta = table_at(relations[at + R_TABLE])[META]
            if meta[SIZE] > 2 * meta[SURVIVORS] + array(state, HEAD)[SPARE]:
                ensure(state, FULL, filled + 1)
                array(state, FULL)[filled] = directory[segment * SEGMENT + S_RELATION]
                filled += 1
    array(state, HEAD)[FILLED] = filled


@kernel
def long_told(state: int, size: int) -> Column:
    """What the last step has told, if it is much."""
    return array(state, LONG)[:size].copy()
