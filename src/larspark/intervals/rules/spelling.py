"""Decimals spelled as they are everywhere: the escape that tells them from symbols, a sign, digits and a point."""

from __future__ import annotations

from larspark.intervals.compiled import kernel
from larspark.intervals.tables.lists import Bytes
from larspark.intervals.tables.storage import Column

MOST_BYTES = 24
"""Of one number: the escape, a sign, nineteen digits, a zero and a point are fewer."""

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
