"""Substitutions that make a body true, as far as it is decided; what is not decided is collected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Protocol, TypeAlias

from larspark.language.extended_atoms import ExtendedAtom, Quantifier
from larspark.language.facts import Fact
from larspark.language.tree import UNBOUNDED, Constant, IntervalWindow, Term, TimeWindow, Variable, Window
from larspark.language.values import NotANumber, Value, compare
from larspark.reasoners.answer_update.literals import (
    AggregateLiteral,
    ComparisonLiteral,
    ConstantLiteral,
    Lookup,
    Step,
    names,
)
from larspark.reasoners.answer_update.nodes import LiteralView, Node, PlainAtom, SeenAtom
from larspark.reasoners.answer_update.views import AtomTable, Everywhere, ViewRows
from larspark.reasoners.pinned import Pinned
from larspark.semantics.aggregates import aggregate

Binding: TypeAlias = dict[str, Value]

EVERYTHING = TimeWindow(UNBOUNDED, UNBOUNDED)


@dataclass(frozen=True, slots=True)
class JoinMatch:
    """A substitution with the atoms it rests on."""

    binding: Binding = field(default_factory=dict)
    positive: tuple[Node, ...] = ()
    seen: tuple[SeenAtom, ...] = ()
    open_negations: tuple[tuple[Lookup, Binding], ...] = ()


class BodyScope(Protocol):
    """Where a body looks."""

    def value(self, term: Term, binding: Mapping[str, Value]) -> Value:
        """Raises NotANumber."""
        ...

    def rows(self, view: LiteralView) -> ViewRows:
        """What is decided."""
        ...

    def candidates(self, lookup: Lookup) -> AtomTable:
        """What may become true in the stratum itself."""
        ...


def matches(
    steps: tuple[Step, ...], scope: BodyScope, match: JoinMatch, table_of: Callable[[Lookup], AtomTable] | None = None
) -> Iterator[JoinMatch]:
    """All extensions of a match by the steps; `table_of` replaces the candidates of internal lookups."""
    if not steps:
        yield match
        return
    for extended in _extensions(steps[0], scope, match, table_of or scope.candidates):
        yield from matches(steps[1:], scope, extended, table_of)


def _extensions(
    step: Step, scope: BodyScope, match: JoinMatch, table_of: Callable[[Lookup], AtomTable]
) -> Iterator[JoinMatch]:
    try:
        match step:
            case ConstantLiteral(value):
                if value:
                    yield match
            case ComparisonLiteral():
                yield from _test(step, scope, match)
            case AggregateLiteral():
                yield from _aggregation(step, scope, match)
            case Lookup(ExtendedAtom(negated=True), internal=True):
                negation = (step, match.binding)
                yield JoinMatch(match.binding, match.positive, match.seen, (*match.open_negations, negation))
            case Lookup(ExtendedAtom(negated=True) as read):
                if next(decided(read, scope, match.binding), None) is None:
                    yield match
            case Lookup(read, internal=True):
                for time, fact, binding in unify(read, scope, match.binding, table_of(step)):
                    node = PlainAtom(fact) if time is None else Pinned(time, fact)
                    yield JoinMatch(binding, (*match.positive, node), match.seen, match.open_negations)
            case Lookup(read):
                for seen, binding in decided(read, scope, match.binding):
                    yield JoinMatch(binding, match.positive, (*match.seen, seen), match.open_negations)
    except NotANumber:
        return  # arithmetic that has no value: this instance does not fire


def _test(step: ComparisonLiteral, scope: BodyScope, match: JoinMatch) -> Iterator[JoinMatch]:
    binding = match.binding
    if step.binds is not None and step.value is not None:
        bound = {**binding, step.binds: scope.value(step.value, binding)}
        yield JoinMatch(bound, match.positive, match.seen, match.open_negations)
        return
    comparison = step.comparison
    left, right = scope.value(comparison.left, binding), scope.value(comparison.right, binding)
    if compare(comparison.operator, left, right) is not step.negated:
        yield match


def _aggregation(step: AggregateLiteral, scope: BodyScope, match: JoinMatch) -> Iterator[JoinMatch]:
    tuples: set[tuple[Value, ...]] = set()
    for element in step.elements:
        for inner in matches(element.steps, scope, JoinMatch(match.binding)):
            try:
                tuples.add(tuple(scope.value(term, inner.binding) for term in element.terms))
            except NotANumber:
                continue
    value = aggregate(step.aggregate.function, tuples)
    if step.binds is not None:
        if value is not None:
            yield JoinMatch({**match.binding, step.binds: value}, match.positive, match.seen, match.open_negations)
        return
    result = scope.value(step.aggregate.result, match.binding)
    if (value is not None and compare(step.aggregate.operator, result, value)) is not step.negated:
        yield match


def decided(read: ExtendedAtom, scope: BodyScope, binding: Binding) -> Iterator[tuple[SeenAtom, Binding]]:
    """The atoms below the stratum that match."""
    unbound = names(*read.windows) - binding.keys()
    if unbound:
        for bounds in _bounded(read, scope, binding, unbound):
            with suppress(NotANumber):  # these values of the bounds are none, others may be
                yield from decided(read, scope, bounds)
        return
    windows = tuple(_ground_window(window, scope, binding) for window in read.windows)
    view = LiteralView(windows, read.quantifier, read.signature)
    rows = scope.rows(view)
    for time, fact, extended in unify(read, scope, binding, rows):
        yield SeenAtom(view, time, fact), extended
    if rows.everywhere is not None:
        yield from _at_any_time(read, scope, binding, view, rows.everywhere)


def _bounded(read: ExtendedAtom, scope: BodyScope, binding: Binding, unbound: set[str]) -> list[Binding]:
    """Values for the bounds of interval windows: those that the atom has in what the windows before them leave.

    Further away, what these windows do not need has been forgotten.
    """
    before = tuple(takewhile(lambda window: names(window) <= binding.keys(), read.windows))
    windows = tuple(_ground_window(window, scope, binding) for window in before)
    timed = read.time is not None and bool(names(read.time) & unbound)
    if timed:
        anywhere = replace(read, quantifier=Quantifier.AT, windows=windows)
    else:
        anywhere = replace(read, quantifier=Quantifier.SOME, windows=windows or (EVERYTHING,), time=None)
    view = LiteralView(anywhere.windows, anywhere.quantifier, read.signature)
    found = unify(anywhere, scope, binding, scope.rows(view))
    values = dict.fromkeys(tuple(extended[name] for name in unbound) for _, _, extended in found)
    return [{**binding, **dict(zip(unbound, chosen, strict=True))} for chosen in values]


def _at_any_time(
    read: ExtendedAtom, scope: BodyScope, binding: Binding, view: LiteralView, everywhere: Everywhere
) -> Iterator[tuple[SeenAtom, Binding]]:
    """Atoms that hold at every time from the first one on: the time is known, or nobody asks for it."""
    for _, fact, extended in unify(replace(read, time=None), scope, binding, everywhere):
        time: Value = everywhere.first
        if read.time is not None and names(read.time) <= extended.keys():
            try:
                time = scope.value(read.time, extended)
            except NotANumber:
                continue
        if isinstance(time, int) and time >= everywhere.first:
            yield SeenAtom(view, time, fact), extended


def _ground_window(window: Window, scope: BodyScope, binding: Binding) -> Window:
    if isinstance(window, IntervalWindow):
        start, end = scope.value(window.start, binding), scope.value(window.end, binding)
        return IntervalWindow(Constant(start), Constant(end))
    return window


def unify(
    read: ExtendedAtom, scope: BodyScope, binding: Binding, table: AtomTable
) -> Iterator[tuple[int | None, Fact, Binding]]:
    """The entries of a table that match an atom and its time.

    An argument that cannot be computed from what is bound already raises; one that cannot be computed for an entry
    only rules that entry out.
    """
    fixed: dict[int, Value] = {}
    free: list[tuple[int, str]] = []
    late: list[tuple[int, Term]] = []
    terms = enumerate(read.terms)
    for position, term in terms:
        if isinstance(term, Variable) and term.name not in binding:
            free.append((position, term.name))
        elif names(term) <= binding.keys():
            fixed[position] = scope.value(term, binding)
        else:
            late.append((position, term))
    arity = len(read.atom.args)
    time_wanted = fixed.pop(arity, None)
    for time, fact in table.find(tuple(fixed), tuple(fixed.values())):
        if time_wanted is not None and time_wanted != time:
            continue
        values = fact.args if time is None else (*fact.args, time)
        extended = dict(binding)
        if all(extended.setdefault(name, values[position]) == values[position] for position, name in free) and all(
            _equals(scope, term, extended, values[position]) for position, term in late
        ):
            yield time, fact, extended


def _equals(scope: BodyScope, term: Term, binding: Binding, value: Value) -> bool:
    try:
        return scope.value(term, binding) == value
    except NotANumber:
        return False
