"""The columns that names in a query stand for."""

from __future__ import annotations

from sqlglot import exp

from larspark.language.tree import Term, Variable
from larspark.translations.cql.expressions import NoTranslation
from larspark.translations.cql.scope import SelectScope


class Resolved(exp.Expression):
    """A column that `*` stands for; `this` is its qualified name."""


def column_of(node: exp.Expr, scope: SelectScope) -> Term | None:
    """The column behind a name; None when the expression is no name."""
    if isinstance(node, Resolved):
        return Variable(node.this)
    if not isinstance(node, exp.Column):
        return None
    found = scope.find(node.name, node.table)
    if len(found) == 1:
        return Variable(found[0])
    if found:
        raise NoTranslation(node, f"`{node.name}` is a column of several sources.", "Write the source before it.")
    raise NoTranslation(
        node, f"There is no column `{node.sql()}`.", "Declare it by CREATE STREAM or CREATE TABLE, or check the name."
    )
