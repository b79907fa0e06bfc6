"""The value of a term under a binding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeAlias

from larspark.language.calendar import CALENDAR_FUNCTIONS, Calendar
from larspark.language.terms import Call, Constant, Duration, Now, Operation, Term, Variable
from larspark.language.values import NotANumber, Value, calculate, normal, order_key, show_value

BUILT_IN = {"min": (1, None), "max": (1, None), "abs": (1, 1)} | dict.fromkeys(CALENDAR_FUNCTIONS, (1, 1))
"""The functions of the language with their least and greatest number of arguments."""

Functions: TypeAlias = Mapping[str, Callable[..., Any]]
"""What `#function` imported, by name."""


def evaluate(
    term: Term,
    binding: Mapping[str, Value],
    now: int | None = None,
    functions: Functions | None = None,
    calendar: Calendar | None = None,
) -> Value:
    """The value of a resolved term; NotANumber when it has none, KeyError when a variable is not bound."""
    match term:
        case Constant(value):
            return value
        case Variable(name):
            return binding[name]
        case Now():
            if now is None:
                raise NotANumber("`now` has no value outside an evaluation")
            return now
        case Operation(operator, left, right):
            return calculate(
                operator,
                evaluate(left, binding, now, functions, calendar),
                evaluate(right, binding, now, functions, calendar),
            )
        case Call(function, args):
            values = [evaluate(arg, binding, now, functions, calendar) for arg in args]
            return apply_function(function, values, functions or {}, calendar)
        case Duration():
            raise TypeError(f"{term.amount} {term.unit} is not resolved against a clock yet")


def apply_function(function: str, values: list[Value], functions: Functions, calendar: Calendar | None) -> Value:
    """The value of a function for these arguments; NotANumber when it has none."""
    if function in functions:
        return _imported(function, functions[function], values)
    match function, values:
        case "min", [_, *_]:
            return min(values, key=order_key)
        case "max", [_, *_]:
            return max(values, key=order_key)
        case "abs", [value]:
            if isinstance(value, str):
                raise NotANumber(f"{show_value(value)} is not a number")
            return calculate("-", 0, value) if value < 0 else value
        case (("hour" | "minute" | "weekday" | "date"), [time]):
            if calendar is None:
                raise NotANumber(f"{function} needs a stream with timestamps")
            return calendar.read(function, time)
    raise NotANumber(f"there is no function {function} of {len(values)} arguments")


def _imported(name: str, function: Callable[..., Any], values: list[Value]) -> Value:
    """A `#function`: what it raises or returns is not in our hands, so a failure is a term without value."""
    try:
        result = function(*values)
    except Exception as error:
        raise NotANumber(f"{name} failed: {error}") from error
    return result if type(result) is int or type(result) is str else _returned(name, result)


def call_for_each(name: str, function: Callable[..., Any], rows: Iterable[Sequence[Value]]) -> list[Value | None]:
    """A `#function` of many rows of arguments; None where it has no value."""
    found: list[Value | None] = []
    for values in rows:
        try:
            result = function(*values)
            kind = type(result)
            found.append(result if kind is int or kind is str else _returned(name, result))
        except Exception:  # whatever the function raises
            found.append(None)
    return found


def _returned(name: str, result: object) -> Value:
    """What a `#function` returned, as a value."""
    match result:
        case bool():
            raise NotANumber(f"{name} returned a truth value, not a number or symbol")
        case int() | str():
            return result
        case float():
            return normal(Decimal(repr(result)))
        case Decimal():
            return normal(result)
    raise NotANumber(f"{name} returned a {type(result).__name__}, not a number or symbol")
