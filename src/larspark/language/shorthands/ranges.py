"""Ranges, `1..5`: a rule with ranges stands for the rules that have one value of each in its place.

Inside an aggregate the element is repeated and not the rule. So `p(1..3).` says three facts, `X = 1..3` in a body binds
X to one value after the other, and `#count{ X : p(X,1..3) }` counts what is there for any of the three.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from itertools import islice, product
from typing import TypeVar

from larspark.diagnostics import Diagnostic
from larspark.language.evaluate import evaluate
from larspark.language.printing.terms import show_argument
from larspark.language.shorthands.pools import MOST
from larspark.language.traversal import children, rewrite, walk
from larspark.language.tree import (
    RANGE,
    Aggregate,
    AggregateElement,
    Constant,
    Formula,
    Node,
    Operation,
    Or,
    Prefer,
    Rule,
    Truth,
)
from larspark.language.values import NotANumber, Value

NodeT = TypeVar("NodeT", Rule, Prefer, AggregateElement, Formula)


def without_ranges(node: NodeT, problems: list[Diagnostic]) -> list[NodeT]:
    """What a rule or preference with ranges stands for; its constants are resolved."""
    if not any(is_range(part) for part in walk(node)):
        return [node]

    def step(part: Node) -> Node:
        if not isinstance(part, Aggregate):
            return part
        elements = tuple(one for element in part.elements for one in _written_out(element, problems))
        return replace(part, elements=elements)

    return _written_out(rewrite(node, step), problems)


def formula_without_ranges(formula: Formula, problems: list[Diagnostic]) -> Formula:
    """In a question there are no rules to repeat: it asks for any of the values."""
    found = without_ranges(formula, problems)
    match found:
        case [one]:
            return one
        case []:
            return Truth(False, origin=formula.origin)
    return Or(tuple(found), origin=formula.origin)


def _written_out(node: NodeT, problems: list[Diagnostic]) -> list[NodeT]:
    ranges = list(_outermost_ranges(node))
    if not ranges:
        return [node]
    values = [_values(one, problems) for one in ranges]
    number = 1
    for one in values:
        number *= max(0, one.stop - one.start)  # `len` fails for very long ranges
    if number > MOST:
        hint = "Let the values arrive as background data, or compare: `1 <= X, X <= 5`."
        message = f"The ranges stand for {number} rules, more than {MOST}."
        problems.append(Diagnostic("E138", message, hint, ranges[0].origin))
        return []
    return [_with(node, row) for row in islice(product(*values), MOST)]


def _with(node: NodeT, row: tuple[int, ...]) -> NodeT:
    """The node with these values in place of its ranges, in the order in which `walk` comes to them."""
    found = {id(one): value for one, value in zip(_outermost_ranges(node), row, strict=True)}

    def step(part: Node) -> Node:
        return Constant(found[id(part)], origin=part.origin) if id(part) in found else part

    return rewrite(node, step)


def _outermost_ranges(node: Node) -> Iterator[Operation]:
    for child in children(node):
        if isinstance(child, Operation) and child.operator == RANGE:
            yield child
        else:
            yield from _outermost_ranges(child)


def is_range(node: Node) -> bool:
    return isinstance(node, Operation) and node.operator == RANGE


def _values(term: Operation, problems: list[Diagnostic]) -> range:
    low: Value = ""
    high: Value = ""
    if not any(is_range(part) for side in (term.left, term.right) for part in walk(side)):
        with suppress(NotANumber, KeyError):
            low, high = evaluate(term.left, {}), evaluate(term.right, {})
    if isinstance(low, int) and isinstance(high, int):
        return range(low, high + 1)
    if isinstance(low, Decimal) or isinstance(high, Decimal):
        hint = "Count in whole numbers, and calculate: `X = 1..5, Y = X / 2.0`."
    else:
        hint = "Its ends are numbers or constants; for other values compare: `A <= X, X <= B`, with X from an atom."
    problems.append(Diagnostic("E138", f"`{show_argument(term)}` is not a range of numbers.", hint, term.origin))
    return range(1)
