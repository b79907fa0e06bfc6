"""What clingo's grounder asks Python to compute, because its own integers have 32 bits and it has no decimals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Context, Decimal

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.calendar import Calendar
from larspark.language.evaluate import evaluate
from larspark.language.traversal import walk
from larspark.language.tree import Aggregate, Call, Constant, Node, Prefer, Program
from larspark.language.values import NotANumber, Value, calculate, compare, normal, show_value
from larspark.reasoners.clingo.adapter import INTEGER_LIMIT, Function
from larspark.reasoners.pins import require_near

OPERATIONS: Mapping[str, str] = {
    "+": "plus",
    "-": "minus",
    "*": "times",
    "/": "over",
    "%": "remainder",
    "^": "power",
}
"""Arithmetic operators and the functions that stand for them."""

_EXACT = Context(prec=100)
"""Enough digits for any shift of the decimal point."""


MOST_TOLD = 5
"""So many places are listed."""


def function_table(
    now: int,
    places: int = 0,
    imported: Mapping[str, Callable[..., Value]] | None = None,
    calendar: Calendar | None = None,
    adding: Sequence[Origin] = (),
) -> dict[str, Function]:
    """All functions of the generated program at one evaluation time; a result None makes the rule not fire.

    `places`: how many digits after the point sums must be able to add; `adding`: where the program adds.
    """
    weights = _Weights(places, adding)
    table: dict[str, Function] = {name: _operation(operator) for operator, name in OPERATIONS.items()}
    for name in ("min", "max", "abs", "hour", "minute", "weekday", "date", *(imported or {})):
        table[call_name(name)] = _call(name, now, imported or {}, calendar)
    return table | {
        "less": lambda left, right: 1 if compare("<", left, right) else None,
        "at_most": lambda left, right: 1 if compare("<=", left, right) else None,
        "in_timeline": lambda time, start: 1 if _time(time, now) is not None and time >= start else None,
        "bound": _bound,
        "pin": lambda time: _time(time, now),
        "symbolic": lambda value: 1 if isinstance(value, str) else None,
        "weight": weights.weight,
        "total": weights.total,
        "mean": weights.mean,
    }


def call_name(function: str) -> str:
    """The name under which a function of the language is called."""
    return f"call_{function}"


def decimal_places(values: Iterable[Value]) -> int:
    """The most digits after the point that any of the values has."""
    return max((-int(value.as_tuple().exponent) for value in values if isinstance(value, Decimal)), default=0)


def _operation(operator: str) -> Function:
    def function(left: Value, right: Value) -> Value | None:
        try:
            return calculate(operator, left, right)
        except NotANumber:
            return None

    return function


def _call(name: str, now: int, imported: Mapping[str, Callable[..., Value]], calendar: Calendar | None) -> Function:
    def function(*values: Value) -> Value | None:
        try:
            return evaluate(Call(name, tuple(map(Constant, values))), {}, now, imported, calendar)
        except NotANumber:
            return None

    return function


def _time(time: Value, now: int) -> Value | None:
    """A term used as time; what is no integer is no time point."""
    if not isinstance(time, int):
        return None
    require_near(time, now)
    # All times before the timeline are alike: no stream has an atom there.
    return max(time, -1)


def _bound(time: Value) -> Value | None:
    """A bound of an interval; all times beyond what clingo counts are alike, since nothing is there."""
    return max(-INTEGER_LIMIT // 2, min(time, INTEGER_LIMIT // 2)) if isinstance(time, int) else None


class _Weights:
    """The weights of #sum and #prefer as scaled integers, refused before clingo would overflow."""

    def __init__(self, places: int, adding: Sequence[Origin]) -> None:
        self._places, self._adding = places, adding
        self._used = 0

    def weight(self, value: Value, *others: Value) -> Value | None:
        """The weight of a tuple; clingo asks once for each that it meets, which it does not for the value alone."""
        if isinstance(value, str):
            return None
        scaled = normal(_EXACT.scaleb(Decimal(value), self._places))
        if isinstance(scaled, int):
            self._used += abs(scaled)
            if self._used < INTEGER_LIMIT - 1:  # for a sum as large as an integer can be clingo tells others as well
                return scaled
        raise Rejected([_too_large(value, self._adding)])

    def total(self, sum_of_weights: Value) -> Value:
        return normal(self._unscaled(sum_of_weights))

    def mean(self, sum_of_weights: Value, number: Value) -> Value | None:
        return calculate("/", self._unscaled(sum_of_weights), Decimal(number)) if number else None

    def _unscaled(self, sum_of_weights: Value) -> Decimal:
        return _EXACT.scaleb(Decimal(sum_of_weights), -self._places)


def added_up(program: Program) -> tuple[Origin, ...]:
    """Where a program adds: its sums and averages, and its preferences."""
    adds = (one for one in walk(program) if isinstance(one, Prefer) or _is_sum(one))
    return tuple(dict.fromkeys(one.origin for one in adds if one.origin is not None))


def _is_sum(node: Node) -> bool:
    return isinstance(node, Aggregate) and node.function in ("sum", "avg")


def _too_large(value: Value, adding: Sequence[Origin]) -> Diagnostic:
    """Clingo does not say for which of them it asks."""
    message = f"Adding {show_value(value)} does not fit the 32-bit arithmetic of clingo."
    if len(adding) > 1:
        more = f" and {len(adding) - MOST_TOLD} more" if len(adding) > MOST_TOLD else ""
        message += f" The program adds at {', '.join(map(str, adding[:MOST_TOLD]))}{more}."
    hint = "Use the interval reasoner if the program is stratified, or scale the values down."
    return Diagnostic("E518", message, hint, adding[0] if len(adding) == 1 else None)
