"""Which literals of a body give variables their values, and which they need themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from larspark.language.extended_atoms import extended_atom
from larspark.language.traversal import kept_with_node, variables
from larspark.language.tree import (
    Aggregate,
    Comparison,
    Formula,
    Node,
    Not,
    Term,
    Truth,
    Variable,
)

Names = frozenset[str]


@dataclass(frozen=True)
class Binding:
    """One way in which a literal binds: the variables it gives once it has those it needs."""

    literal: Formula
    gives: Names
    needs: Names


@kept_with_node
def names(node: Node) -> Names:
    """All variables, those local to aggregates included."""
    return frozenset(variable.name for variable in variables(node))


@kept_with_node
def visible(literal: Formula) -> Names:
    """The variables that a literal shares with others: what stands inside an aggregate is local to it."""
    match literal:
        case Aggregate(result=result) | Not(Aggregate(result=result)):
            return names(result)
    return names(literal)


class Bindings:
    """The bindings of literals in one rule.

    `outside` are the variables that the rule mentions outside of its aggregates; `endless` says of a literal that it
    holds at infinitely many time points, so that it cannot give its time.
    """

    def __init__(self, outside: Names, endless: Callable[[Formula], bool]) -> None:
        self._outside = outside
        self._endless = endless

    def bound(self, literals: Iterable[Formula], given: Iterable[str] = ()) -> Names:
        """The variables that have values when the literals are solved together and `given` have theirs."""
        return self._solved([one for literal in literals for one in self._of(literal)], given)[0]

    def binders(self, wanted: Names, literals: Iterable[Formula]) -> tuple[Formula, ...] | None:
        """Literals that give the wanted variables values, and what restricts these; None: there are none."""
        literals = tuple(literals)
        usable = [one for literal in literals for one in self._of(literal)]
        relevant, before = wanted, Names()
        while relevant != before:
            before = relevant
            relevant = relevant.union(*(one.needs for one in usable if one.gives & relevant))
        bound, solved = self._solved([one for one in usable if one.gives & relevant], ())
        if not wanted <= bound:
            return None
        chosen = {id(one.literal) for one in solved}
        return tuple(
            literal
            for literal in literals
            if id(literal) in chosen or (isinstance(literal, Comparison) and names(literal) <= bound)
        )

    def _solved(self, bindings: list[Binding], given: Iterable[str]) -> tuple[Names, list[Binding]]:
        bound, solved = frozenset(given), list[Binding]()
        while ready := [one for one in bindings if one.needs <= bound and one not in solved]:
            solved += ready
            bound = bound.union(*(one.gives for one in ready))
        return bound, solved

    def _of(self, literal: Formula) -> list[Binding]:
        match literal:
            case Comparison("=", left, right):
                sides = ((left, right), (right, left))
                return [
                    Binding(literal, Names({side.name}), names(other))
                    for side, other in sides
                    if isinstance(side, Variable) and side.name not in names(other)
                ]
            case Aggregate(operator="=", result=Variable(name), elements=elements):
                inside = Names().union(*map(names, elements)) & self._outside
                return [Binding(literal, Names({name}), inside)] if name not in inside else []
            case Comparison() | Aggregate() | Not() | Truth():
                return []
        read = extended_atom(literal)
        if read is None:
            return [Binding(literal, Names(), names(literal) - _nameless(literal))]
        given = _plain(read.atom.args if self._endless(literal) else read.terms)
        return [Binding(literal, given, names(literal) - given - _nameless(literal))]


def _plain(terms: Iterable[Term]) -> Names:
    return Names(term.name for term in terms if isinstance(term, Variable))


def _nameless(literal: Formula) -> Names:
    """A `_` is never bound by another literal."""
    return Names(variable.name for variable in variables(literal) if variable.anonymous)
