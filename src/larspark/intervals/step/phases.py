"""What a step does in one part of a network: overdelete, derive, put, and settle what has changed in the end. Compiled.

`step.py` has an example.
"""

from __future__ import annotations

from larspark.intervals.compiled import inner_kernel
from larspark.intervals.rules.machine import DERIVE, OVERDELETE
from larspark.intervals.sets import FOREVER
from larspark.intervals.step.local import PAST, shifted, woken
from larspark.intervals.step.losses import D_RELATION, D_ROWS, DOOMED_LENGTH, note_loss, settle_losses
from larspark.intervals.step.network import (
    AFTER,
    AGENDA,
    B_FORESEEN,
    B_KIND,
    B_WAKING,
    B_WAKING_END,
    DIRECTORY,
    DOOMED,
    E_GAINED,
    E_GAINED_END,
    E_LOST,
    E_LOST_END,
    E_OPERATORS,
    E_OPERATORS_END,
    E_PART,
    E_RELATION,
    F_GAINED,
    F_LOST,
    FLAG,
    FLAGS,
    FORESEEN,
    GAINED,
    GRAVES,
    HEAD,
    HORIZON,
    INSIDE,
    LOST,
    MADE,
    MEMORY,
    NOTED,
    NUMBERS,
    O_PARAMETERS,
    O_TARGET,
    OPERATOR,
    OPERATORS,
    OWN,
    PART,
    PARTS,
    PHASE,
    PLACE,
    PRODUCED,
    R_KEPT,
    R_OPERATOR,
    R_OWN,
    R_REDERIVING,
    R_REDERIVING_END,
    R_TABLE,
    READ,
    READ_NOW,
    READING,
    READS,
    RELATION,
    RELATIONS,
    S_NEXT,
    S_RELATION,
    S_ROWS,
    SEGMENT,
    SEGMENTS,
    TAKEN_OUT,
    UNTIL,
    WAITING,
    WAKES,
    array,
    await_readers,
    ensure,
    next_read,
)
from larspark.intervals.step.rows import own_rows, rows_changed, rows_in
from larspark.intervals.step.tasks import (
    BY_BOTH,
    BY_DERIVING,
    BY_PLAN,
    BY_PROPOSING,
    LIMITS_OF_STEP,
    M_RELATION,
    M_ROWS,
    M_WAVE,
    MADE_LENGTH,
    NO_LIMIT,
    add_made,
    add_task,
    add_tasks,
    note_gain,
)
from larspark.intervals.tables.addresses import table_at, tables_at
from larspark.intervals.tables.lists import Pool
from larspark.intervals.tables.storage import META, NONE, SIZE, Rows, lent
from larspark.intervals.tables.table import absorb_own, remove, remove_own

NEXT_PART, OVERDELETING, DERIVING, CONTINUING = 0, 1, 2, 3  # phases


@inner_kernel
def begin_part(state: int) -> None:
    """Take the reads of the next part off the agenda."""
    head, reads = array(state, HEAD), array(state, READS)
    part = reads[array(state, AGENDA)[0] * READ + E_PART]
    head[PLACE], head[READ_NOW], head[OWN] = part, 0, head[SEGMENTS]
    while head[WAITING] and reads[array(state, AGENDA)[0] * READ + E_PART] == part:
        read = next_read(array(state, AGENDA), head)
        if head[READ_NOW] == 0 or array(state, READING)[head[READ_NOW] - 1] != read:
            ensure(state, READING, head[READ_NOW] + 1)
            array(state, READING)[head[READ_NOW]] = read
            head[READ_NOW] += 1


@inner_kernel
def begin_changes(state: int) -> None:
    """Look for what may have used something lost."""
    head, part = array(state, HEAD), array(state, HEAD)[PLACE]
    head[WAKES] = int(head[UNTIL] > head[AFTER])
    known = head[FORESEEN] and array(state, PARTS)[part * PART + B_FORESEEN]
    if array(state, PARTS)[part * PART + B_KIND] == INSIDE and not known:
        head[PHASE] = OVERDELETING
        add_dangers(state)


