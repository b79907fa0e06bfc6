"""Allen's relations, `[A,B] during [C,D]`: comparisons of the ends of two intervals, which belong to them.

The ends are time points or other whole numbers, so that one interval meets another where the next number begins it. Of
two intervals exactly one of the thirteen holds; ends of which the last is before the first are no interval, and have
none. In a body, `not` of it counts: `0 = #count{ 1 : … }`, so that it stays an extended atom.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from larspark.diagnostics.origin import Origin
from larspark.language.tree import Aggregate, AggregateElement, Comparison, Constant, Operation, Term

Sides: TypeAlias = list[tuple[Term, str, Term]]


def _next(term: Term) -> Term:
    return Operation("+", term, Constant(1, origin=term.origin), origin=term.origin)


_RELATIONS: dict[str, Callable[[Term, Term, Term, Term], Sides]] = {
    "before": lambda a, b, c, d: [(_next(b), "<", c)],
    "meets": lambda a, b, c, d: [(_next(b), "=", c)],
    "overlaps": lambda a, b, c, d: [(a, "<", c), (c, "<=", b), (b, "<", d)],
    "starts": lambda a, b, c, d: [(a, "=", c), (b, "<", d)],
    "during": lambda a, b, c, d: [(c, "<", a), (b, "<", d)],
    "finishes": lambda a, b, c, d: [(c, "<", a), (b, "=", d)],
    "equals": lambda a, b, c, d: [(a, "=", c), (b, "=", d)],
}
_EXCHANGED = {
    "after": "before",
    "met": "meets",
    "overlapped": "overlaps",
    "started": "starts",
    "contains": "during",
    "finished": "finishes",
}
"""By the word of the relation that holds between the same intervals the other way round."""

RELATIONS = (*_RELATIONS, *_EXCHANGED)


def comparisons(relation: str, ends: tuple[Term, Term, Term, Term], origin: Origin) -> list[Comparison]:
    """What the relation says of the ends of two intervals."""
    if relation in _EXCHANGED:
        ends = (*ends[2:], *ends[:2])
    first, last, other_first, other_last = ends
    said = _RELATIONS[_EXCHANGED.get(relation, relation)](*ends)
    said += [(first, "<=", last), (other_first, "<=", other_last)]
    return [Comparison(operator, left, right, origin=origin) for left, operator, right in said]


def denied(said: list[Comparison], origin: Origin) -> Aggregate:
    """That not all of these hold."""
    element = AggregateElement((Constant(1, origin=origin),), tuple(said), origin=origin)
    return Aggregate("count", "=", Constant(0, origin=origin), (element,), origin=origin)
