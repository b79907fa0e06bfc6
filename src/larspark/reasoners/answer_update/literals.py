"""Body literals as the grounder reads them, and the order in which it takes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from larspark.diagnostics import Rejected
from larspark.language.extended_atoms import ExtendedAtom, Quantifier, extended_atom
from larspark.language.facts import Signature
from larspark.language.traversal import variables
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
from larspark.reasoners.unbound_time import unbound_time
from larspark.semantics.names import all_names


@dataclass(frozen=True)
class Lookup:
    """An extended atom in a body."""

    read: ExtendedAtom
    internal: bool = False
    """Its predicate is defined in the stratum of the rule, so it is not decided yet."""
    endless: bool = False
    """`@T a` of background in a window without end: it holds at infinitely many T."""


@dataclass(frozen=True)
class ComparisonLiteral:
    """A comparison; `binds` names the variable that `X = expression` computes."""

    comparison: Comparison
    negated: bool = False
    binds: str | None = None
    value: Term | None = None


@dataclass(frozen=True)
class LiteralElement:
    """One `terms : literals` of an aggregate, its literals in evaluation order."""

    terms: tuple[Term, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class AggregateLiteral:
    aggregate: Aggregate
    elements: tuple[LiteralElement, ...] = ()
    negated: bool = False
    binds: str | None = None
    given: frozenset[str] = frozenset()
    """The variables that it has from other literals: those inside it that stand elsewhere, too, or in its result."""


@dataclass(frozen=True)
class ConstantLiteral:
    """`true` or `false` as a literal."""

    value: bool


Step: TypeAlias = Lookup | ComparisonLiteral | AggregateLiteral | ConstantLiteral


@dataclass(frozen=True)
class LiteralReader:
    """Reads plain literals; the analysis has refused everything else."""

    internal: frozenset[Signature] = frozenset()
    """The predicates of the stratum."""
    background: frozenset[Signature] = frozenset()
    """The predicates with given facts."""

    def ordered(self, literals: Iterable[Formula], bound: frozenset[str] = frozenset()) -> tuple[Step, ...]:
        """The literals such that each finds its variables bound: tests as early as possible, then lookups."""
        body = tuple(literals)
        waiting = [_sharing(self.read(one), [other for other in body if other is not one]) for one in body]
        ordered, known = list[Step](), set(bound)
        while waiting:
            step = min(waiting, key=lambda step: _urgency(step, known))
            waiting.remove(step)
            step = self._prepared(step, known)
            ordered.append(step)
            known |= _bound_by(step)
        return tuple(ordered)

    def read(self, literal: Formula) -> Step:
        """A literal by itself."""
        found = extended_atom(literal)
        if found is not None:
            known = found.quantifier is Quantifier.AT and found.signature in self.background
            return Lookup(found, not found.windows and found.signature in self.internal, known and found.endless)
        negated = isinstance(literal, Not)
        match literal.body if isinstance(literal, Not) else literal:
            case Comparison() as comparison:
                return ComparisonLiteral(comparison, negated)
            case Aggregate() as aggregate:
                return AggregateLiteral(aggregate, negated=negated)
            case Truth(value):
                return ConstantLiteral(value is not negated)
        raise TypeError(f"{literal!r} is not a plain literal")

    def _prepared(self, step: Step, known: set[str]) -> Step:
        match step:
            case ComparisonLiteral(comparison, False) if (computable := _computable(comparison, known)) and not (
                names(comparison) <= known
            ):
                return ComparisonLiteral(comparison, False, *computable)
            case Lookup(read, endless=True) if not _time_is_known(read, known):
                raise Rejected([unbound_time(read.atom.origin)])
            case Lookup(ExtendedAtom(negated=False) as read) if self._is_its_own_bound(read, known):
                raise Rejected([unbound_time(read.atom.origin)])
            case AggregateLiteral(aggregate):
                name = _computed_by(step)
                binds = name if name not in known else None
                inside = LiteralReader(background=self.background)
                elements = tuple(
                    LiteralElement(element.terms, inside.ordered(element.body, frozenset(known)))
                    for element in aggregate.elements
                )
                return replace(step, elements=elements, binds=binds)
        return step

    def _is_its_own_bound(self, read: ExtendedAtom, known: set[str]) -> bool:
        """Does the time of a given atom, which holds at all times, bound its own interval?"""
        if read.time is None or read.signature not in self.background:
            return False
        return not names(read.time).isdisjoint(names(*read.windows) - known)


def _urgency(step: Step, known: set[str]) -> int:
    """0 = costs nothing, 1, 2 = lookups, 3 = an aggregate, 4 = has too many answers yet, 5 = must wait for others."""
    match step:
        case ConstantLiteral():
            return 0
        case ComparisonLiteral(comparison, negated):
            ready = names(comparison) <= known or (not negated and _computable(comparison, known))
            return 0 if ready else 5
        case Lookup(ExtendedAtom(negated=False) as read):
            bounds = names(*read.windows)
            if not (bounds | _expressions(read)) <= known | _given(read):
                return 5
            if step.endless and not _time_is_known(read, known):
                return 4
            return 1 if bounds <= known else 2
        case Lookup(read):
            used = names(*read.terms, *read.windows)
            return 0 if {name for name in used if not name.startswith("_")} <= known else 5
        case AggregateLiteral(given=given):
            return 3 if given <= known else 5  # after every lookup, which costs less


def _sharing(step: Step, others: Iterable[Formula]) -> Step:
    """The step, if it is an aggregate with the variables that it has from others; what they have inside is theirs."""
    if not isinstance(step, AggregateLiteral):
        return step
    result, inside = step.aggregate.result, names(*step.aggregate.elements)
    own = names(result) if _computed_by(step) is None else set[str]()
    return replace(step, given=frozenset(own | inside & (names(result) | all_names(others))))


def _computed_by(step: AggregateLiteral) -> str | None:
    """The variable that can get its value from the aggregate."""
    result = step.aggregate.result
    computes = step.aggregate.operator == "=" and not step.negated
    return result.name if computes and isinstance(result, Variable) else None


def _computable(comparison: Comparison, known: set[str]) -> tuple[str, Term] | None:
    """The variable that an equation computes, and from what."""
    if comparison.operator != "=":
        return None
    for target, value in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
        if isinstance(target, Variable) and target.name not in known and names(value) <= known:
            return target.name, value
    return None


def _bound_by(step: Step) -> set[str]:
    match step:
        case Lookup(ExtendedAtom(negated=False) as read):
            return _given(read)
        case ComparisonLiteral(binds=str(name)) | AggregateLiteral(binds=str(name)):
            return {name}
    return set()


def _given(read: ExtendedAtom) -> set[str]:
    """The variables that an atom gives values."""
    return {term.name for term in read.terms if isinstance(term, Variable)}


def _time_is_known(read: ExtendedAtom, known: set[str]) -> bool:
    """Are the variables of its time bound before, or by its atom, or does nobody ask for it?"""
    if read.time is None or (isinstance(read.time, Variable) and read.time.anonymous):
        return True
    return names(read.time) <= known | {arg.name for arg in read.atom.args if isinstance(arg, Variable)}


def _expressions(read: ExtendedAtom) -> set[str]:
    """Variables that a lookup computes with."""
    return names(*(term for term in read.terms if not isinstance(term, Variable)))


def names(*nodes: Node) -> set[str]:
    return {variable.name for node in nodes for variable in variables(node)}
