"""What explanations of random programs must be: proofs that the judge accepts, lives and repairs that are right."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from larspark.diagnostics import Rejected
from larspark.explain.evaluations.history import Sourced
from larspark.explain.evaluations.world import World
from larspark.explain.misses.changes import SuggestedChange
from larspark.explain.misses.repairs import Edit, applied
from larspark.explain.proofs.build import proofs
from larspark.explain.proofs.proof import Question
from larspark.explain.verification.verify import verify
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact, parse_program
from larspark.language.tree import Program, Windowed
from larspark.questions.explaining import Case
from larspark.semantics.output import Evaluator

TOO_MUCH = frozenset({"E504", "E505"})
"""What the judge says when it gives up."""
_OPEN = re.compile(r"\b_\b")
"""An argument that may have any value."""


class Wrong(AssertionError):
    """An explanation that is not right."""


def require(right: bool, what: object) -> None:
    if not right:
        raise Wrong(str(what))


def checked(case: Case, times: list[int], atoms: int = 6) -> Counter[str]:
    """How much was found right; `Wrong` otherwise, `Rejected` where the program is too much for the judge."""
    counts: Counter[str] = Counter()
    history = case.evaluate(case.arrivals, case.end)
    everything = sorted({one.fact for one in history.stretches if one.at is None}, key=str)
    for time in times:
        if not history.consistent(time):
            counts["evaluations without answer stream"] += 1
            continue
        world = World.of(case.setting, time, history, case.setting.until(time))
        if case.reasoner != "interval" and len(case.answer_streams(time)) > 1:
            counts["evaluations with several answer streams"] += 1
        answer = sorted(history.atoms(time), key=str)
        for point, fact in answer[:atoms]:
            question = Question("why", fact, time, None if point == time else point)
            counts += _proved(case, world, question)
        absent = [fact for fact in everything if world.source((time, fact)) is None]
        for fact in absent[:atoms]:
            require(not proofs(world, Question("why", fact, time)), f"{fact} at {time} has a proof and does not hold")
            counts["atoms outside without a proof"] += 1
        few = 2 if case.reasoner == "interval" else 1  # where there are choices, every evaluation is made
        for _, fact in [one for one in answer if one[0] == time][:few]:
            counts += _lived(case, fact, time)
        for point, fact in [one for one in answer if one[0] != time][:few]:
            counts += _lived(case, fact, time, point)
        for fact in absent[:few]:
            counts += _repaired(case, fact, time)
    return counts


def _proved(case: Case, world: World, question: Question) -> Counter[str]:
    found = proofs(world, question, depth=None)
    require(bool(found), f"{question} has no proof")
    text = json.loads(json.dumps(found[0].as_json()))
    complaint = verify(text, case.setting)
    require(complaint is None, f"{question}: {complaint} {json.dumps(text)}")
    counts = Counter({"proofs": 1})
    for changed in mutations(text):
        require(verify(changed, case.setting) is not None, f"a mutated proof is accepted: {json.dumps(changed)}")
        counts["mutated proofs refused"] += 1
    return counts


def mutations(proof: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The last node about another atom, and the conclusion without its last premise."""
    nodes = proof["nodes"]
    if "atom" in nodes[-1]:
        changed = copy.deepcopy(proof)
        changed["nodes"][-1]["atom"] = "mutated(1)"
        yield changed
    if nodes[0]["premises"]:
        changed = copy.deepcopy(proof)
        changed["nodes"][0]["premises"].pop()
        yield changed


