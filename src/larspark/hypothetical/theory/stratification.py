"""T-stratification: decided, with a finite representation of the infinitely many strata (AAAI 2020, Def. 6, Prop. 14).

The temporal closure has one predicate p_t per time point. Strata are ordinals, so what must not exist is an infinite
path of dependencies with infinitely many negative ones: a cycle through a negation, but also a descent into the
future (p at T needing not p at T+1). Without fixed time points such a path exists in a component exactly when some
closed walk through a negative edge does not lead into the past. Fixed time points only matter on cycles of bounded
height, which a finite unrolling shows.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import networkx as nx

from larspark.diagnostics import Diagnostic
from larspark.hypothetical.theory import findings
from larspark.hypothetical.theory.structure import Dependency, dependencies
from larspark.hypothetical.theory.terms import Key
from larspark.hypothetical.theory.theory import Theory


@dataclass(frozen=True)
class TemporalComponent:
    """Mutually dependent predicates; p at t lies in the sub-stratum scale*t + rank[p] of this component."""

    rank: Mapping[Key, int]
    scale: int
    """0 when the component needs no order in time."""
    first: Mapping[tuple[Key, int], int] = field(default_factory=dict)
    """Where fixed time points take part: the sub-strata of the first time points one by one, below all others."""

    def sub_stratum(self, key: Key, time: int) -> int:
        return self.first.get((key, time), self.scale * time + self.rank[key])


@dataclass(frozen=True)
class Strata:
    """Components, the lowest first. Strata of the temporal closure are ordered by component, then by sub-stratum."""

    components: tuple[TemporalComponent, ...]

    def stratum(self, key: Key, time: int) -> tuple[int, int]:
        """The stratum of p_t."""
        for level, component in enumerate(self.components):
            if key in component.rank:
                return level, component.sub_stratum(key, time)
        raise KeyError(key)


@dataclass(frozen=True)
class NotStratified:
    """A walk through a negation that does not lead into the past."""

    diagnostic: Diagnostic


def stratify(theory: Theory) -> Strata | NotStratified:
    edges = list(dependencies(theory))
    found: nx.DiGraph[Key] = nx.DiGraph()
    found.add_nodes_from(sorted(theory.intensional | theory.extensional))
    found.add_edges_from((edge.head, edge.body) for edge in edges)
    order = list(nx.strongly_connected_components(found))
    depth = nx.condensation(found, order)
    components: list[TemporalComponent] = []
    for node in reversed(list(nx.topological_sort(depth))):
        members = depth.nodes[node]["members"]
        inside = [edge for edge in edges if edge.head in members and edge.body in members]
        component = _component(members, inside)
        if isinstance(component, NotStratified):
            return component
        components.append(component)
    return Strata(tuple(components))


def _component(members: Iterable[Key], edges: list[Dependency]) -> TemporalComponent | NotStratified:
    if not any(edge.negative for edge in edges):
        return TemporalComponent(dict.fromkeys(members, 0), 0)
    free = [edge for edge in edges if edge.head_time is None and edge.body_time is None]
    fixed = [edge for edge in edges if edge not in free]
    keys = sorted(members)
    rank = _ranks(keys, free)
    unrolled = _unrolled(keys, edges) if fixed else None
    if rank is None or (unrolled is not None and _has_negative_cycle(unrolled)):
        return NotStratified(findings.not_stratified(_shown(edges), next(e for e in edges if e.negative).clause.origin))
    return TemporalComponent(rank, len(keys) + 1) if unrolled is None else _with_first(rank, unrolled)


def _ranks(keys: list[Key], edges: list[Dependency]) -> dict[Key, int] | None:
    """Potentials with scale*t + rank(head) >= scale*(t+shift) + rank(body), strictly on negative edges.

    A closed walk with a negative edge leads at least one step into the past; scaled by more than the number of
    negative edges of a simple cycle, one per predicate, that outweighs them all. An edge between unrelated times can
    always lead into the future, so it is only harmless where no cycle runs through it and a negation.
    """
    scale = len(keys) + 1
    jumps = [edge for edge in edges if edge.shift is None]
    if jumps and _on_a_common_walk(keys, edges):
        return None
    rank = dict.fromkeys(keys, 0)
    for _ in range(len(keys) + 1):
        changed = False
        for edge in edges:
            needed = rank[edge.body] + scale * (edge.shift or 0) + (1 if edge.negative else 0)
            if rank[edge.head] < needed:
                rank[edge.head] = needed
                changed = True
        if not changed:
            return rank
    return None


def _on_a_common_walk(keys: list[Key], edges: list[Dependency]) -> bool:
    """Whether a strongly connected part of these edges holds both a jump in time and a negation."""
    found: nx.DiGraph[Key] = nx.DiGraph()
    found.add_nodes_from(keys)
    found.add_edges_from((edge.head, edge.body) for edge in edges)
    for part in nx.strongly_connected_components(found):
        inside = [edge for edge in edges if edge.head in part and edge.body in part]
        if any(edge.negative for edge in inside) and any(edge.shift is None for edge in inside):
            return True
    return False


def _height(keys: list[Key], edges: list[Dependency]) -> int:
    """How far a cycle through fixed time points can rise without repeating itself."""
    farthest = max([abs(edge.shift or 0) for edge in edges] + [1])
    points = [t for edge in edges for t in (edge.head_time, edge.body_time) if t is not None]
    return max([*points, 0]) + farthest * (len(keys) + 1) * (len(keys) + 1)


def _has_negative_cycle(unrolled: nx.DiGraph[tuple[Key, int]]) -> bool:
    for part in nx.strongly_connected_components(unrolled):
        if any(unrolled.edges[u, v]["negative"] for u, v in unrolled.subgraph(part).edges):
            return True
    return False


def _unrolled(keys: list[Key], edges: list[Dependency]) -> nx.DiGraph[tuple[Key, int]]:
    last = _height(keys, edges)
    found: nx.DiGraph[tuple[Key, int]] = nx.DiGraph()
    found.add_nodes_from((key, t) for key in keys for t in range(last + 1))
    for edge in edges:
        for u, v in edge_times(edge, last):
            known = found.get_edge_data((edge.head, u), (edge.body, v), {"negative": False})
            found.add_edge((edge.head, u), (edge.body, v), negative=edge.negative or known["negative"])
    return found


def edge_times(edge: Dependency, last: int) -> Iterable[tuple[int, int]]:
    """The pairs (t, t') up to `last` with head at t needing body at t'."""
    heads = range(last + 1) if edge.head_time is None else [edge.head_time]
    for t in heads:
        if edge.shift is not None:
            if 0 <= t + edge.shift <= last:
                yield t, t + edge.shift
        else:
            yield from ((t, u) for u in (range(last + 1) if edge.body_time is None else [edge.body_time]))


def _with_first(rank: dict[Key, int], unrolled: nx.DiGraph[tuple[Key, int]]) -> TemporalComponent:
    """The first time points ranked by the negations below them, all others above those."""
    first: dict[tuple[Key, int], int] = {}
    parts = nx.condensation(unrolled)
    depth: dict[int, int] = {}
    for node in reversed(list(nx.topological_sort(parts))):
        members = parts.nodes[node]["members"]
        below = [
            depth[parts.graph["mapping"][v]] + (1 if unrolled.edges[u, v]["negative"] else 0)
            for u in members
            for v in unrolled.successors(u)
            if v not in members
        ]
        depth[node] = max(below, default=0)
        first.update(dict.fromkeys(members, depth[node]))
    lift = max(first.values()) + 1
    return TemporalComponent({key: value + lift for key, value in rank.items()}, len(rank) + 1, first)


def _shown(edges: list[Dependency]) -> tuple[str, ...]:
    """A short closed walk through a negative edge, the walk with the latest end first."""
    negative = max((e for e in edges if e.negative), key=lambda e: e.shift if e.shift is not None else 10**9)
    found: nx.DiGraph[Key] = nx.DiGraph()
    for edge in edges:
        known = found.get_edge_data(edge.head, edge.body)
        if known is None or (edge.shift or 0) > (known["edge"].shift or 0):
            found.add_edge(edge.head, edge.body, edge=edge)
    back = nx.shortest_path(found, negative.body, negative.head)
    steps = [negative, *(found.edges[u, v]["edge"] for u, v in itertools.pairwise(back))]
    shown = [str(steps[0].clause.head)]
    for step in steps:
        literals = (*step.clause.negated, *step.clause.body) if step.negative else step.clause.body
        literal = next(lit for lit in literals if lit.key == step.body)
        shown.append(f"not {literal}" if step.negative else str(literal))
    return tuple(shown)
