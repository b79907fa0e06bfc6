"""Values of the language: integers, exact decimals, and symbols (quoted or not).

Two values are equal when they print alike: an integral decimal *is* the integer, and `"abc"` *is* the
symbol `abc`. The order puts numbers before symbols, as in ASP.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Context, Decimal, DivisionByZero, Inexact, InvalidOperation, Overflow
from fractions import Fraction
from typing import TypeAlias

Value: TypeAlias = int | Decimal | str

SYMBOL = re.compile(r"[a-z][A-Za-z0-9_]*\Z")
"""What may be written without quotes."""

RESERVED = frozenset({"not", "and", "or", "some", "always", "reset", "true", "false", "now", "at", "in"})
"""Words of the language: as symbols they need quotes, so that printing and parsing are inverse."""

# Arithmetic is exact: what does not fit 34 digits exactly raises, except division, which is rounded to them.
SIGNIFICANT_DIGITS = 34
_EXACT = Context(prec=SIGNIFICANT_DIGITS, traps=[Inexact, InvalidOperation, DivisionByZero, Overflow])
_ROUNDED = Context(prec=SIGNIFICANT_DIGITS, traps=[InvalidOperation, DivisionByZero, Overflow])


class NotANumber(ArithmeticError):
    """Arithmetic met a symbol, a zero divisor, or a result that cannot be represented exactly."""


def normal(value: Value) -> Value:
    """The one representation of a value: integral decimals become integers, others lose trailing zeros."""
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise NotANumber(f"{value} is not a finite number")
        return int(value) if value == value.to_integral_value() else value.normalize(_ROUNDED)
    return value


def show_value(value: Value) -> str:
    """The canonical spelling."""
    if isinstance(value, str):
        if SYMBOL.match(value) and value not in RESERVED:
            return value
        return quoted(value)
    if isinstance(value, Decimal):
        return format(value, "f")
    return str(value)


def quoted(text: str) -> str:
    """A symbol or path in quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def order_key(value: Value) -> tuple[int, Value]:
    """A sort key under which all values are comparable: numbers by size, then symbols alphabetically."""
    return (1, value) if isinstance(value, str) else (0, value)


def calculate(operator: str, left: Value, right: Value) -> Value:
    """`left operator right`; integers stay integers (`/` truncates and `%` takes the dividend's sign, as in ASP)."""
    if isinstance(left, str) or isinstance(right, str):
        symbol = left if isinstance(left, str) else right
        raise NotANumber(f"{show_value(symbol)} is not a number")
    try:
        if isinstance(left, int) and isinstance(right, int):
            return _integers(operator, left, right)
        return normal(_decimals(operator, Decimal(left), Decimal(right)))
    except ArithmeticError as error:
        raise NotANumber(f"{show_value(left)} {operator} {show_value(right)} cannot be computed exactly") from error


def total(values: Iterable[Value]) -> Value:
    """The sum, whatever the order: exact, unless it needs too many digits itself or a symbol is among the values."""
    whole, rest = 0, Fraction(0)
    for value in values:
        match value:
            case str():
                raise NotANumber(f"{show_value(value)} is not a number")
            case int():
                whole += value
            case Decimal():
                rest += Fraction(value)
    rest += whole
    if rest.denominator == 1:
        return rest.numerator
    try:
        return normal(_EXACT.divide(Decimal(rest.numerator), Decimal(rest.denominator)))
    except ArithmeticError as error:
        raise NotANumber("a sum has too many digits") from error


_LARGEST_BITS = 4096
"""Products and powers are smaller: a recursion that squares its numbers would fill the memory within some steps."""


def _integers(operator: str, left: int, right: int) -> Value:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            if left.bit_length() + right.bit_length() > _LARGEST_BITS:
                raise OverflowError
            return left * right
        case "/":
            quotient = abs(left) // abs(right)
            return quotient if (left < 0) == (right < 0) else -quotient
        case "%":
            remainder = abs(left) % abs(right)
            return -remainder if left < 0 else remainder
        case "^":
            if right < 0:
                return normal(_ROUNDED.power(Decimal(left), Decimal(right)))
            if left.bit_length() * right > _LARGEST_BITS:
                raise OverflowError
            return int(left**right)
    raise ValueError(f"unknown operator {operator}")


def _decimals(operator: str, left: Decimal, right: Decimal) -> Decimal:
    match operator:
        case "+":
            return _EXACT.add(left, right)
        case "-":
            return _EXACT.subtract(left, right)
        case "*":
            return _EXACT.multiply(left, right)
        case "/":
            return _ROUNDED.divide(left, right)
        case "%":
            return _EXACT.remainder(left, right)
        case "^":
            return _ROUNDED.power(left, right)
    raise ValueError(f"unknown operator {operator}")


def compare(operator: str, left: Value, right: Value) -> bool:
    """A comparison by value, total over all values."""
    if operator == "=":
        return left == right
    if operator == "!=":
        return left != right
    a, b = order_key(left), order_key(right)
    match operator:
        case "<":
            return a < b
        case "<=":
            return a <= b
        case ">":
            return a > b
        case ">=":
            return a >= b
    raise ValueError(f"unknown comparison {operator}")


def json_value(value: Value) -> int | float | str:
    """A value as JSON has it; a decimal that a float would change is given as its digits, in a string."""
    if isinstance(value, Decimal):
        number = float(value)
        return number if Decimal(repr(number)) == value else show_value(value)
    return value
