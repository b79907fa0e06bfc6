"""From terms to text."""

from __future__ import annotations

from larspark.language.terms import RANGE, Call, Constant, Duration, Now, Operation, Term, Variable
from larspark.language.values import show_value

# How tightly a term binds, as in the grammar.
_RANGE, _SUM, _PRODUCT, _SIGNED, _POWER, _PRIMARY = range(6)

# The level of an operator, and the levels its operands must have.
_LEVELS = {
    RANGE: (_RANGE, _SUM, _SUM),
    "+": (_SUM, _SUM, _PRODUCT),
    "-": (_SUM, _SUM, _PRODUCT),
    "*": (_PRODUCT, _PRODUCT, _SIGNED),
    "/": (_PRODUCT, _PRODUCT, _SIGNED),
    "%": (_PRODUCT, _PRODUCT, _SIGNED),
    "^": (_POWER, _PRIMARY, _SIGNED),
}


def show_term(term: Term) -> str:
    """The text of a term, without blanks; modulo is printed `\\`, which no reader can take for a comment."""
    return _term(term, _SUM)


def show_argument(term: Term) -> str:
    """The same where a range needs no parentheses: as an argument, or right of a comparison."""
    return _term(term, _RANGE)


def _term(term: Term, level: int) -> str:
    own, text = _bound(term)
    return text if own >= level else f"({text})"


def _bound(term: Term) -> tuple[int, str]:
    match term:
        case Constant(value):
            negative = not isinstance(value, str) and value < 0
            return _SIGNED if negative else _PRIMARY, show_value(value)
        case Variable(name):
            return _PRIMARY, "_" if term.anonymous else name
        case Now():
            return _PRIMARY, "now"
        case Duration(amount, unit):
            return _PRIMARY, f"{amount} {unit}"
        case Call(function, args):
            return _PRIMARY, f"{show_value(function)}({','.join(map(show_argument, args))})"
        case Operation("-", Constant(0), right) if not _is_number(right):
            return _SIGNED, f"-{_term(right, _SIGNED)}"
        case Operation(operator, left, right):
            own, left_level, right_level = _LEVELS[operator]
            sign = "\\" if operator == "%" else operator
            return own, f"{_term(left, left_level)}{sign}{_term(right, right_level)}"


def _is_number(term: Term) -> bool:
    return isinstance(term, Constant) and not isinstance(term.value, str)
