"""A small machine that runs one rule over rows with intervals. Compiled once, for all programs.

A plan is an int64 array of instructions. The machine walks them depth first: every instruction either passes the
current registers and interval on (possibly several times) or fails back to the one before it. Values are codes
(see `arithmetic`); constants are put into registers before the start.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.arithmetic import (
    MISSING,
    UNDEFINED,
    Memo,
    compare_codes,
    compute_codes,
    new_probe,
    question,
)
from larspark.intervals.compiled import kernel
from larspark.intervals.matching import (
    BIND,
    CHECK,
    INDEX,
    TABLE,
    WHOLE,
    gap,
    heads_of,
    limit_of,
    link_of,
    seek,
    seek_all,
)
from larspark.intervals.sets import FOREVER
from larspark.intervals.storage import ENTRIES, META, STRIDE, WIDTH, Column, Rows, Table
from larspark.intervals.table import room

# Instructions and their operands; `cells` = (kind, register) for each column of a table, see `matching`.
SCAN = 0  # width, cells: the rows that have changed
PROBE = 1  # table, index, age, width, cells, number of keys, key registers: matching entries
ABSENT = 2  # table, index, age, width, cells, number of keys, key registers: the times at which no entry matches
COMPARE = 3  # relation, left, right
COMPUTE = 4  # function, target, arity, arguments
MOVE = 5  # target, source
CLIP = 6  # time register, past, future, hop: the evaluation times whose window contains the time point
TIMELINE = 7  # register, start, wanted: whether the value is (1) or is not (0) a time point from `start` on
EMIT = 8  # width, registers

DERIVE, OVERDELETE = 0, 1  # modes: the second looks at removed facts too and ignores negation

CURSOR = 5


@kernel
def clip(code: int, past: int, future: int, hop: int) -> tuple[int, int]:
    """The evaluation times t whose window around the pivot ⌊t/hop⌋·hop contains the time point (thesis Def. 8)."""
    if code & 1:
        return 1, 0
    time = code >> 1
    if hop == 1:
        return (time - future if future < FOREVER else -FOREVER), (time + past if past < FOREVER else FOREVER)
    first = -((future - time) // hop) * hop if future < FOREVER else -FOREVER
    last = (time + past) // hop * hop + hop - 1 if past < FOREVER else FOREVER
    return first, last


@kernel
def run(
    plan: Column,
    starts: Column,
    constants: Column,
    changed: Rows,
    tables: Table,
    ghosts: Table,
    limits: Column,
    mode: int,
    memo: Memo,
) -> tuple[Rows, Rows, int]:
    """The conclusions of one rule from the changed rows, the operations the memo lacks, how many were undefined.

    `limits` gives for every table the number of entries it had when the step began. When an operation is missing
    the conclusions are incomplete: fill the memo and run again.
    """
    steps = starts.shape[0]
    registers = constants.copy()
    state = np.zeros(steps, np.int64)  # where an instruction stands; 0 = just entered
    cursors = np.zeros((steps, CURSOR), np.int64)
    first, last = np.zeros(steps + 1, np.int64), np.zeros(steps + 1, np.int64)
    probe = new_probe(memo)
    out = np.empty((max(changed.shape[0], 4), plan[starts[steps - 1] + 1] + 2), np.int64)
    misses = np.empty((4, probe.shape[1]), np.int64)
    # A look-up whose finds are conclusions runs most often: its columns are taken out of the table once.
    innermost = steps - 2 if mode == DERIVE and plan[starts[steps - 2]] == PROBE else 0
    at = starts[innermost]
    table = tables[plan[at + TABLE] if innermost else 0]
    index = plan[at + INDEX] if innermost else WHOLE
    stride, link = table[META][STRIDE], link_of(index, table[META][WIDTH])
    limit = limit_of(plan, at, table[META], limits) if innermost else 0
    depth, count, missing, undefined = 0, 0, 0, 0
    while depth >= 0:
        out, misses = room(out, count), room(misses, missing)
        depth, count, missing, undefined = walk(
            plan,
            starts,
            changed,
            tables,
            ghosts,
            limits,
            mode,
            memo,
            registers,
            state,
            cursors,
            first,
            last,
            probe,
            out,
            misses,
            innermost,
            table[ENTRIES],
            stride,
            heads_of(table, index),
            link,
            limit,
            depth,
            count,
            missing,
            undefined,
        )
    return out[:count], misses[:missing], undefined


@kernel
def walk(
    plan: Column,
    starts: Column,
    changed: Rows,
    tables: Table,
    ghosts: Table,
    limits: Column,
    mode: int,
    memo: Memo,
    registers: Column,
    state: Column,
    cursors: Rows,
    first: Column,
    last: Column,
    probe: Rows,
    out: Rows,
    misses: Rows,
    innermost: int,
    entries: Column,
    stride: int,
    heads: Column,
    link: int,
    limit: int,
    depth: int,
    count: int,
    missing: int,
    undefined: int,
) -> tuple[int, int, int, int]:
    """Go on from a depth until the end, which is depth −1, or until `out` or `misses` is full.

    Returns depth, number of conclusions, of missing and of undefined operations.
    """
    emit = starts[starts.shape[0] - 1]
    width = plan[emit + 1]
    emitted = plan[emit + 2 : emit + 2 + width]
    while depth >= 0 and count < out.shape[0] and missing < misses.shape[0]:
        at = starts[depth]
        operation = plan[at]
        passed = False
        if operation == SCAN:
            columns = plan[at + 1]
            row = state[depth]
            while row < changed.shape[0] and not passed:
                passed = changed[row, columns] <= changed[row, columns + 1]
                for column in range(columns):
                    kind, register = plan[at + 2 + 2 * column], plan[at + 3 + 2 * column]
                    if kind == BIND:
                        registers[register] = changed[row, column]
                    elif kind == CHECK and registers[register] != changed[row, column]:
                        passed = False
                        break
                first[1], last[1] = changed[row, columns], changed[row, columns + 1]
                row += 1
            state[depth] = row
        elif operation == EMIT:
            if state[depth] == 0:
                state[depth] = 1
                for column in range(width):
                    out[count, column] = registers[emitted[column]]
                out[count, width], out[count, width + 1] = first[depth], last[depth]
                count += 1
        elif operation == PROBE and depth == innermost:
            if state[depth] == 0:
                state[depth] = 1
                cursors[depth, 0] = 0
            count = seek_all(
                entries,
                stride,
                heads,
                link,
                limit,
                plan,
                at,
                registers,
                cursors[depth],
                first[depth],
                last[depth],
                emitted,
                out,
                count,
            )
            if cursors[depth, 0] != 0:
                continue
        elif operation == PROBE:
            a, b = first[depth], last[depth]
            if state[depth] == 0:
                state[depth] = 1
                cursors[depth, 0] = 0
            if state[depth] == 1:
                passed = seek(tables[plan[at + TABLE]], plan, at, registers, limits, cursors[depth], a, b)
                if not passed and mode == OVERDELETE:
                    state[depth] = 2
                    cursors[depth, 0] = 0
            if not passed and state[depth] == 2:
                passed = seek(ghosts[plan[at + TABLE]], plan, at, registers, limits, cursors[depth], a, b)
            first[depth + 1], last[depth + 1] = cursors[depth, 3], cursors[depth, 4]
        elif operation == ABSENT and mode == DERIVE:
            start = first[depth] if state[depth] == 0 else cursors[depth, 2]
            if start <= last[depth]:
                a, b = gap(tables[plan[at + TABLE]], plan, at, registers, start, last[depth])
                passed = a <= b
                first[depth + 1], last[depth + 1] = a, b
                state[depth] = 1
                cursors[depth, 2] = b + 2  # b + 1 is covered, or beyond the end
        elif state[depth] == 0:
            state[depth] = 1
            first[depth + 1], last[depth + 1] = first[depth], last[depth]
            if operation == COMPARE:
                left, right = registers[plan[at + 2]], registers[plan[at + 3]]
                verdict = compare_codes(plan[at + 1], left, right, memo, probe)
                passed = verdict == 1
                if verdict == MISSING:
                    misses[missing] = probe[0]
                    missing += 1
            elif operation == COMPUTE:
                value = compute_codes(plan, at, registers, memo, probe)
                passed = value not in (MISSING, UNDEFINED)
                if passed:
                    registers[plan[at + 2]] = value
                elif value == UNDEFINED:
                    undefined += 1
                else:
                    question(plan, at, registers, probe)
                    misses[missing] = probe[0]
                    missing += 1
            elif operation == MOVE:
                registers[plan[at + 1]] = registers[plan[at + 2]]
                passed = True
            elif operation == CLIP:
                a, b = clip(registers[plan[at + 1]], plan[at + 2], plan[at + 3], plan[at + 4])
                first[depth + 1], last[depth + 1] = max(first[depth], a), min(last[depth], b)
                passed = first[depth + 1] <= last[depth + 1]
            elif operation == TIMELINE:
                time = registers[plan[at + 1]]
                passed = (not time & 1 and time >> 1 >= plan[at + 2]) == (plan[at + 3] == 1)
            else:  # ABSENT while deleting
                passed = True
        if passed:
            depth += 1
            state[depth] = 0
        else:
            depth -= 1
    return depth, count, missing, undefined
