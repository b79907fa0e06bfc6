"""Rules that the definition lets fire are never told to have not fired."""

from __future__ import annotations

from hypothesis import given, reject, settings

from larspark.analysis.structure.occurrences import head_atoms
from larspark.cases.run import coverage
from larspark.diagnostics import Rejected
from larspark.explain.evaluations.history import RecordPlace, Sourced
from larspark.language.parser import parse_fact
from larspark.language.printing.printer import show
from larspark.questions.explaining import Case
from larspark.reasoners.interval import IntervalReasoner
from larspark.runtime.findings.unfired import fired_rules
from larspark.runtime.prepared import prepare
from support.random_programs import Scenario
from support.strategies import STRATIFIED, scenarios


@settings(max_examples=60)
@given(scenarios(STRATIFIED))
def test_what_fires_by_the_definition(scenario: Scenario) -> None:
    prepared = prepare(show(scenario.program), background=scenario.background)
    start, end = scenario.stream.start, scenario.times[-1]
    arrivals = [Sourced(time, fact, RecordPlace("data", row)) for row, (time, fact) in enumerate(scenario.stream.input)]
    try:
        reasoner = prepared.require("interval").reasoner("interval", start)
        for time in scenario.times:
            reasoner.advance(time, [fact for at, fact in scenario.stream.input if at == time])
    except Rejected:
        reject()
    assert isinstance(reasoner, IntervalReasoner)
    case = Case.of(prepared, arrivals, (start, end), "interval")
    fired = fired_rules(reasoner)
    assert fired is not None
    found = coverage(case.setting, case.evaluate(arrivals, end))
    for rule, covered in zip(case.setting.program.rules, found, strict=True):
        if covered.fired and rule.body:
            told = any((atom.signature, rule.origin) in fired for atom in head_atoms(rule))
            assert told or not head_atoms(rule), f"{show(rule)}\n{scenario}"


def test_rules_that_are_planned_anew_are_remembered() -> None:
    """The engine looks at its plans again when tables have grown."""
    prepared = prepare("once(X) :- a(X), b(X). p(X,Y) :- a(X) [50], c(Y) [50], d(X,Y) [50].")
    reasoner = prepared.reasoner("interval", 0)
    assert isinstance(reasoner, IntervalReasoner)
    prepared_rule = prepared.program.rules[0]
    reasoner.advance(0, [parse_fact("a(1)"), parse_fact("b(1)")])
    reasoner.engine.replan({})
    assert (head_atoms(prepared_rule)[0].signature, prepared_rule.origin) in (fired_rules(reasoner) or ())
