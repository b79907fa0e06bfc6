"""Aggregates over sets of tuples, as in ASP-Core-2."""

from __future__ import annotations

from decimal import Decimal

from larspark.language.values import Value, calculate, order_key, total


def aggregate(function: str, tuples: set[tuple[Value, ...]]) -> Value | None:
    """The value over distinct tuples, of whose first terms `sum`, `min`, `max` and `avg` are taken.

    Nothing has no minimum, maximum or average: None. A symbol has no sum: NotANumber.
    """
    if function == "count":
        return len(tuples)
    firsts = [entry[0] for entry in tuples]
    match function:
        case "sum":
            return total(firsts)
        case "min":
            return min(firsts, key=order_key, default=None)
        case "max":
            return max(firsts, key=order_key, default=None)
        case "avg":
            return average(firsts) if firsts else None
    raise ValueError(f"unknown aggregate {function}")


def average(values: list[Value]) -> Value:
    """Exact where it fits the digits of a decimal: the average of 1 and 2 is 1.5, unlike the integer 3 / 2."""
    return calculate("/", Decimal(total(values)), Decimal(len(values)))
