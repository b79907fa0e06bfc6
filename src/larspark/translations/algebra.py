"""Relational algebra, the middle of the translations from query languages (RelAlg of thesis sec. 4.3).

Columns are variables with a qualified name, `tram.id`; expressions are terms over them and conditions comparisons,
so that reading a column in Datalog is plain substitution. The right side of a semi- or antijoin may use columns of
the left side: that is how correlated sub-queries are said.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from larspark.language.traversal import variables
from larspark.language.tree import Comparison, Term


@dataclass(frozen=True)
class Scan:
    """A relation; each argument is a column."""

    relation: str
    columns: tuple[str, ...]


@dataclass(frozen=True)
class Product:
    left: Relation
    right: Relation


@dataclass(frozen=True)
class Select:
    body: Relation
    condition: Comparison


@dataclass(frozen=True)
class Extend:
    """The body with one more column, computed from the others."""

    body: Relation
    column: str
    value: Term


@dataclass(frozen=True)
class Project:
    """New columns for old: each is a name and its value."""

    body: Relation
    outputs: tuple[tuple[str, Term], ...]


@dataclass(frozen=True)
class Union:
    """Both sides have the same columns."""

    left: Relation
    right: Relation


@dataclass(frozen=True)
class SemiJoin:
    """The rows of left for which right has a row."""

    left: Relation
    right: Relation


@dataclass(frozen=True)
class AntiJoin:
    """The rows of left for which right has no row."""

    left: Relation
    right: Relation


@dataclass(frozen=True)
class AggregateColumn:
    """`column = function(value)`; `distinct` takes each value once, otherwise each row counts. No value: COUNT(*)."""

    column: str
    function: str
    value: Term | None
    distinct: bool


@dataclass(frozen=True)
class GroupBy:
    """One row for each value of the keys; without keys one row in all."""

    body: Relation
    keys: tuple[tuple[str, Term], ...]
    aggregates: tuple[AggregateColumn, ...]
    of_nothing: frozenset[str] = frozenset({"count"})
    """The functions that have a value for no rows (SQL gives NULL for others); one without it leaves no row."""


Relation: TypeAlias = Scan | Product | Select | Extend | Project | Union | SemiJoin | AntiJoin | GroupBy


def columns(relation: Relation) -> tuple[str, ...]:
    """The columns of the result."""
    match relation:
        case Scan(_, names):
            return names
        case Product(left, right):
            return columns(left) + columns(right)
        case Select(body, _):
            return columns(body)
        case Extend(body, column, _):
            return (*columns(body), column)
        case Project(_, outputs):
            return tuple(name for name, _ in outputs)
        case Union(left, _) | SemiJoin(left, _) | AntiJoin(left, _):
            return columns(left)
        case GroupBy(_, keys, aggregates, _):
            return (*(name for name, _ in keys), *(aggregate.column for aggregate in aggregates))


def free_columns(relation: Relation) -> frozenset[str]:
    """The columns used that come from outside: a correlation."""
    match relation:
        case Scan():
            return frozenset()
        case Product(left, right) | Union(left, right):
            return free_columns(left) | free_columns(right)
        case SemiJoin(left, right) | AntiJoin(left, right):
            return free_columns(left) | (free_columns(right) - frozenset(columns(left)))
        case Select(body, condition):
            return free_columns(body) | (_names(condition) - frozenset(columns(body)))
        case Extend(body, _, value):
            return free_columns(body) | (_names(value) - frozenset(columns(body)))
        case Project(body, outputs):
            return free_columns(body) | (_names(*(value for _, value in outputs)) - frozenset(columns(body)))
        case GroupBy(body, keys, aggregates, _):
            values = [value for _, value in keys] + [a.value for a in aggregates if a.value is not None]
            return free_columns(body) | (_names(*values) - frozenset(columns(body)))


def _names(*parts: Term | Comparison) -> frozenset[str]:
    return frozenset(variable.name for part in parts for variable in variables(part))
