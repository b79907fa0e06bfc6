"""Delay and window size of a goal (AAAI 2020, Def. 5), where they exist.

The window is read relative to the output point T = τ - delay: taken for every old answer, no finite window would do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from larspark.hypothetical.offline.preconditions import Precondition
from larspark.hypothetical.offline.resolution import Resolution, general_goal
from larspark.hypothetical.theory.terms import NOW, Key, Time
from larspark.hypothetical.theory.theory import Theory


@dataclass(frozen=True)
class Measures:
    """None: there is no such number."""

    delay: int | None
    window: int | None


@dataclass(frozen=True)
class EvidenceReach:
    """How far what an answer at T hangs on lies from T."""

    earliest: int | None = 0
    latest: int | None = 0


def measure(theory: Theory, key: Key, bound: int | None = None) -> Measures:
    """Delay and window of the most general goal on a predicate."""
    resolution = Resolution(theory, bound)
    preconditions: dict[Key, Sequence[Precondition]] = {}
    pending = [key]
    while pending:
        current = pending.pop()
        if current in preconditions or current not in theory.intensional:
            continue
        preconditions[current] = resolution.preconditions(general_goal(current))
        pending += [literal.key for p in preconditions[current] for literal in p.negated]
    reach = reaches(preconditions)[key]
    delay = None if reach.latest is None else max(0, reach.latest)
    window = None if delay is None or reach.earliest is None else max(1, delay - reach.earliest + 1)
    return Measures(delay, window)


def reaches(preconditions: Mapping[Key, Sequence[Precondition]]) -> dict[Key, EvidenceReach]:
    """Longest reach through negated atoms; one that still grows after every predicate had its turn has no end."""
    found = {key: _through({}, rules) for key, rules in preconditions.items()}
    for turn in range(2 * len(preconditions) + 1):
        new = {key: _through(found, rules) for key, rules in preconditions.items()}
        if new == found:
            return found
        if turn >= len(preconditions):
            new = {
                key: EvidenceReach(
                    None if value.earliest != found[key].earliest else value.earliest,
                    None if value.latest != found[key].latest else value.latest,
                )
                for key, value in new.items()
            }
        found = new
    return found


def _through(known: Mapping[Key, EvidenceReach], rules: Sequence[Precondition]) -> EvidenceReach:
    earliest: list[int | None] = []
    latest: list[int | None] = []
    for rule in rules:
        for literal in (*rule.premises, *rule.negated):
            if literal.time is None or rule.answer.time is None:
                continue
            if literal.time.base != rule.answer.time.base:
                return EvidenceReach(None, None)
            shift = literal.time.offset - rule.answer.time.offset
            below = known.get(literal.key, EvidenceReach()) if literal in rule.negated else EvidenceReach()
            earliest.append(None if below.earliest is None else shift + below.earliest)
            latest.append(None if below.latest is None else shift + below.latest)
    return EvidenceReach(
        None if None in earliest else min((e for e in earliest if e is not None), default=0),
        None if None in latest else max((x for x in latest if x is not None), default=0),
    )


def evaluated_measures(preconditions: Iterable[Precondition]) -> Measures:
    """For LARS, from all preconditions of a goal and of what it negates: an evaluation never waits for later data."""
    back = 0
    for rule in preconditions:
        for literal in rule.premises:
            reach = None if literal.time is None else _back(literal.time, rule)
            if reach is None:
                return Measures(0, None)
            back = max(back, reach)
    return Measures(0, back + 1)


def _back(time: Time, rule: Precondition) -> int | None:
    """How far before the evaluation time this may lie."""
    farthest = 0 if time.base == NOW else rule.differences.most.get((NOW, time.base))
    return None if farthest is None else farthest - time.offset
