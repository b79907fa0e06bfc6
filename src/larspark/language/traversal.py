"""Walking and rewriting the tree, in one place."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, TypeVar, cast

from larspark.language.tree import (
    Aggregate,
    At,
    Atom,
    Constant,
    Implies,
    IntervalWindow,
    Node,
    Not,
    Program,
    Rule,
    Term,
    Variable,
)

NodeT = TypeVar("NodeT", bound=Node)
Result = TypeVar("Result")


_LEAVES = frozenset({"str", "int", "bool", "Value", "Signature", "tuple[int, ...]", "tuple[Value | None, ...]"})
"""Types of fields that hold no nodes."""


_PARTS: dict[type[Node], tuple[str, ...]] = {}


def _parts(kind: type[Node]) -> tuple[str, ...]:
    """The fields of a node that may hold nodes, looked up once for every class."""
    if kind not in _PARTS:
        fields = dataclasses.fields(kind)
        _PARTS[kind] = tuple(one.name for one in fields if one.name != "origin" and one.type not in _LEAVES)
    return _PARTS[kind]


def children(node: Node) -> list[Node]:
    """The direct sub-nodes, in source order."""
    found: list[Node] = []
    names = _PARTS.get(type(node))
    for name in _parts(type(node)) if names is None else names:
        value = getattr(node, name)
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, tuple):
            found += [item for item in value if isinstance(item, Node)]
    return found


def kept_with_node(function: Callable[[NodeT], Result]) -> Callable[[NodeT], Result]:
    """A function that is computed once for every node: nodes do not change, so the result is kept with them."""
    name = f"_{function.__module__}.{function.__name__}"

    @functools.wraps(function)
    def kept(node: NodeT) -> Result:
        known = node.__dict__
        if name not in known:
            known[name] = function(node)
        return cast(Result, known[name])

    return kept


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, parents first."""
    match node:
        case Program():
            return chain((node,), chain.from_iterable(map(walk, children(node))))
        case Rule():
            return iter(_nodes_of_rule(node))
    return iter(_nodes(node))


@kept_with_node
def _nodes_of_rule(rule: Rule) -> list[Node]:
    """Many ask rules for all of their nodes."""
    return _nodes(rule)


def _nodes(node: Node) -> list[Node]:
    found: list[Node] = []
    waiting = [node]
    while waiting:
        part = waiting.pop()
        found.append(part)
        below = children(part)
        below.reverse()
        waiting += below
    return found


def rewrite(node: NodeT, step: Callable[[Node], Node]) -> NodeT:
    """Rebuild bottom-up, passing every node through `step`; untouched subtrees are shared."""
    changes: dict[str, Any] = {}
    for name in _parts(type(node)):
        value = getattr(node, name)
        if isinstance(value, Node):
            new: object = rewrite(value, step)
        elif isinstance(value, tuple) and any(isinstance(item, Node) for item in value):
            parts = tuple(rewrite(item, step) if isinstance(item, Node) else item for item in value)
            new = value if all(a is b for a, b in zip(parts, value, strict=True)) else parts
        else:
            continue
        if new is not value:
            changes[name] = new
    return cast(NodeT, step(dataclasses.replace(node, **changes) if changes else node))


def substitute(node: NodeT, binding: Mapping[str, Term]) -> NodeT:
    """Replace variables by terms."""

    def step(part: Node) -> Node:
        return binding.get(part.name, part) if isinstance(part, Variable) else part

    return rewrite(node, step)


def variables(node: Node) -> Iterator[Variable]:
    """All occurrences of variables, in source order."""
    return (part for part in walk(node) if isinstance(part, Variable))


def time_variables(node: Node) -> frozenset[str]:
    """The variables U that stand for a time point, `@T …` and `[from T to U]` (thesis sec. 3.1.1)."""
    found: set[str] = set()
    for part in walk(node):
        match part:
            case At(Variable(name), _):
                found.add(name)
            case IntervalWindow(start, end):
                found.update(bound.name for bound in (start, end) if isinstance(bound, Variable))
    return frozenset(found)


def constants(node: Node) -> Iterator[Constant]:
    return (part for part in walk(node) if isinstance(part, Constant))


def atoms(node: Node) -> Iterator[Atom]:
    return (part for part in walk(node) if isinstance(part, Atom))


def atoms_with_sign(node: Node, negated: bool = False) -> Iterator[tuple[Atom, bool]]:
    """Every atom, with True when its truth is not used positively.

    That is: under `not`, on the left of an implication, or inside an aggregate.
    """
    match node:
        case Atom():
            yield node, negated
        case Implies(left, right):
            yield from atoms_with_sign(left, True)
            yield from atoms_with_sign(right, negated)
        case _:
            below = negated or isinstance(node, Not | Aggregate)
            for child in children(node):
                yield from atoms_with_sign(child, below)
