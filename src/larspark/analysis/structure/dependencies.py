"""The dependency graph: which predicate needs which, through negation, aggregates and windows (thesis sec. 2.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from larspark.analysis.structure.earlier import looks_back, settled_before
from larspark.analysis.structure.graphs import components, graph_of, places_of, ranked_components, shortest_path
from larspark.analysis.structure.occurrences import body_occurrences, head_atoms
from larspark.language.extended_atoms import ExtendedAtom
from larspark.language.facts import Signature
from larspark.language.traversal import atoms
from larspark.language.tree import Atom, Or, Program, Rule


class Sign(StrEnum):
    """How a head uses a body predicate."""

    POSITIVE = ""
    NEGATIVE = "not "
    AGGREGATE = "aggregate over "
    WINDOW = "window function over "
    CHOICE = "or "
    """The other atom of a disjunctive head: they are decided together."""


STRICT = frozenset({Sign.NEGATIVE, Sign.AGGREGATE, Sign.WINDOW})
"""The body predicate must be finished before the head can be computed."""


@dataclass(frozen=True, slots=True)
class Edge:
    """The head atom depends on the body atom because of `rule`."""

    head_atom: Atom
    body_atom: Atom
    sign: Sign
    windowed: bool
    rule: Rule
    earlier: bool = False
    """The body atom is about what was recorded before: stratified by time."""

    @property
    def head(self) -> Signature:
        return self.head_atom.signature

    @property
    def body(self) -> Signature:
        return self.body_atom.signature


@dataclass(frozen=True)
class Dependencies:
    """All edges of a program, and its strongly connected components."""

    edges: tuple[Edge, ...] = ()

    @classmethod
    def of(cls, program: Program) -> Dependencies:
        settled = settled_before(program)
        return cls(tuple(edge for rule in program.rules for edge in _edges(rule, settled)))

    @cached_property
    def present(self) -> Dependencies:
        """Those within one evaluation; what was recorded before is data."""
        return Dependencies(tuple(edge for edge in self.edges if not edge.earlier))

    @staticmethod
    def heads(rule: Rule) -> tuple[Signature, ...]:
        """What a rule defines."""
        return tuple(dict.fromkeys(atom.signature for atom in head_atoms(rule)))

    def components(self, predicates: Iterable[Signature]) -> list[frozenset[Signature]]:
        """The strongly connected components of these predicates, dependencies first, otherwise in the given order."""
        position = {signature: number for number, signature in enumerate(predicates)}
        inside = ((e.body, e.head) for e in self.edges if e.head in position and e.body in position)
        return ranked_components(graph_of(position, inside), position.__getitem__)

    def inside(self, component: frozenset[Signature]) -> tuple[Edge, ...]:
        """The edges that stay in a component."""
        return tuple(edge for edge in self.leaving(component) if edge.body in component)

    def leaving(self, component: frozenset[Signature]) -> Iterator[Edge]:
        """The edges from a component to what it depends on."""
        for head in sorted(component):
            yield from self._by_head.get(head, ())

    def cycle_through(self, edge: Edge) -> tuple[Edge, ...]:
        """A shortest cycle that starts with this edge; empty when there is none."""
        if edge.head == edge.body:
            return (edge,)
        back = self._by_nodes
        path = shortest_path(self._graph, edge.body, edge.head)
        return () if path is None else (edge, *(back[pair] for pair in path))

    @cached_property
    def in_cycles(self) -> tuple[Edge, ...]:
        """The edges that lie on a cycle."""
        part_of = places_of(components(self._graph))
        return tuple(edge for edge in self.edges if part_of[edge.head] == part_of[edge.body])

    @cached_property
    def _graph(self) -> dict[Signature, dict[Signature, None]]:
        """Every predicate with those it depends on."""
        return graph_of((), self._by_nodes)

    @cached_property
    def _by_head(self) -> dict[Signature, list[Edge]]:
        found: dict[Signature, list[Edge]] = {}
        for edge in self.edges:
            found.setdefault(edge.head, []).append(edge)
        return found

    @cached_property
    def _by_nodes(self) -> dict[tuple[Signature, Signature], Edge]:
        """One edge per pair of predicates, a plain positive one if there is any."""
        chosen: dict[tuple[Signature, Signature], Edge] = {}
        for edge in self.edges:
            present = chosen.setdefault((edge.head, edge.body), edge)
            if present.sign in STRICT and edge.sign not in STRICT:
                chosen[edge.head, edge.body] = edge
        return chosen


def show_cycle(cycle: tuple[Edge, ...]) -> str:
    """`a/0 → not b/0 (line 3) → a/0 (line 4)`: every step with the rule that makes it."""
    steps = [str(cycle[0].head)]
    for edge in cycle:
        place = f" ({edge.rule.origin})" if edge.rule.origin else ""
        steps.append(f"{edge.sign.value}{edge.body}{place}")
    return " → ".join(steps)


def _edges(rule: Rule, settled: frozenset[Signature]) -> Iterable[Edge]:
    heads = head_atoms(rule)
    back = {atom for literal in rule.body if looks_back(literal) for atom in atoms(literal)}
    ahead = {atom for literal in rule.body if not looks_back(literal) for atom in atoms(literal)}
    for head in heads:
        for found in body_occurrences(rule):
            earlier = found.atom.signature in settled and found.atom in back - ahead
            yield Edge(head, found.atom, _sign(found), bool(found.windows), rule, earlier)
        if isinstance(rule.head, Or):
            yield from (Edge(head, other, Sign.CHOICE, False, rule) for other in heads if other != head)


def _sign(found: ExtendedAtom) -> Sign:
    if found.aggregated:
        return Sign.AGGREGATE
    if found.negated:
        return Sign.NEGATIVE
    return Sign.WINDOW if found.strict else Sign.POSITIVE
