"""Relational algebra to Datalog rules (Dat of thesis sec. 4.3), shared by CQL and the RDF languages.

Rather than one predicate per operator, joins, selections and projections are fused into one rule body; only
negation and grouping get predicates of their own. A `BodyDerivation` is such a body in the making, with the terms that
its columns stand for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from itertools import chain, count

from larspark.language.traversal import substitute, variables
from larspark.language.tree import (
    Aggregate,
    AggregateElement,
    Atom,
    Comparison,
    Constant,
    Formula,
    Not,
    Rule,
    Term,
    Variable,
)
from larspark.translations.algebra import (
    AggregateColumn,
    AntiJoin,
    Extend,
    GroupBy,
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
from larspark.translations.naming import Names


@dataclass(frozen=True)
class BodyDerivation:
    """A rule body under construction, and the terms that its columns stand for."""

    columns: Mapping[str, Term] = field(default_factory=dict)
    body: tuple[Formula, ...] = ()

    def extended(self, columns: Mapping[str, Term], *literals: Formula) -> BodyDerivation:
        return BodyDerivation({**self.columns, **columns}, (*self.body, *literals))

    def replaced(self, variable: Variable, term: Term) -> BodyDerivation:
        """With the term in place of the variable everywhere."""
        binding = {variable.name: term}
        new = {name: substitute(value, binding) for name, value in self.columns.items()}
        return BodyDerivation(new, tuple(substitute(literal, binding) for literal in self.body))

    def used(self) -> set[str]:
        """The names of the variables so far."""
        return {variable.name for part in chain(self.columns.values(), self.body) for variable in variables(part)}


class Datalog:
    """Collects the rules of one query; auxiliary predicates are named after the stem."""

    def __init__(self, names: Names, stem: str) -> None:
        self.names = names
        self.stem = stem
        self.rules: list[Rule] = []
        self._known: dict[Relation, str] = {}
        """Sub-queries that have a predicate already."""

    def define(self, head: str, relation: Relation) -> None:
        """Rules that derive the rows of the relation as atoms of the head predicate."""
        for found in self.derivations(relation, BodyDerivation()):
            args = tuple(found.columns[column] for column in columns(relation))
            self.rules.append(tidy(Rule(Atom(head, args), found.body)))

    def derivations(self, relation: Relation, start: BodyDerivation) -> Iterator[BodyDerivation]:
        """All ways to obtain a row of the relation, continuing from the derivation of what stands to its left."""
        match relation:
            case Scan(predicate, names):
                new = fresh_variables(names, start.used())
                yield start.extended(new, Atom(predicate, tuple(new.values())))
            case Product(left, right):
                for found in self.derivations(left, start):
                    yield from self.derivations(right, found)
            case Select(body, condition):
                for found in self.derivations(body, start):
                    yield from _selected(found, condition)
            case Extend(body, column, value):
                for found in self.derivations(body, start):
                    yield _with_column(found, column, value)
            case Project(body, outputs):
                kept = (*start.columns, *(column for column, _ in outputs))
                for found in self.derivations(body, start):
                    wide = reduce(lambda so_far, output: _with_column(so_far, *output), outputs, found)
                    yield BodyDerivation({column: wide.columns[column] for column in kept}, wide.body)
            case Union(left, right):
                yield from self.derivations(left, start)
                yield from self.derivations(right, start)
            case SemiJoin(left, right):
                for outer in self.derivations(left, start):
                    for found in self.derivations(right, outer):
                        yield BodyDerivation({column: found.columns[column] for column in outer.columns}, found.body)
            case AntiJoin(left, right):
                for outer in self.derivations(left, start):
                    exists = self._exists(right, outer)
                    yield outer if exists is None else outer.extended({}, Not(exists))
            case GroupBy():
                yield self._grouped(relation, start)

    def _exists(self, relation: Relation, outer: BodyDerivation) -> Atom | None:
        """An atom that holds iff the relation has a row, given the columns of the outer derivation; None: never."""
        keys = sorted(free_columns(relation) & outer.columns.keys())
        args = tuple(outer.columns[key] for key in keys)
        if relation in self._known:
            return Atom(self._known[relation], args)
        predicate = self.names.numbered(f"{self.stem}_not")
        written = len(self.rules)
        rules = self._existence_rules(predicate, keys, relation, BodyDerivation(fresh_variables(keys, set())))
        if all(map(_safe, rules)):
            self._known[relation] = predicate
        else:
            # A key that the sub-query only compares gets its values from the outer query.
            del self.rules[written:]
            rules = self._existence_rules(predicate, keys, relation, outer)
        self.rules += rules
        return Atom(predicate, args) if rules else None

    def _existence_rules(
        self, predicate: str, keys: list[str], relation: Relation, start: BodyDerivation
    ) -> list[Rule]:
        return [
            tidy(Rule(Atom(predicate, tuple(found.columns[key] for key in keys)), found.body))
            for found in self.derivations(relation, start)
        ]

    def _grouped(self, group: GroupBy, start: BodyDerivation) -> BodyDerivation:
        body, keys, aggregates = group.body, group.keys, group.aggregates
        predicate = self.names.numbered(f"{self.stem}_rows")
        grouped_by = {value.name: name for name, value in keys if isinstance(value, Variable)}
        others = tuple(column for column in columns(body) if column not in grouped_by)
        row = (*keys, *((column, Variable(column)) for column in others))
        self.define(predicate, Project(body, row))
        key_terms = fresh_variables((name for name, _ in keys), start.used())
        found = start
        if keys or any(aggregate.function not in group.of_nothing for aggregate in aggregates):
            unnamed = (f"_{number}" for number in count(1) if f"_{number}" not in start.used())
            anyone = tuple(Variable(next(unnamed)) for _ in others)
            found = found.extended(key_terms, Atom(predicate, (*key_terms.values(), *anyone)))
        for aggregate in aggregates:
            inner = fresh_variables(others, found.used())
            member = Atom(predicate, (*key_terms.values(), *inner.values()))
            values = {**inner, **{column: key_terms[name] for column, name in grouped_by.items()}}
            result = fresh_variables([aggregate.column], found.used() | {v.name for v in inner.values()})
            element = AggregateElement(_aggregated(aggregate, values, tuple(inner.values())), (member,))
            found = found.extended(result, Aggregate(aggregate.function, "=", result[aggregate.column], (element,)))
        return found


def _aggregated(aggregate: AggregateColumn, values: Mapping[str, Term], row: tuple[Term, ...]) -> tuple[Term, ...]:
    """The tuple that an aggregate collects: the value, and unless each value counts once, the row it comes from."""
    identity = () if aggregate.distinct else row
    if aggregate.value is None or (aggregate.function == "count" and not aggregate.distinct):
        return identity or (Constant(1),)
    return (substitute(aggregate.value, values), *identity)


def fresh_variables(names: Iterable[str], taken: set[str]) -> dict[str, Variable]:
    """A variable for each column, named after it."""
    used = set(taken)
    found: dict[str, Variable] = {}
    for column in names:
        stem = "".join(c if c.isalnum() and c.isascii() else "_" for c in column.rsplit(".", 1)[-1]).lstrip("_")
        stem = stem[:1].upper() + stem[1:] if stem[:1].isalpha() else f"V{stem}"
        name, number = stem, 1
        while name in used:
            number += 1
            name = f"{stem}{number}"
        used.add(name)
        found[column] = Variable(name)
    return found


def _selected(found: BodyDerivation, condition: Comparison) -> Iterator[BodyDerivation]:
    """An equality of columns is said by one variable, other conditions are literals."""
    left, right = substitute(condition.left, found.columns), substitute(condition.right, found.columns)
    match condition.operator, left, right:
        case "=", Variable(), Variable():
            first, second = sorted((left, right), key=list(found.columns.values()).index)
            yield found if left == right else found.replaced(second, first)
        case "=", Variable(), Constant():
            yield found.replaced(left, right)
        case "=", Constant(), Variable():
            yield found.replaced(right, left)
        case "=", Constant(), Constant():
            if left == right:
                yield found
        case operator, _, _:
            yield found.extended({}, Comparison(operator, left, right))


def _with_column(found: BodyDerivation, column: str, value: Term) -> BodyDerivation:
    term = substitute(value, found.columns)
    if isinstance(term, Variable | Constant):
        return found.extended({column: term})
    new = fresh_variables([column], found.used())
    return found.extended(new, Comparison("=", new[column], term))


def tidy(rule: Rule) -> Rule:
    """With `_` for variables that occur once."""
    occurrences = Counter(variable.name for variable in variables(rule))
    single = [name for name, number in occurrences.items() if number == 1]
    return substitute(rule, {name: Variable(f"_{number}") for number, name in enumerate(single, start=1)})


def _safe(rule: Rule) -> bool:
    """Whether the atoms of the body, and computations from them, give all variables their values."""
    known = {v.name for literal in rule.body if isinstance(literal, Atom) for v in variables(literal)}
    known |= {v.name for literal in rule.body if isinstance(literal, Aggregate) for v in variables(literal)}
    for literal in rule.body:
        match literal:
            case Comparison("=", Variable(name), value) if {v.name for v in variables(value)} <= known:
                known.add(name)
    return {v.name for part in (rule.head, *rule.body) for v in variables(part)} <= known
