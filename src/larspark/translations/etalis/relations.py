"""The interval relations of Table A.1 as LARS literals over interval ends.

A pattern is unfolded top-down: given the terms for the ends of its interval, it becomes conditions on the
intervals of its events. What a literal "x has the interval [From, To]" looks like is up to the translation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias

from larspark.language.tree import Atom, Call, Comparison, Constant, Formula, Operation, Term, Variable
from larspark.translations.etalis.patterns import (
    AbsentPattern,
    Combined,
    Event,
    Operator,
    Pattern,
    TimePoint,
    Where,
    Within,
)

Body: TypeAlias = tuple[Formula, ...]


@dataclass(frozen=True)
class Unfolding:
    """How a translation expresses the interval of an event, and of an absent pattern."""

    event: Callable[[Atom, Variable, Variable], Body]
    absent: Callable[[AbsentPattern, Variable, Variable], Iterator[Body]]
    ends: Iterator[Variable]
    """Unused variables for ends of intervals."""

    def bodies(self, pattern: Pattern, start: Variable, end: Variable) -> Iterator[Body]:
        """One body for each choice among the alternatives of OR."""
        match pattern:
            case Event(atom):
                yield self.event(atom, start, end)
            case TimePoint(time):
                yield _compare("=", start, Constant(time)), _compare("=", end, Constant(time))
            case Within(inner, length):
                limit = _compare("<=", Operation("-", end, start), Constant(length))
                yield from ((*body, limit) for body in self.bodies(inner, start, end))
            case Where(inner, conditions):
                yield from ((*body, *conditions) for body in self.bodies(inner, start, end))
            case AbsentPattern():
                yield from self.absent(pattern, start, end)
            case Combined(Operator.OR, left, right):
                yield from self.bodies(left, start, end)
                yield from self.bodies(right, start, end)
            case Combined(operator, left, right):
                one, two, relation = self._related(operator, start, end)
                for first in self.bodies(left, *one):
                    for second in self.bodies(right, *two):
                        yield *first, *second, *relation

    def _related(
        self, operator: Operator, start: Variable, end: Variable
    ) -> tuple[tuple[Variable, Variable], tuple[Variable, Variable], Body]:
        """Ends for both sides, and their relation, such that the result is [start, end]."""
        a, b = next(self.ends), next(self.ends)
        match operator:
            case Operator.SEQ:
                return (start, a), (b, end), (_compare("<", a, b),)
            case Operator.EQUALS:
                return (start, end), (start, end), ()
            case Operator.MEETS:
                return (start, a), (a, end), ()
            case Operator.STARTS:
                return (start, a), (start, end), (_compare("<", a, end),)
            case Operator.FINISHES:
                return (a, end), (start, end), (_compare("<", start, a),)
            case Operator.DURING:
                return (a, b), (start, end), (_compare("<", start, a), _compare("<", a, b), _compare("<", b, end))
            case _:
                c, d = next(self.ends), next(self.ends)
                hull = (_compare("=", start, _call("min", a, c)), _compare("=", end, _call("max", b, d)))
                overlap = _compare("<", _call("max", a, c), _call("min", b, d))
                return (a, b), (c, d), (*hull, overlap) if operator is Operator.PAR else hull


def end_variables(taken: frozenset[str]) -> Iterator[Variable]:
    """T1, T2, … without those that a rule uses already."""
    return (Variable(f"T{number}") for number in count(1) if f"T{number}" not in taken)


def _compare(operator: str, left: Term, right: Term) -> Comparison:
    return Comparison(operator, left, right)


def _call(function: str, *args: Term) -> Call:
    return Call(function, args)
