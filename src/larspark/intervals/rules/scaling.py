"""Numbers of one small unit in place of decimals, and back: row by row, as far as the values are known. Compiled.

A *memo* has units with the codes of what they mean, at places that follow from their hash; the code 0 is a free place.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inlined, kernel
from larspark.intervals.rules.arithmetic import INLINE
from larspark.intervals.rules.decimals import DIGITS, ENTRY, POWERS, UNITS, UNSEEN
from larspark.intervals.tables.storage import Column, Rows, mixed

FITS, UNKNOWN, UNFIT = 0, 1, 2  # how rows turned out to be


@kernel
def scale_rows(rows: Rows, column: int, part: int, needs: Column, digits: int, decimals: Column, result: Rows) -> int:
    """Put down the rows with the values of a column in units of 10 to the power of −digits.

    Only where the part, whose number stands in another column if it is not negative, needs values. UNKNOWN: nobody has
    looked yet at a value. UNFIT: a value has no such units.
    """
    size = decimals.shape[0] // ENTRY
    found = FITS
    for row in range(rows.shape[0]):
        for place in range(rows.shape[1]):
            result[row, place] = rows[row, place]
        if part >= 0 and not needs[rows[row, part] >> 1]:
            continue
        code = rows[row, column]
        units, own = code >> 1, 0
        if code & 1:
            if units >= size or decimals[units * ENTRY + DIGITS] == UNSEEN:
                found = max(found, UNKNOWN)
                continue
            own, units = decimals[units * ENTRY + DIGITS], decimals[units * ENTRY + UNITS]
        if own < 0 or own > digits or abs(units) >= INLINE // POWERS[digits - own]:
            found = UNFIT
        else:
            result[row, column] = units * POWERS[digits - own] << 1
    return found


@kernel
def known_codes(rows: Rows, column: int, digits: int, memo: Rows) -> Column:
    """Replace numbers of units by the codes of what they mean; the rows where that is not known."""
    missing = np.empty(rows.shape[0], np.int64)
    count = 0
    for row in range(rows.shape[0]):
        units = rows[row, column] >> 1
        if units % POWERS[digits] == 0:
            rows[row, column] = units // POWERS[digits] << 1
            continue
        place = _place(units, memo)
        if memo[place, 1]:
            rows[row, column] = memo[place, 1]
        else:
            missing[count] = row
            count += 1
    return missing[:count]


@kernel
def memorize_codes(memo: Rows, units: Column, codes: Column) -> None:
    """Put codes into the memo, which must have room."""
    for number in range(units.shape[0]):
        place = _place(units[number], memo)
        memo[place, 0], memo[place, 1] = units[number], codes[number]


@kernel
def shorten(units: Column, digits: Column) -> None:
    """Let units count as few digits as there can be."""
    for number in range(units.shape[0]):
        while digits[number] > 0 and units[number] % 10 == 0:
            units[number] //= 10
            digits[number] -= 1


@inlined
def _place(units: int, memo: Rows) -> int:
    """Where units stand, or would stand."""
    mask = memo.shape[0] - 1
    place = mixed(0, units) & mask
    while memo[place, 1] and memo[place, 0] != units:
        place = (place + 1) & mask
    return place
