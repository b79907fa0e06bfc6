"""Decimals of ordinary size as numbers of small units: what compiled code knows of the values in a dictionary.

By the place of a value in the dictionary there are two numbers: its units, and the digits behind the point that these
count; NO_DECIMAL where it is none, or one with too many digits, or where nobody has looked yet.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import kernel
from larspark.intervals.rules.arithmetic import AT_LEAST, AT_MOST, GREATER, LESS, MISSING
from larspark.intervals.tables.storage import Column

UNITS, DIGITS, ENTRY = 0, 1, 2  # in an entry; its size
UNSEEN, NO_DECIMAL = -1, -2
MOST_DIGITS = 18
LARGEST_UNITS = 2**62
POWERS = 10 ** np.arange(MOST_DIGITS + 1)


@kernel
def compare_decimals(relation: int, left: int, right: int, decimals: Column) -> int:
    """1, 0, or MISSING when one of them is not known as a number, or they are too far apart in size."""
    digits = more = 0
    size = decimals.shape[0] // ENTRY
    if left & 1:
        if left >> 1 >= size:
            return MISSING
        digits = decimals[(left >> 1) * ENTRY + DIGITS]
        left = decimals[(left >> 1) * ENTRY + UNITS]
    else:
        left >>= 1
    if right & 1:
        if right >> 1 >= size:
            return MISSING
        more = decimals[(right >> 1) * ENTRY + DIGITS]
        right = decimals[(right >> 1) * ENTRY + UNITS]
    else:
        right >>= 1
    if digits < 0 or more < 0:
        return MISSING
    if digits < more:
        if abs(left) > LARGEST_UNITS // POWERS[more - digits]:
            return MISSING
        left *= POWERS[more - digits]
    else:
        if abs(right) > LARGEST_UNITS // POWERS[digits - more]:
            return MISSING
        right *= POWERS[digits - more]
    if relation == LESS:
        return 1 if left < right else 0
    if relation == AT_MOST:
        return 1 if left <= right else 0
    if relation == GREATER:
        return 1 if left > right else 0
    if relation == AT_LEAST:
        return 1 if left >= right else 0
    return MISSING
