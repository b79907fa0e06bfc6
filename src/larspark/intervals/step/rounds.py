"""A step of a network that records conclusions: in rounds, until record and conclusions agree. Compiled.

What is recorded comes from outside the rules. A round follows what has changed; then the record of the keys that it
concerns is compared with what is concluded (`records`), and what has turned out different is followed in the next
round. The changes of all rounds are kept, and are those of one step in the end. The parts of the network that do not
depend on the record come first; where it follows from them key by key (`inertia`), one round is enough.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inner_kernel, kernel
from larspark.intervals.sets import FOREVER
from larspark.intervals.step.inertia import foreseen
from larspark.intervals.step.network import (
    AFTER,
    B_FORESEEN,
    DIRECTORY,
    F_GAINED,
    F_LOST,
    F_SINCE,
    FLAG,
    FLAGS,
    FORESEEN,
    GAINED,
    HEAD,
    LOST,
    PART,
    PARTS,
    PLACE,
    POOL_AT,
    R_GHOST,
    R_TABLE,
    R_TOLD,
    R_WIDTH,
    RELATION,
    RELATIONS,
    S_LOST,
    S_NEXT,
    S_RELATION,
    S_ROWS,
    SEALED,
    SEGMENT,
    SEGMENTS,
    STOP,
    UNTIL,
    array,
)
from larspark.intervals.step.records import revised_notes, revised_stretches
from larspark.intervals.step.rows import add_rows, link_segment, replace_rows, rows_in, rows_of
from larspark.intervals.step.step import DONE, apply, follow
from larspark.intervals.step.telling import finish
from larspark.intervals.tables.addresses import pool_at, table_at
from larspark.intervals.tables.lists import Pool
from larspark.intervals.tables.storage import (
    ENTRIES,
    HEADS,
    META,
    NONE,
    SIZE,
    STRIDE,
    WIDTH,
    Column,
    Rows,
    Table,
    clear,
    content,
    find,
    lent,
    passing_table,
)
from larspark.intervals.tables.table import absorb, remove, uncovered, write
from larspark.intervals.tables.watch import NEVER

# Kinds of conclusions that are recorded: the relations, whether they are about time points, how long after its time
# point a conclusion can matter, whether what holds keeps itself up by its record, and where the rules of a state lie
# that can be followed key by key (NONE if they cannot), and the part that does nothing but conclude the state, if all
# that its rules ask for names its keys (NONE if not).
CONCLUDED, RECORDED, NOTES, PAST, SUSTAINED, STATE_AT, STATE_PART, KIND = range(8)


@kernel
def follow_rounds(state: int, kinds: Column, states: Column, later_at: int, since: int, until: int, parts: int) -> int:
    """`step.follow`, as often as the record from `since` on changes; it is compared up to `until`.

    `later` are for every kind the keys whose conclusions are going to differ from the record, with the time. Where the
    step was begun with fewer than all `parts`, these come first, and then what the record is going to be.
    """
    head = array(state, HEAD)
    if head[STOP] < parts:
        status = follow(state)
        if status != DONE:
            return status
        head[STOP] = parts
        foresee(state, kinds, states, pool_at(later_at), since)
    while True:
        status = follow(state)
        if status != DONE or not revise(state, kinds, pool_at(later_at), since, until):
            return status


@inner_kernel
def foresee(state: int, kinds: Column, states: Column, later: Pool, since: int) -> None:
    """Change the record of states to what it is going to be.

    Where all of it can be said, and the conclusions have been the same so far, these change in the same way.
    """
    pool = pool_at(array(state, HEAD)[POOL_AT])
    array(state, HEAD)[FORESEEN] = 1
    for place in range(kinds.shape[0] // KIND):
        kind = kinds[place * KIND : (place + 1) * KIND]
        if kind[STATE_AT] != NONE:
            lost, gained = foreseen(state, pool, states[kind[STATE_AT] :], kind[RECORDED], since)
            if lost.shape[0] or gained.shape[0]:
                apply(state, kind[RECORDED], gained, lost)
            if kind[STATE_PART] != NONE:
                known = later[place].shape[0] == 0
                array(state, PARTS)[kind[STATE_PART] * PART + B_FORESEEN] = known
                if known and (lost.shape[0] or gained.shape[0]):
                    apply(state, kind[CONCLUDED], gained, lost)


@inner_kernel
def is_known(state: int, kind: Column) -> bool:
    """Whether the conclusions of a kind were foreseen in this step."""
    if kind[STATE_PART] == NONE or not array(state, HEAD)[FORESEEN]:
        return False
    return array(state, PARTS)[kind[STATE_PART] * PART + B_FORESEEN] > 0


@inner_kernel
def revise(state: int, kinds: Column, later: Pool, since: int, until: int) -> bool:
    """Change the record where it has turned out different, if it has, and begin another round."""
    relations = array(state, RELATIONS)
    pool = pool_at(array(state, HEAD)[POOL_AT])
    count, first, differs = kinds.shape[0] // KIND, len(pool), False
    for place in range(count):
        kind = kinds[place * KIND : (place + 1) * KIND]
        if is_known(state, kind):
            pool.append(later[place])
            pool.append(later[place])
            continue
        asked = touched(state, pool, kind, later[place], since)
        concluded = table_at(relations[kind[CONCLUDED] * RELATION + R_TABLE])
        recorded = table_at(relations[kind[RECORDED] * RELATION + R_TABLE])
        if kind[NOTES]:
            lost, gained, later[place] = revised_notes(concluded, recorded, asked, until, kind[PAST])
        else:
            lost, gained, later[place] = revised_stretches(concluded, recorded, asked, until, kind[SUSTAINED])
        differs = differs or lost.shape[0] > 0 or gained.shape[0] > 0
        pool.append(lost)
        pool.append(gained)
    if differs:
        seal(state)
        for place in range(count):
            lost, gained = pool[first + 2 * place], pool[first + 2 * place + 1]
            if lost.shape[0] or gained.shape[0]:
                apply(state, kinds[place * KIND + RECORDED], gained, lost)
    return differs


@inner_kernel
def touched(state: int, pool: Pool, kind: Column, later: Rows, since: int) -> Rows:
    """The keys that have changed in this round, or are going to differ; each once, with the times asked for."""
    changed = (
        rows_of(state, pool, kind[CONCLUDED], GAINED),
        rows_of(state, pool, kind[CONCLUDED], LOST),
        rows_of(state, pool, kind[RECORDED], GAINED),
        rows_of(state, pool, kind[RECORDED], LOST),
        later,
    )
    total = 0
    for rows in changed:
        total += rows.shape[0]
    if total == 0:
        return later
    width = later.shape[1] - 2
    asked = np.empty((total, width + 2), np.int64)
    count = 0
    for rows in changed:
        for row in range(rows.shape[0]):
            for column in range(width):
                asked[count, column] = rows[row, column]
            asked[count, width], asked[count, width + 1] = since, FOREVER
            count += 1
    return absorb(passing_table(width), asked, -FOREVER)


@inner_kernel
def seal(state: int) -> None:
    """End a round: what it has changed is kept, and is no news for the next one."""
    head, flags, directory = array(state, HEAD), array(state, FLAGS), array(state, DIRECTORY)
    for segment in range(head[SEALED], head[SEGMENTS]):
        relation = directory[segment * SEGMENT + S_RELATION]
        ghost = array(state, RELATIONS)[relation * RELATION + R_GHOST]
        if directory[segment * SEGMENT + S_LOST] == LOST and ghost != NONE:
            clear(table_at(ghost))
        for place in range(FLAG):
            flags[relation * FLAG + place] = NONE
        flags[relation * FLAG + F_SINCE] = FOREVER
    head[SEALED], head[PLACE], head[AFTER] = head[SEGMENTS], NONE, head[UNTIL]


@kernel
def finish_rounds(state: int) -> Column:
    """`step.finish`; the changes of several rounds are told as those of one, of the relations that are to be told."""
    head = array(state, HEAD)
    pool = pool_at(head[POOL_AT])
    rounds = head[SEALED] > 0
    if rounds:
        seal(state)
        for segment in range(head[SEGMENTS]):
            array(state, DIRECTORY)[segment * SEGMENT + S_NEXT] = NONE
            link_segment(state, segment)
    for segment in range(head[SEGMENTS]):
        relation = array(state, DIRECTORY)[segment * SEGMENT + S_RELATION]
        if not array(state, RELATIONS)[relation * RELATION + R_TOLD]:
            rows = array(state, DIRECTORY)[segment * SEGMENT + S_ROWS]
            replace_rows(state, pool, rows, rows_in(state, rows)[:0])
        elif rounds and array(state, FLAGS)[relation * FLAG + F_LOST] == segment:
            balance(state, pool, relation)
    return finish(state)


@inner_kernel
def balance(state: int, pool: Pool, relation: int) -> None:
    """What was gained and lost again in between has not changed."""
    flags, directory = array(state, FLAGS), array(state, DIRECTORY)
    gain, loss = flags[relation * FLAG + F_GAINED], flags[relation * FLAG + F_LOST]
    if gain == NONE:
        return
    width = array(state, RELATIONS)[relation * RELATION + R_WIDTH]
    losing = passing_table(width)
    absorb(losing, rows_of(state, pool, relation, LOST), -FOREVER)
    plus, minus = passing_table(width), passing_table(width)
    while gain != NONE or loss != NONE:
        if loss == NONE or (gain != NONE and gain < loss):
            rows = directory[gain * SEGMENT + S_ROWS]
            others, crossed = divided(losing, rows_in(state, rows))
            replace_rows(state, pool, rows, others)
            cancel(minus, plus, crossed)
            gain = directory[gain * SEGMENT + S_NEXT]
        else:
            rows = directory[loss * SEGMENT + S_ROWS]
            cancel(plus, minus, rows_in(state, rows))
            replace_rows(state, pool, rows, rows_in(state, rows)[:0])
            loss = directory[loss * SEGMENT + S_NEXT]
    replace_rows(state, pool, directory[flags[relation * FLAG + F_LOST] * SEGMENT + S_ROWS], content(minus))
    add_rows(state, pool, relation, GAINED, content(plus))


@inner_kernel
def divided(table: Table, rows: Rows) -> tuple[Rows, Rows]:
    """The rows whose keys a table does not have, and those whose keys it has."""
    others, known = np.empty_like(rows), np.empty_like(rows)
    count, found = 0, 0
    entries, heads, stride, width = (
        lent(table, ENTRIES),
        lent(table, HEADS),
        lent(table, META)[STRIDE],
        lent(table, META)[WIDTH],
    )
    for row in range(rows.shape[0]):
        if find(entries, heads, stride, width, rows, row) == NONE:
            count = write(others, count, rows, row, rows[row, width], rows[row, width + 1])
        else:
            found = write(known, found, rows, row, rows[row, width], rows[row, width + 1])
    return others[:count], known[:found]


@inner_kernel
def cancel(against: Table, towards: Table, rows: Rows) -> None:
    """Take the rows out of one table, and put what was not there into the other."""
    if lent(against, META)[SIZE]:
        rest = uncovered(against, rows)
        remove(against, rows)
        absorb(towards, rest, -FOREVER)
    else:
        absorb(towards, rows, -FOREVER)


@kernel
def next_revision(later: Pool) -> int:
    """The first time at which conclusions are going to differ from the record; NEVER if they are not."""
    found = NEVER
    for place in range(len(later)):
        rows = later[place]
        for row in range(rows.shape[0]):
            found = min(found, rows[row, rows.shape[1] - 1])
    return found


@kernel
def put_later(later: Pool, place: int, rows: Rows) -> None:
    """Let other keys of a kind wait."""
    later[place] = rows
