"""Where programs are compared: data on a closed timeline, a time point, and the atoms contexts may speak about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from larspark.diagnostics import Diagnostic, Rejected
from larspark.equivalence.ordering import ordered
from larspark.language.facts import Fact
from larspark.language.traversal import atoms, variables, walk
from larspark.language.tree import At, Atom, Constant, Formula, Program, Rule, TimeWindow, points
from larspark.language.values import NotANumber
from larspark.semantics.entailment import ground
from larspark.semantics.horizon import time_terms
from larspark.semantics.interpretations import Atoms, TimedFact
from larspark.semantics.rules import possible
from larspark.semantics.streams import Arrival, Stream
from larspark.semantics.structures import PLAIN, Environment, Place, Structure


@dataclass(frozen=True)
class Setting:
    """D = (T, v) with a closed timeline, and t ∈ T (Def. 22)."""

    data: Stream
    at: int
    background: frozenset[Fact] = frozenset()
    environment: Environment = PLAIN

    @property
    def times(self) -> range:
        if self.data.end is None:
            raise ValueError("programs are compared on a closed timeline")
        return range(self.data.start, self.data.end + 1)

    @property
    def structure(self) -> Structure:
        return Structure.of(self.data, self.background, now=self.at, environment=self.environment)

    def everywhere(self, facts: Iterable[Fact]) -> Atoms:
        """The atoms at every time point of T, without those that the data or the background has anyway."""
        wanted = frozenset(facts) - self.background
        return frozenset((time, fact) for time in self.times for fact in wanted - self.data.at(time))

    def with_input(self, added: Iterable[TimedFact]) -> Setting:
        """D ∪ S; the atoms of S arrive after those of D with the same time."""
        data = Stream.of(self.data.start, self.data.end, (*self.data.input, *ordered(added)), self.data.derived)
        return replace(self, data=data)

    def in_order(self, arrivals: Sequence[Arrival]) -> Setting:
        """The same with another input."""
        return replace(self, data=Stream.of(self.data.start, self.data.end, arrivals, self.data.derived))

    def derivable(self, program: Program) -> Atoms:
        """The atoms beyond D that a head can ask for."""
        place = Place(self.structure, self.data, self.at)
        found: set[TimedFact] = set()
        for rule in program.rules:
            try:
                found.update(possible(place, rule.head, {}))
            except NotANumber:
                raise Rejected([without_value(rule)]) from None
        return frozenset((time, fact) for time, fact in found if fact not in self.data.at(time)) - frozenset(
            (time, fact) for time in self.times for fact in self.background
        )


def last_reached(at: int, programs: Iterable[Program]) -> int:
    """The last time point that the programs name or look at when they are evaluated at `at`.

    A timeline that is closed there shows them the same as one without end, except for windows that have none.
    """
    formulas = [part for program in programs for rule in program.rules for part in (rule.head, *rule.body)]
    return max((_latest(formula, at) for formula in formulas), default=at)


def _latest(formula: Formula, at: int) -> int:
    m = Structure.of(Stream.of(0, None), now=at)
    ahead = sum(max(0, points(part.future) or 0) for part in walk(formula) if isinstance(part, TimeWindow))
    latest = at
    for term in time_terms(formula):
        with suppress(NotANumber):
            time = m.value(term, {})
            latest = max(latest, time) if isinstance(time, int) else latest
    return latest + ahead


def mentioned(program: Program, setting: Setting) -> frozenset[Fact]:
    """All atoms of a ground program."""
    found: set[Fact] = set()
    for rule in program.rules:
        try:
            found.update(ground(setting.structure, atom, {}) for atom in atoms(rule))
        except NotANumber:
            raise Rejected([without_value(rule)]) from None
    return frozenset(found)


def require_ground(*programs: Program) -> None:
    """Equivalence is defined and decided for ground programs (sec. 5.2)."""
    found = []
    for program in programs:
        for rule in program.rules:
            variable = next(variables(rule), None)
            if variable is not None:
                name = "_" if variable.anonymous else variable.name
                found.append(
                    Diagnostic(
                        "E531",
                        f"The rule has the variable {name}, but only ground programs can be compared.",
                        "Write the instances of the rule for the values in question.",
                        variable.origin or rule.origin,
                    )
                )
    if found:
        raise Rejected(found)


def without_value(rule: Rule) -> Diagnostic:
    return Diagnostic(
        "E532",
        "A term of the rule has no value, so the rule has no ground instance.",
        "Remove the rule or correct its arithmetic.",
        rule.origin,
    )


def as_fact_rule(timed: TimedFact) -> Rule:
    """`@t a.`"""
    time, fact = timed
    return Rule(as_at(time, fact))


def as_at(time: int, fact: Fact) -> At:
    return At(Constant(time), Atom(fact.predicate, tuple(map(Constant, fact.args))))


def extended(program: Program, context: Iterable[Rule]) -> Program:
    """P ∪ R."""
    return replace(program, rules=(*program.rules, *context))
