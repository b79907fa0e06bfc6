"""From the solutions of a query to its results: SELECT with or without aggregates, CONSTRUCT."""

from __future__ import annotations

from collections.abc import Iterator

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.tree import Comparison, Term, Variable
from larspark.translations.algebra import AggregateColumn, GroupBy, Project, Relation, Select
from larspark.translations.rdf.conditions import condition_of, value_of
from larspark.translations.rdf.queries import AggregateCall, Column, PlainTerm, RdfQuery, TriplePattern
from larspark.translations.rdf.solutions import UNBOUND, PatternReader, Solutions, known_term
from larspark.translations.rdf.walking import find, resources
from larspark.translations.reading import UNSUPPORTED

_OF_NOTHING = frozenset({"count", "sum"})
"""What SPARQL knows about a group without solutions (its average 0 and unbound extremes have no value here)."""


def results_of(query: RdfQuery, reader: PatternReader, found: Solutions) -> Iterator[Project]:
    """One relation for SELECT, one for each triple of CONSTRUCT."""
    if query.template is not None:
        yield from (_constructed(query, triple, found) for triple in query.template)
    elif query.group_by or query.having is not None or any(find(query.columns, AggregateCall)):
        yield _grouped(query, reader, found)
    else:
        yield _selected(query, found)


def _selected(query: RdfQuery, found: Solutions) -> Project:
    assert found.relation is not None
    everything = [Column(name, PlainTerm(Variable(name))) for name in found.columns if not name.startswith("blank ")]
    outputs: list[tuple[str, Term]] = []
    for column in query.columns or everything:
        match column.value:
            case PlainTerm(Variable(name)) if name in found.maybe_unbound:
                value = found.term(name)
            case value_expression:
                value = value_of(value_expression, lambda name, origin: known_term(found, name, origin))
        outputs.append((f"result.{len(outputs)}.{column.name}", value))
    return Project(found.relation, tuple(outputs))


def _constructed(query: RdfQuery, triple: TriplePattern, found: Solutions) -> Project:
    no_literals, only_iris = resources(query)
    allowed = ((triple.subject, no_literals, "subject"), (triple.predicate, only_iris, "predicate"))
    for term, variables, place in allowed:
        if isinstance(term, Variable) and term.name in found.columns and term.name not in variables:
            raise _refused(
                f"`?{term.name}` may be a literal, which cannot be a {place}.",
                f"Use it as {place} in a pattern of WHERE too.",
                triple.origin,
            )
    assert found.relation is not None
    relation: Relation = found.relation
    values: list[Term] = []
    for term in (triple.subject, triple.predicate, triple.object):
        if not isinstance(term, Variable):
            values.append(term)
            continue
        if term.name.startswith("blank "):
            raise _refused("CONSTRUCT cannot make new blank nodes here.", "Use a variable or an IRI.", triple.origin)
        if term.name in found.maybe_unbound:
            # A triple without a value is left out.
            relation = Select(relation, Comparison("!=", found.term(term.name), UNBOUND))
            values.append(found.term(term.name))
        else:
            values.append(known_term(found, term.name, triple.origin))
    names = ("subject", "predicate", "object")
    return Project(relation, tuple((f"result.{name}", value) for name, value in zip(names, values, strict=True)))


def _grouped(query: RdfQuery, reader: PatternReader, found: Solutions) -> Project:
    assert found.relation is not None
    # A row is a solution: its variables, and the alternatives of UNION that gave it.
    row: tuple[tuple[str, Term], ...] = tuple((column, Variable(column)) for column in found.columns.values())
    solutions = Project(found.relation, (*row, *((branch, Variable(branch)) for branch in found.branches)))
    keys = {name: f"group.{name}" for name in query.group_by}
    aggregates: dict[AggregateColumn, str] = {}

    def aggregate_of(call: AggregateCall) -> Term:
        value = None if call.variable is None else known_term(found, call.variable, call.origin)
        if value is None and call.distinct:
            raise _refused("COUNT(DISTINCT *) has no translation.", "Count one variable.", call.origin)
        distinct = call.distinct or call.function in ("min", "max")
        for known in aggregates:
            if (known.function, known.value, known.distinct) == (call.function, value, distinct):
                return Variable(known.column)
        column = f"aggregate.{len(aggregates)}.{call.function}"
        aggregates[AggregateColumn(column, call.function, value, distinct)] = column
        return Variable(column)

    def term_of(name: str, origin: Origin | None) -> Term:
        if name not in keys:
            raise _refused(f"`?{name}` is neither grouped nor aggregated.", "Add it to GROUP BY.", origin)
        known_term(found, name, origin)
        return Variable(keys[name])

    if not query.columns:
        raise _refused("SELECT * cannot be grouped.", "Name the columns.", query.origin)
    outputs = tuple(
        (f"result.{number}.{column.name}", value_of(column.value, term_of, aggregate_of))
        for number, column in enumerate(query.columns)
    )
    wanted = None if query.having is None else condition_of(query.having, term_of, aggregate_of)
    key_columns = tuple((column, known_term(found, name, query.origin)) for name, column in keys.items())
    grouped: Relation = GroupBy(solutions, key_columns, tuple(aggregates), _OF_NOTHING)
    if wanted is not None:
        grouped = reader.selected(grouped, wanted, Solutions(grouped, keys), "")
    return Project(grouped, outputs)


def _refused(message: str, hint: str, origin: Origin | None) -> Rejected:
    return Rejected([Diagnostic(UNSUPPORTED, message, hint, origin)])
