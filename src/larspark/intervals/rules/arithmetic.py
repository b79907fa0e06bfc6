"""Values as 64-bit codes, and what the machine can compute on codes alone.

An even code is the integer `code >> 1` itself; an odd one is a place in the engine's dictionary (symbols, decimals,
large integers). What cannot be done on codes is looked up in the *memo*, a table that the engine fills with exact
results.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from larspark.intervals.compiled import inlined, inner_kernel, kernel
from larspark.intervals.sets import LATEST
from larspark.intervals.tables.storage import (
    ENTRIES,
    FIRST,
    HEADS,
    META,
    NONE,
    STRIDE,
    Column,
    Rows,
    Table,
    copy_rows,
    find,
    lent,
)
from larspark.intervals.tables.table import absorb

Memo: TypeAlias = Table
"""Key: function, then the codes of its arguments (filled up with zeros); `FIRST` holds the code of the result."""

EQUAL, UNEQUAL, LESS, AT_MOST, GREATER, AT_LEAST = 0, 1, 2, 3, 4, 5
TIME_POINT, PIN = 6, 7
"""Whether a value is a time point; whether a conclusion can be pinned to it."""
PLUS, MINUS, TIMES, DIVIDE, REMAINDER, POWER, MIN, MAX, ABS = 8, 9, 10, 11, 12, 13, 14, 15, 16
INTEGER, INTEGER_OR, ORDINARY, FLOOR, CEILING = 17, 18, 19, 20, 21
"""An integer is its own value of these; what others have is in the memo."""
NAMED = 32  # functions from here on are known to the engine only

COMPARISONS = {"=": EQUAL, "!=": UNEQUAL, "<": LESS, "<=": AT_MOST, ">": GREATER, ">=": AT_LEAST}
OPERATIONS = {"+": PLUS, "-": MINUS, "*": TIMES, "/": DIVIDE, "%": REMAINDER, "^": POWER}

MISSING = -(2**63) + 1
UNDEFINED = -(2**63) + 3
LARGEST = 2**63 - 3
INLINE = 2**61
"""Integers smaller than this in size are their own code, doubled."""


@inner_kernel
def recall(memo: Memo, probe: Rows) -> int:
    entries, stride = lent(memo, ENTRIES), lent(memo, META)[STRIDE]
    entry = find(entries, lent(memo, HEADS), stride, probe.shape[1], probe, 0)
    return MISSING if entry == NONE else entries[entry * stride + FIRST]


@kernel
def memorize(memo: Memo, questions: Rows, answers: Column) -> None:
    rows = np.empty((questions.shape[0], questions.shape[1] + 2), np.int64)
    copy_rows(questions, rows, questions.shape[0], questions.shape[1])
    for row in range(answers.shape[0]):
        rows[row, questions.shape[1]], rows[row, questions.shape[1] + 1] = answers[row], LARGEST
    absorb(memo, rows, -LARGEST)


@inlined
def compare_codes(relation: int, left: int, right: int) -> int:
    """1, 0, or MISSING. Equal values have equal codes; the order of other than inline values is in the memo."""
    if relation == EQUAL:
        return 1 if left == right else 0
    if relation == UNEQUAL:
        return 1 if left != right else 0
    if (left | right) & 1:
        return MISSING
    if relation == LESS:
        return 1 if left < right else 0
    if relation == AT_MOST:
        return 1 if left <= right else 0
    if relation == GREATER:
        return 1 if left > right else 0
    return 1 if left >= right else 0


@inlined
def on_timeline(kind: int, code: int, start: int) -> int:
    """1, 0, or MISSING for what only the engine can tell: large numbers, and pins that lie too far ahead."""
    if code & 1 or (kind == PIN and code >> 1 >= LATEST):
        return MISSING
    return 1 if code >> 1 >= start else 0


@inlined
def small(value: int, bound: int) -> bool:
    return -bound < value < bound


@inlined
def compute_codes(plan: Column, at: int, registers: Column) -> int:
    """The code of a result, or MISSING when it is in the memo; `at` is the place of a COMPUTE instruction."""
    function, arity = plan[at + 1], plan[at + 3]
    left = registers[plan[at + 4]]
    right = registers[plan[at + 5]] if arity > 1 else 0
    if function < NAMED and not (left | right) & 1:
        if function >= INTEGER:
            return left
        a, b = left >> 1, right >> 1
        if function == PLUS and small(a + b, INLINE):
            return left + right
        if function == MINUS and small(a - b, INLINE):
            return left - right
        if function == TIMES and small(a, 2**30) and small(b, 2**30):
            return (a * b) << 1
        if function == DIVIDE and b != 0:
            quotient = abs(a) // abs(b)
            return quotient << 1 if (a < 0) == (b < 0) else -(quotient << 1)
        if function == REMAINDER and b != 0:
            rest = abs(a) % abs(b)
            return -(rest << 1) if a < 0 else rest << 1
        if function == MIN and arity == 2:
            return min(left, right)
        if function == MAX and arity == 2:
            return max(left, right)
        if function == ABS and arity == 1:
            return abs(left)
    return MISSING


@inner_kernel
def ask_order(plan: Column, at: int, registers: Column, memo: Memo, probe: Rows) -> int:
    """What the memo knows about a COMPARE instruction; the question stays in `probe`."""
    probe[0, :] = 0
    probe[0, 0] = plan[at + 1]
    probe[0, 1], probe[0, 2] = registers[plan[at + 2]], registers[plan[at + 3]]
    return recall(memo, probe)


@inner_kernel
def ask_time(plan: Column, at: int, registers: Column, memo: Memo, probe: Rows) -> int:
    """What the memo knows about a TIMELINE instruction; the question stays in `probe`."""
    probe[0, :] = 0
    probe[0, 0], probe[0, 1] = plan[at + 4], registers[plan[at + 1]]
    return recall(memo, probe)


@inner_kernel
def ask_result(plan: Column, at: int, registers: Column, memo: Memo, probe: Rows) -> int:
    """What the memo knows about a COMPUTE instruction: a code, UNDEFINED or MISSING; the question stays in `probe`."""
    probe[0, :] = 0
    probe[0, 0] = plan[at + 1]
    for argument in range(plan[at + 3]):
        probe[0, 1 + argument] = registers[plan[at + 4 + argument]]
    return recall(memo, probe)
