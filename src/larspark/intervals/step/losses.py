"""What is taken out of relations in a step, and what of it is lost in the end. Compiled."""

from __future__ import annotations

from larspark.intervals.compiled import inner_kernel
from larspark.intervals.rules.machine import OVERDELETE
from larspark.intervals.sets import FOREVER
from larspark.intervals.step.network import (
    DIRECTORY,
    DOOMED,
    E_GAINED,
    E_GAINED_END,
    E_OPERATORS,
    E_OPERATORS_END,
    F_GAINED_LAST,
    F_GRAVE,
    FLAG,
    FLAGS,
    GRAVES,
    GRAVES_AT,
    HEAD,
    HORIZON,
    LOST,
    N_COUNT,
    NOTE,
    NOTES,
    OWN,
    R_GHOST,
    R_KEPT,
    R_OWN,
    R_TABLE,
    R_WIDTH,
    READ,
    READS,
    RELATION,
    RELATIONS,
    S_RELATION,
    S_ROWS,
    SEGMENT,
    SEGMENTS,
    TAKEN_OUT,
    array,
    ensure,
)
from larspark.intervals.step.rows import add_rows, fresh_rows, keep_rows, own_rows, replace_rows, rows_in
from larspark.intervals.step.tasks import (
    BY_PLAN,
    BY_PROPOSING,
    NO_LIMIT,
    add_tasks,
)
from larspark.intervals.tables.addresses import table_at, tables_at
from larspark.intervals.tables.lists import Pool
from larspark.intervals.tables.storage import NONE, Rows, passing_table
from larspark.intervals.tables.table import absorb, absorb_own, covered, remove_own, uncovered, uncovered_into, write

D_RELATION, D_ROWS, DOOMED_LENGTH = 0, 1, 2
LITTLE = 8
"""So many rows are faster compared with each other than put into a table."""


@inner_kernel
def note_loss(state: int, pool: Pool, relation: int, rows: Rows) -> None:
    """Rows that are no longer in a table; where plans look for them, they find them still."""
    if rows.shape[0]:
        add_rows(state, pool, relation, LOST, rows)
        ghost = array(state, RELATIONS)[relation * RELATION + R_GHOST]
        if ghost != NONE:
            absorb_own(table_at(ghost), own_rows(state, rows), -FOREVER)


@inner_kernel
def doom(state: int, pool: Pool, relation: int, candidates: Rows) -> None:
    """Note which of the candidates are in the table and not yet to be taken out, and what may have used them."""
    relations = array(state, RELATIONS)
    table, own = table_at(relations[relation * RELATION + R_TABLE]), relations[relation * RELATION + R_OWN]
    if own == NONE:
        # What its own part does not read is taken out at once, and so never found again.
        kept = relations[relation * RELATION + R_KEPT]
        removed = remove_own(table, candidates, array(state, HEAD)[HORIZON] - kept)
        if removed.shape[0]:
            note_doomed(state, relation, keep_rows(state, pool, removed))
        return
    held = covered(table, candidates)
    if held.shape[0] == 0:
        return
    fresh = bury(state, relation, held)
    if fresh.shape[0] == 0:
        return
    rows = keep_rows(state, pool, fresh)
    note_doomed(state, relation, rows)
    reads, at = array(state, READS), own * READ
    add_tasks(state, reads[at + E_GAINED], reads[at + E_GAINED_END], BY_PLAN, OVERDELETE, rows, NO_LIMIT, 0, 0)
    add_tasks(
        state, reads[at + E_OPERATORS], reads[at + E_OPERATORS_END], BY_PROPOSING, OVERDELETE, rows, NO_LIMIT, 0, 0
    )


@inner_kernel
def note_doomed(state: int, relation: int, rows: int) -> None:
    """Remember rows, by their number, that are taken out of a relation."""
    head = array(state, HEAD)
    at = head[TAKEN_OUT] * DOOMED_LENGTH
    head[TAKEN_OUT] += 1
    ensure(state, DOOMED, at + DOOMED_LENGTH)
    array(state, DOOMED)[at + D_RELATION], array(state, DOOMED)[at + D_ROWS] = relation, rows


@inner_kernel
def bury(state: int, relation: int, rows: Rows) -> Rows:
    """Put rows into the table of what is taken out of a relation; those that were not there yet."""
    head, flags = array(state, HEAD), array(state, FLAGS)
    graves = tables_at(head[GRAVES_AT])
    if flags[relation * FLAG + F_GRAVE] == NONE:
        flags[relation * FLAG + F_GRAVE] = head[GRAVES]
        grave = passing_table(array(state, RELATIONS)[relation * RELATION + R_WIDTH])
        if head[GRAVES] == len(graves):
            graves.append(grave)
        else:
            graves[head[GRAVES]] = grave
        head[GRAVES] += 1
    return absorb(graves[flags[relation * FLAG + F_GRAVE]], rows, -FOREVER)


