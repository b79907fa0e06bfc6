"""Values of variables under which a comparison holds, near those that they have."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from larspark.language.traversal import variables
from larspark.language.tree import Comparison, Term
from larspark.language.values import NotANumber, Value, normal
from larspark.semantics.entailment import solutions
from larspark.semantics.structures import Binding, Place, Structure


def fitting_values(m: Structure, comparison: Comparison, binding: Binding) -> Iterator[tuple[str, Value]]:
    """For each variable the first value that does: that of the other side, or as far away as the sides are."""
    sides = comparison.left, comparison.right
    for name in dict.fromkeys(one.name for one in variables(comparison) if not one.anonymous):
        if name not in binding:
            continue
        for value in _tried(m, sides, name, binding):
            if _compares(m, comparison, {**binding, name: value}):
                yield name, value
                break


def _tried(m: Structure, sides: tuple[Term, Term], name: str, binding: Binding) -> Iterator[Value]:
    try:
        left, right = (m.value(side, binding) for side in sides)
    except (KeyError, NotANumber):
        return
    own = binding[name]
    for value in (left, right):
        if value != own:
            yield value
    if not isinstance(left, str) and not isinstance(right, str) and isinstance(own, int | Decimal):
        for far in (right - left, left - right):
            yield from (normal(own + far + step) for step in (0, 1, -1))


def _compares(m: Structure, comparison: Comparison, binding: Binding) -> bool:
    place = Place(m, m.stream, 0 if m.now is None else m.now)
    try:
        return any(True for _ in solutions(place, comparison, binding))
    except (KeyError, NotANumber):
        return False
