"""How a network lies in memory for the step: what never changes while it runs, and what a step works on. Compiled.

A state is made of int64 arrays, and is itself an array of their addresses and sizes, known by where it lies: taking an
array out of a numba list counts references, to hand one over takes seven numbers, and a step looks into many of them.
The first arrays describe the network: plans one behind the other, relations, *reads* (a part reads a relation: with
plans that its gains start, plans that its losses start, and operators), parts in the order of evaluation. The others
belong to the step under way. Rows of all widths are known by number; a list keeps those for which the arena is too
small.
"""

from __future__ import annotations

from larspark.intervals.compiled import inlined, inner_kernel, kernel
from larspark.intervals.rules import machine
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.addresses import column_at, column_of, start_of, table_at
from larspark.intervals.tables.lists import Pool
from larspark.intervals.tables.storage import NONE, Column, grown

# The arrays of a state: the network,
CODE, STARTS, CONSTANTS, PLANS, EARLIER, RELATIONS, READS, NUMBERS, OPERATORS, PARTS, WOKEN = range(11)
# where arrivals come in, one by one,
GATES, TAKINGS, WINDOWS, SIEVES, ARRIVED = range(11, 16)
# what the machine needs, and what the step works on.
BENCH_AT = 16
MEMORY, LIMITS, TALLY = BENCH_AT + machine.MEMORY, BENCH_AT + machine.LIMITS, BENCH_AT + machine.TALLY
HEAD, FLAGS, DIRECTORY, AGENDA, READING, TASKS, PRODUCED, DOOMED, FULL, DUE, NOTES, LONG, ARENA = range(
    BENCH_AT + machine.BENCH, BENCH_AT + machine.BENCH + 13
)
ARRAYS = BENCH_AT + machine.BENCH + 13

HELD_AT, STATE_LENGTH = 2 * ARRAYS, 2 * ARRAYS + 1
"""In a state, behind the arrays: the address of the list that holds them."""

# A plan: where its code, the starts of instructions, constants and the relations left to other plans lie; its head.
P_CODE, P_CODE_END, P_STARTS, P_STARTS_END, P_CONSTANTS, P_CONSTANTS_END, P_EARLIER, P_EARLIER_END, P_HEAD = range(9)
P_FIRED = 9  # whether it has concluded anything so far
P_ALONE = 10  # whether the rows that start it say by themselves what has to be taken out because of them
PLAN = 11

# A relation: how long after its end an interval is looked up, its tables (that of what a step has removed where plans
# look for it), its read by its own part, the plans and the operator that derive it again, who reads it; the watch of
# what is valid, if there is one, and when it is due; whether it is told how it has changed where a step takes several
# rounds.
(
    R_WIDTH,
    R_KEPT,
    R_TABLE,
    R_GHOST,
    R_OWN,
    R_REDERIVING,
    R_REDERIVING_END,
    R_OPERATOR,
    R_READS,
    R_READS_END,
    R_WATCH,
    R_DUE,
    R_TOLD,
) = range(13)
RELATION = 13

E_PART, E_RELATION, E_GAINED, E_GAINED_END, E_LOST, E_LOST_END, E_OPERATORS, E_OPERATORS_END = range(8)
READ = 8

B_KIND, B_ANSWERING, B_NEGATES, B_WAKING, B_WAKING_END, B_FORESEEN, B_STRAIGHT = range(7)
PART = 7
# B_FORESEEN: what it concludes is known where a step has FORESEEN it. B_STRAIGHT: it reads nothing that it concludes,
# concludes nothing merely because time goes on, and nobody waits for its demands.
OUTSIDE, INSIDE, SHIFTED = 0, 1, 2  # kinds of parts: evaluated by who calls, or by the step; another relation, later

O_KIND, O_SOURCE, O_TARGET, O_PARAMETERS = range(4)
OPERATOR = 10

# A gate, where arrivals of a predicate come in: how many arguments are handed over, the input relation that parts read
# (NONE if they do not), and its takings. A taking, where a window looks at the arrivals of a gate: whether they are of
# the predicate that it asks for; where the columns of their key and the filters lie in the sieves (NONE: all pass).
G_ARITY, G_RELATION, G_TAKINGS, G_TAKINGS_END, GATE = range(5)
K_WINDOW, K_ASKED, K_KEYS, K_FILTERS, TAKING = range(5)
# A window over arrivals: its relation, where its state and its table live, how many arguments its rows have, and how
# many columns its keys; then what it is given. ARRIVED: the number of the next arrival.
W_KIND, W_TARGET, W_STATE, W_TABLE, W_WIDTH, W_KEYS, W_SIZE, W_WHOLE, W_START, W_LATEST, W_BEHIND, WINDOW = range(12)
HOLDING, RUNNING, COUNTING, FILLING = range(4)  # kinds of windows over arrivals; see `intake`

