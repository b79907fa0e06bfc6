"""Which variables of a rule meet where, and which literals give them values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from larspark.language.extended_atoms import ExtendedAtom
from larspark.language.tree import Comparison, Variable
from larspark.reasoners.plain import Collection, Condition, Element, Literal, PlainRule, literal_names, term_names


@dataclass(frozen=True)
class Scope:
    """The literals that hold together: the body of a rule, and that of the element of an aggregate inside it."""

    rule: PlainRule
    element: Element | None = None

    @property
    def literals(self) -> tuple[Literal, ...]:
        return (*self.rule.body, *(self.element.body if self.element else ()))

    def outside(self, literal: Literal) -> set[str]:
        """The variables of the rule's head and other literals, without those local to (other) aggregates."""
        names = term_names(part for head in self.rule.heads for part in (head.atom, head.time) if part is not None)
        if self.element:
            names |= term_names(self.element.terms)
        for other in self.literals:
            if isinstance(other, Collection):
                names |= term_names([other.result]) if other is not literal else set()
            elif other is not literal:
                names |= literal_names(other)
        return names

    def asked(self, reading: ExtendedAtom) -> set[str]:
        """The variables whose values matter besides the time of an atom: in it, in other literals, in aggregates."""
        inside = (other for other in self.rule.body if isinstance(other, Collection) and not self.element)
        return self.outside(reading).union(term_names(reading.atom.args), *map(literal_names, inside))

    def shared(self, literal: Literal) -> set[str]:
        """The variables of a literal that the rule uses elsewhere."""
        return literal_names(literal) & self.outside(literal)

    def given(self, collection: Collection) -> set[str]:
        """The variables that an aggregate needs: of its comparison, and those inside that the rule uses elsewhere."""
        elements = collection.elements
        inside = [names for e in elements for names in (term_names(e.terms), *map(literal_names, e.body))]
        compared = set[str]() if collection.assigns else term_names([collection.result])
        return compared.union(*inside) & (self.outside(collection) | compared)

    def wanted(self, literal: Literal) -> set[str]:
        """What it needs the values of; a positive atom gives its arguments values itself."""
        match literal:
            case Collection():
                return self.given(literal)
            case ExtendedAtom(negated=False, atom=atom):
                return literal_names(replace(literal, atom=replace(atom, args=()))) & self.outside(literal)
        return self.shared(literal)

    def providers(self, literal: Literal, binds: Callable[[ExtendedAtom], bool]) -> Iterator[tuple[Literal, set[str]]]:
        """The other literals that give variables values, and to which: positive atoms and what is computed from them.

        Aggregates are among them only if the literal needs their results. `binds` tells the atoms that count. An atom
        gives nothing to the bounds of its own interval.
        """
        bound: set[str] = set()
        others = [other for other in self.literals if other is not literal]
        for other in others:
            if isinstance(other, ExtendedAtom) and not other.negated and binds(other):
                bound.update(other.names())
                yield other, set(other.names())
        wanted = self.wanted(literal)
        pending = list(others)
        computing = [other for other in others if isinstance(other, Collection)]
        while True:
            if ready := next((one for one in pending if _assigns(one, bound)), None):
                pending.remove(ready)
                bound |= literal_names(ready)
                yield ready, literal_names(ready)
            elif not wanted <= bound and (found := next((c for c in computing if self._counts(c, bound)), None)):
                computing.remove(found)
                bound |= term_names([found.result])
                yield found, term_names([found.result])
            else:
                return

    def _counts(self, collection: Collection, bound: set[str]) -> bool:
        """Does the aggregate give a new variable a value computed from bound ones?"""
        new = collection.assigns and not term_names([collection.result]) <= bound
        return new and self.given(collection) <= bound


def _assigns(literal: Literal, bound: set[str]) -> bool:
    """Is it a comparison that gives a variable a value computed from bound ones?"""
    match literal:
        case Condition(Comparison("=", left, right), negated=False):
            names = (term_names([left]), term_names([right]))
            return (isinstance(left, Variable) and names[1] <= bound) or (
                isinstance(right, Variable) and names[0] <= bound
            )
    return False