@inner_kernel
def change(state: int, pool: Pool, relation: int, gained: Rows, lost: Rows) -> None:
    """An exact change of a stored relation: remove, then add, and remember both."""
    at = relation * RELATION
    table = table_at(array(state, RELATIONS)[at + R_TABLE])
    if lost.shape[0]:
        note_loss(state, pool, relation, remove_own(table, own_rows(state, lost), -FOREVER))
    if gained.shape[0]:
        size = lent(table, META)[SIZE]
        kept = array(state, RELATIONS)[at + R_KEPT]
        fresh = absorb_own(table, own_rows(state, gained), array(state, HEAD)[HORIZON] - kept)
        note_gain(state, pool, relation, fresh, size)
    await_readers(state, relation)


@inner_kernel
def shift_part(state: int, pool: Pool) -> None:
    """A part whose only relation is another one later in time: it changes exactly as that one does."""
    reads, at = array(state, READS), array(state, READING)[0] * READ
    source, what = reads[at + E_RELATION], array(state, NUMBERS)[reads[at + E_OPERATORS]]
    operator = array(state, OPERATORS)[what * OPERATOR : (what + 1) * OPERATOR]
    gained, lost = rows_changed(state, pool, source, GAINED), rows_changed(state, pool, source, LOST)
    by = operator[O_PARAMETERS + PAST]
    change(state, pool, operator[O_TARGET], shifted(gained, by), shifted(lost, by))


@inner_kernel
def add_dangers(state: int) -> None:
    """Tasks that find the rows whose derivation may have used something lost, or an absence that has ended."""
    reads, flags = array(state, READS), array(state, FLAGS)
    for place in range(array(state, HEAD)[READ_NOW]):
        at = array(state, READING)[place] * READ
        relation = reads[at + E_RELATION] * FLAG
        gained, lost = flags[relation + F_GAINED], flags[relation + F_LOST]
        begin, end = reads[at + E_GAINED], reads[at + E_GAINED_END]
        add_tasks_of_segments(state, lost, begin, end, BY_PLAN, OVERDELETE, NO_LIMIT)
        begin, end = reads[at + E_OPERATORS], reads[at + E_OPERATORS_END]
        add_tasks_of_segments(state, lost, begin, end, BY_PROPOSING, OVERDELETE, NO_LIMIT)
        begin, end = reads[at + E_LOST], reads[at + E_LOST_END]
        add_tasks_of_segments(state, gained, begin, end, BY_PLAN, OVERDELETE, NO_LIMIT)


@inner_kernel
def add_tasks_of_segments(state: int, segment: int, begin: int, end: int, kind: int, mode: int, limit: int) -> None:
    """The plans or operators of a range, each over the rows of this segment and of those that follow it."""
    while begin < end and segment != NONE:
        rows = array(state, DIRECTORY)[segment * SEGMENT + S_ROWS]
        add_tasks(state, begin, end, kind, mode, rows, limit, 0, 0)
        segment = array(state, DIRECTORY)[segment * SEGMENT + S_NEXT]


