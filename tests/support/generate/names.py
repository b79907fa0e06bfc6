"""Other names for the predicates of a random program: one name for several arities, and names that need quotes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from larspark.language.facts import Fact, Signature
from larspark.language.traversal import rewrite
from larspark.language.tree import (
    Atom,
    Background,
    Hold,
    Input,
    Keyed,
    Node,
    Pattern,
    Program,
    Record,
    Say,
    Show,
    Temporal,
)
from support.generate.draw import Draw

Names = Mapping[str, str]

SHARED: Names = {"t": "p", "a": "r", "b": "s", "g": "e"}
"""p/0 and p/2, r/0 and r/1, s/0 and s/1, e/1 and e/3."""
QUOTED = ("not", "now", "Upper", "two words", "é", 'quote"', "_a", "1", "a-b", "rows_1_e", "#sum", "back\\slash")
"""Words of the language, and what clingo cannot spell."""


def names(draw: Draw) -> Names:
    """For most programs none."""
    match draw.weighted({"own": 9, "shared": 1, "quoted": 1}):
        case "shared":
            return SHARED
        case "quoted":
            own = draw.random.sample(["a", "e", "f", "p", "q", "r", "s", "t", "bg"], 5)
            return dict(zip(own, draw.random.sample(QUOTED, 5), strict=True))
    return {}


def renamed(program: Program, by: Names) -> Program:
    def signature(one: Signature) -> Signature:
        return Signature(by.get(one.predicate, one.predicate), one.arity)

    def step(node: Node) -> Node:
        match node:
            case Atom() | Pattern():
                return replace(node, predicate=by.get(node.predicate, node.predicate))
            case Keyed() | Input() | Record() | Hold() | Temporal() | Say() | Background():
                return replace(node, signature=signature(node.signature))
            case Show(signatures):
                return replace(node, signatures=tuple(map(signature, signatures)))
        return node

    return rewrite(program, step) if by else program


def renamed_fact(fact: Fact, by: Names) -> Fact:
    return Fact(by.get(fact.predicate, fact.predicate), fact.args)
