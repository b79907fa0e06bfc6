"""What declarations tell about arguments: their types and names, from the inputs through the rules.

A variable is what the atoms that bind it say; a conclusion has what all its rules agree on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from larspark.analysis.structure.occurrences import head_atoms
from larspark.language.facts import Signature
from larspark.language.traversal import children, time_variables
from larspark.language.tree import (
    Aggregate,
    Atom,
    Call,
    ColumnType,
    Comparison,
    Constant,
    Duration,
    Formula,
    Implies,
    Input,
    Node,
    Not,
    Now,
    Operation,
    Program,
    Reader,
    Rule,
    Term,
    Variable,
)
from larspark.language.values import Value

TEXTS = frozenset({ColumnType.TEXT, ColumnType.BOOLEAN})

ON_NUMBERS = frozenset({"abs", "hour", "minute", "weekday", "date"})
"""The functions that have no value for a text."""


@dataclass(frozen=True)
class Described:
    """An argument or a term, as far as declarations and constants tell."""

    kind: ColumnType | None = None
    """None: it may be anything."""
    name: str | None = None
    """The column of the input that it comes from."""
    said: Input | None = None
    """Where its type is declared."""

    @property
    def is_text(self) -> bool:
        return self.kind in TEXTS

    def __or__(self, other: Described) -> Described:
        """What holds of both; the first gives the name."""
        kind = joined(self.kind, other.kind)
        said = (self.said or other.said) if kind else None
        return Described(kind, self.name or other.name, said)


ANYTHING = Described()

Descriptions = Mapping[Signature, tuple[Described, ...]]


def joined(one: ColumnType | None, other: ColumnType | None) -> ColumnType | None:
    """The narrowest type with the values of both."""
    if one is other or one is None or other is None:
        return one if one is other else None
    if (one in TEXTS) != (other in TEXTS):
        return None
    if one in TEXTS:
        return ColumnType.TEXT
    return ColumnType.NUMBER if ColumnType.NUMBER in (one, other) else ColumnType.INTEGER


def describe_arguments(program: Program) -> Descriptions:
    """All arguments, from those of the input; a predicate that nothing can derive is not among them."""
    found: dict[Signature, tuple[Described, ...]] = {}
    for one in program.directives:
        if isinstance(one, Input):
            kinds = one.types or (None,) * one.signature.arity
            names: Sequence[str | None] = one.columns or (None,) * one.signature.arity
            found[one.signature] = tuple(
                Described(kind, name, one if kind else None) for kind, name in zip(kinds, names, strict=True)
            )
    derived = {atom.signature for rule in program.rules for atom in head_atoms(rule)}
    for rule in program.rules:
        for atom in positive_atoms(rule.body):
            if atom.signature not in derived:
                found.setdefault(atom.signature, (ANYTHING,) * atom.signature.arity)
    while any(_conclude(rule, found) for rule in program.rules):
        pass
    return found


def _conclude(rule: Rule, found: dict[Signature, tuple[Described, ...]]) -> bool:
    if any(atom.signature not in found for atom in positive_atoms(rule.body)):
        return False
    known = bound_variables(rule, found)
    new = False
    for atom in head_atoms(rule):
        told = tuple(describe_term(term, known) for term in atom.args)
        before = found.get(atom.signature)
        after = told if before is None else tuple(old | one for old, one in zip(before, told, strict=True))
        new |= after != before
        found[atom.signature] = after
    return new


def bound_variables(reader: Reader, found: Descriptions) -> dict[str, Described]:
    """What is known of the variables of a rule."""
    known = {name: Described(ColumnType.TIME) for name in time_variables(reader)}
    for atom in positive_atoms(reader.body):
        for term, told in zip(atom.args, found.get(atom.signature, ()), strict=False):
            if isinstance(term, Variable):
                before = known.get(term.name)
                known[term.name] = _narrower(before, told) if before else told
    for _ in reader.body:  # equations may wait for each other
        for literal in reader.body:
            match literal:
                case Comparison("=", Variable(name), term) | Comparison("=", term, Variable(name)) if name not in known:
                    known[name] = describe_term(term, known)
                case Aggregate(_, "=", Variable(name)) if name not in known:
                    known[name] = _aggregated(literal, known, found)
    return known


def _narrower(one: Described, other: Described) -> Described:
    """Of what two atoms tell about a variable that both bind: whichever knows a type, then whichever knows a name."""
    first = one if one.kind else other
    return replace(first, name=one.name or other.name)


def positive_atoms(body: Sequence[Node]) -> Iterator[Atom]:
    """The atoms that bind variables."""
    for node in body:
        if isinstance(node, Atom):
            yield node
        elif not isinstance(node, Not | Aggregate | Implies):
            yield from positive_atoms(list(children(node)))


def _aggregated(aggregate: Aggregate, known: Mapping[str, Described], found: Descriptions) -> Described:
    if aggregate.function == "count":
        return Described(ColumnType.INTEGER)
    told: Described | None = None
    for element in aggregate.elements:
        inside = {**known, **bound_variables(Rule(Atom("#element"), element.body), found)}
        one = describe_term(element.terms[0], inside)
        told = one if told is None else told | one
    told = told or ANYTHING
    if aggregate.function in ("min", "max"):
        return told
    exact = told.kind if aggregate.function == "sum" and told.kind in (ColumnType.INTEGER, ColumnType.NUMBER) else None
    return Described(exact if aggregate.function == "sum" else ColumnType.NUMBER, said=told.said)


def describe_term(term: Term, known: Mapping[str, Described]) -> Described:
    match term:
        case Constant(value):
            return Described(_kind_of(value))
        case Variable(name):
            return known.get(name, ANYTHING)
        case Now():
            return Described(ColumnType.TIME)
        case Duration():
            return Described(ColumnType.INTEGER)
        case Operation(operator, left, right):
            return _calculated(operator, describe_term(left, known), describe_term(right, known))
        case Call("hour" | "minute" | "weekday"):
            return Described(ColumnType.INTEGER)
        case Call("date"):
            return Described(ColumnType.TEXT)
        case Call("min" | "max" | "abs", args):
            told = [describe_term(one, known) for one in args]
            whole = told[0]
            for one in told[1:]:
                whole |= one
            return replace(whole, name=None)
    return ANYTHING


def _kind_of(value: Value) -> ColumnType:
    if isinstance(value, str):
        return ColumnType.TEXT
    return ColumnType.INTEGER if isinstance(value, int) else ColumnType.NUMBER


def _calculated(operator: str, left: Described, right: Described) -> Described:
    """What arithmetic gives; a time shifted by a whole number is a time, the difference of two is none."""
    said = left.said or right.said
    kinds = (left.kind, right.kind)
    if None in kinds or left.is_text or right.is_text:
        return Described(None, said=None)
    if kinds == (ColumnType.TIME, ColumnType.INTEGER) and operator in "+-":
        return Described(ColumnType.TIME, said=said)
    if kinds == (ColumnType.INTEGER, ColumnType.TIME) and operator == "+":
        return Described(ColumnType.TIME, said=said)
    if ColumnType.NUMBER in kinds or operator == "^":
        return Described(ColumnType.NUMBER, said=said)
    return Described(ColumnType.INTEGER, said=said)


def in_scope(reader: Reader, literal: Formula, found: Descriptions) -> dict[str, Described]:
    """What is known of the variables where a literal of the body stands, those of its own elements included."""
    known = bound_variables(reader, found)
    if isinstance(literal, Aggregate):
        for element in literal.elements:
            known = {**bound_variables(Rule(Atom("#element"), element.body), found), **known}
    return known
