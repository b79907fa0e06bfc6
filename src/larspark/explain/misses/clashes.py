"""Why there is no answer stream: a minimal set of rules that cannot be satisfied together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from larspark.explain.evaluations.world import EvaluationSetting, World
from larspark.explain.phrasing import UNSAID, Phrasing
from larspark.explain.proofs.proof import SCHEMA, RuleName, bindings_json, fingerprint
from larspark.language.traversal import atoms
from larspark.language.tree import Program, Rule
from larspark.semantics.entailment import conjunction
from larspark.semantics.names import order
from larspark.semantics.structures import Binding


@dataclass(frozen=True)
class Clashing:
    """A rule of the core; a constraint with an instance that is violated when all constraints are left out."""

    rule: RuleName
    text: str
    binding: Binding | None = None

    def as_json(self) -> dict[str, Any]:
        violated = {} if self.binding is None else {"bindings": bindings_json(self.binding)}
        return {"rule": self.rule.as_json(), "text": self.text, **violated}


@dataclass(frozen=True)
class Clash:
    """No answer stream at an evaluation; without any one rule of the core there would be one."""

    time: int
    program: str
    core: tuple[Clashing, ...]
    words: Phrasing = UNSAID
    """How it is said to people."""

    def as_json(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "question": {"ask": "why-not", "atom": "false", "at": self.time},
            "program": self.program,
            "answer_streams": 0,
            "core": [one.as_json() for one in self.core],
        }

    def __str__(self) -> str:
        rules = "rule" if len(self.core) == 1 else "rules"
        lines = [
            f"There is no answer stream at {self.words.time(self.time)}. Without any one of these {rules} there is one:"
        ]
        for one in self.core:
            values = (
                "" if one.binding is None else ", ".join(f"{k} = {v}" for k, v in bindings_json(one.binding).items())
            )
            lines.append(f"{one.rule}   {one.text}{'   ' + values if values else ''}")
        return "\n".join(lines)


def clash(setting: EvaluationSetting, time: int) -> Clash:
    """The constraints that clash; when it is not the constraints, the rules."""
    arrived, program = setting.until(time), setting.program
    constraints = [rule for rule in program.rules if is_constraint(rule)]
    free = _leaving_out(program, constraints)

    def consistent(candidate: Program) -> bool:
        return setting.evaluate(arrived, time, candidate).consistent(time)

    if consistent(free):
        core = _by_assumptions(setting, constraints, time)
        if core is None:
            core = _core(constraints, lambda kept: consistent(_leaving_out(program, _others(constraints, kept))))
        relaxed = World.of(replace(setting, program=free), time, setting.evaluate(arrived, time, free), arrived)
        found = [_clashing(setting, rule, _violated(relaxed, rule)) for rule in core]
    else:
        rules = list(free.rules)
        core = _core(rules, lambda kept: consistent(_leaving_out(free, _others(rules, kept))))
        found = [_clashing(setting, rule, None) for rule in core]
    return Clash(time, fingerprint(program), tuple(found), setting.words)


def _by_assumptions(setting: EvaluationSetting, constraints: Sequence[Rule], time: int) -> list[Rule] | None:
    """By one grounding for all sets of constraints; None where clingo cannot be asked."""
    from larspark.reasoners.clingo.cores import minimal_core  # noqa: PLC0415 - loads clingo

    if setting.records or setting.program.preferences:
        return None
    data = setting.background, [(one.time, one.fact) for one in setting.until(time)]
    environment = setting.environment
    return minimal_core(
        setting.program, constraints, data, setting.start, time, environment.functions, environment.calendar
    )


def without_constraints(program: Program) -> Program:
    return _leaving_out(program, [rule for rule in program.rules if is_constraint(rule)])


def violated_constraints(world: World) -> list[Clashing]:
    """The constraints that an answer stream of the other rules does not satisfy."""
    setting = world.setting
    constraints = (rule for rule in setting.program.rules if is_constraint(rule))
    found = ((rule, _violated(world, rule)) for rule in constraints)
    return [_clashing(setting, rule, binding) for rule, binding in found if binding is not None]


def is_constraint(rule: Rule) -> bool:
    """A rule that defines nothing and only forbids."""
    return not any(True for _ in atoms(rule.head))


def _core(rules: Sequence[Rule], consistent: Callable[[Sequence[Rule]], bool]) -> list[Rule]:
    """What is left when everything is left out that is not needed for the contradiction."""
    kept = list(rules)
    for rule in rules:
        without = [one for one in kept if one is not rule]
        if not consistent(without):
            kept = without
    return kept


def _leaving_out(program: Program, rules: Sequence[Rule]) -> Program:
    return replace(program, rules=tuple(rule for rule in program.rules if not any(rule is one for one in rules)))


def _others(rules: Sequence[Rule], kept: Sequence[Rule]) -> list[Rule]:
    return [rule for rule in rules if not any(rule is one for one in kept)]


def _violated(world: World, rule: Rule) -> Binding | None:
    steps = order(rule.body, frozenset(), frozenset())
    return min(conjunction(world.place, steps, rule, {}), key=lambda found: str(sorted(found.items())), default=None)


def _clashing(setting: EvaluationSetting, rule: Rule, binding: Binding | None) -> Clashing:
    return Clashing(RuleName.of(setting.program, rule), setting.text_of(rule), binding)
