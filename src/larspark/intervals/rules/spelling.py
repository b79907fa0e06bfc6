"""Decimals spelled as they are everywhere: the escape that tells them from symbols, a sign, digits and a point."""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import kernel
from larspark.intervals.tables.lists import Bytes
from larspark.intervals.tables.storage import Column

MOST_BYTES = 24
"""Of one number: the escape, a sign, nineteen digits, a zero and a point are fewer."""

MOST_BYTES_OF_QUOTIENT = 80
"""The escape, a sign, nineteen digits, a point, nineteen zeros and the significant digits are fewer."""
LARGEST_DIVISOR = 2**59

_ZERO, _POINT, _MINUS = ord("0"), ord("."), ord("-")


@kernel
def spell_units(units: Column, digits: Column, content: Bytes, ends: Column) -> int:
    """Write numbers of so many units and digits behind the point one after the other; their whole size."""
    size = 0
    for row in range(units.shape[0]):
        content[size] = 0
        size += 1
        rest = units[row]
        if rest < 0:
            content[size] = _MINUS
            size += 1
            rest = -rest
        behind = digits[row]
        count, more = 1, rest // 10
        while more > 0:
            count += 1
            more //= 10
        count = max(count, behind + 1)
        length = count + 1 if behind > 0 else count
        place = size + length - 1
        for digit in range(count):
            if digit == behind and behind > 0:
                content[place] = _POINT
                place -= 1
            content[place] = _ZERO + rest % 10
            rest //= 10
            place -= 1
        size += length
        ends[row + 1] = size
    return size


@kernel
def spell_quotients(totals: Column, divisors: Column, significant: int, content: Bytes, ends: Column) -> int:
    """The same for quotients that are no integers, rounded half to even to so many significant digits."""
    size = 0
    digits = np.empty(significant, np.int64)
    for row in range(totals.shape[0]):
        divisor = divisors[row]
        whole, rest = abs(totals[row]) // divisor, abs(totals[row]) % divisor
        content[size] = 0
        size += 1
        if totals[row] < 0:
            content[size] = _MINUS
            size += 1
        before, more = 0, whole
        while more > 0:
            before += 1
            more //= 10
        place = size + max(before, 1)
        content[size] = _ZERO
        size, more = place, whole
        while more > 0:
            place -= 1
            content[place] = _ZERO + more % 10
            more //= 10
        content[size] = _POINT
        size += 1
        while before == 0 and rest * 10 < divisor:
            content[size] = _ZERO
            size += 1
            rest *= 10
        count = 0
        while rest > 0 and before + count < significant:
            rest *= 10
            digits[count] = rest // divisor
            rest %= divisor
            count += 1
        if 2 * rest > divisor or (2 * rest == divisor and digits[count - 1] % 2 == 1):
            # What is rounded is no integer, so some digit takes the one that is carried.
            while digits[count - 1] == 9:
                count -= 1
            digits[count - 1] += 1
        while digits[count - 1] == 0:
            count -= 1
        for digit in range(count):
            content[size] = _ZERO + digits[digit]
            size += 1
        ends[row + 1] = size
    return size
