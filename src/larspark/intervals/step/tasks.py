"""The tasks of a step: run a plan or an operator over some rows; what they conclude waits for its table. Compiled."""

from __future__ import annotations

from larspark.intervals.compiled import inlined, inner_kernel
from larspark.intervals.rules.machine import (
    FAR,
    MISSES,
    OVERDELETE,
    UNDEFINEDS,
    conclusion_width,
    expected,
    run,
    scan_alone,
)
from larspark.intervals.sets import FOREVER
from larspark.intervals.step.local import derived, proposed
from larspark.intervals.step.network import (
    BENCH_AT,
    CODE,
    CONSTANTS,
    EARLIER,
    F_SINCE,
    FLAG,
    FLAGS,
    HEAD,
    LAST_MADE,
    LAST_TASK,
    LIMITS,
    MEMORY,
    NUMBERS,
    O_TARGET,
    OPERATOR,
    OPERATORS,
    P_ALONE,
    P_CODE,
    P_CONSTANTS,
    P_CONSTANTS_END,
    P_EARLIER,
    P_EARLIER_END,
    P_HEAD,
    P_STARTS,
    P_STARTS_END,
    PLAN,
    PLANS,
    PRODUCED,
    STARTS,
    TALLY,
    TASK,
    TASKS,
    UNTIL,
    array,
    ensure,
)
from larspark.intervals.step.rows import add_rows, fresh_rows, keep_rows, rows_in
from larspark.intervals.tables.addresses import column_at, start_of, tables_at
from larspark.intervals.tables.lists import Pool
from larspark.intervals.tables.storage import Rows

T_KIND, T_WHAT, T_MODE, T_ROWS, T_LIMITS, T_SIZE, T_WAVE, TASK_LENGTH = 0, 1, 2, 3, 4, 5, 6, 7
BY_PLAN, BY_PROPOSING, BY_DERIVING, BY_BOTH = 0, 1, 2, 3  # kinds of tasks: run a plan, or an operator in part or whole
NO_LIMIT, LIMITS_OF_STEP = -1, -2  # instead of the relation whose new entries are left to other plans
M_RELATION, M_ROWS, M_WAVE, MADE_LENGTH = 0, 1, 2, 3


@inner_kernel
def note_gain(state: int, pool: Pool, relation: int, rows: Rows, size: int) -> None:
    """Rows that are new in a table, which had this size before."""
    if rows.shape[0]:
        add_rows(state, pool, relation, 0, rows)
        array(state, FLAGS)[relation * FLAG + F_SINCE] = min(array(state, FLAGS)[relation * FLAG + F_SINCE], size)


@inner_kernel
def add_task(state: int, kind: int, what: int, mode: int, rows: int, limits: int, size: int, wave: int) -> None:
    head = array(state, HEAD)
    at = head[LAST_TASK] * TASK_LENGTH
    head[LAST_TASK] += 1
    ensure(state, TASKS, at + TASK_LENGTH)
    tasks = array(state, TASKS)
    tasks[at + T_KIND], tasks[at + T_WHAT], tasks[at + T_MODE], tasks[at + T_ROWS] = kind, what, mode, rows
    tasks[at + T_LIMITS], tasks[at + T_SIZE], tasks[at + T_WAVE] = limits, size, wave


@inner_kernel
def add_tasks(
    state: int, begin: int, end: int, kind: int, mode: int, rows: int, limits: int, size: int, wave: int
) -> None:
    """The same for several plans, or operators."""
    for number in range(begin, end):
        add_task(state, kind, array(state, NUMBERS)[number], mode, rows, limits, size, wave)


@inner_kernel
def add_made(state: int, pool: Pool, relation: int, rows: Rows, wave: int) -> None:
    """Conclusions that are to be put into their table."""
    if rows.shape[0] == 0:
        return
    head = array(state, HEAD)
    at = head[LAST_MADE] * MADE_LENGTH
    head[LAST_MADE] += 1
    ensure(state, PRODUCED, at + MADE_LENGTH)
    made = array(state, PRODUCED)
    made[at + M_RELATION], made[at + M_ROWS], made[at + M_WAVE] = relation, keep_rows(state, pool, rows), wave


@inner_kernel
def set_limits(state: int, plan: int, limits: int, size: int) -> None:
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
def perform(state: int) -> Rows:
    """What the first task concludes."""
    tasks, at = array(state, TASKS), array(state, HEAD)[TASK] * TASK_LENGTH
    what, rows = tasks[at + T_WHAT], rows_in(state, tasks[at + T_ROWS])
    if tasks[at + T_KIND] == BY_PLAN:
        set_limits(state, what, tasks[at + T_LIMITS], tasks[at + T_SIZE])
        return run_plan(state, what, tasks[at + T_MODE], rows)
    return operate(state, what, tasks[at + T_KIND], rows)


@inner_kernel
def run_plan(state: int, what: int, mode: int, rows: Rows) -> Rows:
    """What a plan concludes from rows."""
    plans, place = array(state, PLANS), what * PLAN
    code_at = start_of(array(state, CODE)) + 8 * plans[place + P_CODE]
    starts_at = start_of(array(state, STARTS)) + 8 * plans[place + P_STARTS]
    steps = plans[place + P_STARTS_END] - plans[place + P_STARTS]
    code, starts = column_at(code_at, FAR), column_at(starts_at, steps)
    constants_at = start_of(array(state, CONSTANTS)) + 8 * plans[place + P_CONSTANTS]
    registers = plans[place + P_CONSTANTS_END] - plans[place + P_CONSTANTS]
    bench, width = state + 16 * BENCH_AT, conclusion_width(code, starts)
    if mode == OVERDELETE and plans[place + P_ALONE]:
        out = fresh_rows(state, rows.shape[0], width)
        return scan_alone(code_at, starts_at, steps, constants_at, registers, rows, out, bench)
    out = fresh_rows(state, expected(code, starts, rows.shape[0], mode), width)
    return run(code_at, starts_at, steps, constants_at, registers, rows, mode, out, bench)


@inner_kernel
def operate(state: int, what: int, kind: int, rows: Rows) -> Rows:
    """What an operator proposes, derives, or both."""
    array(state, TALLY)[MISSES] = array(state, TALLY)[UNDEFINEDS] = 0
    tables, until = tables_at(array(state, MEMORY)[0]), array(state, HEAD)[UNTIL]
    operator = array(state, OPERATORS)[what * OPERATOR : (what + 1) * OPERATOR]
    if kind == BY_PROPOSING:
        return proposed(operator, rows, until)
    if kind == BY_DERIVING:
        return derived(operator, tables, rows, until)
    return derived(operator, tables, proposed(operator, rows, until), until)


@inlined
def target_of(state: int, kind: int, what: int) -> int:
    return (
        array(state, PLANS)[what * PLAN + P_HEAD]
        if kind == BY_PLAN
        else array(state, OPERATORS)[what * OPERATOR + O_TARGET]
    )
