"""Arrivals that make rules fire: a binding is guessed, and what the body reads arrives where its windows look.

What is concluded by other rules is traced back to what they read. The guess need not fit: what is denied, counted or
computed is left to chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass

from larspark.diagnostics import Rejected
from larspark.language.evaluate import evaluate
from larspark.language.extended_atoms import ExtendedAtom, Quantifier, extended_atom, tied_times
from larspark.language.facts import Fact, Signature
from larspark.language.resolve import resolve
from larspark.language.traversal import atoms, atoms_with_sign, variables, walk
from larspark.language.tree import (
    Aggregate,
    At,
    Atom,
    Call,
    Comparison,
    Constant,
    Formula,
    IntervalWindow,
    Now,
    Operation,
    Program,
    Rule,
    Term,
    TimeWindow,
    Truth,
    Variable,
    Window,
    points,
)
from larspark.language.values import NotANumber, Value, calculate, compare
from support.generate.draw import Draw
from support.generate.setting import Setting

Binding = Mapping[str, Value]
Arriving = tuple[int, Fact]

GUESSES = 8
DEEPEST = 3
"""Rules behind each other."""
LATER = (0, 1, 1, 2, 2, 3, 4, 5, 6, 8)
"""How long after the beginning rules fire."""
NEAR = (-5, 4)
"""How far from the evaluation time something arrives."""


@dataclass(frozen=True)
class Fired:
    """What some conclusions rest on."""

    arrivals: tuple[Arriving, ...] = ()
    background: tuple[Fact, ...] = ()


def firing(
    draw: Draw, setting: Setting, program: Program, arriving: AbstractSet[Signature], given: AbstractSet[Signature]
) -> Fired:
    """One to three conclusions, one of them perhaps once more some time later; `given` may come as background."""
    try:
        rules = [rule for rule in resolve(program).rules if rule.body]
    except Rejected:
        return Fired()
    concluding = [rule for rule in rules if not isinstance(rule.head, Truth)] or rules
    if not rules:
        return Fired()
    maker = Firing(draw, setting, rules, arriving | given)
    found: list[Arriving] = []
    for _ in range(draw.pick([1, 2, 2, 3])):
        rule = draw.pick(concluding)
        for _ in range(draw.pick([1, 1, 1, 2])):
            found += maker.fire(rule, {}, maker.fitting_time(rule))
    known = dict.fromkeys(fact for _, fact in found if fact.signature in given)
    return Fired(tuple(one for one in found if one[1].signature not in given), tuple(known))


class Firing:
    """For the rules of one program."""

    def __init__(self, draw: Draw, setting: Setting, rules: Sequence[Rule], arriving: AbstractSet[Signature]) -> None:
        self.draw, self.setting, self.rules, self.arriving = draw, setting, rules, arriving

    def fire(self, rule: Rule, given: Binding, now: int, depth: int = DEEPEST) -> Iterator[Arriving]:
        binding = self._guess(rule, given, now)
        for part in rule.body:
            yield from self._feed(part, binding, now, depth)
        if self.draw.chance(0.4):  # the conclusion arrives as well, if it may
            yield from self._itself(rule.head, binding, now)

    def _itself(self, head: Formula, binding: Binding, now: int) -> Iterator[Arriving]:
        moment, atom = (head.time, head.body) if isinstance(head, At) else (Now(), head)
        if not isinstance(atom, Atom) or atom.signature not in self.arriving:
            return
        time, *args = (_valued(term, binding, now) for term in (moment, *atom.args))
        if isinstance(time, int) and self.setting.start <= time <= now + NEAR[1] and None not in args:
            yield time, Fact(atom.predicate, tuple(value for value in args if value is not None))

    # -- bindings ----------------------------------------------------------------------------------

    def _guess(self, rule: Rule, given: Binding, now: int) -> Binding:
        """Values for the variables outside aggregates, under which most of the comparisons hold."""
        plain = [part for part in rule.body if not isinstance(part, Aggregate)]
        named = {variable.name for part in plain for variable in variables(part)}
        times = tied_times(plain)
        compared = [part for part in plain if isinstance(part, Comparison)]
        guesses: list[Binding] = []
        for _ in range(GUESSES):
            drawn = {name: self._moment(now) if name in times else self._value() for name in sorted(named)}
            guesses.append({**self._computed(drawn, plain, compared, now), **given})
            if self._fitting(rule, guesses[-1], now) == 1:
                break
        return max(guesses, key=lambda guess: self._fitting(rule, guess, now))

    def fitting_time(self, rule: Rule) -> int:
        """When to evaluate it: some rules hold at few time points."""
        times = [self.setting.start + self.draw.pick(LATER) for _ in range(3)]
        return max(times, key=lambda now: self._fitting(rule, self._guess(rule, {}, now), now))

    def _fitting(self, rule: Rule, binding: Binding, now: int) -> float:
        """The part of the comparisons that hold, of the computed terms that have a value, of the windows that look."""
        fits = [_holds(part, binding, now) for part in rule.body if isinstance(part, Comparison)]
        for part in (rule.head, *rule.body):
            if not isinstance(part, Aggregate):
                fits += [
                    _valued(one, binding, now) is not None for one in walk(part) if isinstance(one, Operation | Call)
                ]
        read = (found for part in rule.body if (found := extended_atom(part)) is not None and not found.negated)
        fits += [self._looks(one, binding, now) for one in read]
        return sum(fits) / len(fits) if fits else 1

    def _looks(self, reading: ExtendedAtom, binding: Binding, now: int) -> bool:
        """Whether there is a time point where the atom would be seen."""
        if not reading.windows and reading.time is None:
            return True
        seen = self._seen(reading, binding, now)
        return bool(seen) if reading.time is None else _valued(reading.time, binding, now) in seen

    def _computed(
        self, drawn: dict[str, Value], plain: Sequence[Formula], compared: Sequence[Comparison], now: int
    ) -> Binding:
        """`M = X + 1`, where nothing else gives M a value."""
        looked_up = {one.name for part in plain for atom in atoms(part) for one in variables(atom)}
        for one in compared:
            for target, source in ((one.left, one.right), (one.right, one.left)):
                if one.operator == "=" and isinstance(target, Variable) and target.name not in looked_up:
                    value = _valued(source, drawn, now)
                    drawn[target.name] = value if value is not None else drawn[target.name]
        return drawn

    def _moment(self, now: int) -> int:
        return max(self.setting.start, now + self.draw.pick([0, 0, -1, -1, -2, 1]))

    def _value(self) -> Value:
        return self.draw.pick(self.setting.values)

    # -- literals ----------------------------------------------------------------------------------

    def _feed(self, part: Formula, binding: Binding, now: int, depth: int) -> Iterator[Arriving]:
        found = extended_atom(part)
        match part:
            case _ if found is not None:
                if not found.negated:
                    for time in self._times(found, binding, now):
                        yield from self._bring(found.atom, binding, time, now, depth)
            case Aggregate(elements=elements):
                for element in elements:
                    for _ in range(self.draw.pick([1, 2])):
                        local = {one.name: self._value() for one in variables(element)} | dict(binding)
                        for inner in element.body:
                            yield from self._feed(inner, local, now, depth)
            case _:
                for atom, negated in atoms_with_sign(part):
                    if not negated:
                        yield from self._bring(atom, binding, self._moment(now), now, depth)

    def _times(self, reading: ExtendedAtom, binding: Binding, now: int) -> list[int]:
        """Where a window looks for the atom."""
        if reading.quantifier is Quantifier.NOW:
            return [now]
        seen = self._seen(reading, binding, now)
        if reading.time is not None:
            wanted = _valued(reading.time, binding, now)
            return [wanted] if isinstance(wanted, int) and wanted in seen else seen[-1:]
        if reading.quantifier is Quantifier.ALWAYS:
            return seen
        return [self.draw.pick(seen)] if seen else []

    def _seen(self, reading: ExtendedAtom, binding: Binding, now: int) -> list[int]:
        """The time points that all windows may select; without one, those around."""
        near = range(max(self.setting.start, now + NEAR[0]), now + NEAR[1])
        return [time for time in near if all(_sees(window, time, binding, now) for window in reading.windows)]

    def _bring(self, atom: Atom, binding: Binding, time: int, now: int, depth: int) -> Iterator[Arriving]:
        """The atom arrives, or what it is concluded from."""
        values = [_valued(term, binding, now) for term in atom.args]
        args = tuple(self._value() if value is None else value for value in values)
        concluding = [rule for rule in self.rules if _concluded(rule, atom.signature)] if depth else []
        if concluding and (atom.signature not in self.arriving or self.draw.chance(0.5)):
            rule = self.draw.pick(concluding)
            yield from self.fire(rule, _given(rule.head, args, time), now, depth - 1)
        elif atom.signature in self.arriving and self.setting.start <= time <= now + NEAR[1]:
            yield time, Fact(atom.predicate, args)


def _sees(window: Window, time: int, binding: Binding, now: int) -> bool:
    """Whether a window may select the time point."""
    match window:
        case TimeWindow(past, future):
            pivot, before, after = window.pivot(now), points(past), points(future)
            return (before is None or pivot - before <= time) and (after is None or time <= pivot + after)
        case IntervalWindow(start, end):
            first, last = _valued(start, binding, now), _valued(end, binding, now)
            return isinstance(first, int) and isinstance(last, int) and first <= time <= last
    return now - 2 <= time <= now


def _holds(comparison: Comparison, binding: Binding, now: int) -> bool:
    left, right = _valued(comparison.left, binding, now), _valued(comparison.right, binding, now)
    return left is not None and right is not None and compare(comparison.operator, left, right)


def _valued(term: Term, binding: Binding, now: int) -> Value | None:
    try:
        return evaluate(term, binding, now)
    except (NotANumber, KeyError):
        return None


def _concluded(rule: Rule, signature: Signature) -> bool:
    return any(atom.signature == signature for atom in atoms(rule.head))


def _given(head: Formula, args: Sequence[Value], time: int) -> Binding:
    """What a head has to be bound to, as far as its terms are variables."""
    match head:
        case At(moment, Atom(args=terms)):
            pairs = [*zip(terms, args, strict=False), (moment, time)]
        case Atom(args=terms):
            pairs = [*zip(terms, args, strict=False)]
        case _:
            return {}
    found: dict[str, Value] = {}
    for term, value in pairs:
        match term:
            case Variable(name):
                found[name] = value
            case Operation("+" | "-" as operator, Variable(name), Constant(other)):
                with suppress(NotANumber):
                    found[name] = calculate("-" if operator == "+" else "+", value, other)
    return found