@inner_kernel
def begin_deriving(state: int, pool: Pool) -> None:
    """Take out what is doomed; look for other derivations of it, and for what follows from the changes."""
    head, relations, reads, flags = (
        array(state, HEAD),
        array(state, RELATIONS),
        array(state, READS),
        array(state, FLAGS),
    )
    head[PHASE] = DERIVING
    doomed = array(state, DOOMED)
    for place in range(head[TAKEN_OUT]):
        relation, rows = doomed[place * DOOMED_LENGTH + D_RELATION], doomed[place * DOOMED_LENGTH + D_ROWS]
        if relations[relation * RELATION + R_OWN] != NONE:
            remove(table_at(relations[relation * RELATION + R_TABLE]), rows_in(state, rows))
    for place in range(head[TAKEN_OUT]):
        relation, rows = doomed[place * DOOMED_LENGTH + D_RELATION], doomed[place * DOOMED_LENGTH + D_ROWS]
        at = relation * RELATION
        begin, end = relations[at + R_REDERIVING], relations[at + R_REDERIVING_END]
        # What follows from rows of this step, their own tasks find.
        add_tasks(state, begin, end, BY_PLAN, DERIVE, rows, LIMITS_OF_STEP, 0, 0)
        if relations[at + R_OPERATOR] != NONE:
            add_task(state, BY_DERIVING, relations[at + R_OPERATOR], DERIVE, rows, NO_LIMIT, 0, 0)
    for place in range(head[READ_NOW]):
        at = array(state, READING)[place] * READ
        relation = reads[at + E_RELATION] * FLAG
        gained, lost = flags[relation + F_GAINED], flags[relation + F_LOST]
        begin, end = reads[at + E_GAINED], reads[at + E_GAINED_END]
        add_tasks_of_segments(state, gained, begin, end, BY_PLAN, DERIVE, LIMITS_OF_STEP)
        begin, end = reads[at + E_OPERATORS], reads[at + E_OPERATORS_END]
        add_tasks_of_segments(state, gained, begin, end, BY_BOTH, DERIVE, NO_LIMIT)
        begin, end = reads[at + E_LOST], reads[at + E_LOST_END]
        add_tasks_of_segments(state, lost, begin, end, BY_PLAN, DERIVE, NO_LIMIT)


@inner_kernel
def put(state: int, pool: Pool) -> None:
    """Put the first conclusions into their table; what is new there is followed inside the part."""
    head, relations = array(state, HEAD), array(state, RELATIONS)
    at = head[MADE] * MADE_LENGTH
    head[MADE] += 1
    relation, wave = array(state, PRODUCED)[at + M_RELATION], array(state, PRODUCED)[at + M_WAVE]
    place = relation * RELATION
    table = table_at(relations[place + R_TABLE])
    size = lent(table, META)[SIZE]
    made = rows_in(state, array(state, PRODUCED)[at + M_ROWS])
    fresh = absorb_own(table, made, head[HORIZON] - relations[place + R_KEPT])
    note_gain(state, pool, relation, fresh, size)
    own = relations[place + R_OWN]
    if fresh.shape[0] and own != NONE:
        reads, at = array(state, READS), own * READ
        rows = head[NOTED] - 1
        add_tasks(
            state, reads[at + E_GAINED], reads[at + E_GAINED_END], BY_PLAN, DERIVE, rows, relation, size, wave + 1
        )
        begin, end = reads[at + E_OPERATORS], reads[at + E_OPERATORS_END]
        add_tasks(state, begin, end, BY_BOTH, DERIVE, rows, NO_LIMIT, 0, wave + 1)


@inner_kernel
def settle_part(state: int, pool: Pool) -> None:
    """What was taken out and put back has not changed."""
    head = array(state, HEAD)
    if head[TAKEN_OUT]:
        settle_losses(state, pool)
        head[TAKEN_OUT] = head[GRAVES] = 0
    for segment in range(head[OWN], head[SEGMENTS]):
        await_readers(state, array(state, DIRECTORY)[segment * SEGMENT + S_RELATION])
    head[OWN] = head[SEGMENTS]


@inner_kernel
def wake(state: int, pool: Pool) -> None:
    """What operators of the part conclude only because time goes on."""
    head = array(state, HEAD)
    head[WAKES] = 0
    at = head[PLACE] * PART
    for number in range(array(state, PARTS)[at + B_WAKING], array(state, PARTS)[at + B_WAKING_END]):
        what = array(state, NUMBERS)[number]
        operator = array(state, OPERATORS)[what * OPERATOR : (what + 1) * OPERATOR]
        rows = woken(operator, tables_at(array(state, MEMORY)[0]), head[AFTER], head[UNTIL])
        add_made(state, pool, operator[O_TARGET], rows, 0)
