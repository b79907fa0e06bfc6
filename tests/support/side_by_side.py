"""Several programs as one, each with predicates of its own, so that one Spark job tries them all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact, Signature
from larspark.language.shorthands.relation_predicates import relations_of
from larspark.language.traversal import rewrite, walk
from larspark.language.tree import (
    Atom,
    Input,
    Keyed,
    Node,
    Pattern,
    Program,
    Record,
    RegisteredWindow,
    Show,
    TupleWindow,
)
from larspark.spark.plan.plan import SparkPlan, make_plan
from support.interval_rows import Row

Arrival = tuple[int, Fact]


@dataclass(frozen=True)
class Piece:
    """A program with its data."""

    program: Program
    arrivals: tuple[Arrival, ...]
    """In the order in which they arrive."""
    background: tuple[Fact, ...] = ()

    @property
    def plan(self) -> SparkPlan:
        return make_plan(analyse(self.program, background={one.signature for one in self.background}), self.background)

    @property
    def alone(self) -> bool:
        """Whether it looks at the arrivals of all predicates, so that others beside it change what it says."""
        return any(isinstance(node, TupleWindow | RegisteredWindow) for node in walk(self.program))


def side_by_side(pieces: Sequence[Piece]) -> Piece:
    """The pieces as one, all atoms of one time in the order of the pieces; `of_piece` takes the rows apart again."""
    parts = [_renamed(piece, f"_{number}") for number, piece in enumerate(pieces)]
    rules = tuple(rule for part in parts for rule in part.program.rules)
    directives = tuple(one for part in parts for one in part.program.directives)
    arrivals = sorted((one for part in parts for one in part.arrivals), key=lambda one: one[0])
    background = tuple(fact for part in parts for fact in part.background)
    return Piece(Program(rules, directives), tuple(arrivals), background)


def of_piece(rows: set[Row], number: int) -> set[Row]:
    ending = f"_{number}"
    return {(name.removesuffix(ending), *rest) for name, *rest in rows if name.endswith(ending)}  # type: ignore[misc]


def _renamed(piece: Piece, ending: str) -> Piece:
    relations = relations_of(piece.program, {one.signature for one in piece.background})

    def signature(one: Signature) -> Signature:
        return Signature(one.predicate + ending, one.arity)

    def step(node: Node) -> Node:
        match node:
            case Atom() if node.signature in relations:
                return node
            case Atom() | Pattern():
                return replace(node, predicate=node.predicate + ending)
            case Keyed() | Input() | Record():
                return replace(node, signature=signature(node.signature))
            case Show(signatures):
                return replace(node, signatures=tuple(map(signature, signatures)))
        return node

    def fact(one: Fact) -> Fact:
        return Fact(one.predicate + ending, one.args)

    return Piece(
        rewrite(piece.program, step),
        tuple((time, fact(one)) for time, one in piece.arrivals),
        tuple(map(fact, piece.background)),
    )
