"""Odd loops: cycles with an odd number of negations, which truth maintenance cannot handle (thesis sec. 6.2)."""

from __future__ import annotations

import itertools

import networkx as nx

from larspark.analysis.analysis import Component
from larspark.analysis.dependencies import STRICT, Dependencies, Edge
from larspark.language.facts import Signature


def odd_loop(dependencies: Dependencies, components: tuple[Component, ...]) -> tuple[Edge, ...]:
    """A shortest odd loop of the first component that has one; empty when there is none.

    Walking the graph twice over, once per parity, an odd loop is a path from (p, even) to (p, odd).
    """
    for component in components:
        step: dict[tuple[tuple[Signature, bool], tuple[Signature, bool]], Edge] = {}
        for edge in dependencies.inside(component.predicates):
            for odd in (False, True):
                step[(edge.head, odd), (edge.body, odd != (edge.sign in STRICT))] = edge
        graph = nx.DiGraph(step.keys())
        loops = [
            nx.shortest_path(graph, (start, False), (start, True))
            for start in sorted(component.predicates)
            if (start, False) in graph and (start, True) in graph and nx.has_path(graph, (start, False), (start, True))
        ]
        if loops:
            path = min(loops, key=len)
            return tuple(step[pair] for pair in itertools.pairwise(path))
    return ()
