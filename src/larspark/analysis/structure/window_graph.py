"""The stream dependency graph and its stratification (answer update, IJCAI 2015, Defs. 4 and 5; thesis sec. 6.5.1).

Nodes are extended atoms. In a program with variables, atoms of one predicate may have common instances, so they
share a node; in a ground program every atom has its own, as in the definition.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from larspark.analysis.structure.graphs import components, graph_of
from larspark.language.traversal import atoms, children, rewrite, variables, walk
from larspark.language.tree import At, Atom, Formula, Node, Program, Rule, Variable, Windowed


class LevelOrder(StrEnum):
    """How the levels of two nodes relate."""

    AT_LEAST = ">="
    EQUAL = "="
    ABOVE = ">"


@dataclass(frozen=True, slots=True)
class WindowEdge:
    """The level of `upper` must be at least, equal to, or above the level of `lower`."""

    upper: Formula
    order: LevelOrder
    lower: Formula


@dataclass(frozen=True)
class WindowGraph:
    """Edges between extended atoms; an `=` edge is listed once and holds both ways."""

    nodes: tuple[Formula, ...] = ()
    edges: tuple[WindowEdge, ...] = ()

    @classmethod
    def of(cls, program: Program) -> WindowGraph:
        ground = not any(variables(program))
        rules = program.rules if ground else [rewrite(rule, _without_arguments) for rule in program.rules]
        edges = dict.fromkeys(edge for rule in rules for edge in _edges(rule))
        ends = dict.fromkeys(node for edge in edges for node in (edge.upper, edge.lower))
        extended = dict.fromkeys(node for rule in rules for node in extended_atoms(rule))
        return cls(tuple(extended | ends), tuple(edges))

    @cached_property
    def levels(self) -> dict[Formula, int] | None:
        """The lowest stratification; None when there is recursion through a window."""
        equal = [(edge.lower, edge.upper) for edge in self.edges if edge.order is LevelOrder.EQUAL]
        parts = components(graph_of(self.nodes, [*((edge.upper, edge.lower) for edge in self.edges), *equal]))
        part = {node: number for number, members in enumerate(parts) for node in members}
        below: list[list[tuple[int, int]]] = [[] for _ in parts]
        for edge in self.edges:
            upper, lower = part[edge.upper], part[edge.lower]
            if upper != lower:
                below[upper].append((lower, int(edge.order is LevelOrder.ABOVE)))
            elif edge.order is LevelOrder.ABOVE:
                return None
        level: dict[int, int] = {}
        for number in reversed(range(len(parts))):
            level[number] = max((level[lower] + step for lower, step in below[number]), default=0)
        return {node: level[part[node]] for node in self.nodes}


def extended_atoms(node: Node) -> Iterator[Formula]:
    """The outermost extended atoms `a`, `@T a`, `⊞ …` of a formula or rule, in source order."""
    match node:
        case Atom() | At(body=Atom()) | Windowed():
            yield node
        case _:
            for child in children(node):
                yield from extended_atoms(child)


def _edges(rule: Rule) -> Iterator[WindowEdge]:
    body = [node for literal in rule.body for node in extended_atoms(literal)]
    for head in extended_atoms(rule.head):
        yield from (WindowEdge(head, LevelOrder.AT_LEAST, node) for node in body)
    for part in walk(rule):
        match part:
            case At(body=Atom() as atom):
                yield WindowEdge(part, LevelOrder.EQUAL, atom)
            case Windowed():
                yield from (WindowEdge(part, LevelOrder.ABOVE, atom) for atom in atoms(part))


def _without_arguments(node: Node) -> Node:
    if isinstance(node, Atom):
        return replace(node, args=tuple(Variable("_") for _ in node.args))
    return node
