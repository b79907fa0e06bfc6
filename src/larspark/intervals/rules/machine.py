"""A small machine that runs one rule over rows with intervals. Compiled once, for all programs.

A plan is an int64 array of instructions. The machine walks them depth first: every instruction either passes the
current registers and interval on (possibly several times) or fails back to the one before it. Values are codes
(see `arithmetic`); constants are put into registers before the start.

What runs for every row (`walk`) knows nothing but plain arrays and where tables live, since a list of tables costs
reference counts at every look. Only instructions that need the memo are taken one by one.

A step of `near(X,Z) :- link(X,Y) [5], link(Y,Z) [5].`, when link(a,b) is new with the interval [3,8]; `link` has an
index over its first column, and the registers are 0 = X, 1 = Y, 2 = Z:

    depth 0  SCAN   bind 0, bind 1            row a b [3,8]        registers a b .    interval [3,8]
    depth 1  PROBE  link: check 1, bind 2     entry b c [6,11]     registers a b c    interval [6,8]
    depth 2  EMIT   0, 2                                           out gets  a c [6,8], back to depth 1
    depth 1  PROBE  on in the chain of b      entry b d [9,14]     nothing of it in [3,8], on
    depth 1  PROBE  end of the chain          fails                back to depth 0
    depth 0  SCAN   no more rows              fails                depth -1: done

    the walk:   SCAN --> PROBE --> EMIT        a frame per depth keeps where it is in its rows or its chain;
                     <--       <--             intervals only become smaller on the way down
"""

from __future__ import annotations

from larspark.intervals.compiled import inlined, inner_kernel, kernel
from larspark.intervals.rules.arithmetic import (
    MISSING,
    UNDEFINED,
    Memo,
    ask_order,
    ask_result,
    ask_time,
    compare_codes,
    compute_codes,
    on_timeline,
)
from larspark.intervals.rules.decimals import compare_decimals
from larspark.intervals.rules.matching import (
    BEGIN,
    BIND,
    CHECK,
    END,
    ENTRIES_AT,
    ENTRIES_SIZE,
    FRAME,
    FROM,
    HEADS_AT,
    HEADS_SIZE,
    KEY_AT,
    LIMIT,
    LINK,
    PLACE,
    SAME,
    STARTED,
    STATE,
    STEP,
    TABLE,
    TO,
    gap,
    locate,
    seek,
    seek_all,
)
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.addresses import column_at, column_of, rows_at, start_of, table_at, tables_at
from larspark.intervals.tables.storage import Column, Rows, copy_words, lent
from larspark.intervals.tables.table import room

# Instructions and their operands; `cells` = (kind, register) for each column of a table, see `matching`.
SCAN = 0  # width, cells: the rows that have changed
PROBE = 1  # table and so on, see `matching`: matching entries
ABSENT = 2  # the same: the times at which no entry matches
COMPARE = 3  # relation, left, right
COMPUTE = 4  # function, target, arity, arguments
MOVE = 5  # target, source
CLIP = 6  # time register, past, future, hop: the evaluation times whose window contains the time point
TIMELINE = 7  # register, start, wanted, kind: whether the value is (1) or is not (0) a time point from `start` on
EMIT = 8  # width, registers, columns of the look-up just before that bound them (NONE: another instruction did)

TABLES, GHOSTS, MEMO, DECIMALS, DECIMALS_SIZE = 0, 1, 2, 3, 4  # the addresses; the length of what is at the last
MISSES, UNDEFINEDS, ALL_UNDEFINED = 0, 1, 2  # the tally of a run; of all runs that were complete
MEMORY, LIMITS, TALLY, SCRATCH, ASKED, PROBED = range(6)
"""What the machine works with, each by address and size: the memory above, for every table the number of entries it had
when the step began, the tally, room to work in, questions to be answered, one row to look an operation up."""
BENCH = 6
FAR = 1 << 40
"""The length of a column whose end nobody asks for."""
FINDS = 4
"""Room for the finds of a look-up at first; what is not needed is never touched."""
DERIVE, OVERDELETE = 0, 1  # modes: the second looks at removed facts too and ignores negation


