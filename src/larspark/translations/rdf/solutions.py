"""Graph patterns to relational algebra (after the reduction of SPARQL to Datalog that thesis sec. 4.5 builds on)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import count

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.tree import Comparison, Constant, Term, Variable
from larspark.translations.algebra import AntiJoin, Product, Project, Relation, Scan, Select, SemiJoin, Union
from larspark.translations.rdf.conditions import Condition, Junction, Test, condition_of
from larspark.translations.rdf.queries import (
    Bound,
    Element,
    Existing,
    Filter,
    GraphPattern,
    GroupPattern,
    OptionalPattern,
    StreamPattern,
    TriplePattern,
    UnionPattern,
)
from larspark.translations.reading import UNKNOWN_NAME, UNSUPPORTED

UNBOUND = Constant("unbound")
"""Stands in answers for a variable without a value; no RDF term is spelled like this."""


@dataclass(frozen=True)
class Solutions:
    """A relation of solutions: which column holds which variable."""

    relation: Relation | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    maybe_unbound: frozenset[str] = frozenset()
    branches: tuple[str, ...] = ()
    """Columns that tell alternatives of UNION apart: equal solutions of two alternatives are two solutions."""

    def term(self, variable: str) -> Term:
        return Variable(self.columns[variable])


class PatternReader:
    """Reads group patterns; `source_of` gives the predicate whose triples a STREAM or GRAPH pattern matches."""

    def __init__(self, source_of: Callable[[StreamPattern | GraphPattern], str]) -> None:
        self._source_of = source_of
        self._numbers = count(1)

    def group(self, pattern: GroupPattern, source: str, outer: Solutions | None = None) -> Solutions:
        """The solutions of a group; filters of it may also use variables of the outer solutions."""
        found = Solutions()
        for element in _in_joining_order(pattern.elements):
            match element:
                case TriplePattern():
                    found = _join(found, self._triple(element, source), element.origin)
                case GroupPattern():
                    found = _join(found, self.group(element, source), element.origin)
                case UnionPattern():
                    found = self._union(found, element, source)
                case StreamPattern(_, _, inner) | GraphPattern(_, inner):
                    found = _join(found, self.group(inner, self._source_of(element)), element.origin)
                case OptionalPattern():
                    found = self._optional(found, element, source)
                case Filter():
                    pass
        if found.relation is None:
            raise _refused("The group has no triple pattern.", "Write a triple into it.", pattern.origin)
        for element in pattern.elements:
            if isinstance(element, Filter):
                found = self.filtered(found, element, source, outer)
        return found

    def _triple(self, pattern: TriplePattern, source: str) -> Solutions:
        number = next(self._numbers)
        columns: dict[str, str] = {}
        positions: list[str] = []
        conditions: list[Comparison] = []
        for place, term in (("s", pattern.subject), ("p", pattern.predicate), ("o", pattern.object)):
            name = term.name if isinstance(term, Variable) else place
            column = f"{number}.{place}.{name}"
            positions.append(column)
            if not isinstance(term, Variable):
                conditions.append(Comparison("=", Variable(column), term))
            elif term.name in columns:
                conditions.append(Comparison("=", Variable(columns[term.name]), Variable(column)))
            else:
                columns[term.name] = column
        return Solutions(_where(Scan(source, tuple(positions)), conditions), columns)

    def _union(self, left: Solutions, pattern: UnionPattern, source: str) -> Solutions:
        """Each alternative is joined for itself, so that it may bind fewer variables than the others."""
        number = next(self._numbers)
        found = [_join(left, self.group(part, source), pattern.origin) for part in pattern.alternatives]
        names = list(dict.fromkeys(name for part in found for name in part.columns))
        tags = list(dict.fromkeys(tag for part in found for tag in part.branches))
        columns = {name: f"{number}.u.{name}" for name in names}
        branch = f"{number}.branch"
        aligned = []
        for position, part in enumerate(found):
            outputs: list[tuple[str, Term]] = [(branch, Constant(position))]
            outputs += [(columns[name], part.term(name) if name in part.columns else UNBOUND) for name in names]
            outputs += [(tag, Variable(tag) if tag in part.branches else Constant(0)) for tag in tags]
            assert part.relation is not None
            aligned.append(Project(part.relation, tuple(outputs)))
        everywhere = set.intersection(*(set(part.columns) - part.maybe_unbound for part in found))
        return Solutions(_united(aligned), columns, frozenset(names) - everywhere, (branch, *tags))

    def _optional(self, left: Solutions, pattern: OptionalPattern, source: str) -> Solutions:
        """Solutions with a match are extended by it, those without one keep the new variables unbound."""
        if left.relation is None:
            raise _refused("OPTIONAL has nothing before it.", "Write a triple pattern before it.", pattern.origin)
        number = next(self._numbers)
        right = self.group(pattern.pattern, source, left)
        joined = _join(left, right, pattern.origin)
        assert joined.relation is not None
        assert right.relation is not None
        columns = {name: f"{number}.o.{name}" for name in joined.columns}
        tags = joined.branches
        matched = tuple((columns[name], joined.term(name)) for name in columns)
        unmatched = tuple((columns[name], left.term(name) if name in left.columns else UNBOUND) for name in columns)
        equal = _where(right.relation, _equalities(left, right))
        kept = tuple((tag, Variable(tag) if tag in left.branches else Constant(0)) for tag in tags)
        relation = Union(
            Project(joined.relation, (*matched, *((tag, Variable(tag)) for tag in tags))),
            Project(AntiJoin(left.relation, equal), (*unmatched, *kept)),
        )
        new = frozenset(right.columns) - frozenset(left.columns)
        return Solutions(relation, columns, joined.maybe_unbound | new, tags)

    def filtered(self, found: Solutions, element: Filter, source: str, outer: Solutions | None) -> Solutions:
        """The solutions that pass a filter; an error in it (no number, say) does not pass, as in SPARQL."""
        assert found.relation is not None
        visible = (
            found
            if outer is None
            else Solutions(
                found.relation, {**outer.columns, **found.columns}, outer.maybe_unbound | found.maybe_unbound
            )
        )
        condition = condition_of(element.condition, lambda name, origin: known_term(visible, name, origin))
        relation = self.selected(found.relation, condition, visible, source)
        return Solutions(relation, found.columns, found.maybe_unbound, found.branches)

    def selected(self, relation: Relation, condition: Condition, visible: Solutions, source: str) -> Relation:
        """The rows that meet a condition."""
        match condition:
            case Comparison():
                return Select(relation, condition)
            case Junction("all", parts):
                return reduce(lambda so_far, part: self.selected(so_far, part, visible, source), parts, relation)
            case Junction(_, parts):
                return _united([self.selected(relation, part, visible, source) for part in parts])
            case Test(subject, positive):
                return self._tested(relation, subject, positive, visible, source)

    def _tested(
        self, relation: Relation, subject: Existing | Bound, positive: bool, visible: Solutions, source: str
    ) -> Relation:
        if isinstance(subject, Bound):
            if subject.variable not in visible.columns:
                raise _unknown(subject.variable, subject.origin)
            value = visible.term(subject.variable)
            return Select(relation, Comparison("!=" if positive else "=", value, UNBOUND))
        inner = self.group(subject.pattern, source, visible)
        assert inner.relation is not None
        equal = _where(inner.relation, _equalities(visible, inner))
        return SemiJoin(relation, equal) if positive else AntiJoin(relation, equal)


def _in_joining_order(elements: tuple[Element, ...]) -> list[Element]:
    """UNION after the patterns it is joined with, which is the same; only OPTIONAL has to keep its place."""
    ordered: list[Element] = []
    waiting: list[Element] = []
    for element in elements:
        if isinstance(element, OptionalPattern):
            ordered += [*waiting, element]
            waiting = []
        elif isinstance(element, UnionPattern):
            waiting.append(element)
        else:
            ordered.append(element)
    return ordered + waiting


def known_term(found: Solutions, name: str, origin: Origin | None) -> Term:
    """The column of a variable that has a value in every solution."""
    if name not in found.columns:
        raise _unknown(name, origin)
    if name in found.maybe_unbound:
        raise _refused(
            f"`?{name}` may have no value here.",
            "Use it inside the OPTIONAL or the alternative of UNION that binds it.",
            origin,
        )
    return found.term(name)


def _join(left: Solutions, right: Solutions, origin: Origin | None) -> Solutions:
    """Compatible solutions put together; what may be unbound would be compatible with everything, and is refused."""
    if left.relation is None:
        return right
    assert right.relation is not None
    shared = left.columns.keys() & right.columns.keys()
    for name in sorted(shared & (left.maybe_unbound | right.maybe_unbound)):
        raise _refused(
            f"`?{name}` may have no value, and is used in another pattern.",
            "Bind it outside of OPTIONAL, and in every alternative of UNION.",
            origin,
        )
    relation = _where(Product(left.relation, right.relation), _equalities(left, right))
    return Solutions(
        relation,
        {**left.columns, **{name: column for name, column in right.columns.items() if name not in shared}},
        left.maybe_unbound | right.maybe_unbound,
        left.branches + right.branches,
    )


def _where(relation: Relation, conditions: Iterable[Comparison]) -> Relation:
    for condition in conditions:
        relation = Select(relation, condition)
    return relation


def _united(relations: Sequence[Relation]) -> Relation:
    result = relations[0]
    for relation in relations[1:]:
        result = Union(result, relation)
    return result


def _equalities(left: Solutions, right: Solutions) -> list[Comparison]:
    shared = [name for name in left.columns if name in right.columns]
    return [Comparison("=", left.term(name), right.term(name)) for name in shared]


def _unknown(name: str, origin: Origin | None) -> Rejected:
    hint = "Use it in a triple pattern of the same group."
    return Rejected([Diagnostic(UNKNOWN_NAME, f"No pattern gives `?{name}` a value.", hint, origin)])


def _refused(message: str, hint: str, origin: Origin | None) -> Rejected:
    return Rejected([Diagnostic(UNSUPPORTED, message, hint, origin)])
