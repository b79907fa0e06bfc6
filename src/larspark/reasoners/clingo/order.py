"""When clingo may compare values itself: if no value can come up that it orders differently than the language."""

from __future__ import annotations

from collections.abc import Iterable

from larspark.language.traversal import atoms, walk
from larspark.language.tree import (
    Aggregate,
    Call,
    Comparison,
    Formula,
    Node,
    Not,
    Operation,
    Program,
    Rule,
    Variable,
)
from larspark.language.values import Value
from larspark.reasoners.clingo.adapter import is_ordered_alike


def allows_native_order(program: Program, values: Iterable[Value]) -> bool:
    """Does clingo order all values as the language does, those given and those that rules can compute from them?"""
    if not all(map(is_ordered_alike, values)):
        return False
    testing = sum(_computations(literal) for rule in program.rules for literal in rule.body if _tests(literal, rule))
    return testing == _computations(program)


def _computations(node: Node) -> int:
    return sum(
        isinstance(part, Operation | Call) or (isinstance(part, Aggregate) and part.function in ("sum", "avg"))
        for part in walk(node)
    )


def _tests(literal: Formula, rule: Rule) -> bool:
    """A comparison that gives no variable a value: what it computes is compared, and forgotten."""
    match literal:
        case Not(Comparison()):
            return True
        case Comparison("=", left, right):
            bound = {
                argument for other in rule.body if _gives_values(other) for one in atoms(other) for argument in one.args
            }
            return all(side in bound for side in (left, right) if isinstance(side, Variable))
        case Comparison():
            return True
    return False


def _gives_values(literal: Formula) -> bool:
    return not isinstance(literal, Not | Comparison | Aggregate)
