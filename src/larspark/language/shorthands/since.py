"""`a since b [w]` and `a until b [w]`, with the meaning of temporal logic inside the window.

`a since b`: at some time point u up to now b holds, and a at all time points after it, up to now. Of these u the last
one will do, so it is b somewhere, and from there on a or b: ⊞^w ⊞^∞ ◇(b ∧ ⊞^{+∞} □(a ∨ b)). `until` is its mirror.

As literals of a rule body it is two alternatives, b now, or `@U b [w], U < now, always a [w] [from U+1 to now]`, so
that the rule (or the element of an aggregate) stands twice; under `not`, both are counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import TypeAlias

from lark import Token, Tree

from larspark.diagnostics.origin import Origin
from larspark.language.shorthands.pools import ELEMENTS, MOST
from larspark.language.traversal import substitute, variables
from larspark.language.tree import (
    UNBOUNDED,
    Aggregate,
    AggregateElement,
    Always,
    And,
    At,
    Atom,
    Comparison,
    Constant,
    Formula,
    IntervalWindow,
    Not,
    Now,
    Operation,
    Or,
    Some,
    TimeWindow,
    Variable,
    Windowed,
)

NAMES = frozenset({"since", "until"})
AT_ONCE, EARLIER = "_at_once", "_before"
"""Endings for the alternatives: b holds now, or at another time point."""

_READING = frozenset(
    {"statement", "rule", "constraint", "prefer", "body", "condition", "choice", "choice_exactly"}
    | {"aggregate_left", "aggregate_right", "aggregate"}
)
"""Where literals are, below a statement."""
_KEEPING = frozenset({"tuple_window", "session_window", "filter_window"})
"""Windows that always have the evaluation time."""


def without_since(tree: Tree[Token]) -> list[Tree[Token]]:
    """The parse trees in which each `since` that is a literal has become one of its alternatives."""
    if next(tree.find_pred(lambda one: one.data in NAMES), None) is None:
        return [tree]
    columns: list[list[list[Tree[Token] | Token]]] = []
    for child in tree.children:
        if not isinstance(child, Tree):
            columns.append([[child]])
        elif child.data in ELEMENTS:
            columns.append([[*without_since(child)]])
        elif tree.data in ("body", "condition") and is_since(inner := ungrouped(child)):
            columns.append([[Tree(inner.data + ending, inner.children, inner.meta)] for ending in (AT_ONCE, EARLIER)])
        else:
            columns.append([[one] for one in (without_since(child) if child.data in _READING else [child])])
    found = islice(product(*columns), MOST + 1)
    return [Tree(tree.data, [part for parts in row for part in parts], tree.meta) for row in found]


def ungrouped(tree: Tree[Token]) -> Tree[Token]:
    """What stands in parentheses."""
    while tree.data == "group":
        (inner,) = (one for one in tree.children if isinstance(one, Tree))
        tree = inner
    return tree


def is_since(tree: Tree[Token]) -> bool:
    """Whether it is a `since` that has alternatives as literals."""
    return tree.data in NAMES and keeps_now(tree)


def keeps_now(tree: Tree[Token]) -> bool:
    """Whether all windows behind it select the evaluation time."""
    for window in tree.find_data("window"):
        inner = window.children[0]
        if not isinstance(inner, Tree):
            return False  # [input w]
        if inner.data not in _KEEPING and (inner.data != "time_window" or next(inner.find_data("hop"), None)):
            return False
    return True


Around: TypeAlias = Callable[[Formula], Formula]


@dataclass(frozen=True)
class SinceLiteral:
    """`left since right`, or with `ahead` `left until right`, in windows."""

    left: Atom
    right: Atom
    ahead: bool
    around: Around
    """Puts a formula into the windows."""
    timed: bool
    """They select by time alone, so that what holds now is in them."""
    origin: Origin

    def formula(self) -> Formula:
        """The definition."""
        earlier, later = TimeWindow(UNBOUNDED, origin=self.origin), TimeWindow(0, UNBOUNDED, origin=self.origin)
        towards, back = (later, earlier) if self.ahead else (earlier, later)
        throughout = Always(Or((self.left, _apart(self.right)), origin=self.origin), origin=self.origin)
        there = And((self.right, Windowed(back, throughout, origin=self.origin)), origin=self.origin)
        return self.around(Windowed(towards, Some(there, origin=self.origin), origin=self.origin))

    def at_once(self) -> Formula:
        return self.right if self.timed else self.around(At(Now(), self.right, origin=self.origin))

    def before(self, moment: Variable) -> tuple[Formula, ...]:
        """At another time point than now."""
        now, one = Now(origin=self.origin), Constant(1, origin=self.origin)
        if self.ahead:
            between = IntervalWindow(now, Operation("-", moment, one), origin=self.origin)
        else:
            between = IntervalWindow(Operation("+", moment, one), now, origin=self.origin)
        throughout = Always(self.left, origin=self.origin)
        return (
            self.around(At(moment, self.right, origin=self.origin)),
            Comparison(">" if self.ahead else "<", moment, now, origin=self.origin),
            self.around(Windowed(between, throughout, origin=self.origin)),
        )

    def denied(self, moment: Variable) -> tuple[Formula, ...]:
        """Neither alternative holds."""
        element = AggregateElement((moment,), self.before(moment), origin=self.origin)
        count = Aggregate("count", "=", Constant(0, origin=self.origin), (element,), origin=self.origin)
        now = replace(self, right=_apart(self.right)).at_once()
        return Not(now, origin=self.origin), count


def _apart(atom: Atom) -> Atom:
    """The same atom a second time: every `_` is a variable of its own."""
    nameless = (one for one in variables(atom) if one.anonymous)
    return substitute(atom, {one.name: replace(one, name=f"{one.name}again") for one in nameless})
