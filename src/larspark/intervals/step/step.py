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

from larspark.intervals.compiled import kernel
from larspark.intervals.rules.machine import ALL_UNDEFINED, MISSES, UNDEFINEDS
from larspark.intervals.step.gains import gain_straight, goes_straight
from larspark.intervals.step.intake import arrive_holding, let_in
from larspark.intervals.step.losses import doom
from larspark.intervals.step.network import (
    AFTER,
    AGENDA,
    B_ANSWERING,
    B_KIND,
    E_PART,
    GAINED,
    GIVEN_AT,
    HEAD,
    HORIZON,
    LAST_MADE,
    LAST_TASK,
    LONG,
    MADE,
    MOST_WAVES,
    OUTSIDE,
    P_FIRED,
    PART,
    PARTS,
    PHASE,
    PLACE,
    PLAN,
    PLANS,
    POOL_AT,
    RAN,
    RAN_MODE,
    RAN_ROWS,
    READ,
    READS,
    SEGMENTS,
    SHIFTED,
    SINGLE,
    STOP,
    TALLY,
    TASK,
    TASKS,
    TOLD_AT,
    TOLD_ROOM,
    UNTIL,
    WAITING,
    WAKES,
    WOKEN,
    array,
    await_read,
    await_readers,
    ensure,
)
from larspark.intervals.step.phases import (
    CONTINUING,
    NEXT_PART,
    OVERDELETING,
    begin_changes,
    begin_deriving,
    begin_part,
    change,
    put,
    settle_part,
    shift_part,
    wake,
)
from larspark.intervals.step.rows import add_rows
from larspark.intervals.step.tasks import (
    BY_PLAN,
    T_KIND,
    T_MODE,
    T_WAVE,
    T_WHAT,
    TASK_LENGTH,
    add_made,
    perform,
    target_of,
)
from larspark.intervals.step.telling import finish, settled_size, tell_all
from larspark.intervals.tables.addresses import column_at, pool_at, table_at
from larspark.intervals.tables.storage import Column, Rows
from larspark.intervals.tables.unroll import stamped

DONE, BORDER, ANSWERING, QUESTIONS, ENDLESS, TASK_DONE = 0, 1, 2, 3, 4, 5  # why a call ends


@kernel
def arrive(state: int, relation: int, codes: Rows, times: Column) -> None:
    """Arrivals of an input relation."""
    pool = pool_at(array(state, HEAD)[POOL_AT])
    add_rows(state, pool, relation, GAINED, stamped(codes, times))
    await_readers(state, relation)


@kernel
def arrive_held(
    state: int, relation: int, passing: int, values_at: int, keys_at: int, codes: Rows, times: Column
) -> None:
    """Arrivals of a predicate that is held, from outside."""
    arrive_holding(state, relation, passing, table_at(values_at), table_at(keys_at), codes, times)


@kernel
def apply(state: int, relation: int, gained: Rows, lost: Rows) -> None:
    """An exact change of a stored relation, from outside."""
    change(state, pool_at(array(state, HEAD)[POOL_AT]), relation, gained, lost)


@kernel
def follow(state: int) -> int:
    """Go on with the step until it is done or something outside must be done first; says which."""
    head = array(state, HEAD)
    pool = pool_at(head[POOL_AT])
    while True:
        if head[PHASE] == NEXT_PART:
            if head[WAITING] == 0 or array(state, READS)[array(state, AGENDA)[0] * READ + E_PART] >= head[STOP]:
                return DONE
            begin_part(state)
            if goes_straight(state) and gain_straight(state, pool):
                continue
            begin_changes(state)
            kind = array(state, PARTS)[head[PLACE] * PART + B_KIND]
            if kind == OUTSIDE:
                return BORDER
            if kind == SHIFTED:
                shift_part(state, pool)
        elif head[TASK] < head[LAST_TASK]:
            rows = perform(state)
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
def begin(state: int, after: int, until: int, horizon: int, stop: int) -> None:
    """Begin to evaluate the time after `after` up to `until`, by the parts before `stop`."""
    head = array(state, HEAD)
    head[AFTER], head[UNTIL], head[HORIZON], head[STOP] = after, until, horizon, stop
    if until > after:
        for place in range(array(state, WOKEN).shape[0]):
            await_read(state, array(state, WOKEN)[place])


@kernel
def advance_one(
    state: int, relation: int, codes: Rows, times: Column, after: int, until: int, horizon: int, stop: int
) -> Column:
    """`begin`, `arrive`, `follow` and `finish` in one call; if the step is not done, only its status with a minus."""
    begin(state, after, until, horizon, stop)
    arrive(state, relation, codes, times)
    status = follow(state)
    if status == DONE:
        return finish(state)
    return np.full(1, -status, np.int64)


@kernel
def advance_few(state: int, length: int, time: int, after: int, until: int, horizon: int) -> int:
    """The same for a few arrivals of one time, in order: each the number of its gate and its arguments.

    They lie where the head says that they are GIVEN. How many numbers are told; they lie at TOLD_AT if there is so much
    room, else `long_told` has them.
    """
    head = array(state, HEAD)
    begin(state, after, until, horizon, array(state, PARTS).shape[0] // PART)
    let_in(state, column_at(head[GIVEN_AT], length), time)
    status = follow(state)
    if status != DONE:
        return -status
    changed = head[SEGMENTS]
    size = settled_size(state)
    if size > head[TOLD_ROOM]:
        ensure(state, LONG, size)
        tell_all(state, changed, array(state, LONG))
    else:
        tell_all(state, changed, column_at(head[TOLD_AT], size))
    return size