@inner_kernel
def settle_losses(state: int, pool: Pool) -> None:
    """Find out what of the rows taken out is lost, and what of the rows put in was there before."""
    head, relations, flags = array(state, HEAD), array(state, RELATIONS), array(state, FLAGS)
    doomed, taken = array(state, DOOMED), head[TAKEN_OUT]
    if is_little(state):
        settle_few(state, pool)
        return
    for place in range(taken):
        relation = doomed[place * DOOMED_LENGTH + D_RELATION]
        gains = flags[relation * FLAG + F_GAINED_LAST] >= head[OWN]
        if gains and relations[relation * RELATION + R_OWN] == NONE:
            bury(state, relation, rows_in(state, doomed[place * DOOMED_LENGTH + D_ROWS]))
    graves = tables_at(head[GRAVES_AT])
    for segment in range(head[OWN], head[SEGMENTS]):
        grave = flags[array(state, DIRECTORY)[segment * SEGMENT + S_RELATION] * FLAG + F_GRAVE]
        if grave != NONE:
            rows = array(state, DIRECTORY)[segment * SEGMENT + S_ROWS]
            replace_rows(state, pool, rows, uncovered(graves[grave], rows_in(state, rows)))
    for place in range(taken):
        relation = doomed[place * DOOMED_LENGTH + D_RELATION]
        lost = rows_in(state, doomed[place * DOOMED_LENGTH + D_ROWS])
        if flags[relation * FLAG + F_GRAVE] == NONE:  # nothing was put in
            note_loss(state, pool, relation, lost)
        else:
            note_loss(state, pool, relation, uncovered(table_at(relations[relation * RELATION + R_TABLE]), lost))
    for place in range(taken):
        flags[doomed[place * DOOMED_LENGTH + D_RELATION] * FLAG + F_GRAVE] = NONE


@inner_kernel
def is_little(state: int) -> bool:
    """Whether a part has taken out and put in so little that rows are compared one by one; it reads none of them."""
    head, relations, notes = array(state, HEAD), array(state, RELATIONS), array(state, NOTES)
    doomed, count = array(state, DOOMED), 0
    for place in range(head[TAKEN_OUT]):
        if relations[doomed[place * DOOMED_LENGTH + D_RELATION] * RELATION + R_OWN] != NONE:
            return False
        count += notes[doomed[place * DOOMED_LENGTH + D_ROWS] * NOTE + N_COUNT]
    for segment in range(head[OWN], head[SEGMENTS]):
        count += notes[array(state, DIRECTORY)[segment * SEGMENT + S_ROWS] * NOTE + N_COUNT]
    return count <= LITTLE


@inner_kernel
def settle_few(state: int, pool: Pool) -> None:
    """`settle_losses` where it is little."""
    head, relations, flags = array(state, HEAD), array(state, RELATIONS), array(state, FLAGS)
    doomed = array(state, DOOMED)
    for segment in range(head[OWN], head[SEGMENTS]):
        at = segment * SEGMENT
        rows, relation = array(state, DIRECTORY)[at + S_ROWS], array(state, DIRECTORY)[at + S_RELATION]
        replace_rows(state, pool, rows, not_taken_out(state, relation, rows_in(state, rows)))
    for place in range(head[TAKEN_OUT]):
        relation = doomed[place * DOOMED_LENGTH + D_RELATION]
        lost = rows_in(state, doomed[place * DOOMED_LENGTH + D_ROWS])
        if flags[relation * FLAG + F_GAINED_LAST] >= head[OWN]:
            table = table_at(relations[relation * RELATION + R_TABLE])
            lost = uncovered_into(table, lost, fresh_rows(state, 2 * lost.shape[0], lost.shape[1]))
        note_loss(state, pool, relation, lost)


@inner_kernel
def not_taken_out(state: int, relation: int, rows: Rows) -> Rows:
    """The parts of rows that were not taken out of a relation before they were put in."""
    doomed, width = array(state, DOOMED), rows.shape[1] - 2
    out, count = fresh_rows(state, rows.shape[0] * (LITTLE + 1), width + 2), 0
    for row in range(rows.shape[0]):
        begin, last = rows[row, width], rows[row, width + 1]
        while begin <= last:
            end, known = last, begin
            for place in range(array(state, HEAD)[TAKEN_OUT]):
                if doomed[place * DOOMED_LENGTH + D_RELATION] == relation:
                    others = rows_in(state, doomed[place * DOOMED_LENGTH + D_ROWS])
                    for other in range(others.shape[0]):
                        same = True
                        for column in range(width):
                            same = same and others[other, column] == rows[row, column]
                        if same and others[other, width] > begin:
                            end = min(end, others[other, width] - 1)
                        elif same:
                            known = max(known, others[other, width + 1] + 1)
            if known == begin:
                count = write(out, count, rows, row, begin, end)
                known = end + 1
            begin = known
    return out[:count]
