"""GROUP BY and aggregates: the keys, and a column for each different aggregate."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from larspark.language.tree import Term, Variable
from larspark.translations.algebra import AggregateColumn, GroupBy, Relation
from larspark.translations.cql.expressions import NoTranslation, term
from larspark.translations.cql.resolve_columns import Resolved, column_of
from larspark.translations.cql.scope import SelectScope

_AGGREGATES: dict[type[exp.Expr], str] = {
    exp.Count: "count",
    exp.Sum: "sum",
    exp.Min: "min",
    exp.Max: "max",
    exp.Avg: "avg",
}


class Grouping:
    """The groups of a query; aggregates are found while SELECT and HAVING are read."""

    def __init__(self, scope: SelectScope, keys: Iterable[exp.Expr], number: int) -> None:
        self._scope = scope
        self._number = number
        self._keys: dict[Term, str] = {}
        for key in keys:
            self._keys[self._read(key)] = f"{number}.{len(self._keys)}.{key.name or 'key'}"
        self._aggregates: list[AggregateColumn] = []

    @property
    def key_columns(self) -> set[str]:
        return set(self._keys.values())

    def known(self, node: exp.Expr) -> Term | None:
        """The column of a key or an aggregate; None when the expression is neither."""
        if isinstance(node, exp.AggFunc):
            return Variable(self._aggregate(node))
        if isinstance(node, exp.Literal) or node.find(exp.AggFunc):
            return None
        value = self._read(node)
        if value in self._keys:
            return Variable(self._keys[value])
        if isinstance(node, exp.Column | Resolved):
            raise NoTranslation(node, f"`{node.sql()}` is neither grouped nor aggregated.", "Add it to GROUP BY.")
        return None

    def of(self, relation: Relation) -> Relation:
        """The relation, grouped."""
        keys = tuple((column, value) for value, column in self._keys.items())
        return GroupBy(relation, keys, tuple(self._aggregates))

    def _read(self, node: exp.Expr) -> Term:
        return term(node, lambda inner: column_of(inner, self._scope))

    def _aggregate(self, node: exp.AggFunc) -> str:
        function = _AGGREGATES.get(type(node))
        if function is None or node.expressions:
            raise NoTranslation(
                node,
                f"The aggregate `{node.sql()}` has no translation.",
                "Use COUNT, SUM, MIN, MAX or AVG of one value.",
            )
        argument = node.this
        distinct = isinstance(argument, exp.Distinct) or function in ("min", "max")
        if isinstance(argument, exp.Distinct):
            if len(argument.expressions) != 1:
                message = "DISTINCT takes one value here."
                raise NoTranslation(node, message, "Use a view with DISTINCT, and count its rows.")
            argument = argument.expressions[0]
        value = None if isinstance(argument, exp.Star) else self._read(argument)
        for known in self._aggregates:
            if (known.function, known.value, known.distinct) == (function, value, distinct):
                return known.column
        column = f"{self._number}.{function}{len(self._aggregates)}.{function}"
        self._aggregates.append(AggregateColumn(column, function, value, distinct))
        return column