@kernel
def clip(code: int, past: int, future: int, hop: int) -> tuple[int, int]:
    """The evaluation times t whose window around the pivot ⌊t/hop⌋·hop contains the time point (thesis Def. 8)."""
    if code & 1:  # among the time points only one after all others has such a code
        return (-FOREVER, FOREVER) if future >= FOREVER else (1, 0)
    time = code >> 1
    if hop == 1:
        return (time - future if future < FOREVER else -FOREVER), (time + past if past < FOREVER else FOREVER)
    first = -((future - time) // hop) * hop if future < FOREVER else -FOREVER
    last = (time + past) // hop * hop + hop - 1 if past < FOREVER else FOREVER
    return first, last


def scratch_size(registers: int, steps: int) -> int:
    """How much room `run` needs to work in."""
    return registers + (steps + 1) * FRAME + 2 * steps * PLACE


@inlined
def innermost_of(plan: Column, starts: Column) -> int:
    """The look-up whose finds are conclusions, 0 if there is none.

    It runs most often: its columns are taken out of the table once.
    """
    last = starts.shape[0] - 2
    return last if plan[starts[last]] == PROBE else 0


@inlined
def expected(plan: Column, starts: Column, changed: int, mode: int) -> int:
    """For how many conclusions there should be room."""
    return max(changed * (FINDS if mode == DERIVE and innermost_of(plan, starts) else 1), 4)


@inlined
def conclusion_width(plan: Column, starts: Column) -> int:
    """How wide rows of conclusions are."""
    return plan[starts[starts.shape[0] - 1] + 1] + 2


@inner_kernel
def run(
    code_at: int,
    starts_at: int,
    steps: int,
    constants_at: int,
    registers_used: int,
    changed: Rows,
    mode: int,
    out: Rows,
    bench: int,
) -> Rows:
    """The conclusions of one rule from the changed rows, in `out` as far as there is room.

    A plan is its code, the starts of its instructions, and what the registers hold before; these, and what the machine
    works with, are known by where they lie: to hand over an array takes seven numbers. When the memo lacks operations
    the conclusions are incomplete: the questions are as many of them as there is room for, to be answered before
    running again. The tally says how many, and counts the operations without a value.
    """
    plan, starts = column_at(code_at, FAR), column_at(starts_at, steps)
    memory, limits, tally = column_of(bench, MEMORY), column_of(bench, LIMITS), column_of(bench, TALLY)
    width = column_of(bench, PROBED).shape[0]
    probe = rows_at(start_of(column_of(bench, PROBED)), 1, width)
    asked = column_of(bench, ASKED)
    questions = rows_at(start_of(asked), asked.shape[0] // width, width)
    tables, ghosts, memo = tables_at(memory[TABLES]), tables_at(memory[GHOSTS]), table_at(memory[MEMO])
    registers_at = start_of(column_of(bench, SCRATCH))
    frames_at = registers_at + 8 * registers_used
    places_at = frames_at + 8 * (steps + 1) * FRAME
    copy_words(column_at(constants_at, registers_used), column_at(registers_at, registers_used), registers_used)
    cleared = column_at(frames_at, (steps + 1) * FRAME + 2 * steps * PLACE)
    for place in range(cleared.shape[0]):
        cleared[place] = 0
    registers = column_at(registers_at, registers_used)
    frames, places = rows_at(frames_at, steps + 1, FRAME), rows_at(places_at, 2 * steps, PLACE)
    for step in range(steps):
        at = starts[step]
        if plan[at] == PROBE or plan[at] == ABSENT:
            locate(lent(tables, plan[at + TABLE]), plan, at, limits, places, step)
            if mode == OVERDELETE:
                locate(lent(ghosts, plan[at + TABLE]), plan, at, limits, places, steps + step)
    innermost = innermost_of(plan, starts)
    if mode == OVERDELETE and places[steps + innermost, LIMIT]:
        innermost = 0
    for column in range(probe.shape[1]):
        probe[0, column] = 0
    tally[MISSES] = tally[UNDEFINEDS] = 0
    depth, count = 0, 0
    while True:
        depth, count = walk(
            code_at, starts_at, steps, changed, mode, registers_at, frames_at, places_at, out, innermost, depth, count
        )
        if depth < 0:
            return out[:count]
        if count == out.shape[0]:
            out = room(out, count)
            continue
        at = starts[depth]
        if plan[at] == COMPARE:
            left, right = registers[plan[at + 2]], registers[plan[at + 3]]
            value = compare_decimals(plan[at + 1], left, right, column_at(memory[DECIMALS], memory[DECIMALS_SIZE]))
            if value == MISSING:
                value = ask_order(plan, at, registers, memo, probe)
            passed = value == 1
        elif plan[at] == TIMELINE:
            value = ask_time(plan, at, registers, memo, probe)
            passed = value == plan[at + 3]
        else:
            value = ask_result(plan, at, registers, memo, probe)
            passed = value not in (MISSING, UNDEFINED)
            tally[UNDEFINEDS] += value == UNDEFINED
            if passed:
                registers[plan[at + 2]] = value
        if value == MISSING and tally[MISSES] < questions.shape[0]:
            copy_words(probe[0], questions[tally[MISSES]], probe.shape[1])
            tally[MISSES] += 1
            if plan[at] == COMPUTE:
                ask_ahead(plan, starts, depth, registers, memo, probe, tally, questions)
        depth = depth + 1 if passed else depth - 1
        if passed:
            frames[depth, STATE] = 0


@inner_kernel
def ask_ahead(
    plan: Column, starts: Column, depth: int, registers: Column, memo: Memo, probe: Rows, tally: Column, questions: Rows
) -> None:
    """Ask for the operations that follow one without an answer, too, as far as they do not need that answer."""
    unknown = depth
    depth += 1
    while plan[starts[depth]] == COMPUTE and tally[MISSES] < questions.shape[0]:
        at = starts[depth]
        ready = True
        for before in range(unknown, depth):
            for argument in range(plan[at + 3]):
                ready &= plan[starts[before] + 2] != plan[at + 4 + argument]
        if (
            ready
            and compute_codes(plan, at, registers) == MISSING
            and ask_result(plan, at, registers, memo, probe) == MISSING
        ):
            copy_words(probe[0], questions[tally[MISSES]], probe.shape[1])
            tally[MISSES] += 1
        depth += 1


@inlined
def takes(plan: Column, at: int, changed: Rows, row: int, registers: Column) -> bool:
    """Whether the cells of a SCAN agree with a row; binds registers."""
    for column in range(plan[at + 1]):
        kind, operand = plan[at + 2 + 2 * column], plan[at + 3 + 2 * column]
        if kind == BIND:
            registers[operand] = changed[row, column]
        elif (kind == CHECK and registers[operand] != changed[row, column]) or (
            kind == SAME and changed[row, operand] != changed[row, column]
        ):
            return False
    return True


@inner_kernel
def scan_alone(
    code_at: int,
    starts_at: int,
    steps: int,
    constants_at: int,
    registers_used: int,
    changed: Rows,
    out: Rows,
    bench: int,
) -> Rows:
    """`run` for a plan of which nothing but its first and last instructions matter: there is room for all rows."""
    plan, starts = column_at(code_at, FAR), column_at(starts_at, steps)
    tally, registers = column_of(bench, TALLY), column_of(bench, SCRATCH)
    copy_words(column_at(constants_at, registers_used), registers, registers_used)
    tally[MISSES] = tally[UNDEFINEDS] = 0
    emit, width, given = starts[steps - 1] + 2, out.shape[1] - 2, changed.shape[1] - 2
    count = 0
    for row in range(changed.shape[0]):
        if takes(plan, starts[0], changed, row, registers):
            for column in range(width):
                out[count, column] = registers[plan[emit + column]]
            out[count, width], out[count, width + 1] = changed[row, given], changed[row, given + 1]
            count += 1
    return out[:count]


@inlined
def look(
    plan: Column, at: int, steps: int, mode: int, registers: Column, frames: Rows, places: Rows, depth: int
) -> bool:
    """The next find of a PROBE, or the next stretch of an ABSENT; false when there is none."""
    passed = False
    if plan[at] == PROBE:
        if frames[depth, STATE] == 0:
            frames[depth, STATE], frames[depth, STARTED] = 1, 0
        searched = 2 if mode == OVERDELETE and places[steps + depth, LIMIT] else 1  # what was removed, if anything was
        while not passed and frames[depth, STATE] <= searched:
            place = depth if frames[depth, STATE] == 1 else steps + depth
            passed = seek(places, place, plan, at, registers, frames, depth)
            if not passed:
                frames[depth, STATE] += 1
                frames[depth, STARTED] = 0
        frames[depth + 1, BEGIN], frames[depth + 1, END] = frames[depth, FROM], frames[depth, TO]
    elif mode == OVERDELETE:  # negation is ignored
        frames[depth + 1, BEGIN], frames[depth + 1, END] = frames[depth, BEGIN], frames[depth, END]
        frames[depth, STATE] += 1
        passed = frames[depth, STATE] == 1
    else:
        start = frames[depth, BEGIN] if frames[depth, STATE] == 0 else frames[depth, KEY_AT]
        if start <= frames[depth, END]:
            a, b = gap(places, depth, plan, at, registers, start, frames[depth, END])
            frames[depth + 1, BEGIN], frames[depth + 1, END] = a, b
            frames[depth, STATE], frames[depth, KEY_AT] = 1, b + 2  # b + 1 is covered, or beyond the end
            passed = a <= b
    return passed


@inner_kernel
def walk(
    code_at: int,
    starts_at: int,
    steps: int,
    changed: Rows,
    mode: int,
    registers_at: int,
    frames_at: int,
    places_at: int,
    out: Rows,
    innermost: int,
    depth: int,
    count: int,
) -> tuple[int, int]:
    """Go on from a depth until the end, which is depth −1, until `out` is full, or up to a question to the memo.

    Returns the depth and the number of conclusions.
    """
    plan, starts, registers = column_at(code_at, FAR), column_at(starts_at, steps), column_at(registers_at, FAR)
    frames, places = rows_at(frames_at, steps + 1, FRAME), rows_at(places_at, 2 * steps, PLACE)
    emit = starts[starts.shape[0] - 1] + 2
    width = out.shape[1] - 2
    entries = column_at(places[innermost, ENTRIES_AT], places[innermost, ENTRIES_SIZE])
    heads = column_at(places[innermost, HEADS_AT], places[innermost, HEADS_SIZE])
    stride, link, limit = places[innermost, STEP], places[innermost, LINK], places[innermost, LIMIT]
    while depth >= 0 and count < out.shape[0]:
        at = starts[depth]
        operation = plan[at]
        passed = False
        if operation == SCAN:
            columns = plan[at + 1]
            row = frames[0, STATE]
            while row < changed.shape[0] and not passed:
                frames[1, BEGIN], frames[1, END] = changed[row, columns], changed[row, columns + 1]
                passed = frames[1, BEGIN] <= frames[1, END] and takes(plan, at, changed, row, registers)
                row += 1
            frames[0, STATE] = row
        elif operation == EMIT:
            for column in range(width):
                out[count, column] = registers[plan[emit + column]]
            out[count, width], out[count, width + 1] = frames[depth, BEGIN], frames[depth, END]
            count += 1
        elif operation == PROBE and depth == innermost:
            if frames[depth, STATE] == 0:
                frames[depth, STATE], frames[depth, STARTED] = 1, 0
            count = seek_all(entries, stride, heads, link, limit, plan, at, registers, frames, depth, emit, out, count)
            if frames[depth, STARTED] != 0:
                return depth, count
        elif operation <= ABSENT:
            passed = look(plan, at, starts.shape[0], mode, registers, frames, places, depth)
        elif frames[depth, STATE] == 0:
            first, last = frames[depth, BEGIN], frames[depth, END]
            if operation == CLIP:
                a, b = clip(registers[plan[at + 1]], plan[at + 2], plan[at + 3], plan[at + 4])
                first, last = max(first, a), min(last, b)
                passed = first <= last
            elif operation == MOVE:
                registers[plan[at + 1]] = registers[plan[at + 2]]
                passed = True
            else:
                if operation == COMPARE:
                    value = compare_codes(plan[at + 1], registers[plan[at + 2]], registers[plan[at + 3]])
                    passed = value == 1
                elif operation == TIMELINE:
                    value = on_timeline(plan[at + 4], registers[plan[at + 1]], plan[at + 2])
                    passed = value == plan[at + 3]
                else:
                    value = compute_codes(plan, at, registers)
                    passed = value != MISSING
                    if passed:
                        registers[plan[at + 2]] = value
                if value == MISSING:
                    frames[depth, STATE] = 1
                    frames[depth + 1, BEGIN], frames[depth + 1, END] = first, last
                    return depth, count
            frames[depth, STATE] = 1
            frames[depth + 1, BEGIN], frames[depth + 1, END] = first, last
        if passed:
            depth += 1
            frames[depth, STATE] = 0
        else:
            depth -= 1
    return depth, count