# What is found in a relation in this step: the first and last segments gained and lost, the size of its table before,
# the number of the table of what is taken out.
F_GAINED, F_GAINED_LAST, F_LOST, F_LOST_LAST, F_SINCE, F_GRAVE = range(6)
FLAG = 6

GAINED, LOST, APPEARED, DISAPPEARED = 0, 1, 2, 3  # what is told of a relation

S_RELATION, S_LOST, S_ROWS, S_NEXT = range(4)
SEGMENT = 4

(
    PHASE,
    PLACE,
    AFTER,
    UNTIL,
    HORIZON,
    STOP,
    SEGMENTS,
    WAITING,
    READ_NOW,
    TASK,
    LAST_TASK,
    MADE,
    LAST_MADE,
    TAKEN_OUT,
    GRAVES,
    OWN,
    WAKES,
    SINGLE,
    RAN,
    RAN_MODE,
    RAN_ROWS,
    FILLED,
    POOL_AT,
    GRAVES_AT,
    DUES,
    WATCHED,
    MOST_WAVES,
    SPARE,
    SEALED,
    FORESEEN,
    NOTED,
    TOP,
    GIVEN_AT,
    TOLD_AT,
    TOLD_ROOM,
) = range(35)
HEADS_LENGTH = 35

# A note of rows: where they lie, how many, and how wide.
N_AT, N_COUNT, N_WIDTH = range(3)
NOTE = 3


array = column_of
"""An array of a state."""


@inner_kernel
def ensure(state: int, which: int, needed: int) -> None:
    """Make an array of the state at least as long as needed."""
    if array(state, which).shape[0] < needed:
        words = column_at(state, STATE_LENGTH)
        held = table_at(words[HELD_AT])
        held[which] = grown(held[which], 2 * needed, NONE)
        words[2 * which], words[2 * which + 1] = start_of(held[which]), held[which].shape[0]


# -- the agenda: reads that wait, the first in the order of evaluation at the root of a heap -------


@kernel
def await_read(state: int, read: int) -> None:
    head = array(state, HEAD)
    place = head[WAITING]
    head[WAITING] += 1
    ensure(state, AGENDA, place + 1)
    agenda = array(state, AGENDA)
    while place > 0 and agenda[(place - 1) // 2] > read:
        agenda[place] = agenda[(place - 1) // 2]
        place = (place - 1) // 2
    agenda[place] = read


@inlined
def next_read(agenda: Column, head: Column) -> int:
    """Take out the first read; there must be one."""
    found = agenda[0]
    head[WAITING] -= 1
    count = head[WAITING]
    moved = agenda[count]
    place = 0
    while 2 * place + 1 < count:
        child = 2 * place + 1
        if child + 1 < count and agenda[child + 1] < agenda[child]:
            child += 1
        if agenda[child] >= moved:
            break
        agenda[place] = agenda[child]
        place = child
    agenda[place] = moved
    return found


@kernel
def await_readers(state: int, relation: int) -> None:
    """Let the later parts that read a relation follow what has changed in it."""
    numbers, reads, place = array(state, NUMBERS), array(state, READS), array(state, HEAD)[PLACE]
    at = relation * RELATION
    for number in range(array(state, RELATIONS)[at + R_READS], array(state, RELATIONS)[at + R_READS_END]):
        if reads[numbers[number] * READ + E_PART] > place:
            await_read(state, numbers[number])


@inner_kernel
def forget_changes(state: int, pool: Pool) -> None:
    """Be ready for another step."""
    head, flags, directory = array(state, HEAD), array(state, FLAGS), array(state, DIRECTORY)
    for segment in range(head[SEGMENTS]):
        at = directory[segment * SEGMENT + S_RELATION] * FLAG
        for place in range(FLAG):
            flags[at + place] = NONE
        flags[at + F_SINCE] = FOREVER
    while len(pool) > 0:
        pool.pop()
    for place in (
        PHASE,
        SEGMENTS,
        SEALED,
        FORESEEN,
        WAITING,
        READ_NOW,
        TASK,
        LAST_TASK,
        MADE,
        LAST_MADE,
        TAKEN_OUT,
        GRAVES,
        WAKES,
        NOTED,
        TOP,
    ):
        head[place] = 0
    head[PLACE] = NONE
