"""Comparisons with the evaluation time as bounds of validity: `T + 3 <= now` holds from T + 3 on.

A comparison is *linear* when `now` is a summand of one side and nowhere else. What stands beside it goes to the other
side, where only integers may go: sums of decimals can have too many digits, so `now - X <= 1` may have no value where
`now <= 1 + X` has one. Time variables are integers; for other variables the rule is split, into the case that they have
integers as values and those that they have not, which are looked at time point by time point as other terms of `now`.
So is the other side where something goes to it. Alone it may have any value: it is rounded to the integer that compares
alike with integers. Integers are of ordinary size here: sums of larger ones are not bounds that can be rounded.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from larspark.intervals.rules.arithmetic import INLINE
from larspark.language.traversal import walk
from larspark.language.tree import Comparison, Constant, Now, Operation, Term, Variable
from larspark.reasoners.interval.lowering.binding import Names, names
from larspark.reasoners.interval.network import Body, Clip, Compare, Compute, CoreLiteral, Operand
from larspark.reasoners.interval.whole_numbers import CEILING, FLOOR, ORDINARY

if TYPE_CHECKING:
    from larspark.reasoners.interval.lowering.lower_rules import RuleLowering

MIRRORED = {"=": "=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


@dataclass(frozen=True)
class Summand:
    term: Term
    negative: bool


@dataclass(frozen=True)
class Linear:
    """± now + beside <operator> other."""

    operator: str
    negative: bool
    """Whether `now` is subtracted."""
    beside: tuple[Summand, ...]
    other: Term


def linear(comparison: Comparison) -> Linear | None:
    """The comparison as one of `now`; None when it is none, or `now` cannot be isolated."""
    if comparison.operator not in MIRRORED:
        return None
    left, right = comparison.left, comparison.right
    if _has_now(right):
        left, right, operator = right, left, MIRRORED[comparison.operator]
    else:
        operator = comparison.operator
    summands = list(_summands(left, False))
    at = [summand for summand in summands if isinstance(summand.term, Now)]
    beside = tuple(summand for summand in summands if not isinstance(summand.term, Now))
    if len(at) != 1 or _has_now(right) or not all(_moves(summand.term) for summand in beside):
        return None
    return Linear(operator, at[0].negative, beside, right)


class NowBounds:
    """The bounds of one rule."""

    def __init__(self, rule: RuleLowering) -> None:
        self._rule = rule

    def bodies(self, comparison: Comparison, times: Names) -> list[Body] | None:
        """Alternatives for a comparison whose variables have values; `times` are those that are time points."""
        if comparison.operator == "!=":
            sides = [self.bodies(Comparison(operator, comparison.left, comparison.right), times) for operator in "<>"]
            return None if None in sides else [body for side in sides for body in side or ()]
        found = linear(comparison)
        if found is None:
            return None
        before: list[CoreLiteral] = []
        other = self._rule.operand(found.other, before)
        unsure: list[Operand] = [*sorted(Names().union(*(names(summand.term) for summand in found.beside)) - times)]
        if found.beside and not _is_ordinary(found.other, times):
            unsure.append(other)
        unsure = [*dict.fromkeys(unsure)]
        sure = (part for value in unsure for part in self._integer(value, "="))
        bounded = (*before, *sure, *self._bound(found, other, times))
        pointwise = self._rule.comparison(comparison)
        return [bounded, *((*before, *self._integer(value, "!="), *pointwise) for value in unsure)]

    def _integer(self, value: Operand, operator: str) -> Body:
        """Whether the value is (=) or is not (!=) an integer of ordinary size."""
        result = self._rule.fresh()
        none = self._rule.dictionary.encode(-1)
        return Compute(result, ORDINARY, (value, none)), Compare(operator, result, value)

    def _bound(self, found: Linear, value: Operand, times: Names) -> Body:
        before: list[CoreLiteral] = []
        operator = MIRRORED[found.operator] if found.negative else found.operator
        is_time = isinstance(found.other, Variable) and found.other.name in times
        clips: list[CoreLiteral] = []
        for part in ("<=", ">=") if operator == "=" else (operator,):
            # Rounded so that integers compare with it as with the value; if `now` is subtracted, its sign changes.
            down = (part in ("<=", ">")) != found.negative
            near = value if is_time else self._computed(FLOOR if down else CEILING, (value,), before)
            end = self._moved(near, found, before)
            match part:
                case "<=":
                    clips.append(Clip(end, 0, None))
                case "<":
                    clips.append(Clip(end, -1, None))
                case ">=":
                    clips.append(Clip(end, None, 0))
                case ">":
                    clips.append(Clip(end, None, -1))
        return *before, *clips

    def _moved(self, near: Operand, found: Linear, before: list[CoreLiteral]) -> Operand:
        """The value with which `now` alone is compared."""
        total = near
        for summand in found.beside:
            operator = "+" if summand.negative else "-"
            total = self._computed(operator, (total, self._rule.operand(summand.term, before)), before)
        if found.negative:
            total = self._computed("-", (self._rule.dictionary.encode(0), total), before)
        return total if total == near else self._computed(FLOOR, (total,), before)

    def _computed(self, function: str, args: tuple[Operand, ...], before: list[CoreLiteral]) -> Operand:
        result = self._rule.fresh()
        before.append(Compute(result, function, args))
        return result


def _summands(term: Term, negative: bool) -> Iterable[Summand]:
    match term:
        case Operation("+" | "-" as operator, left, right):
            yield from _summands(left, negative)
            yield from _summands(right, negative != (operator == "-"))
        case _:
            yield Summand(term, negative)


def _moves(term: Term) -> bool:
    """Whether it can be taken to the other side, if its variables are integers."""
    match term:
        case Constant(value):
            return isinstance(value, int)
        case Operation("*", left, right):
            return _moves(left) and _moves(right)
    return isinstance(term, Variable)


def _is_ordinary(term: Term, times: Names) -> bool:
    """Whether it is a number that ordinary integers can be added to."""
    match term:
        case Constant(int() | Decimal() as value):
            return -INLINE < value < INLINE
        case Variable(name):
            return name in times
    return False


def _has_now(term: Term) -> bool:
    return any(isinstance(part, Now) for part in walk(term))
