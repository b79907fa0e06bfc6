"""Plain LARS and its classes (thesis sec. 4.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from larspark.analysis.analysis import Analysis, Fragment
from larspark.language.extended_atoms import extended_atom
from larspark.language.traversal import variables, walk
from larspark.language.tree import (
    Aggregate,
    At,
    Atom,
    Comparison,
    Formula,
    Not,
    Or,
    Program,
    Rule,
    Truth,
)


def find_fragment(analysis: Analysis) -> Analysis:
    """The smallest class the program belongs to."""
    return replace(analysis, fragment=_fragment(analysis), ground=not any(variables(analysis.program)))


def _fragment(analysis: Analysis) -> Fragment:
    program = analysis.program
    if any(True for _ in beyond_plain(program)):
        return Fragment.FULL
    if analysis.strata is None or any(isinstance(rule.head, Or) for rule in program.rules):
        return Fragment.PLAIN
    if any(isinstance(node, Not | Aggregate) for rule in program.rules for node in walk(rule)):
        return Fragment.STRATIFIED
    return Fragment.POSITIVE


def beyond_plain(program: Program) -> Iterator[Formula]:
    """Heads and body literals that are not plain."""
    for reader in program.readers:
        if isinstance(reader, Rule) and not is_plain_head(reader.head):
            yield reader.head
        yield from (literal for literal in reader.body if not is_plain_literal(literal))


def is_plain_rule(rule: Rule) -> bool:
    return is_plain_head(rule.head) and all(map(is_plain_literal, rule.body))


def is_plain_head(head: Formula) -> bool:
    """`a`, `@T a`, a disjunction of these, or nothing (a constraint)."""
    match head:
        case Atom() | At(body=Atom()) | Truth(value=False):
            return True
        case Or(parts):
            return all(isinstance(part, Atom) or (isinstance(part, At) and is_plain_head(part)) for part in parts)
    return False


def is_plain_literal(literal: Formula) -> bool:
    """An extended atom, a comparison, an aggregate over such, or the negation of one of them."""
    if extended_atom(literal) is not None:
        return True
    match literal.body if isinstance(literal, Not) else literal:
        case Aggregate(elements=elements):
            inner = [part for element in elements for part in element.body]
            return all(is_plain_literal(part) and not isinstance(part, Aggregate) for part in inner)
        case Comparison():
            return True
    return False
