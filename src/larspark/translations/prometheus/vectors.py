"""Instant vectors as rule bodies.

A label that an element does not have is an empty text, as in Prometheus; so labels of different vectors compare.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from larspark.language.traversal import substitute, variables
from larspark.language.tree import Comparison, Constant, Formula, Operation, Term, Variable
from larspark.translations.datalog import fresh_variables

ABSENT = Constant("")
"""The value of a label that is not there."""

_TINY, _HUGE = Constant(Decimal(1).scaleb(-20)), Constant(10**20)
_PLACES = 12
"""Decimal places of quotients and means: those of their 34 digits that sums need not carry on."""


@dataclass(frozen=True)
class VectorElement:
    """One way to obtain elements of a vector: a rule body with the terms of the labels and of the value."""

    labels: Mapping[str, Term]
    value: Term
    body: tuple[Formula, ...]

    def label(self, name: str) -> Term:
        return self.labels.get(name, ABSENT)

    def used(self) -> set[str]:
        """The names of the variables."""
        parts = (*self.labels.values(), self.value, *self.body)
        return {variable.name for part in parts for variable in variables(part)}

    def replaced(self, terms: Mapping[str, Term]) -> VectorElement:
        """With terms in place of variables."""
        labels = {name: substitute(term, terms) for name, term in self.labels.items()}
        return VectorElement(labels, substitute(self.value, terms), tuple(substitute(one, terms) for one in self.body))

    def apart(self, taken: set[str]) -> VectorElement:
        """With other variables than these."""
        return self.replaced(fresh_variables(sorted(self.used()), taken))

    def filtered(self, *literals: Formula) -> VectorElement:
        return replace(self, body=(*self.body, *literals))

    def computed(self, value: Term) -> VectorElement:
        """With another value, in a variable."""
        if isinstance(value, Constant | Variable):
            return replace(self, value=value)
        new = fresh_variables(["Value"], self.used())["Value"]
        return VectorElement(self.labels, new, (*self.body, Comparison("=", new, value)))


@dataclass(frozen=True)
class Vector:
    """An instant vector: the labels that elements may have, and the ways to obtain them."""

    labels: tuple[str, ...]
    elements: tuple[VectorElement, ...]
    rounded: bool = False
    """Whether values are quotients or means with as many digits as there are."""

    def settled(self) -> Vector:
        """With values that can be calculated with."""
        if not self.rounded:
            return self
        return Vector(self.labels, tuple(one.computed(to_places(one.value)) for one in self.elements))


def joined(
    left: VectorElement, right: VectorElement, labels: Iterable[str]
) -> tuple[VectorElement, VectorElement] | None:
    """Both with the same terms for the labels, and otherwise with different variables; None if they never agree."""
    right = right.apart(left.used())
    for name in labels:
        match left.label(name), right.label(name):
            case one, Variable() as other:
                right = right.replaced({other.name: one})
            case Variable() as one, other:
                left = left.replaced({one.name: other})
                right = right.replaced({one.name: other})
            case one, other:
                if one != other:
                    return None
    return left, right


def quotient(left: Term, right: Term) -> Term:
    """A division that has decimals: that of integers has none, and no number is an integer this far down."""
    return Operation("*", Operation("/", Operation("*", left, _TINY), right), _HUGE)


def to_places(term: Term) -> Term:
    return Operation("-", term, Operation("%", term, Constant(Decimal(1).scaleb(-_PLACES))))
