"""Running cases: what was expected and did not come, and which rules they have tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from larspark.cases.case_file import CaseFile, Expectation
from larspark.explain.evaluations.history import AnswerHistory
from larspark.explain.evaluations.world import EvaluationSetting, World
from larspark.explain.proofs.proof import RuleName
from larspark.language.facts import Fact
from larspark.language.tree import Not, Rule
from larspark.language.values import NotANumber
from larspark.questions.explaining import Case
from larspark.runtime.prepared import Prepared, prepare
from larspark.runtime.sourced import read_sourced
from larspark.semantics.entailment import solutions
from larspark.semantics.rules import OrderedRule, possible
from larspark.semantics.structures import Binding, Place


@dataclass(frozen=True)
class Coverage:
    """What happened to a rule."""

    rule: RuleName
    fired: bool
    blocked: bool | None
    """Whether a negation kept it from firing; None where it has none."""


@dataclass(frozen=True)
class Outcome:
    file: str
    case: str
    failures: tuple[str, ...]
    coverage: tuple[Coverage, ...]

    @property
    def ok(self) -> bool:
        return not self.failures

    def as_json(self) -> dict[str, Any]:
        rules = [{**one.rule.as_json(), "fired": one.fired, "blocked": one.blocked} for one in self.coverage]
        return {"file": self.file, "case": self.case, "ok": self.ok, "failures": list(self.failures), "rules": rules}


def run_cases(file: CaseFile) -> Iterator[Outcome]:
    """One outcome per case; `Rejected` when the program or the stream is wrong."""
    for case in file.cases:
        prepared = prepare(file.program, constants=case.constants)
        if case.background:
            prepared = prepared.with_background(case.background)
        prepared.require()
        recorded = read_sourced(file.stream, prepared).arrivals if file.stream else ()
        arrivals = sorted((*recorded, *case.sent), key=lambda one: one.time)
        end = max([case.end, *(one.time for one in arrivals)])
        start = min([0, *(one.time for one in arrivals)]) if not recorded else arrivals[0].time
        asked = Case.of(prepared, arrivals, (start, end), file.reasoner)
        history = asked.evaluate(arrivals, end)
        failures = tuple(one for expected in case.expectations for one in failed(expected, history, prepared))
        yield Outcome(str(file.path), case.name, failures, tuple(coverage(asked.setting, history)))


# -- expectations ----------------------------------------------------------------------------------


def failed(expected: Expectation, history: AnswerHistory, prepared: Prepared) -> Iterator[str]:
    """In words, with the line."""
    first, last = max(expected.span[0], history.start), min(expected.span[1], history.end)
    where = f"line {expected.line}: expect {expected.text}"
    for wanted in expected.atoms:
        held = [one for one in history.stretches if one.at is None and wanted.fits(one.fact)]
        times = [one for one in held if one.first <= last and one.last >= first]
        match expected.kind:
            case "never":
                for one in times[:1]:
                    yield f"{where}: {one.fact} holds from {one.first} to {one.last}"
            case "within":
                if bool(times) == wanted.negated:
                    yield f"{where}: {_found(held)}"
            case _:
                everywhere = all(any(one.first <= t <= one.last for one in times) for t in range(first, last + 1))
                if bool(times) if wanted.negated else not everywhere:
                    yield f"{where}: {_found(held)}"
    if expected.kind == "exactly":
        shown = prepared.analysis.shown
        for time in range(first, last + 1):
            now = {fact for at, fact in history.atoms(time) if at == time and fact.signature in shown}
            more = sorted(str(fact) for fact in now if not any(one.fits(fact) for one in expected.atoms))
            if more:
                yield f"{where}: at {time} there is also {', '.join(more)}"


def _found(held: Sequence[Any]) -> str:
    if not held:
        return "it never holds"
    return "it holds " + ", ".join(f"{one.fact} from {one.first} to {one.last}" for one in held[:4])


# -- coverage --------------------------------------------------------------------------------------


def coverage(setting: EvaluationSetting, history: AnswerHistory) -> Iterator[Coverage]:
    """Which rules fired at some evaluation, and which were kept from it by a negation."""
    places = [
        World.of(setting, time, history, setting.until(time)).place for time in range(history.start, history.end + 1)
    ]
    for rule in setting.program.rules:
        negated = any(isinstance(literal, Not) for literal in rule.body)
        blocked = any(_blocked(place, rule) for place in places) if negated else None
        fired = any(_concludes(place, rule, binding) for place in places for binding in _instances(place, rule))
        yield Coverage(RuleName.of(setting.program, rule), fired, blocked)


def _instances(place: Place, rule: Rule, *, positive: bool = False) -> Iterator[Binding]:
    body = tuple(literal for literal in rule.body if not (positive and isinstance(literal, Not)))
    return OrderedRule.of(rule, body).instances(place)


def _concludes(place: Place, rule: Rule, binding: Binding) -> bool:
    """Whether the head has a value: otherwise there is no such instance of the rule."""
    try:
        for _ in possible(place, rule.head, binding):
            pass
    except NotANumber:
        return False
    return True


def _blocked(place: Place, rule: Rule) -> bool:
    negations = [literal for literal in rule.body if isinstance(literal, Not)]
    return any(
        not any(True for _ in solutions(place, literal, binding))
        for binding in _instances(place, rule, positive=True)
        for literal in negations
    )


def remarks(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """What all cases of a program together have not tried."""
    fired = {one.rule for outcome in outcomes for one in outcome.coverage if one.fired}
    blocked = {one.rule for outcome in outcomes for one in outcome.coverage if one.blocked}
    for one in dict.fromkeys((each.rule, each.blocked is not None) for o in outcomes for each in o.coverage):
        rule, has_negation = one
        if rule not in fired:
            yield f"{rule} never fired"
        elif has_negation and rule not in blocked:
            yield f"{rule} was never blocked"


def recorded_case(prepared: Prepared, history: AnswerHistory, name: str) -> list[str]:
    """The lines of a case that expects what a run has concluded, wherever it changes."""
    shown = prepared.analysis.shown
    seen = [one for one in history.stretches if one.at is None and one.fact.signature in shown]
    moments = sorted({time for one in seen for time in (one.first, one.last + 1) if time <= history.end})
    lines = [f"case {name}"]
    for time in moments:
        now: set[Fact] = {fact for at, fact in history.atoms(time) if at == time and fact.signature in shown}
        lines.append(f"  expect {time} exactly {', '.join(sorted(map(str, now)))}".rstrip())
    return lines
