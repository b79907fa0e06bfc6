"""Rules as truth maintenance takes them: what it cannot join is asked for, and answered outside the network.

    h(X,N) :- p(X), N = #count{ Y : q(X,Y) [3] }.      becomes

    h(X,N)          :- p(X), _value1(X,N).
    _asked1(X)      :- p(X).                           for which values an aggregate is asked
    _element1_0(X,Y) :- _asked1(X), q(X,Y) [3].        one level below: what it is about

`_value1` has the rows that a `Tally` computes from the elements. `@T p` where p is background holds at infinitely many
time points and is asked for in the same way, and so is `always` in an interval whose bounds a rule computes. Another
negated interval with variable bounds is the absence of an auxiliary atom. The names begin with an underscore, which no
predicate of the language does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from typing import NamedTuple

from larspark.diagnostics import Rejected
from larspark.language.extended_atoms import ExtendedAtom, Quantifier
from larspark.language.facts import Signature
from larspark.language.tree import Atom, Variable
from larspark.reasoners.flattening import points_in_interval
from larspark.reasoners.jtms.asked_intervals import AskedInterval
from larspark.reasoners.plain import Collection, Element, Head, Literal, PlainRule, literal_names, term_names
from larspark.reasoners.scope import Scope
from larspark.reasoners.unbound_time import unbound_time


class LevelledRule(NamedTuple):
    """A rule, and the level on which its head is decided."""

    rule: PlainRule
    level: int


@dataclass(frozen=True)
class AuxiliaryAggregate:
    """An aggregate over the rows of auxiliary predicates."""

    collection: Collection
    reading: ExtendedAtom
    """The atom that stands for it."""
    asked: Signature
    given: tuple[str, ...]
    """The variables of the asking predicate."""
    elements: tuple[tuple[Signature, Element, tuple[str, ...]], ...]
    """Predicates of the elements; their arguments are the given variables and then these."""
    level: int
    """Where its elements are decided."""


@dataclass
class Auxiliaries:
    """Takes rules, and makes rules with auxiliary predicates."""

    background: frozenset[Signature]
    top: int
    """The highest level."""
    rules: list[LevelledRule] = field(default_factory=list)
    aggregations: list[AuxiliaryAggregate] = field(default_factory=list)
    asked_times: dict[Signature, ExtendedAtom] = field(default_factory=dict)
    """Predicate of times → the reading over background that is asked about them."""
    asked_intervals: dict[Signature, AskedInterval] = field(default_factory=dict)
    """Predicate of bounds → the literal that is asked about them."""
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))
    _asking: list[int] = field(default_factory=list)
    """The literals for which is being found what gives them their bounds."""

    @property
    def asking(self) -> frozenset[Signature]:
        """The predicates whose rows are questions."""
        return frozenset((*self.asked_times, *self.asked_intervals, *(one.asked for one in self.aggregations)))

    def add(self, rule: PlainRule, level: int) -> None:
        """The rule, and those it needs."""
        scope = Scope(rule)
        values: dict[int, ExtendedAtom] = {}
        body = tuple(self._literal(literal, scope, level, values) for literal in rule.body)
        self.rules.append(LevelledRule(replace(rule, body=body), level))

    def _literal(self, literal: Literal, scope: Scope, level: int, values: dict[int, ExtendedAtom]) -> Literal:
        match literal:
            case ExtendedAtom() if _asks_interval(literal):
                return replace(self._throughout(literal, scope, level, values), negated=literal.negated)
            case ExtendedAtom(negated=True) if literal.computed_interval is not None:
                return self._outside_interval(literal, scope, level, values)
            case ExtendedAtom() if self._ranges_over_all_times(literal):
                return self._at_asked_time(literal, scope, level, values)
            case Collection():
                return self._value(literal, scope, level, values)
        return literal

    def _outside_interval(
        self, literal: ExtendedAtom, scope: Scope, level: int, values: dict[int, ExtendedAtom]
    ) -> ExtendedAtom:
        number = next(self._numbers)
        shared = _variables(sorted(scope.shared(literal)))
        inside = points_in_interval(literal, f"T'{number}")
        atom = Atom(f"_inside{number}", shared)
        self.add(PlainRule((Head(atom),), (*self._domain(literal, scope, level, values), *inside)), level)
        return ExtendedAtom(Quantifier.NOW, atom, negated=True)

    def _throughout(
        self, literal: ExtendedAtom, scope: Scope, level: int, values: dict[int, ExtendedAtom]
    ) -> ExtendedAtom:
        """`always` in an interval with computed bounds."""
        if id(literal) in values:
            return values[id(literal)]
        window, number = literal.computed_interval, next(self._numbers)
        assert window is not None
        bounds = tuple(dict.fromkeys(one for one in (window.start, window.end) if isinstance(one, Variable)))
        self._asking.append(id(literal))
        domain = self._domain(literal, scope, level, values)
        self._asking.pop()
        asked = Atom(f"_asked{number}", bounds)
        self.rules.append(LevelledRule(PlainRule((Head(asked),), domain), level))
        holds = ExtendedAtom(Quantifier.NOW, Atom(f"_always{number}", (*_variables(literal.names()), *bounds)))
        within = replace(literal, windows=literal.windows[:-1], negated=False)
        self.asked_intervals[asked.signature] = AskedInterval(within, window, bounds, holds)
        values[id(literal)] = holds
        return holds

    def _ranges_over_all_times(self, reading: ExtendedAtom) -> bool:
        return (
            reading.quantifier is Quantifier.AT
            and reading.signature in self.background
            and reading.endless
            and isinstance(reading.time, Variable)
            and not reading.time.anonymous
        )

    def _at_asked_time(
        self, literal: ExtendedAtom, scope: Scope, level: int, values: dict[int, ExtendedAtom]
    ) -> ExtendedAtom:
        time = literal.time
        assert isinstance(time, Variable)
        if time.name not in scope.outside(literal):
            return replace(literal, time=Variable("_"))
        domain = self._domain(literal, scope, level, values)
        if time.name not in set[str]().union(*map(literal_names, domain)):
            raise Rejected([unbound_time(literal.origin)])
        atom = Atom(f"_asked{next(self._numbers)}", (time,))
        self.rules.append(LevelledRule(PlainRule((Head(atom),), domain), level))
        self.asked_times[atom.signature] = literal.canonical
        return literal

    def _value(self, collection: Collection, scope: Scope, level: int, values: dict[int, ExtendedAtom]) -> ExtendedAtom:
        if id(collection) in values:
            return values[id(collection)]
        number = next(self._numbers)
        given = tuple(sorted(scope.given(collection)))
        asked = Atom(f"_asked{number}", _variables(given))
        domain = self._domain(collection, scope, level, values) if given else ()
        self.rules.append(LevelledRule(PlainRule((Head(asked),), domain), level))
        question = ExtendedAtom(Quantifier.NOW, asked)
        # What is counted is decided one level below; what rests on no atoms is nowhere.
        below = max(level - 1, 0)
        elements = []
        for place, element in enumerate(collection.elements):
            local = tuple(sorted(term_names(element.terms) - set(given)))
            atom = Atom(f"_element{number}_{place}", _variables((*given, *local)))
            self.add(PlainRule((Head(atom),), (question, *element.body)), below)
            elements.append((atom.signature, element, local))
        results = (collection.result,) if collection.assigns else ()
        reading = ExtendedAtom(Quantifier.NOW, Atom(f"_value{number}", (*_variables(given), *results)))
        self.aggregations.append(
            AuxiliaryAggregate(collection, reading, asked.signature, given, tuple(elements), below)
        )
        values[id(collection)] = reading
        return reading

    def _domain(
        self, literal: Literal, scope: Scope, level: int, values: dict[int, ExtendedAtom]
    ) -> tuple[Literal, ...]:
        """The other literals that give the variables of this one values.

        Atoms that get their time elsewhere do not give it to each other, nor to what does without: the time may be the
        value of an aggregate.
        """

        def sure(one: ExtendedAtom) -> bool:
            return not (self._ranges_over_all_times(one) or _asks_interval(one))

        found = list(scope.providers(literal, sure))
        bound = set[str]().union(*(names for _, names in found))
        timeless = isinstance(literal, ExtendedAtom) and self._ranges_over_all_times(literal)
        if not timeless and not scope.wanted(literal) <= bound:
            found = list(scope.providers(literal, lambda one: id(one) not in self._asking))
        return tuple(self._given(other, scope, level, values) for other, _ in found)

    def _given(self, literal: Literal, scope: Scope, level: int, values: dict[int, ExtendedAtom]) -> Literal:
        match literal:
            case Collection():
                return self._value(literal, scope, level, values)
            case ExtendedAtom() if _asks_interval(literal):
                return self._throughout(literal, scope, level, values)
        return literal


def _asks_interval(reading: ExtendedAtom) -> bool:
    return reading.quantifier is Quantifier.ALWAYS and reading.computed_interval is not None


def _variables(names: Iterable[str]) -> tuple[Variable, ...]:
    return tuple(map(Variable, names))
