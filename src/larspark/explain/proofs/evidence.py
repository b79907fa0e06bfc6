"""Why a formula holds: a tree that ends in atoms, absences, comparisons and aggregates.

Where several things would do (`some`, `or`) all are listed; which one is shown is decided by how high its proof is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from larspark.language.tree import (
    Aggregate,
    AggregateElement,
    Always,
    And,
    At,
    Atom,
    Comparison,
    Formula,
    Not,
    Or,
    Reset,
    Some,
    Window,
    Windowed,
)
from larspark.language.values import NotANumber, Value, order_key
from larspark.semantics.aggregates import aggregate
from larspark.semantics.entailment import conjunction, entails, ground, windowed
from larspark.semantics.horizon import instants
from larspark.semantics.interpretations import TimedFact
from larspark.semantics.names import names, order
from larspark.semantics.structures import Binding, Place


@dataclass(frozen=True)
class Seen:
    """What a literal looks at: its windows, and the time points that they select."""

    windows: tuple[Window, ...]
    first: int
    last: int | None
    """None: the future is open. Before `first`: nothing is selected."""


@dataclass(frozen=True)
class HoldingAtom:
    """An atom that holds at a time point."""

    timed: TimedFact
    given: bool = False
    """It does so as background: as it is seen here, nothing else has it."""


@dataclass(frozen=True)
class Quantified:
    """`some`, `always` or `@` over something that holds at these time points; one of them is enough for `some`."""

    kind: str
    formula: Formula
    seen: Seen
    parts: tuple[tuple[int, Evidence], ...]


@dataclass(frozen=True)
class Absent:
    """A negation."""

    formula: Not
    seen: Seen
    binding: Binding


@dataclass(frozen=True)
class Compared:
    formula: Comparison
    left: Value
    right: Value


@dataclass(frozen=True)
class CountedTuple:
    """A tuple of an aggregate, and why it is one."""

    element: AggregateElement
    entry: tuple[Value, ...]
    binding: Binding
    body: tuple[Evidence, ...]


@dataclass(frozen=True)
class AggregateEvidence:
    formula: Aggregate
    value: Value
    elements: tuple[CountedTuple, ...]


@dataclass(frozen=True)
class Both:
    """All of them hold."""

    formula: Formula
    parts: tuple[Evidence, ...]


@dataclass(frozen=True)
class Either:
    """Any of them is enough."""

    formula: Formula
    parts: tuple[Evidence, ...]


@dataclass(frozen=True)
class Plain:
    """A formula that is true as it stands, and is not taken apart."""

    formula: Formula


Evidence: TypeAlias = HoldingAtom | Quantified | Absent | Compared | AggregateEvidence | Both | Either | Plain


def evidence(place: Place, formula: Formula, binding: Binding, windows: tuple[Window, ...] = ()) -> Evidence:
    """Why a formula holds; it does, under the binding."""
    match formula:
        case Atom():
            fact = ground(place.m, formula, binding)
            held = HoldingAtom((place.time, fact), given=fact not in place.stream.at(place.time))
            return Quantified("at", formula, seen(place, windows), ((place.time, held),)) if windows else held
        case Windowed(window, body):
            return evidence(windowed(place, window, binding), body, binding, (*windows, window))
        case Reset(body):
            return evidence(place.on(place.m.stream), body, binding, ())
        case Some(body):
            return _at_times("some", place, formula, body, binding, windows)
        case Always(body):
            return _at_times("always", place, formula, body, binding, windows)
        case At(term, body):
            time = place.m.value(term, binding)
            assert isinstance(time, int)
            below = evidence(place.at(time), body, binding)
            return Quantified("at", formula, seen(place, windows), ((time, below),))
        case And(parts):
            return Both(formula, tuple(evidence(place, part, binding) for part in parts))
        case Or(parts):
            true = (part for part in parts if holds(place, part, binding))
            return Either(formula, tuple(evidence(place, part, binding) for part in true))
        case Not(body):
            return Absent(formula, looked_at(place, body, binding), binding)
        case Comparison(_, left, right):
            return Compared(formula, place.m.value(left, binding), place.m.value(right, binding))
        case Aggregate():
            return _aggregated(place, formula, binding)
        case _:
            return Plain(formula)


def holds(place: Place, formula: Formula, binding: Binding) -> bool:
    """Entailment; what has no value does not hold."""
    try:
        return entails(place, formula, binding)
    except NotANumber:
        return False


def seen(place: Place, windows: tuple[Window, ...]) -> Seen:
    return Seen(windows, place.stream.start, place.stream.end)


def looked_at(place: Place, formula: Formula, binding: Binding) -> Seen:
    """What the windows in front of a formula select."""
    windows: list[Window] = []
    while isinstance(formula, Windowed):
        windows.append(formula.window)
        place, formula = windowed(place, formula.window, binding), formula.body
    return seen(place, tuple(windows))


def _at_times(
    kind: str, place: Place, formula: Formula, body: Formula, binding: Binding, windows: tuple[Window, ...]
) -> Evidence:
    true = _times(place, body, binding) if kind == "some" else instants(place, body, binding)
    parts = tuple((time, evidence(place.at(time), body, binding)) for time in true)
    return Quantified(kind, formula, seen(place, windows), parts)


def _times(place: Place, body: Formula, binding: Binding) -> Iterable[int]:
    """The time points at which the body holds."""
    if isinstance(body, Atom):
        fact = ground(place.m, body, binding)
        if not place.m.is_background(fact):
            stream = place.stream
            return sorted(time for time, facts in stream.content.items() if fact in facts and time in stream)
        return [place.time if place.time in place.stream else place.stream.start]
    return [time for time in instants(place, body, binding) if holds(place.at(time), body, binding)]


def _aggregated(place: Place, formula: Aggregate, binding: Binding) -> Evidence:
    elements = tuple(sorted(counted(place, formula, binding), key=lambda one: tuple(map(order_key, one.entry))))
    value = aggregate(formula.function, {one.entry for one in elements})
    assert value is not None
    return AggregateEvidence(formula, value, elements)


def counted(place: Place, formula: Aggregate, binding: Binding) -> Iterator[CountedTuple]:
    """The tuples of an aggregate, each once."""
    met: set[tuple[Value, ...]] = set()
    for element in formula.elements:
        for solution in conjunction(place, order(element.body, frozenset(binding), names(element)), element, binding):
            try:
                entry = tuple(place.m.value(term, solution) for term in element.terms)
            except NotANumber:
                continue
            if entry not in met:
                met.add(entry)
                yield CountedTuple(
                    element, entry, solution, tuple(evidence(place, part, solution) for part in element.body)
                )
