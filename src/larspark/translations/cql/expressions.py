"""SQL expressions as terms, SQL conditions in negation normal form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from sqlglot import exp

from larspark.language.tree import Call, Comparison, Constant, Operation, Term
from larspark.language.values import normal

_ARITHMETIC: dict[type[exp.Expr], str] = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/", exp.Mod: "%"}
_COMPARISONS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "!=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class NoTranslation(Exception):
    """A piece of SQL that has no counterpart here, with what could be written instead."""

    def __init__(self, node: exp.Expr, message: str, hint: str) -> None:
        super().__init__(message)
        self.node, self.message, self.hint = node, message, hint


@dataclass(frozen=True)
class Exists:
    """A sub-query that must (not) have a row; with `member`, one whose only column equals it."""

    query: exp.Expr
    positive: bool
    member: exp.Expr | None = None


@dataclass(frozen=True)
class All:
    parts: tuple[Condition, ...]


@dataclass(frozen=True)
class AnyOf:
    parts: tuple[Condition, ...]


Condition: TypeAlias = Comparison | Exists | All | AnyOf

TermOf: TypeAlias = Callable[[exp.Expr], Term | None]
"""Terms for columns and aggregates, which depend on the query; None for everything else."""


def term(node: exp.Expr, known: TermOf) -> Term:
    """An arithmetic expression."""
    found = known(node)
    if found is not None:
        return found
    match node:
        case exp.Paren():
            return term(node.this, known)
        case exp.Literal() if node.is_string:
            return Constant(node.name)
        case exp.Literal():
            return Constant(normal(Decimal(node.name)))
        case exp.Neg():
            inner = term(node.this, known)
            if isinstance(inner, Constant) and not isinstance(inner.value, str):
                return Constant(-inner.value)
            return Operation("-", Constant(0), inner)
        case exp.Abs():
            return Call("abs", (term(node.this, known),))
        case exp.Null():
            raise NoTranslation(node, "There is no NULL here.", "Leave rows without a value out of the stream.")
        case exp.Subquery() | exp.Select():
            raise NoTranslation(
                node,
                "A sub-query cannot stand for a value.",
                "Put it into FROM with a name, or use EXISTS, IN or a view.",
            )
        case exp.AggFunc():
            raise NoTranslation(
                node, "This aggregate cannot be translated.", "Use COUNT, SUM, MIN, MAX or AVG in SELECT or HAVING."
            )
    operator = _ARITHMETIC.get(type(node))
    if operator is None:
        raise NoTranslation(
            node, f"`{node.sql()}` has no translation.", "Use numbers, strings, columns, + - * / %, and ABS."
        )
    return Operation(operator, term(node.this, known), term(node.expression, known))


def condition(node: exp.Expr, known: TermOf, positive: bool = True) -> Condition:
    """A condition, or its negation; SQL's three-valued NOT agrees with it, for what has no value is never selected."""
    match node:
        case exp.Paren():
            return condition(node.this, known, positive)
        case exp.Not():
            return condition(node.this, known, not positive)
        case exp.And() | exp.Or():
            parts = (condition(node.left, known, positive), condition(node.right, known, positive))
            return All(parts) if isinstance(node, exp.And) == positive else AnyOf(parts)
        case exp.Exists():
            return Exists(node.this, positive)
        case exp.In() if node.args.get("query") is not None:
            return Exists(node.args["query"].this, positive, node.this)
        case exp.In():
            value = term(node.this, known)
            options = [Comparison("=" if positive else "!=", value, term(e, known)) for e in node.expressions]
            return AnyOf(tuple(options)) if positive else All(tuple(options))
        case exp.Between():
            value, low, high = term(node.this, known), term(node.args["low"], known), term(node.args["high"], known)
            if positive:
                return All((Comparison(">=", value, low), Comparison("<=", value, high)))
            return AnyOf((Comparison("<", value, low), Comparison(">", value, high)))
        case exp.Boolean():
            return Comparison("=", Constant(1), Constant(1 if node.this == positive else 0))
        case exp.Is():
            raise NoTranslation(node, "There is no NULL here.", "Leave the condition out: every column has a value.")
    operator = _COMPARISONS.get(type(node))
    if operator is None:
        raise NoTranslation(
            node,
            f"The condition `{node.sql()}` has no translation.",
            "Use comparisons, BETWEEN, IN, EXISTS, AND, OR and NOT.",
        )
    return Comparison(
        operator if positive else _OPPOSITE[operator], term(node.this, known), term(node.expression, known)
    )
