"""SQL queries to relational algebra."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count

from sqlglot import exp

from larspark.language.tree import Comparison, Term, Variable
from larspark.translations.algebra import (
    AntiJoin,
    Extend,
    Product,
    Project,
    Relation,
    Scan,
    Select,
    SemiJoin,
    Union,
    columns,
    free_columns,
)
from larspark.translations.cql.expressions import All, AnyOf, Condition, Exists, NoTranslation, condition, term
from larspark.translations.cql.grouping import Grouping
from larspark.translations.cql.resolve_columns import Resolved, column_of
from larspark.translations.cql.scope import SelectScope, Table

_REFUSED = {
    "order": ("ORDER BY", "Leave it out: the answer at a time point is a set."),
    "limit": ("LIMIT", "Leave it out, or use a window [ROWS n]."),
    "offset": ("OFFSET", "Leave it out: the answer at a time point is a set."),
    "with_": ("WITH", "Write CREATE VIEW name AS SELECT … before the query."),
    "qualify": ("QUALIFY", "Use a view and a condition on it."),
    "laterals": ("LATERAL", "Use EXISTS."),
    "windows": ("WINDOW", "Use the windows of CQL behind stream names."),
}


@dataclass(frozen=True)
class SqlQuery:
    """A relation with the names of its columns as the user sees them."""

    relation: Relation
    names: tuple[str, ...]
    is_set: bool
    """Whether the rows would be different from each other in SQL as well."""


class RelationalAlgebra:
    """Reads queries; `table_of` finds the declaration and the predicate behind a name in FROM."""

    def __init__(self, table_of: Callable[[exp.Table], tuple[Table, str]]) -> None:
        self._table_of = table_of
        self._numbers = count(1)

    def query(self, node: exp.Expr, parent: SelectScope | None = None) -> SqlQuery:
        match node:
            case exp.Subquery() | exp.Paren():
                return self.query(node.this, parent)
            case exp.SetOperation():
                return self._set_operation(node, parent)
            case exp.Select():
                return self._select(node, parent)
        raise NoTranslation(node, f"`{node.sql()}` is not a query.", "Write SELECT … FROM … WHERE ….")

    def _set_operation(self, node: exp.SetOperation, parent: SelectScope | None) -> SqlQuery:
        _refuse(node)
        left, right = self.query(node.left, parent), self.query(node.right, parent)
        if len(left.names) != len(right.names):
            raise NoTranslation(node, "Both sides must have the same number of columns.", "Add or remove columns.")
        if node.args.get("distinct") is False:
            raise NoTranslation(
                node, "ALL keeps duplicates, the answer at a time point is a set.", "Write the operator without ALL."
            )
        pairs = list(zip(columns(left.relation), columns(right.relation), strict=True))
        if isinstance(node, exp.Union):
            same = Project(right.relation, tuple((one, Variable(two)) for one, two in pairs))
            return SqlQuery(Union(left.relation, same), left.names, True)
        equal = right.relation
        for one, two in pairs:
            equal = Select(equal, Comparison("=", Variable(one), Variable(two)))
        join = AntiJoin if isinstance(node, exp.Except) else SemiJoin
        return SqlQuery(join(left.relation, equal), left.names, True)

    def _select(self, node: exp.Select, parent: SelectScope | None) -> SqlQuery:
        _refuse(node)
        scope = SelectScope(parent)
        relation, conditions = self._sources(node, scope)
        where = node.args.get("where")
        conditions += list(_conjuncts(where.this)) if where is not None else []
        relation, conditions = self._computed(relation, conditions, scope)
        read = [condition(part, lambda inner: column_of(inner, scope)) for part in conditions]
        relation = self._selected(relation, All(tuple(read)), scope)
        outputs = list(self._outputs(node, scope))
        group, having = node.args.get("group"), node.args.get("having")
        if group is None and having is None and not any(e.find(exp.AggFunc) for _, e in outputs):
            values = [(name, term(value, lambda inner: column_of(inner, scope))) for name, value in outputs]
            kept = {value.name for _, value in values if isinstance(value, Variable)}
            whole = not scope.bags and kept >= {column for _, column in scope.all_columns()}
            return self._projected(relation, values, whole or node.args.get("distinct") is not None)
        return self._grouped(node, relation, scope, outputs)

    def _projected(self, relation: Relation, values: list[tuple[str, Term]], is_set: bool) -> SqlQuery:
        number = next(self._numbers)
        outputs = tuple((f"{number}.{position}.{name}", value) for position, (name, value) in enumerate(values))
        return SqlQuery(Project(relation, outputs), tuple(name for name, _ in values), is_set)

    # -- FROM ------------------------------------------------------------------------------------------

    def _sources(self, node: exp.Select, scope: SelectScope) -> tuple[Relation, list[exp.Expr]]:
        first = node.args.get("from_")
        if first is None:
            raise NoTranslation(node, "The query has no FROM.", "Name a stream with a window, or a relation.")
        relation = self._source(first.this, scope)
        conditions: list[exp.Expr] = []
        for join in node.args.get("joins") or []:
            if join.side or join.method or join.args.get("using") or join.kind not in ("", "INNER", "CROSS"):
                raise NoTranslation(
                    join,
                    "Only inner joins have a translation.",
                    "Write JOIN … ON …; for rows without a partner, UNION with a query that uses NOT EXISTS.",
                )
            relation = Product(relation, self._source(join.this, scope))
            if join.args.get("on") is not None:
                conditions += _conjuncts(join.args["on"])
        return relation, conditions

    def _source(self, node: exp.Expr, scope: SelectScope) -> Relation:
        number = next(self._numbers)
        if isinstance(node, exp.Table):
            table, predicate = self._table_of(node)
            named = {column: f"{number}.{column}" for column in table.columns}
            self._add(node, node.alias or table.name, named, scope, table.is_set)
            return Scan(predicate, tuple(named.values()))
        if isinstance(node, exp.Subquery):
            if not node.alias:
                raise NoTranslation(node, "A query in FROM needs a name.", "Write (SELECT …) AS name.")
            inner = self.query(node.this)
            named = dict(zip(inner.names, columns(inner.relation), strict=True))
            self._add(node, node.alias, named, scope, inner.is_set)
            return inner.relation
        raise NoTranslation(node, f"`{node.sql()}` cannot stand in FROM.", "Name a stream, a relation or a sub-query.")

    def _add(self, node: exp.Expr, alias: str, named: dict[str, str], scope: SelectScope, is_set: bool) -> None:
        if alias.lower() in scope.sources:
            raise NoTranslation(node, f"`{alias}` is named twice in FROM.", "Give one of them another name with AS.")
        scope.add(alias, named)
        if not is_set:
            scope.bags.append(alias)

    # -- WHERE -----------------------------------------------------------------------------------------

    def _computed(
        self, relation: Relation, conditions: list[exp.Expr], scope: SelectScope
    ) -> tuple[Relation, list[exp.Expr]]:
        """Equations `TY = expression` with a name that no source has define a column (thesis Example 35)."""
        rest = []
        for node in conditions:
            name = _new_name(node, scope)
            if name is None:
                rest.append(node)
                continue
            column = f"{next(self._numbers)}.{name}"
            relation = Extend(relation, column, term(node.expression, lambda inner: column_of(inner, scope)))
            scope.computed[name.lower()] = column
        return relation, rest

    def _selected(self, relation: Relation, wanted: Condition, scope: SelectScope) -> Relation:
        match wanted:
            case Comparison():
                return Select(relation, wanted)
            case All(parts):
                # Sub-queries last: what the other conditions equate is known to them.
                for part in sorted(parts, key=lambda part: isinstance(part, Exists)):
                    relation = self._selected(relation, part, scope)
                return relation
            case AnyOf(parts):
                alternatives = [self._selected(relation, part, scope) for part in parts]
                result = alternatives[0]
                for alternative in alternatives[1:]:
                    result = Union(result, alternative)
                return result
            case Exists(node, positive, member):
                inner = self.query(node, scope).relation
                if member is not None:
                    value = term(member, lambda part: column_of(part, scope))
                    inner = Select(inner, Comparison("=", value, Variable(columns(inner)[0])))
                return SemiJoin(relation, inner) if positive else AntiJoin(relation, inner)

    # -- SELECT and GROUP BY ---------------------------------------------------------------------------

    def _outputs(self, node: exp.Select, scope: SelectScope) -> Iterator[tuple[str, exp.Expr]]:
        for position, value in enumerate(node.expressions, start=1):
            if isinstance(value, exp.Star) or (isinstance(value, exp.Column) and isinstance(value.this, exp.Star)):
                alias = value.table if isinstance(value, exp.Column) else ""
                found = scope.all_columns(alias)
                if not found:
                    raise NoTranslation(value, f"There is no source `{alias}`.", "Name a source of FROM.")
                yield from ((name, Resolved(this=column)) for name, column in found)
            else:
                named = value.alias or (value.name if isinstance(value, exp.Column) else "")
                yield named or f"c{position}", value.unalias()

    def _grouped(
        self, node: exp.Select, relation: Relation, scope: SelectScope, outputs: list[tuple[str, exp.Expr]]
    ) -> SqlQuery:
        if scope.bags:
            raise NoTranslation(
                node,
                f"`{scope.bags[0]}` may have equal rows: SQL aggregates each of them, but relations here are sets.",
                "Write SELECT DISTINCT in its definition, keep all columns there, or aggregate the streams themselves.",
            )
        group, having = node.args.get("group"), node.args.get("having")
        grouping = Grouping(scope, group.expressions if group is not None else [], next(self._numbers))
        values = [(name, term(value, grouping.known)) for name, value in outputs]
        wanted = condition(having.this, grouping.known) if having is not None else All(())
        grouped = grouping.of(relation)
        if free_columns(grouped):
            raise NoTranslation(
                node, "An aggregate inside a correlated sub-query has no translation.", "Compute it in a view."
            )
        shown = {value.name for _, value in values if isinstance(value, Variable)}
        return self._projected(self._selected(grouped, wanted, scope), values, shown >= grouping.key_columns)


def _new_name(node: exp.Expr, scope: SelectScope) -> str | None:
    """The name that an equation defines."""
    if isinstance(node, exp.EQ) and isinstance(node.this, exp.Column) and not node.this.table:
        return None if scope.find(node.this.name) else node.this.name
    return None


def _conjuncts(node: exp.Expr) -> Iterator[exp.Expr]:
    if isinstance(node, exp.And | exp.Paren):
        for part in [node.this] if isinstance(node, exp.Paren) else [node.left, node.right]:
            yield from _conjuncts(part)
    else:
        yield node


def _refuse(node: exp.Expr) -> None:
    for key, (word, hint) in _REFUSED.items():
        if node.args.get(key):
            raise NoTranslation(node, f"{word} has no translation.", hint)
