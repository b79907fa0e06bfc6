"""The shape of a theory: dependencies with their time shifts, recursion, connectedness."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import networkx as nx

from larspark.diagnostics import Origin
from larspark.hypothetical.theory.terms import ABSOLUTE, Key, Literal, time_names
from larspark.hypothetical.theory.theory import Clause, Theory


class Dependency(NamedTuple):
    """head at time t needs body at time t+shift; without a shift the times are not tied to each other."""

    head: Key
    body: Key
    negative: bool
    shift: int | None
    clause: Clause
    head_time: int | None
    """The time point, where the head has a fixed one."""
    body_time: int | None


def dependencies(theory: Theory) -> Iterator[Dependency]:
    for clause in theory.clauses:
        for literal, negative in (*((lit, False) for lit in clause.body), *((lit, True) for lit in clause.negated)):
            yield Dependency(
                clause.head.key,
                literal.key,
                negative,
                _shift(clause.head, literal),
                clause,
                _fixed(clause.head),
                _fixed(literal),
            )


def _shift(head: Literal, body: Literal) -> int | None:
    if head.time is None or body.time is None or head.time.base != body.time.base or head.time.base == ABSOLUTE:
        return None
    return body.time.offset - head.time.offset


def _fixed(literal: Literal) -> int | None:
    return literal.time.offset if literal.time is not None and literal.time.base == ABSOLUTE else None


def graph(theory: Theory) -> nx.MultiDiGraph[Key]:
    """Predicates, with an edge from each head to what its clauses use."""
    found: nx.MultiDiGraph[Key] = nx.MultiDiGraph()
    found.add_nodes_from(theory.intensional | theory.extensional)
    for dependency in dependencies(theory):
        found.add_edge(dependency.head, dependency.body, dependency=dependency)
    return found


@dataclass(frozen=True)
class Recursion:
    """A cycle of dependencies, as literals of the rules it runs through."""

    shown: tuple[str, ...]
    origin: Origin | None


def recursion_of(theory: Theory, start: Key) -> Recursion | None:
    """A positive cycle that a goal on this predicate can run into."""
    found: nx.DiGraph[Key] = nx.DiGraph()
    found.add_node(start)
    for dependency in dependencies(theory):
        if not dependency.negative:
            found.add_edge(dependency.head, dependency.body, clause=dependency.clause)
    below = found.subgraph({start, *nx.descendants(found, start)})
    try:
        cycle = nx.find_cycle(below, start)
    except nx.NetworkXNoCycle:
        return None
    clauses = [found.edges[u, v]["clause"] for u, v in cycle]
    heads = [str(clause.head) for clause in clauses]
    last_key = cycle[-1][1]
    last = next(str(lit) for lit in clauses[-1].body if lit.key == last_key)
    return Recursion((*heads, last), clauses[0].origin)


def is_nonrecursive(theory: Theory) -> bool:
    """Whether the graph of dependencies is acyclic (negative ones included)."""
    return bool(nx.is_directed_acyclic_graph(graph(theory)))


def unconnected(theory: Theory) -> list[Clause]:
    """Clauses with several time variables, or one that is missing in the head (AAAI 2020, before Prop. 9)."""
    found = []
    for clause in theory.clauses:
        times = set(time_names((*clause.body, *clause.negated)))
        if len(times | set(time_names((clause.head,)))) > 1 or not times <= set(time_names((clause.head,))):
            found.append(clause)
    return found


def is_connected(theory: Theory) -> bool:
    return not unconnected(theory)
