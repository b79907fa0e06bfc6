"""The smallest changes of the data, or of a window, after which an atom holds; each is confirmed by evaluating.

What is tried comes from the conditions that fail: an atom that is missing is added where it is looked for, one that
blocks is taken away, and so on through the rules below. A repair is minimal: without a part of it the atom does not
hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from larspark.explain.build import proofs
from larspark.explain.cone import atoms_of
from larspark.explain.evidence import evidence, seen
from larspark.explain.history import Sourced
from larspark.explain.nearest import pattern
from larspark.explain.partial import Partial, partial_instances
from larspark.explain.proof import Question, RuleName
from larspark.explain.reasons import Reasons
from larspark.explain.trials import Trials
from larspark.explain.world import World
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact
from larspark.language.printer import show
from larspark.language.traversal import atoms
from larspark.language.tree import (
    Aggregate,
    Always,
    At,
    Atom,
    Comparison,
    Constant,
    Formula,
    Not,
    Program,
    Rule,
    Some,
    TimeWindow,
    Variable,
    Windowed,
    points,
)
from larspark.language.values import NotANumber, Value
from larspark.semantics.entailment import solutions, windowed
from larspark.semantics.interpretations import TimedFact
from larspark.semantics.structures import Binding
from larspark.semantics.structures import Place as Evaluated

MOST = 5
"""Repairs that are given."""
CHANGES = 24
"""Single changes that are combined."""
TRIALS = 120
"""Evaluations for one question."""
COUNTED = 6
"""Time points back at which more of what is counted is added."""
NEW, _NEW = "any", re.compile(r"\bany\d+")
"""New values, in atoms of which nothing is known but their predicate."""
DEEP = 3
"""Rules above each other that are gone down."""


@dataclass(frozen=True)
class Change:
    """An arrival to add, or all arrivals of an atom at a time point to take away."""

    sign: str
    time: int
    fact: Fact

    def as_json(self) -> dict[str, Any]:
        return {"atom": str(self.fact), "at": self.time}


@dataclass(frozen=True)
class Edit:
    """Another window in a rule."""

    rule: RuleName
    literal: int
    window: str

    def as_json(self) -> dict[str, Any]:
        return {**self.rule.as_json(), "literal": self.literal, "window": self.window}


@dataclass(frozen=True)
class Repair:
    changes: tuple[Change, ...] = ()
    edit: Edit | None = None

    def as_json(self) -> dict[str, Any]:
        if self.edit is not None:
            return {"edit": self.edit.as_json()}
        kinds = (("add", "+"), ("remove", "-"))
        found = {name: [one.as_json() for one in self.changes if one.sign == sign] for name, sign in kinds}
        return {name: ones for name, ones in found.items() if ones}


def find_repairs(reasons: Reasons, trials: Trials, partials: Sequence[Partial]) -> list[Repair]:
    """The smallest first; none if nothing that was tried helps."""
    trial = _Trial(reasons.world, trials)
    sets = [one for partial in partials for one in [_changes_for(reasons, partial, 0)] if one]
    found = list(_smallest(trial, sets))
    edits = [edit for partial in partials for edit in _edits(reasons.world, partial)]
    confirmed = [Repair(edit=edit) for edit, program in edits if trial.program(program)]
    return [*found, *confirmed][:MOST]


class _Trial:
    """Does the atom hold after a change? Each is evaluated once."""

    def __init__(self, world: World, trials: Trials) -> None:
        self._world, self._trials = world, trials
        self._known: dict[frozenset[Change], bool] = {}
        self.left = TRIALS

    def __call__(self, changes: Iterable[Change]) -> bool:
        key = frozenset(changes)
        if key not in self._known:
            self.left -= 1
            self._known[key] = self._trials.holds(applied(self._trials.relevant, key), self._world.time)
        return self._known[key]

    def program(self, program: Program) -> bool:
        """With another window, which may look farther back."""
        time, question = self._world.time, self._trials.question
        arrivals = [one for one in self._world.arrived if self._trials.relevance.takes(one.fact)]
        found = self._world.setting.evaluate(arrivals, time, program, {question.fact.signature})
        return any(first <= time <= last for first, last in found.spans(question.fact, question.at))


def applied(arrivals: Iterable[Sourced], changes: Iterable[Change]) -> list[Sourced]:
    """The arrivals after some changes; what is added arrives last at its time point."""
    ordered = sorted(changes, key=lambda one: (one.time, str(one.fact)))
    gone = {(one.time, one.fact) for one in ordered if one.sign == "-"}
    kept = [one for one in arrivals if (one.time, one.fact) not in gone]
    added = [Sourced(one.time, one.fact) for one in ordered if one.sign == "+"]
    return sorted([*kept, *added], key=lambda one: one.time)


def _smallest(trial: _Trial, sets: Sequence[frozenset[Change]]) -> Iterator[Repair]:
    """All small combinations of single changes, then what is left of the sets without superfluous parts."""
    single = list(dict.fromkeys(change for one in sets for change in sorted(one, key=_order)))[:CHANGES]
    found: list[frozenset[Change]] = []
    for size in (1, 2):
        for combined in combinations(single, size):
            chosen = frozenset(combined)
            if trial.left > TRIALS // 3 and not any(one <= chosen for one in found) and trial(chosen):
                found.append(chosen)
    for one in sorted(sets, key=len):
        if not any(small <= one for small in found) and trial.left > len(one) and trial(one):
            found.append(_minimal(trial, one))
    kinds: set[object] = set()
    for chosen in sorted(dict.fromkeys(found), key=lambda one: (len(one), sorted(map(_order, one)))):
        kind = tuple(sorted((one.sign, one.time, _NEW.sub("any", str(one.fact))) for one in chosen))
        if kind not in kinds:  # which new values are taken makes no difference
            kinds.add(kind)
            yield Repair(tuple(sorted(chosen, key=_order)))


def _minimal(trial: _Trial, changes: frozenset[Change]) -> frozenset[Change]:
    for one in sorted(changes, key=_order):
        if trial(changes - {one}):
            return _minimal(trial, changes - {one})
    return changes


def _order(change: Change) -> tuple[str, int, str]:
    return change.sign, -change.time, str(change.fact)


# -- what is worth a try ---------------------------------------------------------------------------


def _changes_for(reasons: Reasons, partial: Partial, depth: int) -> frozenset[Change]:
    """Changes after which the conditions that fail may hold; empty when one of them cannot be helped."""
    world, found = reasons.world, set[Change]()
    for place in partial.failed:
        literal = partial.rule.body[place]
        if isinstance(literal, Not):
            helping = _unblocking(world, literal.body, partial.binding)
        else:
            helping = _providing(reasons, literal, partial.rule, partial.binding, depth)
        if not helping:
            return frozenset()
        found |= helping
    return frozenset(found)


def _unblocking(world: World, body: Formula, binding: Binding) -> set[Change]:
    """Take away what blocks; of a conclusion, an arrival that it rests on."""
    gone: set[Change] = set()
    for solution in solutions(world.place, body, binding):
        for timed in atoms_of((evidence(world.place, body, solution),)):
            gone |= _without(world, timed)
    return gone


def _without(world: World, timed: TimedFact) -> set[Change]:
    if timed in world.by_atom:
        return {Change("-", *timed)}
    time, fact = timed
    found = proofs(world, Question("why", fact, world.time, None if time == world.time else time), 3, None)
    gone: set[Change] = set()
    for proof in found:
        leaves = [node.details for node in proof.nodes if node.kind == "input"]
        if leaves:
            gone.add(Change("-", leaves[-1]["at"][-1][1], parse_fact(leaves[-1]["atom"])))
    return gone


def _providing(reasons: Reasons, literal: Formula, rule: Rule, binding: Binding, depth: int) -> set[Change]:
    """Add what is missing, where it is looked for; of a conclusion, what the nearest miss of it lacks."""
    if isinstance(literal, Comparison | Aggregate):
        return _counting(reasons.world, literal, rule, binding)
    needed = _needed(reasons.world, literal, binding)
    found: set[Change] = set()
    for timed in needed:
        if timed[1].signature not in reasons.world.setting.intensional:
            found.add(Change("+", *timed))
        elif depth < DEEP:
            below = _below(reasons, timed, depth)
            if not below:
                return set()
            found |= below
    return found


def _counting(world: World, literal: Comparison | Aggregate, rule: Rule, binding: Binding) -> set[Change]:
    """More of what is counted: the latest of it once more at time points without it, and new values."""
    aggregates = (
        [literal] if isinstance(literal, Aggregate) else [one for one in rule.body if isinstance(one, Aggregate)]
    )
    found: set[Change] = set()
    for one in aggregates:
        for element in one.elements:
            for part in element.body:
                for time, fact in _needed(world, part, binding):
                    if fact.signature not in world.setting.intensional:
                        points_ = range(time, max(world.setting.start, time - COUNTED), -1)
                        found |= {Change("+", point, fact) for point in points_ if (point, fact) not in world.by_atom}
                        found |= {Change("+", time, new) for new in _others_like(world, part, binding)}
    return found


def _others_like(world: World, part: Formula, binding: Binding) -> Iterator[Fact]:
    """Atoms of a counted condition with new values for what is left open."""
    for atom in atoms(part):
        wanted = pattern(world, atom, binding)
        if not all(isinstance(arg, Constant) for arg in wanted.args):
            for number in range(1, COUNTED // 2 + 1):
                values = (arg.value if isinstance(arg, Constant) else f"{NEW}{number}" for arg in wanted.args)
                yield Fact(wanted.predicate, tuple(values))


def _below(reasons: Reasons, timed: TimedFact, depth: int) -> frozenset[Change]:
    for rule in reasons.world.rules_for(timed[1].signature):
        for partial in partial_instances(reasons.world.place, rule, timed):
            changes = _changes_for(reasons, partial, depth + 1)
            if changes:
                return changes
    return frozenset()


def _needed(world: World, literal: Formula, binding: Binding) -> list[TimedFact]:
    """The atoms without which a positive condition fails; none when it cannot be told, or when nothing can help."""
    found = _looked_for(world, literal, binding)
    return found if all(world.setting.start <= time <= world.time for time, _ in found) else []


def _looked_for(world: World, literal: Formula, binding: Binding) -> list[TimedFact]:
    place, body = world.place, literal
    try:
        while isinstance(body, Windowed):
            place, body = windowed(place, body.window, binding), body.body
        match body:
            case Atom():
                return [(place.time, _fact(world, body, binding))]
            case Some(Atom() as atom):
                return [(_latest(world, place), _fact(world, atom, binding))]
            case At(term, Atom() as atom):
                free = isinstance(term, Variable) and term.name not in binding
                time = _latest(world, place) if free else place.m.value(term, binding)
                fits = isinstance(time, int) and time in place.stream and time <= world.time
                return [(int(time), _fact(world, atom, binding))] if fits else []
            case Always(Atom() as atom):
                return _gaps(world, place, atom, binding)
    except (KeyError, NotANumber):
        pass
    return []


def _latest(world: World, place: Evaluated) -> int:
    end = seen(place, ()).last
    return world.time if end is None else min(end, world.time)


def _gaps(world: World, place: Evaluated, atom: Atom, binding: Binding) -> list[TimedFact]:
    fact = _fact(world, atom, binding)
    points_ = range(place.stream.start, _latest(world, place) + 1)
    if place.stream.end is None or place.stream.end > world.time or len(points_) > CHANGES:
        return []
    return [(time, fact) for time in points_ if fact not in place.stream.at(time)]


def _fact(world: World, atom: Atom, binding: Binding) -> Fact:
    """The atom with values for what is left open: those of an atom that fits, if there is one."""
    wanted = pattern(world, atom, binding)
    fitting = world.matching(wanted)
    example = fitting[0][1] if fitting else None
    values: list[Value] = []
    for place, arg in enumerate(wanted.args):
        values.append(arg.value if isinstance(arg, Constant) else example.args[place] if example else "any")
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
                    facts.append(_fact(world, atom, partial.binding))
    return facts


# -- windows ---------------------------------------------------------------------------------------


def _edits(world: World, partial: Partial) -> Iterator[tuple[Edit, Program]]:
    """A longer window reaches what has left it; a shorter one skips a gap."""
    if len(partial.failed) != 1:
        return
    (place,) = partial.failed
    literal = partial.rule.body[place]
    match literal:
        case Windowed(TimeWindow(past, _, 1) as window, Some(Atom() as atom)) if points(past) is not None:
            size = _reaching(world, atom, partial.binding)
        case Windowed(TimeWindow(past, 0, 1) as window, Always(Atom() as atom)) if points(past) is not None:
            size = _suffix(world, atom, partial.binding)
        case _:
            return
    if size is not None:
        changed = replace(window, past=size)
        rule = _with_literal(partial.rule, place, replace(literal, window=changed))
        setting = world.setting
        rules = tuple(rule if one is partial.rule else one for one in setting.program.rules)
        name = RuleName.of(setting.program, partial.rule)
        yield Edit(name, place, show(changed)), replace(setting.program, rules=rules)


def _with_literal(rule: Rule, place: int, literal: Formula) -> Rule:
    return replace(rule, body=(*rule.body[:place], literal, *rule.body[place + 1 :]))


def _reaching(world: World, atom: Atom, binding: Binding) -> int | None:
    wanted = pattern(world, atom, binding)
    times = [time for time, _ in world.matching(wanted)]
    before = [time for time in times if time <= world.time]
    return world.time - max(before) if before else None


def _suffix(world: World, atom: Atom, binding: Binding) -> int | None:
    """The points up to now without a gap."""
    fact, size = _fact(world, atom, binding), -1
    while fact in world.place.stream.at(world.time - size - 1):
        size += 1
    return size if size >= 0 else None
