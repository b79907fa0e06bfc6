"""Components and paths of directed graphs.

Every command needs these at its start, where a graph library takes longer to import than the analysis to run; the
tests compare with one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import TypeAlias, TypeVar

NodeT = TypeVar("NodeT", bound=Hashable)

Graph: TypeAlias = Mapping[NodeT, Iterable[NodeT]]
"""All nodes, each with the nodes it points to."""


def graph_of(nodes: Iterable[NodeT], edges: Iterable[tuple[NodeT, NodeT]]) -> dict[NodeT, dict[NodeT, None]]:
    """Nodes and edges in the order in which they are given; the ends of edges are nodes."""
    graph: dict[NodeT, dict[NodeT, None]] = {node: {} for node in nodes}
    for source, target in edges:
        graph.setdefault(source, {})[target] = None
        graph.setdefault(target, {})
    return graph


def components(graph: Graph[NodeT]) -> list[frozenset[NodeT]]:
    """The strongly connected components, each before those that it points to (Tarjan 1972, without recursion)."""
    found: list[frozenset[NodeT]] = []
    number: dict[NodeT, int] = {}
    lowest: dict[NodeT, int] = {}
    waiting: list[NodeT] = []
    on_path: set[NodeT] = set()
    for root in graph:
        if root in number:
            continue
        path: list[tuple[NodeT, Iterator[NodeT]]] = []
        following: NodeT | None = root
        while True:
            if following is not None:
                number[following] = lowest[following] = len(number)
                waiting.append(following)
                on_path.add(following)
                path.append((following, iter(graph[following])))
            node, targets = path[-1]
            following = None
            for target in targets:
                if target not in number:
                    following = target
                    break
                if target in on_path:
                    lowest[node] = min(lowest[node], number[target])
            if following is not None:
                continue
            path.pop()
            if path:
                before = path[-1][0]
                lowest[before] = min(lowest[before], lowest[node])
            if lowest[node] == number[node]:
                members: list[NodeT] = []
                while not members or members[-1] != node:
                    members.append(waiting.pop())
                found.append(frozenset(members))
                on_path.difference_update(members)
            if not path:
                break
    return found[::-1]


def places_of(parts: Iterable[Iterable[NodeT]]) -> dict[NodeT, int]:
    """Every node with the place of the part it belongs to."""
    return {node: place for place, part in enumerate(parts) for node in part}


def ranked_components(graph: Graph[NodeT], rank: Callable[[NodeT], int]) -> list[frozenset[NodeT]]:
    """As `components`; of those that may come next, the one with the member of lowest rank does."""
    parts = components(graph)
    part_of = places_of(parts)
    pointed = {(part_of[node], part_of[target]) for node in graph for target in graph[node]}
    open_ = [0] * len(parts)
    after: list[list[int]] = [[] for _ in parts]
    for source, target in pointed:
        if source != target:
            open_[target] += 1
            after[source].append(target)
    first = [min(map(rank, part)) for part in parts]
    ready = [(first[place], place) for place, count in enumerate(open_) if not count]
    heapify(ready)
    found = []
    while ready:
        _, place = heappop(ready)
        found.append(parts[place])
        for target in after[place]:
            open_[target] -= 1
            if not open_[target]:
                heappush(ready, (first[target], target))
    return found


def reachable(graph: Graph[NodeT], sources: Iterable[NodeT]) -> set[NodeT]:
    """The nodes that paths from the sources lead to, these included; who points to nothing need not be in the graph."""
    found = set(sources)
    waiting = list(found)
    while waiting:
        for target in graph.get(waiting.pop(), ()):
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


def shortest_path(graph: Graph[NodeT], source: NodeT, target: NodeT) -> list[tuple[NodeT, NodeT]] | None:
    """The edges of a shortest path; None when there is none."""
    came_from: dict[NodeT, NodeT] = {}
    queue = deque([source] if source in graph else [])
    seen = set(queue)
    while queue:
        node = queue.popleft()
        if node == target:
            path = [node]
            while path[-1] != source:
                path.append(came_from[path[-1]])
            return list(pairwise(reversed(path)))
        for following in graph[node]:
            if following not in seen:
                seen.add(following)
                came_from[following] = node
                queue.append(following)
    return None
