"""Checking that the nodes of a proof hang together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from larspark.explain.verification.claims import NodeJson, require


def check_order(nodes: Mapping[int, NodeJson], root: int) -> None:
    """No node rests on itself, every premise is there, and no node is left over."""
    done: set[int] = set()
    path: list[tuple[int, Iterator[int]]] = []
    open_: set[int] = set()

    def enter(place: int) -> None:
        require(place in nodes, f"the premise {place} is missing")
        require(place not in open_, f"the node {place} rests on itself")
        if place not in done:
            open_.add(place)
            path.append((place, iter(nodes[place]["premises"])))

    enter(root)
    while path:
        place, premises = path[-1]
        following = next(premises, None)
        if following is not None:
            enter(following)
        else:
            path.pop()
            open_.discard(place)
            done.add(place)
    require(done == set(nodes), "a node is the premise of nothing")
