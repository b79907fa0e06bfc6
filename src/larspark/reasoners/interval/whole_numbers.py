"""Functions about integers that rules of the language cannot name: lowering needs them."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from larspark.intervals.rules.arithmetic import INLINE
from larspark.language.values import NotANumber, Value

INTEGER = "#integer"
"""An integer itself; for another value the second argument, or nothing when there is none."""

ORDINARY = "#ordinary"
"""An integer of ordinary size itself; for another value the second argument."""

FLOOR, CEILING = "#floor", "#ceiling"
"""The integer with which integers of ordinary size compare as with the value: below or above it."""


def integer(number: Value, *otherwise: Value) -> Value:
    if isinstance(number, int):
        return number
    if otherwise:
        return otherwise[0]
    raise NotANumber(f"{number} is not an integer")


def ordinary(number: Value, otherwise: Value) -> Value:
    return number if isinstance(number, int) and -INLINE < number < INLINE else otherwise


def rounded(value: Value, *, down: bool) -> int:
    """Symbols come after all numbers; what is larger than any ordinary integer is the largest of them."""
    match value:
        case str():
            return INLINE - 1
        case Decimal():
            whole = int(value.to_integral_value(ROUND_FLOOR if down else ROUND_CEILING))
        case int():
            whole = value
    return max(1 - INLINE, min(whole, INLINE - 1))