def _lived(case: Case, fact: Fact, time: int, about: int | None = None) -> Counter[str]:
    """The life of an atom that is concluded, of the present or about another time point."""
    if any(one[:2] == (time if about is None else about, fact) for one in case.arrivals):
        return Counter()
    atom = str(fact) if about is None else f"@{about} {fact}"
    (found,) = case.why(atom, time)
    life = found.life
    assert life is not None  # the chosen answer stream has it
    arrived = case.setting.until(time)
    since, last = life.span

    def holds(at: int, *more: Sourced) -> bool:
        return _holds(case, (*arrived, *more), fact, at, about=about)

    require(all(holds(at) for at in {since, time}), f"{atom} since {since}")
    require(since == case.start or not holds(since - 1), f"{atom} held before {since}")
    require(holds(last), f"{atom} until {last}")
    if not life.endless:
        require(not holds(last + 1), f"{atom} does not end at {last + 1}")
    for kept, span in life.continues_with:
        for when in span:
            require(holds(last + 1, Sourced(when, kept)), f"{atom} ends in spite of {kept}")
    for shown, _ in life.ends_with:
        ending = Sourced(time, parse_fact(_OPEN.sub("any", shown)))
        require(not holds(time, ending), f"{atom} at {time} holds in spite of {shown}")
    kept_by, ended_by = len(life.continues_with), len(life.ends_with)
    of_another = {} if about is None else {"lives about another time point": 1}
    return Counter({"lives": 1, "arrivals that keep it": kept_by, "arrivals that end it": ended_by, **of_another})


def _repaired(case: Case, fact: Fact, time: int) -> Counter[str]:
    found = case.why_not(str(fact), time)
    counts = Counter({"why-not": 1})
    arrived = case.setting.until(time)
    held = [at for at in range(case.start, time) if _holds(case, arrived, fact, at)]
    require(found.last_held == max(held, default=None), f"{fact} at {time}: last held {found.last_held}, not {held}")
    for repair in found.repairs:
        if repair.edit is not None:
            edited = with_window(case.setting.program, repair.edit)
            require(_holds(case, arrived, fact, time, edited), f"{fact} at {time}: {repair.edit} fails")
            counts["other windows"] += 1
        else:
            require(_holds(case, applied(arrived, repair.changes), fact, time), f"{fact} at {time}: {repair} fails")
            for part in _smaller(repair.changes):
                require(not _holds(case, applied(arrived, part), fact, time), f"{fact} at {time}: {repair} is too much")
            counts["repairs"] += 1
    return counts


def with_window(program: Program, edit: Edit) -> Program:
    """The program after a repair of a window."""
    rules = list(program.rules)
    rule = rules[edit.rule.index]
    literal = rule.body[edit.literal]
    assert isinstance(literal, Windowed)
    (changed,) = parse_program(f"x :- a {edit.window}.").rules[0].body
    assert isinstance(changed, Windowed)
    body = list(rule.body)
    body[edit.literal] = replace(literal, window=changed.window)
    rules[edit.rule.index] = replace(rule, body=tuple(body))
    return replace(program, rules=tuple(rules))


def _smaller(changes: tuple[SuggestedChange, ...]) -> Iterator[tuple[SuggestedChange, ...]]:
    for place in range(len(changes)):
        yield (*changes[:place], *changes[place + 1 :])


def _holds(
    case: Case, arrivals: Any, fact: Fact, time: int, program: Program | None = None, about: int | None = None
) -> bool:
    """By the definitions; which answer stream is chosen depends on those before, as what is recorded does."""
    setting = case.setting
    evaluator = Evaluator(program or setting.program, setting.start, setting.background, setting.environment)
    ordered = sorted((one for one in arrivals if one.time <= time), key=lambda one: one.time)
    if setting.records or not setting.single:
        for earlier in range(setting.start, time):
            evaluator.arrive(earlier, (one.fact for one in ordered if one.time == earlier))
            evaluator.evaluate(earlier)
        ordered = [one for one in ordered if one.time == time]
    for one in ordered:
        evaluator.arrive(one.time, [one.fact])
    evaluated = evaluator.evaluate(time)
    if about is not None:
        return evaluated.chosen is not None and fact in evaluated.chosen.stream.at(about)
    return evaluated.output is not None and fact in evaluated.output


def too_much(rejected: Rejected) -> bool:
    return rejected.diagnostics[0].code in TOO_MUCH
