"""Terms and comparisons as program text.

clingo's own arithmetic is used on times, which are small integers, and Python functions on everything else.
"""

from __future__ import annotations

from collections.abc import Collection as Names

from larspark.language.tree import Call, Comparison, Constant, Duration, Now, Operation, Term, Variable
from larspark.reasoners.clingo.adapter import text
from larspark.reasoners.clingo.functions import OPERATIONS, call_name
from larspark.reasoners.plain import Condition

_SMALL = 2**20
"""Offsets up to this size cannot take a time point out of clingo's range."""

_MIRRORED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}
"""The comparison that holds exactly when the given one does not."""


class TermText:
    """Writes the terms of one rule, whose variables in `times` are known to be time points.

    `native`: no value can come up that clingo orders differently, so its own comparisons are right.
    """

    def __init__(self, times: Names[str], native: bool) -> None:
        self._times = times
        self._native = native

    def term(self, term: Term) -> str:
        match term:
            case Variable(name):
                return "_" if term.anonymous else name
            case Constant(value):
                return text(value)
            case Now():
                return "now"
            case Operation(operator, left, right):
                if self.is_time(term):
                    return f"{self.term(left)}{operator}{self._factor(right)}"
                return f"@{OPERATIONS[operator]}({self.term(left)},{self.term(right)})"
            case Call(function, args):
                return f"@{call_name(function)}({','.join(map(self.term, args))})"
            case Duration():
                raise TypeError(f"{term.amount} {term.unit} is not resolved against a clock yet")

    def condition(self, condition: Condition) -> str:
        comparison = condition.comparison
        operator = _MIRRORED[comparison.operator] if condition.negated else comparison.operator
        left, right = self.term(comparison.left), self.term(comparison.right)
        if operator in ("=", "!=") or self._compares_times(comparison):
            return f"{left} {operator} {right}"
        plain = not any(map(is_computed, (comparison.left, comparison.right)))
        return self.compared(operator, left, right, plain=plain)

    def compared(self, operator: str, left: str, right: str, *, plain: bool = True) -> str:
        """An order between values that are already written; `plain`: none of them is just computed."""
        if self._native and plain:
            return f"{left} {operator} {right}"
        match operator:
            case "<":
                return f"@less({left},{right}) = 1"
            case "<=":
                return f"@at_most({left},{right}) = 1"
            case ">":
                return f"@less({right},{left}) = 1"
            case _:
                return f"@at_most({right},{left}) = 1"

    def is_time(self, term: Term) -> bool:
        """Is the term a time, moved by small constants at most?"""
        match term:
            case Now():
                return True
            case Variable(name):
                return name in self._times
            case Operation("+" | "-", left, right):
                return self.is_time(left) and _small(right)
        return False

    def not_before(self, term: Term) -> bool:
        """Is the term a time that was not moved back?"""
        match term:
            case Operation("+", left, Constant(int(offset))):
                return offset >= 0 and self.is_time(term) and self.not_before(left)
        return self.is_time(term) and not isinstance(term, Operation)

    def _compares_times(self, comparison: Comparison) -> bool:
        sides = (comparison.left, comparison.right)
        return any(map(self.is_time, sides)) and all(self.is_time(side) or _small(side) for side in sides)

    def _factor(self, term: Term) -> str:
        written = self.term(term)
        return f"({written})" if written.startswith("-") else written


def is_computed(term: Term) -> bool:
    """May the term have no value?"""
    return isinstance(term, Operation | Call)


def _small(term: Term) -> bool:
    return isinstance(term, Constant) and isinstance(term.value, int) and abs(term.value) < _SMALL
