"""Why an atom does not hold: for every rule that could give it, what is missing; the nearest miss first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from larspark.explain.evaluations.history import Sourced
from larspark.explain.evaluations.world import World
from larspark.explain.lives.life import horizon
from larspark.explain.lives.one_step import gives_at_once
from larspark.explain.lives.trials import Trials
from larspark.explain.misses.changes import wanted_arrivals
from larspark.explain.misses.clashes import violated_constraints
from larspark.explain.misses.partial import Partial, partial_instances
from larspark.explain.misses.reasons import JudgedCondition, Reasons
from larspark.explain.misses.repairs import Repair, find_repairs
from larspark.explain.phrasing import UNSAID, Phrasing
from larspark.explain.proofs.proof import SCHEMA, Question, RuleName, bindings_json, fingerprint, named
from larspark.language.printing.printer import show
from larspark.language.traversal import substitute
from larspark.language.tree import Constant, Formula, Program, Rule
from larspark.semantics.entailment import solutions
from larspark.semantics.interpretations import Atoms
from larspark.semantics.names import names
from larspark.semantics.rules import possible
from larspark.semantics.structures import Binding, Place

SHOWN = 8
"""Candidates that are shown."""


@dataclass(frozen=True)
class Candidate:
    """A rule that could give the atom, and how far it is from that."""

    rule: RuleName
    text: str
    partial: Partial
    conditions: tuple[JudgedCondition, ...]

    @property
    def distance(self) -> int:
        """The number of conditions that fail."""
        return sum(not one.ok for one in self.conditions)

    @property
    def order(self) -> tuple[int, int, int]:
        missing = sum(one.missing for one in self.conditions if not one.ok)
        return self.distance, missing, self.rule.index

    def as_json(self) -> dict[str, Any]:
        return {
            "rule": self.rule.as_json(),
            "text": self.text,
            "bindings": bindings_json(self.partial.binding),
            "distance": self.distance,
            "literals": [one.as_json() for one in self.conditions],
        }


@dataclass(frozen=True)
class WhyNot:
    """The answer to `why-not`."""

    question: Question
    program: Program
    candidates: tuple[Candidate, ...]
    rules: int
    """Rules that could give the atom."""
    last_held: int | None = None
    next_if_complete: int | None = None
    repairs: tuple[Repair, ...] = ()
    refused: tuple[dict[str, Any], ...] = ()
    past_known: bool = True
    """Whether the past reaches back, so that `last_held` says something."""
    words: Phrasing = UNSAID
    """How it is said to people."""

    def as_json(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "question": self.question.as_json(),
            "program": fingerprint(self.program),
            "holds": False,
            "last_held": self.last_held,
            "next_if_complete": self.next_if_complete,
            "candidates": [one.as_json() for one in self.candidates],
            "repairs": [one.as_json() for one in self.repairs],
            "refused": list(self.refused),
        }


def why_not(
    trials: Trials,
    world: World,
    others: Sequence[Atoms] = (),
    most: int | None = None,
    unconstrained: Callable[[int], Sequence[Atoms]] = lambda _: (),
    *,
    repaired: bool = True,
) -> WhyNot:
    """What is missing, and (`repaired`) when it held, when it will, and repairs; so many idle evaluations are tried.

    `others` are further answer streams, `unconstrained` gives those of the program without its constraints.
    """
    setting, question = world.setting, trials.question
    end = horizon(setting.program, world.time)
    if most is not None:
        end = min(end, world.time + most)
    reasons = Reasons(world, lambda: trials.later(end))
    candidates = sorted(find_candidates(reasons, question), key=lambda one: one.order)[:SHOWN]
    elsewhere = [one for one in others if (question.point, question.fact) in one]
    if elsewhere:
        candidates = [chosen_otherwise(one, replace(world, derived=elsewhere[0])) for one in candidates]
    elif others:
        free = unconstrained(world.time)
        forbidden = next((one for one in free if (question.point, question.fact) in one), None)
        if forbidden is not None:
            other = replace(world, derived=forbidden)
            core = {"core": [one.as_json() for one in violated_constraints(other)]}
            candidates = [chosen_otherwise(one, other, "constraint", core) for one in candidates]
    found = WhyNot(
        question,
        setting.program,
        tuple(candidates),
        sum(1 for _ in world.rules_for(question.fact.signature)),
        refused=tuple(_refused(world)),
        words=setting.words,
    )
    if not repaired:
        return found
    held = [last for first, last in trials.spans(world.history) if first <= world.time]
    return replace(
        found,
        last_held=max(held, default=None),
        next_if_complete=_next(trials, world, candidates, end),
        repairs=tuple(find_repairs(reasons, trials, [one.partial for one in candidates])),
    )


def find_candidates(reasons: Reasons, question: Question) -> list[Candidate]:
    world = reasons.world
    setting = world.setting
    found = []
    for rule in world.rules_for(question.fact.signature):
        written = setting.as_written(rule)
        for one in partial_instances(world, rule, (question.point, question.fact)):
            conditions = tuple(
                reasons.condition(rule, place, spelled, one.binding, place in one.failed)
                for place, spelled in enumerate(written.body)
            )
            if not one.failed:
                conditions += (_not_chosen(reasons.world, written.head, rule.head, one.binding),)
            name = RuleName.of(setting.program, rule)
            found.append(Candidate(name, setting.text_of(rule), one, conditions))
    return found


def _not_chosen(world: World, written: Formula, head: Formula, binding: Binding) -> JudgedCondition:
    """The conditions hold, and the head leaves a choice: what was chosen of it."""
    taken = [timed for timed in possible(world.place, head, binding) if world.source(timed) is not None]
    shown = [str(fact) for _, fact in taken if not fact.signature.hidden]
    values = {name: Constant(value) for name, value in named(binding).items()}
    text = show(Rule(substitute(written, values), ())).removesuffix(".")
    return JudgedCondition(text, "chosen-otherwise", {"taken": shown})


def chosen_otherwise(
    candidate: Candidate, other: World, reason: str = "chosen-otherwise", details: Mapping[str, Any] | None = None
) -> Candidate:
    """Conditions that hold in an answer stream with the atom fail by choice, or because a constraint forbids it."""
    place = other.place
    rule, binding = candidate.partial.rule, candidate.partial.binding
    conditions = []
    for one, literal in zip_longest(candidate.conditions, rule.body):  # behind the body, what the head offers
        chosen = not one.ok and (literal is None or _holds(place, literal, binding))
        told = {**one.details, **(details or {})}
        conditions.append(replace(one, reason=reason, details=told) if chosen else one)
    return replace(candidate, conditions=tuple(conditions))


def _holds(place: Place, literal: Formula, binding: Binding) -> bool:
    known = {name for name in names(literal) if not name.startswith("_")} <= binding.keys()
    return known and any(True for _ in solutions(place, literal, binding))


def _next(trials: Trials, world: World, candidates: Sequence[Candidate], end: int) -> int | None:
    """When the atom holds, if from now on everything arrives that the nearest miss asks for."""
    question = trials.question
    if question.at is not None:
        return None
    for candidate in candidates:
        facts = wanted_arrivals(world, candidate.partial)
        if facts is None:
            continue
        if gives_at_once(world, trials.relevance, question, [(world.time + 1, fact) for fact in facts], later=1):
            return world.time + 1
        coming = [
            Sourced(time, fact) for time in range(world.time + 1, min(end, world.time + 500) + 1) for fact in facts
        ]
        found = trials.history((*trials.relevant, *coming), min(end, world.time + 500), question.fact)
        spans = found.spans(question.fact)
        later = [max(first, world.time + 1) for first, last in spans if last > world.time]
        if later:
            return min(later)
    return None


def _refused(world: World) -> list[dict[str, Any]]:
    """Records that were not taken."""
    found: list[dict[str, Any]] = []
    for one in world.setting.refused:
        line = {} if one.place is None else {"source": one.place.file, "line": one.place.line}
        atom = {} if one.fact is None else {"atom": str(one.fact), "at": one.time}
        found.append({**line, **atom, "reason": one.reason, "code": one.code})
    return found
