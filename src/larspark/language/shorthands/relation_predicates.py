"""Comparisons and arithmetic as predicates, `leq(X,Y)` and `sum(X,Y,Z)`: the older spelling, with Ticker's names.

Such an atom is only another spelling (thesis sec. 3.1: designated atoms of the background, written in infix notation).
A program that derives or declares a predicate of the name, has it as background, or puts it under a window or `@`,
means its own predicate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from larspark.language.facts import Signature
from larspark.language.traversal import atoms, children, rewrite
from larspark.language.tree import (
    Always,
    At,
    Atom,
    Background,
    Comparison,
    Constant,
    Hold,
    Input,
    Node,
    Operation,
    Pattern,
    Program,
    Record,
    Reset,
    Show,
    Some,
    Temporal,
    Windowed,
)

COMPARISONS = {"eq": "=", "neq": "!=", "lt": "<", "leq": "<=", "gt": ">", "geq": ">="}
"""`leq(X,Y)` is `X <= Y`."""

OPERATIONS = {"sum": "+", "plus": "+", "minus": "-", "times": "*", "divide": "/", "modulo": "%"}
"""`sum(X,Y,Z)` is `Z = X + Y`."""

INCREMENT = "incr"
"""`incr(X,Y)` is `Y = X + 1`."""

RELATIONS = frozenset(
    [
        *(Signature(name, 2) for name in (*COMPARISONS, INCREMENT)),
        *(Signature(name, 3) for name in OPERATIONS),
    ]
)


def relations_of(program: Program, background: Iterable[Signature] = ()) -> frozenset[Signature]:
    """The predicates that a program uses as built-in relations; `background` names those given outside it."""
    used = {atom.signature for reader in program.readers for atom in atoms(reader)} & RELATIONS
    return frozenset(used - {*background, *_own(program)}) if used else frozenset()


def without_relations(program: Program, relations: frozenset[Signature]) -> Program:
    """The program with comparisons in place of these predicates."""
    if not relations:
        return program

    def step(node: Node) -> Node:
        return as_comparison(node) if isinstance(node, Atom) and node.signature in relations else node

    rules = tuple(rewrite(rule, step) for rule in program.rules)
    return replace(program, rules=rules, directives=tuple(rewrite(d, step) for d in program.directives))


def as_comparison(atom: Atom) -> Comparison:
    """What the atom of a relation says."""
    origin = atom.origin
    if atom.predicate in COMPARISONS:
        left, right = atom.args
        return Comparison(COMPARISONS[atom.predicate], left, right, origin=origin)
    if atom.predicate == INCREMENT:
        before, after = atom.args
        return Comparison("=", after, Operation("+", before, Constant(1), origin=origin), origin=origin)
    left, right, result = atom.args
    return Comparison("=", result, Operation(OPERATIONS[atom.predicate], left, right, origin=origin), origin=origin)


def _own(program: Program) -> Iterator[Signature]:
    """Predicates that the program derives, declares, or reads as something that changes in time."""
    for directive in program.directives:
        match directive:
            case (
                Input(signature) | Background(_, signature) | Record(signature) | Hold(signature) | Temporal(signature)
            ):
                yield signature
            case Show(signatures):
                yield from signatures
    for rule in program.rules:
        yield from (atom.signature for atom in atoms(rule.head))
    for reader in program.readers:
        for literal in reader.body:
            yield from _in_time(literal)


def _in_time(node: Node, inside: bool = False) -> Iterator[Signature]:
    """The predicates under windows and temporal operators, and those that filters name."""
    if (inside and isinstance(node, Atom)) or isinstance(node, Pattern):
        yield node.signature
    below = inside or isinstance(node, At | Some | Always | Windowed | Reset)
    for child in children(node):
        yield from _in_time(child, below)
