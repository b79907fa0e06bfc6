"""A step of a whole network: all parts that it concerns are brought up to date with changed relations. Compiled.

Parts come in the order of evaluation. In each, what only gains is continued semi-naively. What loses follows
delete-and-rederive: everything that may have used a lost row is taken out (looking at the state before, hence the
ghosts), what has another derivation is put back.

All of it happens on intervals: only the times that are lost are taken out and derived again. An example with
`up(X,Y) :- link(X,Y) [5].  reach(X,Y) :- up(X,Y).  reach(X,Z) :- reach(X,Y), up(Y,Z).`, where up(b,c) is lost in [6,9]
because a conclusion that it hung on is withdrawn, and up(a,c) holds by itself in [8,9]:

    time             4 5 6 7 8 9
    up(a,b)          # # # # # #
    up(b,c)          # # . . . .        lost in [6,9]
    up(a,c)                  # #

    reach(b,c)       # # x x x x        overdeleted: used up(b,c) in [6,9]
    reach(a,c)       # # x x x x        overdeleted: used reach(a,b) and up(b,c), only in [6,9]; 4 and 5 are not touched
    reach(a,b)       # # # # # #        used nothing that was lost

    put back         reach(a,c)  [8,9]  derived from up(a,c); what follows from it is continued semi-naively
    lost in the end  reach(b,c)  [6,9]  and  reach(a,c)  [6,7]: only this is told to the parts that read `reach`

A step can stop on its way and go on in the next call, because everything it knows lies in its state: where a part is
evaluated outside, and where arithmetic must be answered that the machine cannot do.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.addresses import column_at, pool_at, table_at, tables_at
from larspark.intervals.compiled import inlined, inner_kernel, kernel
from larspark.intervals.held import hold
from larspark.intervals.lists import Pool
from larspark.intervals.local import derived, proposed, woken
from larspark.intervals.machine import ALL_UNDEFINED, DERIVE, MISSES, OVERDELETE, UNDEFINEDS, run
from larspark.intervals.network import (
    AFTER,
    AGENDA,
    APPEARED,
    B_ANSWERING,
    B_KIND,
    B_WAKING,
    B_WAKING_END,
    CODE,
    CONSTANTS,
    DIRECTORY,
    DISAPPEARED,
    DOOMED,
    DUE,
    DUES,
    E_GAINED,
    E_GAINED_END,
    E_LOST,
    E_LOST_END,
    E_OPERATORS,
    E_OPERATORS_END,
    E_PART,
    E_RELATION,
    EARLIER,
    F_GAINED,
    F_GRAVE,
    F_LOST,
    F_SINCE,
    FILLED,
    FLAG,
    FLAGS,
    FULL,
    GAINED,
    GRAVES,
    GRAVES_AT,
    HEAD,
    HORIZON,
    LAST_MADE,
    LAST_TASK,
    LIMITS,
    MADE,
    MEMORY,
    MOST_WAVES,
    NUMBERS,
    O_TARGET,
    OPERATOR,
    OPERATORS,
    OUTSIDE,
    OWN,
    P_CODE,
    P_CODE_END,
    P_CONSTANTS,
    P_CONSTANTS_END,
    P_EARLIER,
    P_EARLIER_END,
    P_FIRED,
    P_HEAD,
    P_STARTS,
    P_STARTS_END,
    PART,
    PARTS,
    PHASE,
    PLACE,
    PLAN,
    PLANS,
    POOL_AT,
    PROBE,
    PRODUCED,
    QUESTIONS_ASKED,
    R_DUE,
    R_GHOST,
    R_KEPT,
    R_OPERATOR,
    R_OWN,
    R_REDERIVING,
    R_REDERIVING_END,
    R_TABLE,
    R_WATCH,
    R_WIDTH,
    RAN,
    RAN_MODE,
    RAN_ROWS,
    READ,
    READ_NOW,
    READING,
    READS,
    RELATION,
    RELATIONS,
    S_LOST,
    S_NEXT,
    S_RELATION,
    S_ROWS,
    SCRATCH,
    SEGMENT,
    SEGMENTS,
    SINGLE,
    SPARE,
    STARTS,
    STATE_LENGTH,
    STOP,
    TAKEN_OUT,
    TALLY,
    TASK,
    TASKS,
    UNTIL,
    WAITING,
    WAKES,
    WATCHED,
    WOKEN,
    add_rows,
    array,
    await_read,
    await_readers,
    ensure,
    forget_changes,
    next_read,
    rows_of,
    tell_rows,
)
from larspark.intervals.sets import FOREVER
from larspark.intervals.storage import (
    META,
    NONE,
    SIZE,
    SURVIVORS,
    Column,
    Rows,
    clear,
    content,
    passing_table,
)
from larspark.intervals.table import absorb, absorb_own, covered, remove, uncovered, write
from larspark.intervals.unroll import stamped
from larspark.intervals.watch import NEVER, NEXT_DUE, next_change, settle

NEXT_PART, OVERDELETING, DERIVING, CONTINUING = 0, 1, 2, 3  # phases
DONE, BORDER, ANSWERING, QUESTIONS, ENDLESS, TASK_DONE = 0, 1, 2, 3, 4, 5  # why a call ends

T_KIND, T_WHAT, T_MODE, T_ROWS, T_LIMITS, T_SIZE, T_WAVE, TASK_LENGTH = 0, 1, 2, 3, 4, 5, 6, 7
BY_PLAN, BY_PROPOSING, BY_DERIVING, BY_BOTH = 0, 1, 2, 3  # kinds of tasks: run a plan, or an operator in part or whole
NO_LIMIT, LIMITS_OF_STEP = -1, -2  # instead of the relation whose new entries are left to other plans
M_RELATION, M_ROWS, M_WAVE, MADE_LENGTH = 0, 1, 2, 3
D_RELATION, D_ROWS, DOOMED_LENGTH = 0, 1, 2


@kernel
def arrive(state_at: int, relation: int, codes: Rows, times: Column) -> None:
    """Arrivals of an input relation."""
    state = column_at(state_at, STATE_LENGTH)
    pool = pool_at(array(state, HEAD)[POOL_AT])
    add_rows(state, pool, relation, GAINED, stamped(codes, times))
    await_readers(state, relation)


@kernel
def arrive_held(
    state_at: int, relation: int, passing: int, values_at: int, keys_at: int, codes: Rows, times: Column
) -> None:
    """Arrivals of a predicate that is held: what holds from now on, and no longer.

    What is over before the step ends stays as it is; where nobody looks it up, it is `passing` (1 or 0): not stored.
    """
    state = column_at(state_at, STATE_LENGTH)
    head = array(state, HEAD)
    gained, lost = hold(table_at(values_at), table_at(keys_at), codes, times, head[HORIZON], head[SPARE])
    if passing:
        over, gained = parted(gained, head[UNTIL])
        add_rows(state, pool_at(head[POOL_AT]), relation, GAINED, over)
    apply(state_at, relation, gained, lost)


@kernel
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


@kernel
def apply(state_at: int, relation: int, gained: Rows, lost: Rows) -> None:
    """An exact change of a stored relation: remove, then add, and remember both."""
    state = column_at(state_at, STATE_LENGTH)
    head = array(state, HEAD)
    pool = pool_at(head[POOL_AT])
    at = relation * RELATION
    table = table_at(array(state, RELATIONS)[at + R_TABLE])
    if lost.shape[0]:
        removed = remove(table, lost)
        add_rows(state, pool, relation, 1, removed)
        absorb(table_at(array(state, RELATIONS)[at + R_GHOST]), removed, -FOREVER)
    if gained.shape[0]:
        size = table[META][SIZE]
        fresh = absorb(table, gained, head[HORIZON] - array(state, RELATIONS)[at + R_KEPT])
        note_gain(state, pool, relation, fresh, size)
    await_readers(state, relation)


@inner_kernel
def note_gain(state: Column, pool: Pool, relation: int, rows: Rows, size: int) -> None:
    """Rows that are new in a table, which had this size before."""
    if rows.shape[0]:
        add_rows(state, pool, relation, 0, rows)
        array(state, FLAGS)[relation * FLAG + F_SINCE] = min(array(state, FLAGS)[relation * FLAG + F_SINCE], size)


# -- tasks -----------------------------------------------------------------------------------------


@inner_kernel
def add_task(state: Column, kind: int, what: int, mode: int, rows: int, limits: int, size: int, wave: int) -> None:
    head = array(state, HEAD)
    at = head[LAST_TASK] * TASK_LENGTH
    head[LAST_TASK] += 1
    ensure(state, TASKS, at + TASK_LENGTH)
    tasks = array(state, TASKS)
    tasks[at + T_KIND], tasks[at + T_WHAT], tasks[at + T_MODE], tasks[at + T_ROWS] = kind, what, mode, rows
    tasks[at + T_LIMITS], tasks[at + T_SIZE], tasks[at + T_WAVE] = limits, size, wave


@inner_kernel
def add_tasks(
    state: Column, begin: int, end: int, kind: int, mode: int, rows: int, limits: int, size: int, wave: int
) -> None:
    """The same for several plans, or operators."""
    for number in range(begin, end):
        add_task(state, kind, array(state, NUMBERS)[number], mode, rows, limits, size, wave)


@inner_kernel
def add_made(state: Column, pool: Pool, relation: int, rows: Rows, wave: int) -> None:
    """Conclusions that are to be put into their table."""
    if rows.shape[0] == 0:
        return
    head = array(state, HEAD)
    at = head[LAST_MADE] * MADE_LENGTH
    head[LAST_MADE] += 1
    ensure(state, PRODUCED, at + MADE_LENGTH)
    made = array(state, PRODUCED)
    made[at + M_RELATION], made[at + M_ROWS], made[at + M_WAVE] = relation, len(pool), wave
    pool.append(rows)


@inner_kernel
def set_limits(state: Column, plan: int, limits: int, size: int) -> None:
    """How many entries of the relations that are left to other plans of the rule this plan may look at."""
    plans, bounds = array(state, PLANS), array(state, LIMITS)
    for place in range(plans[plan * PLAN + P_EARLIER], plans[plan * PLAN + P_EARLIER_END]):
        relation = array(state, EARLIER)[place]
        bounds[relation] = FOREVER
        if limits == LIMITS_OF_STEP:
            bounds[relation] = array(state, FLAGS)[relation * FLAG + F_SINCE]
        elif limits == relation:
            bounds[relation] = size


@inner_kernel
def perform(state: Column, pool: Pool) -> Rows:
    """What the first task concludes."""
    head, tasks = array(state, HEAD), array(state, TASKS)
    at = head[TASK] * TASK_LENGTH
    kind, what, mode, rows = tasks[at + T_KIND], tasks[at + T_WHAT], tasks[at + T_MODE], pool[tasks[at + T_ROWS]]
    if kind == BY_PLAN:
        set_limits(state, what, tasks[at + T_LIMITS], tasks[at + T_SIZE])
        plans, place = array(state, PLANS), what * PLAN
        return run(
            array(state, CODE)[plans[place + P_CODE] : plans[place + P_CODE_END]],
            array(state, STARTS)[plans[place + P_STARTS] : plans[place + P_STARTS_END]],
            array(state, CONSTANTS)[plans[place + P_CONSTANTS] : plans[place + P_CONSTANTS_END]],
            rows,
            mode,
            array(state, MEMORY),
            array(state, LIMITS),
            array(state, TALLY),
            pool[QUESTIONS_ASKED],
            pool[PROBE],
            array(state, SCRATCH),
        )
    array(state, TALLY)[MISSES] = array(state, TALLY)[UNDEFINEDS] = 0
    tables = tables_at(array(state, MEMORY)[0])
    operator = array(state, OPERATORS)[what * OPERATOR : (what + 1) * OPERATOR]
    if kind == BY_PROPOSING:
        return proposed(operator, rows, head[UNTIL])
    if kind == BY_DERIVING:
        return derived(operator, tables, rows, head[UNTIL])
    return derived(operator, tables, proposed(operator, rows, head[UNTIL]), head[UNTIL])


@inlined
def target_of(state: Column, kind: int, what: int) -> int:
    return (
        array(state, PLANS)[what * PLAN + P_HEAD]
        if kind == BY_PLAN
        else array(state, OPERATORS)[what * OPERATOR + O_TARGET]
    )


# -- the phases of a part --------------------------------------------------------------------------


@inner_kernel
def begin_part(state: Column) -> None:
    """Take the reads of the next part off the agenda, and look for what may have used something lost."""
    head, reads = array(state, HEAD), array(state, READS)
    part = reads[array(state, AGENDA)[0] * READ + E_PART]
    head[PLACE], head[READ_NOW], head[OWN] = part, 0, head[SEGMENTS]
    while head[WAITING] and reads[array(state, AGENDA)[0] * READ + E_PART] == part:
        read = next_read(array(state, AGENDA), head)
        if head[READ_NOW] == 0 or array(state, READING)[head[READ_NOW] - 1] != read:
            ensure(state, READING, head[READ_NOW] + 1)
            array(state, READING)[head[READ_NOW]] = read
            head[READ_NOW] += 1
    head[WAKES] = int(head[UNTIL] > head[AFTER])
    if array(state, PARTS)[part * PART + B_KIND] != OUTSIDE:
        head[PHASE] = OVERDELETING
        add_dangers(state)


@inner_kernel
def add_dangers(state: Column) -> None:
    """Tasks that find the rows whose derivation may have used something lost, or an absence that has ended."""
    head, reads, flags = array(state, HEAD), array(state, READS), array(state, FLAGS)
    for place in range(head[READ_NOW]):
        at = array(state, READING)[place] * READ
        relation = reads[at + E_RELATION]
        segment = flags[relation * FLAG + F_LOST]
        while segment != NONE:
            rows = array(state, DIRECTORY)[segment * SEGMENT + S_ROWS]
            add_tasks(state, reads[at + E_GAINED], reads[at + E_GAINED_END], BY_PLAN, OVERDELETE, rows, NO_LIMIT, 0, 0)
            add_tasks(
                state,
                reads[at + E_OPERATORS],
                reads[at + E_OPERATORS_END],
                BY_PROPOSING,
                OVERDELETE,
                rows,
                NO_LIMIT,
                0,
                0,
            )
            segment = array(state, DIRECTORY)[segment * SEGMENT + S_NEXT]
        if reads[at + E_LOST] < reads[at + E_LOST_END]:
            segment = flags[relation * FLAG + F_GAINED]
            while segment != NONE:
                rows = array(state, DIRECTORY)[segment * SEGMENT + S_ROWS]
                add_tasks(state, reads[at + E_LOST], reads[at + E_LOST_END], BY_PLAN, OVERDELETE, rows, NO_LIMIT, 0, 0)
                segment = array(state, DIRECTORY)[segment * SEGMENT + S_NEXT]


@inner_kernel
def doom(state: Column, pool: Pool, relation: int, candidates: Rows) -> None:
    """Note which of the candidates are in the table and not yet to be taken out, and what may have used them."""
    head, relations, flags = array(state, HEAD), array(state, RELATIONS), array(state, FLAGS)
    held = covered(table_at(relations[relation * RELATION + R_TABLE]), candidates)
    if held.shape[0] == 0:
        return
    graves = tables_at(head[GRAVES_AT])
    if flags[relation * FLAG + F_GRAVE] == NONE:
        flags[relation * FLAG + F_GRAVE] = head[GRAVES]
        grave = passing_table(relations[relation * RELATION + R_WIDTH])
        if head[GRAVES] == len(graves):
            graves.append(grave)
        else:
            graves[head[GRAVES]] = grave
        head[GRAVES] += 1
    fresh = absorb(graves[flags[relation * FLAG + F_GRAVE]], held, -FOREVER)
    if fresh.shape[0] == 0:
        return
    at = head[TAKEN_OUT] * DOOMED_LENGTH
    head[TAKEN_OUT] += 1
    ensure(state, DOOMED, at + DOOMED_LENGTH)
    rows = len(pool)
    array(state, DOOMED)[at + D_RELATION], array(state, DOOMED)[at + D_ROWS] = relation, rows
    pool.append(fresh)
    own = relations[relation * RELATION + R_OWN]
    if own != NONE:
        reads, at = array(state, READS), own * READ
        add_tasks(state, reads[at + E_GAINED], reads[at + E_GAINED_END], BY_PLAN, OVERDELETE, rows, NO_LIMIT, 0, 0)
        add_tasks(
            state, reads[at + E_OPERATORS], reads[at + E_OPERATORS_END], BY_PROPOSING, OVERDELETE, rows, NO_LIMIT, 0, 0
        )


@inner_kernel
def begin_deriving(state: Column, pool: Pool) -> None:
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
        remove(table_at(relations[relation * RELATION + R_TABLE]), pool[rows])
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
        relation = reads[at + E_RELATION]
        segment = flags[relation * FLAG + F_GAINED]
        while segment != NONE:
            rows = array(state, DIRECTORY)[segment * SEGMENT + S_ROWS]
            begin, end = reads[at + E_GAINED], reads[at + E_GAINED_END]
            add_tasks(state, begin, end, BY_PLAN, DERIVE, rows, LIMITS_OF_STEP, 0, 0)
            add_tasks(
                state, reads[at + E_OPERATORS], reads[at + E_OPERATORS_END], BY_BOTH, DERIVE, rows, NO_LIMIT, 0, 0
            )
            segment = array(state, DIRECTORY)[segment * SEGMENT + S_NEXT]
        if reads[at + E_LOST] < reads[at + E_LOST_END]:
            segment = flags[relation * FLAG + F_LOST]
            while segment != NONE:
                rows = array(state, DIRECTORY)[segment * SEGMENT + S_ROWS]
                add_tasks(state, reads[at + E_LOST], reads[at + E_LOST_END], BY_PLAN, DERIVE, rows, NO_LIMIT, 0, 0)
                segment = array(state, DIRECTORY)[segment * SEGMENT + S_NEXT]


@inner_kernel
def put(state: Column, pool: Pool) -> None:
    """Put the first conclusions into their table; what is new there is followed inside the part."""
    head, relations = array(state, HEAD), array(state, RELATIONS)
    at = head[MADE] * MADE_LENGTH
    head[MADE] += 1
    relation, wave = array(state, PRODUCED)[at + M_RELATION], array(state, PRODUCED)[at + M_WAVE]
    place = relation * RELATION
    table = table_at(relations[place + R_TABLE])
    size = table[META][SIZE]
    made = array(state, PRODUCED)[at + M_ROWS]
    fresh = absorb_own(table, pool[made], head[HORIZON] - relations[place + R_KEPT])
    note_gain(state, pool, relation, fresh, size)
    pool[made] = fresh[:0]
    own = relations[place + R_OWN]
    if fresh.shape[0] and own != NONE:
        reads, at = array(state, READS), own * READ
        rows = len(pool) - 1
        add_tasks(
            state, reads[at + E_GAINED], reads[at + E_GAINED_END], BY_PLAN, DERIVE, rows, relation, size, wave + 1
        )
        begin, end = reads[at + E_OPERATORS], reads[at + E_OPERATORS_END]
        add_tasks(state, begin, end, BY_BOTH, DERIVE, rows, NO_LIMIT, 0, wave + 1)


@inner_kernel
def settle_part(state: Column, pool: Pool) -> None:
    """What was taken out and put back has not changed."""
    head, relations, flags, directory = (
        array(state, HEAD),
        array(state, RELATIONS),
        array(state, FLAGS),
        array(state, DIRECTORY),
    )
    if head[TAKEN_OUT]:
        graves = tables_at(head[GRAVES_AT])
        for segment in range(head[OWN], head[SEGMENTS]):
            grave = flags[directory[segment * SEGMENT + S_RELATION] * FLAG + F_GRAVE]
            if grave != NONE:
                rows = directory[segment * SEGMENT + S_ROWS]
                pool[rows] = uncovered(graves[grave], pool[rows])
        for place in range(head[TAKEN_OUT]):
            at = place * DOOMED_LENGTH
            relation = array(state, DOOMED)[at + D_RELATION]
            lost = uncovered(
                table_at(relations[relation * RELATION + R_TABLE]), pool[array(state, DOOMED)[at + D_ROWS]]
            )
            if lost.shape[0]:
                add_rows(state, pool, relation, 1, lost)
                absorb(table_at(relations[relation * RELATION + R_GHOST]), lost, -FOREVER)
            flags[relation * FLAG + F_GRAVE] = NONE
        head[TAKEN_OUT] = head[GRAVES] = 0
    for segment in range(head[OWN], head[SEGMENTS]):
        await_readers(state, array(state, DIRECTORY)[segment * SEGMENT + S_RELATION])
    head[OWN] = head[SEGMENTS]


@inner_kernel
def wake(state: Column, pool: Pool) -> None:
    """What operators of the part conclude only because time goes on."""
    head = array(state, HEAD)
    head[WAKES] = 0
    at = head[PLACE] * PART
    for number in range(array(state, PARTS)[at + B_WAKING], array(state, PARTS)[at + B_WAKING_END]):
        what = array(state, NUMBERS)[number]
        operator = array(state, OPERATORS)[what * OPERATOR : (what + 1) * OPERATOR]
        rows = woken(operator, tables_at(array(state, MEMORY)[0]), head[AFTER], head[UNTIL])
        add_made(state, pool, operator[O_TARGET], rows, 0)


@kernel
def follow(state_at: int) -> int:
    """Go on with the step until it is done or something outside must be done first; says which."""
    state = column_at(state_at, STATE_LENGTH)
    head = array(state, HEAD)
    pool = pool_at(head[POOL_AT])
    while True:
        if head[PHASE] == NEXT_PART:
            if head[WAITING] == 0 or array(state, READS)[array(state, AGENDA)[0] * READ + E_PART] >= head[STOP]:
                return DONE
            begin_part(state)
            if head[PHASE] == NEXT_PART:
                return BORDER
        elif head[TASK] < head[LAST_TASK]:
            rows = perform(state, pool)
            if array(state, TALLY)[MISSES]:
                return QUESTIONS
            at = head[TASK] * TASK_LENGTH
            tasks = array(state, TASKS)
            kind, what, mode, wave = tasks[at + T_KIND], tasks[at + T_WHAT], tasks[at + T_MODE], tasks[at + T_WAVE]
            head[TASK] += 1
            array(state, TALLY)[ALL_UNDEFINED] += array(state, TALLY)[UNDEFINEDS]
            relation = target_of(state, kind, what)
            if head[PHASE] == OVERDELETING:
                doom(state, pool, relation, rows)
            else:
                if wave > head[MOST_WAVES]:
                    return ENDLESS
                if kind == BY_PLAN and rows.shape[0]:
                    array(state, PLANS)[what * PLAN + P_FIRED] = 1
                add_made(state, pool, relation, rows, wave)
            if head[SINGLE] and kind == BY_PLAN:
                head[RAN], head[RAN_MODE], head[RAN_ROWS] = what, mode, rows.shape[0]
                return TASK_DONE
        else:
            head[TASK] = head[LAST_TASK] = 0
            if head[PHASE] == OVERDELETING:
                begin_deriving(state, pool)
            elif head[MADE] < head[LAST_MADE]:
                head[PHASE] = CONTINUING
                put(state, pool)
            else:
                head[MADE] = head[LAST_MADE] = 0
                settle_part(state, pool)
                if head[WAKES]:
                    head[PHASE] = CONTINUING
                    wake(state, pool)
                else:
                    head[PHASE] = NEXT_PART
                    if array(state, PARTS)[head[PLACE] * PART + B_ANSWERING]:
                        return ANSWERING


@kernel
def begin(state_at: int, after: int, until: int, horizon: int, stop: int) -> None:
    """Begin to evaluate the time after `after` up to `until`, by the parts before `stop`."""
    state = column_at(state_at, STATE_LENGTH)
    head = array(state, HEAD)
    head[AFTER], head[UNTIL], head[HORIZON], head[STOP] = after, until, horizon, stop
    if until > after:
        for place in range(array(state, WOKEN).shape[0]):
            await_read(state, array(state, WOKEN)[place])


@kernel
def finish(state_at: int) -> Column:
    """End the step and tell what has changed.

    The number of segments, then for each its relation, what it tells, and its length; then their rows one behind the
    other: with their intervals where they are gained or lost, without where they appear or disappear.
    """
    state = column_at(state_at, STATE_LENGTH)
    pool = pool_at(array(state, HEAD)[POOL_AT])
    changed = array(state, HEAD)[SEGMENTS]
    if array(state, HEAD)[WATCHED]:
        watch_changes(state, pool, changed)
    head, directory = array(state, HEAD), array(state, DIRECTORY)
    count, total = 0, 0
    for segment in range(head[SEGMENTS]):
        rows = pool[directory[segment * SEGMENT + S_ROWS]]
        count += rows.shape[0] > 0
        total += rows.shape[0] * rows.shape[1]
    told = np.empty(1 + 3 * count + total, np.int64)
    told[0] = count
    at, to = 1, 1 + 3 * count
    for segment in range(head[SEGMENTS]):
        rows = pool[directory[segment * SEGMENT + S_ROWS]]
        if rows.shape[0]:
            told[at], told[at + 1] = directory[segment * SEGMENT + S_RELATION], directory[segment * SEGMENT + S_LOST]
            told[at + 2] = rows.shape[0]
            at += 3
            for row in range(rows.shape[0]):
                for column in range(rows.shape[1]):
                    told[to] = rows[row, column]
                    to += 1
    clean_tables(state, changed)
    forget_changes(state, pool)
    return told


@inner_kernel
def clean_tables(state: Column, changed: int) -> None:
    """Forget what was removed, and note the tables that may have much expired content."""
    directory, relations = array(state, DIRECTORY), array(state, RELATIONS)
    filled = 0
    for segment in range(changed):
        at = directory[segment * SEGMENT + S_RELATION] * RELATION
        if directory[segment * SEGMENT + S_LOST]:
            clear(table_at(relations[at + R_GHOST]))
        elif relations[at + R_TABLE] != NONE:
            meta = table_at(relations[at + R_TABLE])[META]
            if meta[SIZE] > 2 * meta[SURVIVORS] + array(state, HEAD)[SPARE]:
                ensure(state, FULL, filled + 1)
                array(state, FULL)[filled] = directory[segment * SEGMENT + S_RELATION]
                filled += 1
    array(state, HEAD)[FILLED] = filled


# -- what is valid at the present --------------------------------------------------------------------


@inner_kernel
def watch_changes(state: Column, pool: Pool, changed: int) -> None:
    """Let the watches follow what the first segments tell, and those that are due by now."""
    until = array(state, HEAD)[UNTIL]
    for segment in range(changed):
        relation = array(state, DIRECTORY)[segment * SEGMENT + S_RELATION]
        flags = array(state, FLAGS)
        if array(state, RELATIONS)[relation * RELATION + R_WATCH] != NONE and flags[relation * FLAG + F_GRAVE] == NONE:
            flags[relation * FLAG + F_GRAVE] = 0  # has been looked at
            look_at(state, pool, relation)
    while array(state, HEAD)[DUES] and array(state, DUE)[0] <= until:
        relation = take_due(state)
        if relation != NONE:
            look_at(state, pool, relation)


@inner_kernel
def look_at(state: Column, pool: Pool, relation: int) -> None:
    """What of a relation appears and disappears at the present."""
    at = relation * RELATION
    table, watch = table_at(array(state, RELATIONS)[at + R_TABLE]), table_at(array(state, RELATIONS)[at + R_WATCH])
    gained, lost = rows_of(state, pool, relation, 0), rows_of(state, pool, relation, 1)
    appeared, disappeared = settle(table, watch, gained, lost, array(state, HEAD)[UNTIL])
    tell_rows(state, pool, relation, APPEARED, appeared)
    tell_rows(state, pool, relation, DISAPPEARED, disappeared)
    put_due(state, relation, watch[NEXT_DUE][0])


@inner_kernel
def put_due(state: Column, relation: int, time: int) -> None:
    """Have a watch looked at when this time comes; earlier entries of the relation are out of date."""
    relations = array(state, RELATIONS)
    if relations[relation * RELATION + R_DUE] == time:
        return
    relations[relation * RELATION + R_DUE] = time
    if time >= NEVER:
        return
    place = array(state, HEAD)[DUES]
    array(state, HEAD)[DUES] += 1
    ensure(state, DUE, 2 * place + 2)
    heap = array(state, DUE)
    while place > 0 and heap[2 * ((place - 1) // 2)] > time:
        above = (place - 1) // 2
        heap[2 * place], heap[2 * place + 1] = heap[2 * above], heap[2 * above + 1]
        place = above
    heap[2 * place], heap[2 * place + 1] = time, relation


@inner_kernel
def take_due(state: Column) -> int:
    """Take out the first entry: its relation, or NONE when it is out of date."""
    head, heap = array(state, HEAD), array(state, DUE)
    time, relation = heap[0], heap[1]
    head[DUES] -= 1
    count = head[DUES]
    moved, moved_relation = heap[2 * count], heap[2 * count + 1]
    place = 0
    while 2 * place + 1 < count:
        child = 2 * place + 1
        if child + 1 < count and heap[2 * child + 2] < heap[2 * child]:
            child += 1
        if heap[2 * child] >= moved:
            break
        heap[2 * place], heap[2 * place + 1] = heap[2 * child], heap[2 * child + 1]
        place = child
    heap[2 * place], heap[2 * place + 1] = moved, moved_relation
    at = relation * RELATION
    relations = array(state, RELATIONS)
    if relations[at + R_DUE] != time or relations[at + R_WATCH] == NONE:
        return NONE
    relations[at + R_DUE] = NEVER
    return relation


@kernel
def begin_watch(state_at: int, relation: int, watch_at: int, time: int) -> None:
    """Follow from a time on what is valid in a relation."""
    state = column_at(state_at, STATE_LENGTH)
    relations = array(state, RELATIONS)
    table, watch = table_at(relations[relation * RELATION + R_TABLE]), table_at(watch_at)
    relations[relation * RELATION + R_WATCH] = watch_at
    relations[relation * RELATION + R_DUE] = NEVER
    array(state, HEAD)[WATCHED] = 1
    rows = content(table)
    settle(table, watch, rows, rows[:0], time)
    put_due(state, relation, watch[NEXT_DUE][0])


@kernel
def take_up_watch(state_at: int, relation: int, watch_at: int) -> None:
    """Go on with a watch of a relation in another state."""
    state = column_at(state_at, STATE_LENGTH)
    array(state, RELATIONS)[relation * RELATION + R_WATCH] = watch_at
    array(state, RELATIONS)[relation * RELATION + R_DUE] = NEVER
    array(state, HEAD)[WATCHED] = 1
    put_due(state, relation, table_at(watch_at)[NEXT_DUE][0])


@kernel
def next_appearance(state_at: int, time: int) -> int:
    """The first time after this one, to which the watches must have gone, at which one of them tells something."""
    state = column_at(state_at, STATE_LENGTH)
    while array(state, HEAD)[DUES]:
        due = array(state, DUE)[0]
        relation = take_due(state)
        if relation != NONE:
            at = relation * RELATION
            table = table_at(array(state, RELATIONS)[at + R_TABLE])
            found = next_change(table, table_at(array(state, RELATIONS)[at + R_WATCH]), time)
            put_due(state, relation, found)
            if found == due:
                return found
    return NEVER


@kernel
def advance_one(
    state_at: int, relation: int, codes: Rows, times: Column, after: int, until: int, horizon: int, stop: int
) -> Column:
    """`begin`, `arrive`, `follow` and `finish` in one call; if the step is not done, only its status with a minus."""
    begin(state_at, after, until, horizon, stop)
    arrive(state_at, relation, codes, times)
    status = follow(state_at)
    if status == DONE:
        return finish(state_at)
    return np.full(1, -status, np.int64)


@kernel
def advance_few(
    state_at: int, arrivals_at: int, length: int, time: int, after: int, until: int, horizon: int, stop: int
) -> Column:
    """The same for a few arrivals of one time: each the number of its relation and its arguments, by relation."""
    begin(state_at, after, until, horizon, stop)
    arrivals = column_at(arrivals_at, length)
    relations = array(column_at(state_at, STATE_LENGTH), RELATIONS)
    place = 0
    while place < length:
        relation = arrivals[place]
        width = relations[relation * RELATION + R_WIDTH]  # that of an input relation: its arguments and the time
        count = 1
        while place + count * width < length and arrivals[place + count * width] == relation:
            count += 1
        rows = arrivals[place : place + count * width].reshape(count, width)
        arrive(state_at, relation, np.ascontiguousarray(rows[:, 1:]), np.full(count, time, np.int64))
        place += count * width
    status = follow(state_at)
    if status == DONE:
        return finish(state_at)
    return np.full(1, -status, np.int64)
