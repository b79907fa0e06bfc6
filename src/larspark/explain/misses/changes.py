"""Changes of the data after which a condition that fails may hold: what is worth a try.

An atom that is missing is added where it is looked for, one that blocks is taken away, of what is counted there is one
more or one less, a value is replaced by one that compares as it should; and so on through the rules below.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from larspark.diagnostics import Rejected
from larspark.explain.evaluations.world import World
from larspark.explain.misses.compared_values import fitting_values
from larspark.explain.misses.partial import Partial, partial_instances
from larspark.explain.misses.reasons import Reasons
from larspark.explain.proofs.build import proofs
from larspark.explain.proofs.cone import atoms_of
from larspark.explain.proofs.evidence import counted, evidence, seen
from larspark.explain.proofs.nearest import pattern
from larspark.explain.proofs.proof import Question
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact
from larspark.language.traversal import atoms, variables
from larspark.language.tree import (
    Aggregate,
    Always,
    And,
    At,
    Atom,
    Comparison,
    Constant,
    Formula,
    Not,
    Or,
    Reset,
    Rule,
    Some,
    Variable,
    Windowed,
)
from larspark.language.values import NotANumber, Value
from larspark.semantics.aggregates import aggregate
from larspark.semantics.entailment import solutions, windowed
from larspark.semantics.interpretations import TimedFact
from larspark.semantics.structures import Binding
from larspark.semantics.structures import Place as Evaluated

COUNTED = 6
"""Time points back at which more of what is counted is added, and tuples of which there may be one less."""
LONGEST = 24
"""Time points that are filled."""
NEW = "any"
"""New values, in atoms of which nothing is known but their predicate."""
DEEP = 3
"""Rules above each other that are gone down."""


@dataclass(frozen=True)
class SuggestedChange:
    """An arrival to add, or all arrivals of an atom at a time point to take away."""

    sign: str
    time: int
    fact: Fact

    def as_json(self) -> dict[str, Any]:
        return {"atom": str(self.fact), "at": self.time}


def changes_for(reasons: Reasons, partial: Partial) -> frozenset[SuggestedChange]:
    """Changes after which the conditions that fail may hold; empty when one of them cannot be helped."""
    return _Suggestions(reasons).of(partial, 0)


@dataclass(frozen=True)
class _Suggestions:
    reasons: Reasons

    @property
    def world(self) -> World:
        return self.reasons.world

    def of(self, partial: Partial, depth: int) -> frozenset[SuggestedChange]:
        found, rule, binding = set[SuggestedChange](), partial.rule, dict(partial.binding)
        failed = [rule.body[place] for place in partial.failed]
        for literal in sorted(failed, key=lambda one: isinstance(one, Comparison | Aggregate)):
            if isinstance(literal, Comparison) and self._holds(literal, binding):
                continue  # what is added has brought a value that will do
            helping = self._helping(self.world.place, literal, rule, binding, depth)
            if not helping:
                return frozenset()
            found |= helping
            self._bind(literal, helping, binding)
        return frozenset(found)

    def _holds(self, literal: Formula, binding: Binding) -> bool:
        try:
            return any(True for _ in solutions(self.world.place, literal, binding))
        except (KeyError, NotANumber, Rejected):
            return False

    @staticmethod
    def _bind(literal: Formula, helping: set[SuggestedChange], binding: dict[str, Value]) -> None:
        """The variables of a condition have the values of the atom that is added for it."""
        for atom in atoms(literal):
            for change in helping:
                if change.sign == "+" and change.fact.signature == atom.signature:
                    for arg, value in zip(atom.args, change.fact.args, strict=True):
                        if isinstance(arg, Variable) and not arg.anonymous:
                            binding.setdefault(arg.name, value)

    def _helping(
        self, place: Evaluated, literal: Formula, rule: Rule, binding: Binding, depth: int
    ) -> set[SuggestedChange]:
        """For one condition."""
        match literal:
            case Not(body):
                return self._unblocking(place, body, binding)
            case Comparison():
                return self._counting(rule, literal, binding) | self._comparing(rule, literal, binding, depth)
            case Aggregate():
                return self._counted_otherwise(literal, binding)
            case Reset(body):
                return self._helping(place.on(place.m.stream), body, rule, binding, depth)
            case And(parts):
                missing = [part for part in parts if not self._is_there(place, part, binding)]
                helping = [self._helping(place, part, rule, binding, depth) for part in missing]
                return set().union(*helping) if all(helping) else set()
            case Or(parts):
                return set[SuggestedChange]().union(
                    *(self._helping(place, part, rule, binding, depth) for part in parts)
                )
            case Windowed(window, And() | Or() | Not() | Reset() as body):
                try:
                    return self._helping(windowed(place, window, binding), body, rule, binding, depth)
                except (KeyError, NotANumber):
                    return set()
        return self._adding(needed(self.world, place, literal, binding), depth)

    @staticmethod
    def _is_there(place: Evaluated, formula: Formula, binding: Binding) -> bool:
        try:
            return any(True for _ in solutions(place, formula, binding))
        except (KeyError, NotANumber, Rejected):
            return False

    # -- adding and taking away --------------------------------------------------------------------

    def _adding(self, wanted: list[TimedFact], depth: int) -> set[SuggestedChange]:
        """What is missing; of a conclusion, what the nearest miss of it lacks."""
        found: set[SuggestedChange] = set()
        for timed in wanted:
            if timed[1].signature not in self.world.setting.intensional:
                if not self._may_arrive(timed[1]):
                    return set()
                found.add(SuggestedChange("+", *timed))
            elif depth < DEEP:
                below = self._below(timed, depth)
                if not below:
                    return set()
                found |= below
        return found

    def _may_arrive(self, fact: Fact) -> bool:
        """What is known from the beginning does not arrive."""
        setting = self.world.setting
        return fact.signature not in self.world.place.m.background or fact.signature in setting.index.signatures

    def _below(self, timed: TimedFact, depth: int) -> frozenset[SuggestedChange]:
        for rule in self.world.rules_for(timed[1].signature):
            for partial in partial_instances(self.world, rule, timed):
                changes = self.of(partial, depth + 1)
                if changes:
                    return changes
        return frozenset()

    def _unblocking(self, place: Evaluated, body: Formula, binding: Binding) -> set[SuggestedChange]:
        """Take away what blocks; of a conclusion, an arrival that it rests on."""
        gone: set[SuggestedChange] = set()
        for solution in solutions(place, body, binding):
            for timed in atoms_of((evidence(place, body, solution),)):
                gone |= self._without(timed)
        return gone

    def _without(self, timed: TimedFact) -> set[SuggestedChange]:
        world = self.world
        if world.arrived_at(timed):
            return {SuggestedChange("-", *timed)}
        time, fact = timed
        found = proofs(world, Question("why", fact, world.time, None if time == world.time else time), 3, None)
        gone: set[SuggestedChange] = set()
        for proof in found:
            leaves = [node.details for node in proof.nodes if node.kind == "input"]
            if leaves:
                gone.add(SuggestedChange("-", leaves[-1]["at"][-1][1], parse_fact(leaves[-1]["atom"])))
        return gone

    # -- values ------------------------------------------------------------------------------------

    def _comparing(self, rule: Rule, literal: Comparison, binding: Binding, depth: int) -> set[SuggestedChange]:
        """Another value that compares as it should, in the atoms that the value comes from."""
        fixed = {one.name for one in variables(rule.head)}
        found: set[SuggestedChange] = set()
        for name, value in fitting_values(self.world.place.m, literal, binding):
            if name not in fixed:
                other = {**binding, name: value}
                for part in rule.body:
                    if not isinstance(part, Not | Comparison | Aggregate) and name in {v.name for v in variables(part)}:
                        found |= self._adding(needed(self.world, self.world.place, part, other), depth)
        return found

    def _counting(self, rule: Rule, literal: Comparison, binding: Binding) -> set[SuggestedChange]:
        """Where values of aggregates are compared."""
        results = {one.name for one in variables(literal)}
        found: set[SuggestedChange] = set()
        for one in rule.body:
            if isinstance(one, Aggregate) and isinstance(one.result, Variable) and one.result.name in results:
                found |= self._counted_otherwise(one, binding)
        return found

    def _counted_otherwise(self, formula: Aggregate, binding: Binding) -> set[SuggestedChange]:
        """More of what is counted: the latest of it once more, and new values; or one less."""
        world, found = self.world, set[SuggestedChange]()
        for element in formula.elements:
            for part in element.body:
                if isinstance(part, Not | Comparison | Aggregate):
                    continue
                for time, fact in needed(world, world.place, part, binding):
                    if fact.signature not in world.setting.intensional:
                        back = range(time, max(world.setting.start, time - COUNTED), -1)
                        found |= {
                            SuggestedChange("+", point, fact) for point in back if not world.arrived_at((point, fact))
                        }
                        found |= {SuggestedChange("+", time, new) for new in self._others_like(formula, part, binding)}
        return found | self._counting_less(formula, binding)

    def _counting_less(self, formula: Aggregate, binding: Binding) -> set[SuggestedChange]:
        found: set[SuggestedChange] = set()
        try:
            for one in islice(counted(self.world.place, formula, binding), COUNTED):
                for literal, part in zip(one.element.body, one.body, strict=True):
                    if isinstance(literal, Not):
                        found |= self._adding(needed(self.world, self.world.place, literal.body, one.binding), DEEP)
                    else:
                        found |= {change for timed in atoms_of((part,)) for change in self._without(timed)}
        except (KeyError, NotANumber):
            pass
        return found

    def _others_like(self, formula: Aggregate, part: Formula, binding: Binding) -> Iterator[Fact]:
        """Atoms of a counted condition with new values for what is left open, and with what a sum lacks."""
        lacking = self._lacking(formula, binding)
        for atom in atoms(part):
            wanted = pattern(self.world, atom, binding)
            if all(isinstance(arg, Constant) for arg in wanted.args):
                continue
            for number in range(1, COUNTED // 2 + 1):
                values: list[Value] = []
                for arg in wanted.args:
                    summed = isinstance(arg, Variable) and formula.function != "count" and self._is_summed(formula, arg)
                    open_ = lacking if summed and lacking is not None else f"{NEW}{number}"
                    values.append(arg.value if isinstance(arg, Constant) else open_)
                yield Fact(wanted.predicate, tuple(values))

    @staticmethod
    def _is_summed(formula: Aggregate, arg: Variable) -> bool:
        return any(element.terms and element.terms[0] == arg for element in formula.elements)

    def _lacking(self, formula: Aggregate, binding: Binding) -> Value | None:
        """What makes a sum, a least or a greatest value the one that is needed."""
        try:
            wanted = self.world.place.m.value(formula.result, binding)
            value = aggregate(formula.function, {one.entry for one in counted(self.world.place, formula, binding)})
        except (KeyError, NotANumber):
            return None
        if isinstance(wanted, str):
            return wanted if formula.function in ("min", "max") else None
        step = {"<": 1, ">": -1}.get(formula.operator, 0)
        if formula.function == "sum" and not isinstance(value, str | None):
            return wanted - value + step
        return wanted + step


# -- what is looked for ----------------------------------------------------------------------------


def needed(world: World, place: Evaluated, literal: Formula, binding: Binding) -> list[TimedFact]:
    """The atoms without which a positive condition fails; none when it cannot be told, or when nothing can help."""
    found = _looked_for(world, place, literal, binding)
    return found if all(world.setting.start <= time <= world.time for time, _ in found) else []


def _looked_for(world: World, place: Evaluated, literal: Formula, binding: Binding) -> list[TimedFact]:
    body = literal
    try:
        while isinstance(body, Windowed):
            place, body = windowed(place, body.window, binding), body.body
        match body:
            case Atom():
                return [(place.time, an_atom(world, body, binding))]
            case Some(Atom() as atom):
                return [(_latest(world, place), an_atom(world, atom, binding))]
            case At(term, Atom() as atom):
                free = isinstance(term, Variable) and term.name not in binding
                time = _latest(world, place) if free else place.m.value(term, binding)
                fits = isinstance(time, int) and time in place.stream and time <= world.time
                return [(int(time), an_atom(world, atom, binding))] if fits else []
            case Always(Atom() as atom):
                return _gaps(world, place, atom, binding)
    except (KeyError, NotANumber):
        pass
    return []


def _latest(world: World, place: Evaluated) -> int:
    end = seen(place, ()).last
    return world.time if end is None else min(end, world.time)


def _gaps(world: World, place: Evaluated, atom: Atom, binding: Binding) -> list[TimedFact]:
    fact = an_atom(world, atom, binding)
    points_ = range(place.stream.start, _latest(world, place) + 1)
    if place.stream.end is None or place.stream.end > world.time or len(points_) > LONGEST:
        return []
    return [(time, fact) for time in points_ if fact not in place.stream.at(time)]


def an_atom(world: World, atom: Atom, binding: Binding) -> Fact:
    """The atom with values for what is left open: those of an atom that fits, if there is one."""
    wanted = pattern(world, atom, binding)
    fitting = world.matching(wanted)
    example = fitting[0][1] if fitting else None
    values: list[Value] = []
    for place, arg in enumerate(wanted.args):
        values.append(arg.value if isinstance(arg, Constant) else example.args[place] if example else NEW)
    return Fact(wanted.predicate, tuple(values))


def wanted_arrivals(world: World, partial: Partial) -> list[Fact] | None:
    """The input atoms of all positive conditions; None when one is not known."""
    facts: list[Fact] = []
    for literal in partial.rule.body:
        body = literal
        while isinstance(body, Windowed):
            body = body.body
        match body:
            case Some(Atom() as atom) | Always(Atom() as atom) | At(_, Atom() as atom) | (Atom() as atom):
                if atom.signature in world.setting.intensional:
                    return None
                if not world.place.m.background.get(atom.signature):
                    facts.append(an_atom(world, atom, partial.binding))
    return facts
