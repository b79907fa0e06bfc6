"""Plain rules in the shape that the answer-set reasoners work on.

In the extended atoms of their bodies all terms are variables or constants; what is computed has moved into comparisons.
`flattening.plain_rule` makes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from larspark.diagnostics import Origin
from larspark.language.extended_atoms import ExtendedAtom
from larspark.language.traversal import variables
from larspark.language.tree import Atom, Comparison, Node, Term, Variable


@dataclass(frozen=True)
class Condition:
    """A comparison, computed and not looked up."""

    comparison: Comparison
    negated: bool = False


@dataclass(frozen=True)
class Element:
    """`terms : body` inside an aggregate."""

    terms: tuple[Term, ...]
    body: tuple[Literal, ...]


@dataclass(frozen=True)
class Collection:
    """`[not] result operator #function{ elements }`."""

    function: str
    operator: str
    result: Term
    elements: tuple[Element, ...]
    negated: bool = False
    origin: Origin | None = field(default=None, compare=False)

    @property
    def assigns(self) -> bool:
        """Does it give its result variable a value?"""
        variable = isinstance(self.result, Variable) and not self.result.anonymous
        return variable and self.operator == "=" and not self.negated


Literal: TypeAlias = ExtendedAtom | Condition | Collection


@dataclass(frozen=True)
class Head:
    """`atom`, or `@time atom`."""

    atom: Atom
    time: Term | None = None


@dataclass(frozen=True)
class PlainRule:
    """Heads (none: a constraint, several: a disjunction) and body."""

    heads: tuple[Head, ...]
    body: tuple[Literal, ...]
    times: frozenset[str] = frozenset()
    """The time variables `@T`, `[from T to U]`: they stand for time points of the timeline and nothing else."""
    origin: Origin | None = field(default=None, compare=False)

    def unchecked_times(self) -> frozenset[str]:
        """The time variables, not local to an aggregate, that no positive `@T` of the body ties to the timeline."""
        return (self.times & self._outside()) - _tied(self.body)

    def sure_times(self) -> frozenset[str]:
        """The time variables that have no other value wherever they stand, also as local ones of aggregates."""
        local = (
            (term_names(element.terms).union(*map(literal_names, element.body)), _tied(element.body))
            for literal in self.body
            if isinstance(literal, Collection)
            for element in literal.elements
        )
        loose = set[str]().union(*(names - tied for names, tied in local)) - self._outside()
        return self.times - self.unchecked_times() - loose

    def _outside(self) -> set[str]:
        """The variables that are not local to an aggregate."""
        parts = (part for head in self.heads for part in (head.atom, head.time) if part is not None)
        literals = (literal for literal in self.body if not isinstance(literal, Collection))
        return term_names(parts).union(*map(literal_names, literals))

    def readings(self) -> Iterator[ExtendedAtom]:
        """All readings, also those inside aggregates."""
        return _readings(self.body)


def _tied(body: Iterable[Literal]) -> set[str]:
    """The variables `T` of positive `@T`."""
    return {
        literal.time.name
        for literal in body
        if isinstance(literal, ExtendedAtom) and not literal.negated and isinstance(literal.time, Variable)
    }


def _readings(body: Iterable[Literal]) -> Iterator[ExtendedAtom]:
    for literal in body:
        match literal:
            case ExtendedAtom():
                yield literal
            case Collection(elements=elements):
                for element in elements:
                    yield from _readings(element.body)


def term_names(terms: Iterable[Node]) -> set[str]:
    """The named variables of some terms."""
    return {v.name for term in terms for v in variables(term) if not v.anonymous}


def literal_names(literal: Literal) -> set[str]:
    """The named variables of a literal; of an aggregate also those that are local to it."""
    match literal:
        case ExtendedAtom(computed_interval=window):
            return set(literal.names()) | (term_names([window]) if window else set())
        case Condition(comparison):
            return term_names([comparison.left, comparison.right])
        case Collection(result=result, elements=elements):
            names = term_names([result])
            for element in elements:
                names |= term_names(element.terms).union(*map(literal_names, element.body))
            return names
