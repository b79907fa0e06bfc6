"""A part that only gains, and reads nothing that it concludes: its conclusions go straight into their tables. Compiled.

Nothing is taken out there, so nothing has to be derived again, and nothing waits: most parts of most steps are such.
"""

from __future__ import annotations

from larspark.intervals.compiled import inner_kernel
from larspark.intervals.rules.machine import ALL_UNDEFINED, DERIVE, MISSES, UNDEFINEDS
from larspark.intervals.step.network import (
    B_FORESEEN,
    B_STRAIGHT,
    DIRECTORY,
    E_GAINED,
    E_GAINED_END,
    E_LOST,
    E_LOST_END,
    E_OPERATORS,
    E_OPERATORS_END,
    E_RELATION,
    F_GAINED,
    F_LOST,
    FLAG,
    FLAGS,
    FORESEEN,
    HEAD,
    HORIZON,
    NUMBERS,
    O_TARGET,
    OPERATOR,
    OPERATORS,
    OWN,
    P_FIRED,
    P_HEAD,
    PART,
    PARTS,
    PLACE,
    PLAN,
    PLANS,
    R_KEPT,
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
    SINGLE,
    TALLY,
    array,
    await_readers,
)
from larspark.intervals.step.rows import rows_in
from larspark.intervals.step.tasks import BY_BOTH, LIMITS_OF_STEP, note_gain, operate, run_plan, set_limits
from larspark.intervals.tables.addresses import table_at
from larspark.intervals.tables.lists import Pool
from larspark.intervals.tables.storage import META, NONE, SIZE, Rows, lent
from larspark.intervals.tables.table import absorb_own


@inner_kernel
def goes_straight(state: int) -> bool:
    """Whether the part that is looked at only gains by what has changed."""
    head, part = array(state, HEAD), array(state, HEAD)[PLACE] * PART
    known = head[FORESEEN] and array(state, PARTS)[part + B_FORESEEN]
    if head[SINGLE] or known or not array(state, PARTS)[part + B_STRAIGHT]:
        return False
    reads, flags, reading = array(state, READS), array(state, FLAGS), array(state, READING)
    for place in range(head[READ_NOW]):
        at = reading[place] * READ
        relation = reads[at + E_RELATION] * FLAG
        if flags[relation + F_LOST] != NONE:
            return False
        if reads[at + E_LOST] < reads[at + E_LOST_END] and flags[relation + F_GAINED] != NONE:
            return False
    return True


@inner_kernel
def gain_straight(state: int, pool: Pool) -> bool:
    """Let the part gain; false when arithmetic must be answered first.

    Then the part is evaluated as any other, and finds what has been put into its tables there already.
    """
    head, reads, numbers, tally = array(state, HEAD), array(state, READS), array(state, NUMBERS), array(state, TALLY)
    undefined = 0
    for place in range(head[READ_NOW]):
        at = array(state, READING)[place] * READ
        segment = array(state, FLAGS)[reads[at + E_RELATION] * FLAG + F_GAINED]
        while segment != NONE:
            number = array(state, DIRECTORY)[segment * SEGMENT + S_ROWS]
            for one in range(reads[at + E_GAINED], reads[at + E_GAINED_END]):
                plan = numbers[one]
                set_limits(state, plan, LIMITS_OF_STEP, 0)
                made = run_plan(state, plan, DERIVE, rows_in(state, number))
                if tally[MISSES]:
                    return False
                undefined += tally[UNDEFINEDS]
                if made.shape[0]:
                    array(state, PLANS)[plan * PLAN + P_FIRED] = 1
                    put_straight(state, pool, array(state, PLANS)[plan * PLAN + P_HEAD], made)
            for one in range(reads[at + E_OPERATORS], reads[at + E_OPERATORS_END]):
                made = operate(state, numbers[one], BY_BOTH, rows_in(state, number))
                put_straight(state, pool, array(state, OPERATORS)[numbers[one] * OPERATOR + O_TARGET], made)
            segment = array(state, DIRECTORY)[segment * SEGMENT + S_NEXT]
    tally[ALL_UNDEFINED] += undefined
    for segment in range(head[OWN], head[SEGMENTS]):
        await_readers(state, array(state, DIRECTORY)[segment * SEGMENT + S_RELATION])
    head[OWN] = head[SEGMENTS]
    return True


@inner_kernel
def put_straight(state: int, pool: Pool, relation: int, made: Rows) -> None:
    """Put conclusions into their table, and note those that are new there."""
    at = relation * RELATION
    relations = array(state, RELATIONS)
    table = table_at(relations[at + R_TABLE])
    size = lent(table, META)[SIZE]
    fresh = absorb_own(table, made, array(state, HEAD)[HORIZON] - relations[at + R_KEPT])
    note_gain(state, pool, relation, fresh, size)
