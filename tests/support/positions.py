"""The positions of the tree: which class of node may stand in which field of which other, by the types of fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, NamedTuple, get_args, get_type_hints

from larspark.diagnostics import Origin
from larspark.language import tree
from larspark.language.traversal import walk
from larspark.language.tree import Node, Program

KNOWN = {**vars(tree), "Origin": Origin}
"""Names that modules of windows know as types alone."""


class Position(NamedTuple):
    """A node of class `child` in a field of a node of class `parent`."""

    parent: str
    field: str
    child: str

    def __str__(self) -> str:
        return f"{self.child} as {self.field} of {self.parent}"


def all_positions() -> frozenset[Position]:
    return frozenset(
        Position(parent.__name__, field, child.__name__)
        for parent in _classes()
        for field, hint in get_type_hints(parent, localns=KNOWN).items()
        if field != "origin"
        for child in _nodes_in(hint)
    )


def positions_in(program: Program) -> Iterator[Position]:
    for node in walk(program):
        for field in dataclasses.fields(node):
            value = getattr(node, field.name)
            for child in value if isinstance(value, tuple) else (value,):
                if isinstance(child, Node):
                    yield Position(type(node).__name__, field.name, type(child).__name__)


def _classes() -> Iterator[type[Node]]:
    return (found for found in vars(tree).values() if isinstance(found, type) and issubclass(found, Node))


def _nodes_in(hint: Any) -> Iterator[type[Node]]:
    """The classes of nodes that a type names, inside unions and tuples too."""
    if isinstance(hint, type) and issubclass(hint, Node):
        yield hint
    for part in get_args(hint):
        yield from _nodes_in(part)
