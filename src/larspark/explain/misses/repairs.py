"""The smallest changes of the data, or of a window, after which an atom holds; each is confirmed by evaluating.

What is tried comes from the conditions that fail (`changes.py`). A repair is minimal: without a part of it the atom
does not hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from larspark.explain.evaluations.history import Sourced
from larspark.explain.evaluations.world import World
from larspark.explain.lives.one_step import gives_at_once
from larspark.explain.lives.trials import Trials
from larspark.explain.misses.changes import NEW, SuggestedChange, an_atom, changes_for
from larspark.explain.misses.partial import Partial
from larspark.explain.misses.reasons import Reasons
from larspark.explain.proofs.nearest import pattern
from larspark.explain.proofs.proof import RuleName
from larspark.language.printing.printer import show
from larspark.language.tree import Always, Atom, Formula, Program, Rule, Some, TimeWindow, Windowed, points
from larspark.semantics.structures import Binding

MOST = 5
"""Repairs that are given."""
CHANGES = 24
"""Single changes that are combined."""
TRIALS = 120
"""Evaluations for one question."""
_NEW = re.compile(rf"\b{NEW}\d*\b")


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
    changes: tuple[SuggestedChange, ...] = ()
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
    sets = [one for partial in partials for one in [changes_for(reasons, partial)] if one]
    found = list(_smallest(trial, sets))
    edits = [edit for partial in partials for edit in _edits(reasons.world, partial)]
    confirmed = [Repair(edit=edit) for edit, program, longer in edits if trial.program(program, longer)]
    return [*found, *confirmed][:MOST]


class _Trial:
    """Does the atom hold after a change? Each is evaluated once."""

    def __init__(self, world: World, trials: Trials) -> None:
        self._world, self._trials = world, trials
        self._known: dict[frozenset[SuggestedChange], bool] = {}
        self.left = TRIALS

    def __call__(self, changes: Iterable[SuggestedChange]) -> bool:
        key = frozenset(changes)
        if key not in self._known:
            self.left -= 1
            self._known[key] = self._at_once(key) or self._trials.holds(
                applied(self._trials.relevant, key), self._world.time
            )
        return self._known[key]

    def _at_once(self, changes: frozenset[SuggestedChange]) -> bool:
        added = [(one.time, one.fact) for one in changes if one.sign == "+"]
        same = len(added) == len(changes)
        return same and gives_at_once(self._world, self._trials.relevance, self._trials.question, added)

    def program(self, program: Program, longer: int) -> bool:
        """With another window, which looks so much farther back."""
        time, question = self._world.time, self._trials.question
        arrivals = self._world.setting.relevant(self._trials.relevance, time - longer, time)
        found = self._world.setting.evaluate(arrivals, time, program, question.fact)
        return any(first <= time <= last for first, last in self._trials.spans(found))


def applied(arrivals: Iterable[Sourced], changes: Iterable[SuggestedChange]) -> list[Sourced]:
    """The arrivals after some changes; what is added arrives last at its time point."""
    ordered = sorted(changes, key=lambda one: (one.time, str(one.fact)))
    gone = {(one.time, one.fact) for one in ordered if one.sign == "-"}
    kept = [one for one in arrivals if (one.time, one.fact) not in gone]
    added = [Sourced(one.time, one.fact) for one in ordered if one.sign == "+"]
    return sorted([*kept, *added], key=lambda one: one.time)


def _smallest(trial: _Trial, sets: Sequence[frozenset[SuggestedChange]]) -> Iterator[Repair]:
    """All small combinations of single changes, then what is left of the sets without superfluous parts."""
    single = list(dict.fromkeys(change for one in sets for change in sorted(one, key=_order)))[:CHANGES]
    found: list[frozenset[SuggestedChange]] = []
    tried: set[object] = set()
    for size in (1, 2):
        for combined in () if found else combinations(single, size):  # with one change there is no need for two
            chosen, kind = frozenset(combined), _kind(combined)
            if len(found) < MOST and trial.left > TRIALS // 3 and kind not in tried:
                tried.add(kind)
                if trial(chosen):
                    found.append(chosen)
    for one in sorted(sets, key=len):
        if not any(small <= one for small in found) and trial.left > len(one) and trial(one):
            found.append(_minimal(trial, one))
    kinds: set[object] = set()
    for chosen in sorted(dict.fromkeys(found), key=lambda one: (len(one), sorted(map(_order, one)))):
        if _kind(chosen) not in kinds:
            kinds.add(_kind(chosen))
            yield Repair(tuple(sorted(chosen, key=_order)))


def _kind(changes: Iterable[SuggestedChange]) -> object:
    """Which new values are taken makes no difference."""
    renamed: dict[str, str] = {}

    def name(value: re.Match[str]) -> str:
        return renamed.setdefault(value[0], f"{NEW}{len(renamed) + 1}")

    return tuple((one.sign, one.time, _NEW.sub(name, str(one.fact))) for one in sorted(changes, key=_order))


def _minimal(trial: _Trial, changes: frozenset[SuggestedChange]) -> frozenset[SuggestedChange]:
    for one in sorted(changes, key=_order):
        if trial(changes - {one}):
            return _minimal(trial, changes - {one})
    return changes


def _order(change: SuggestedChange) -> tuple[str, int, str]:
    return change.sign, -change.time, str(change.fact)


# -- windows ---------------------------------------------------------------------------------------


def _edits(world: World, partial: Partial) -> Iterator[tuple[Edit, Program, int]]:
    """A longer window reaches what has left it, a shorter one skips a gap; and how much longer it is."""
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
        longer = max(0, size - (points(past) or 0))
        yield Edit(name, place, show(changed)), replace(setting.program, rules=rules), longer


def _with_literal(rule: Rule, place: int, literal: Formula) -> Rule:
    return replace(rule, body=(*rule.body[:place], literal, *rule.body[place + 1 :]))


def _reaching(world: World, atom: Atom, binding: Binding) -> int | None:
    wanted = pattern(world, atom, binding)
    times = [time for time, _ in world.matching(wanted)]
    before = [time for time in times if time <= world.time]
    return world.time - max(before) if before else None


def _suffix(world: World, atom: Atom, binding: Binding) -> int | None:
    """The points up to now without a gap."""
    fact, size = an_atom(world, atom, binding), -1
    while fact in world.place.stream.at(world.time - size - 1):
        size += 1
    return size if size >= 0 else None
