"""What each rule has done over a recording: in how many stretches of time it gave something, when last, at what cost.

For the interval reasoner a marker is put beside every rule, which holds whenever the body does, for the arguments of
the head; markers are conclusions like others, so this is one more evaluation and exact, also where several rules give
the same atom. For other reasoners the bodies are looked at in the answer stream that was chosen, evaluation by
evaluation, as long as these are few.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from larspark.analysis.rewrites.markers import marker as marker_of
from larspark.diagnostics import Rejected
from larspark.explain.evaluations.history import AnswerHistory
from larspark.explain.evaluations.matching import body_solutions
from larspark.explain.evaluations.world import World
from larspark.explain.proofs.instances import on_timeline
from larspark.language.facts import Signature
from larspark.language.traversal import atoms
from larspark.language.tree import At, Atom, Rule
from larspark.language.values import NotANumber
from larspark.questions.explaining import Case
from larspark.questions.histories import history
from larspark.questions.other_rules import with_program
from larspark.semantics.interpretations import TimedFact
from larspark.semantics.names import all_names
from larspark.semantics.rules import possible
from larspark.web.costs import costs_by_rule, measured

if TYPE_CHECKING:
    from larspark.reasoners.interval.state.profile import Profile

EVALUATIONS = 500
"""As many are looked at one by one."""

Count = dict[str, Any]


def rule_counts(case: Case, profile: Profile | None = None) -> list[Count | None]:
    """`{"count", "last", "seconds", "rows"}` for every rule, None for facts and where it is not known.

    The costs are those of a run that was measured, or of one more evaluation; other reasoners than interval have none.
    """
    program = case.prepared.program
    if case.reasoner != "interval":
        few = case.end - case.start < EVALUATIONS
        return _in_answer_streams(case, case.side.history) if few else [None] * len(program.rules)
    found = _marked(case)
    costs = costs_by_rule(program, profile or measured(case))
    return [None if one is None else {**one, **cost} for one, cost in zip(found, costs, strict=True)]


def _marked(case: Case) -> list[Count | None]:
    program = case.prepared.program
    markers = {index: marker for index, rule in enumerate(program.rules) if (marker := marker_of(rule, str(index)))}
    found: list[Count | None] = [None] * len(program.rules)
    watched = replace(program, rules=(*program.rules, *markers.values()))
    signatures = {_signature(marker): index for index, marker in markers.items()}
    try:
        seen = history(
            with_program(case.prepared, watched), case.arrivals, (case.start, case.end), case.reasoner, set(signatures)
        )
    except Rejected:  # a marker may need a window that is only followed where it stands
        return found
    for index in markers:
        found[index] = {"count": 0, "last": None}
    for stretch in seen.stretches:
        count = found[signatures[stretch.fact.signature]]
        assert count is not None
        count["count"] += 1
        count["last"] = max(stretch.last, count["last"] or stretch.last)
    return found


def _in_answer_streams(case: Case, chosen: AnswerHistory) -> list[Count | None]:
    """By what each rule gives at every evaluation; what it gave at the one before is the same stretch."""
    setting, rules = case.setting, case.prepared.program.rules
    found: list[Count | None] = [{"count": 0, "last": None} if _gives(rule) else None for rule in rules]
    before: dict[int, frozenset[object]] = {}
    for time in range(case.start, case.end + 1):
        given: dict[int, frozenset[object]] = {}
        if chosen.consistent(time):
            world = World.of(setting, time, chosen, setting.until(time))
            given = {index: _given(world, rule) for index, rule in enumerate(rules) if _gives(rule)}
        for index, now in given.items():
            count = found[index]
            if count is not None and now:
                count["count"] += len(now - before.get(index, frozenset()))
                count["last"] = time
        before = given
    return found


def _gives(rule: Rule) -> bool:
    """Facts and constraints are not counted."""
    return bool(rule.body) and any(True for _ in atoms(rule.head))


def _given(world: World, rule: Rule) -> frozenset[object]:
    """The atoms that the instances of a rule speak about; with their times where the head names them."""
    found: set[TimedFact] = set()
    for binding in body_solutions(world.place, world.index, rule.body, rule, {}, all_names([rule.head])):
        if on_timeline(world.place, world.index, rule, binding):
            try:
                found.update(possible(world.place, rule.head, binding))
            except (NotANumber, KeyError):
                continue
    return frozenset(found) if isinstance(rule.head, At) else frozenset(fact for _, fact in found)


def _signature(rule: Rule) -> Signature:
    assert isinstance(rule.head, Atom)
    return rule.head.signature
