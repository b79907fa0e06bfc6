"""The incremental encoding as text: durations, increment_diff, expiry, base_duration, annotation_note, tick_encode."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest
from hypothesis import HealthCheck, given, reject

from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact
from larspark.language.traversal import atoms, walk
from larspark.language.tree import Always
from larspark.reasoners.clingo.adapter import ParsedProgram, Solver, ground_atom
from larspark.reasoners.clingo.functions import function_table
from larspark.reasoners.flattening import plain_rule
from larspark.reasoners.jtms.annotations import Annotation, Tick
from larspark.reasoners.jtms.increments import IncrementalProgram, Increments, ticks_of
from larspark.semantics.answer_streams import answer_streams
from support.analysed import analysed
from support.judged import analysed as analysed_scenario
from support.random_programs import Scenario
from support.strategies import CHOICES, scenarios
from support.tiers import partly
from support.vectors import Case, arrivals, cases


def bounds(annotation: Annotation) -> list[object]:
    return ["inf" if bound == inf else bound for bound in (annotation.time, annotation.count)]


@pytest.mark.parametrize("case", cases("expiry"), ids=str)
def test_expiry(case: Case):
    for one in case["cases"]:
        time, count = (inf if bound == "inf" else bound for bound in one["expiration"])
        annotation = Annotation(time, count, case.get("conjunctive", False))
        assert annotation.expired(Tick(*one["tick"])) == one["expect"]


@pytest.mark.parametrize("case", cases("durations"), ids=str)
def test_durations(case: Case):
    added = Increments(analyse(case.program)).at(Tick(*case["tick"]))
    expected = {(one["rule"], tuple(one["duration"])) for one in case["expect"]}
    assert {(rule, tuple(bounds(duration))) for rule, duration in added} == expected


@pytest.mark.parametrize("case", cases("increment_diff"), ids=str)
def test_increment_diff(case: Case):
    program = IncrementalProgram(Increments(analyse(case.program)))
    start, end = case["stream"]["timeline"]
    for tick, signal in ticks_of(arrivals(case["stream"]), start, end):
        removed, added = program.advance(tick, signal)
    assert tick == Tick(*case["to_tick"])
    assert removed == sorted(case["expect"]["removed"])
    assert sorted(one.rule for one in added) == sorted(case["expect"]["added"])


@pytest.mark.parametrize("case", cases("base_duration"), ids=str)
def test_base_durations(case: Case):
    increments = Increments(analyse(case.program))
    (rule,) = (plain_rule(rule) for rule in case.program.rules)
    assert bounds(increments.base_duration(rule)) == case["expect"]["base_rule"]
    if "window_rule" in case["expect"]:
        (reading,) = rule.readings()
        assert bounds(increments.window_duration(reading)) == case["expect"]["window_rule"]


def test_a_fact_outlives_both_windows_that_see_it():
    """thesis-s7.2-conj-n: with a time window n and a tuple box m the fact is needed until [n+1, m]."""
    needed = Annotation(3 + 1, 2, conjunctive=True).from_tick(Tick(5, 1))
    assert not needed.expired(Tick(8, 9))
    assert not needed.expired(Tick(20, 2))
    assert needed.expired(Tick(9, 3))


@pytest.mark.parametrize("case", cases("tick_encode"), ids=str)
def test_ticks_are_encoded_with_their_arrivals(case: Case):
    signals = {(time, count): parse_fact(atom) for time, count, atom in case["signals"]}
    names = {fact.signature for fact in signals.values()}
    text = " ".join(f"seen :- {name.predicate}({','.join('_' * name.arity)})." for name in names)
    increments = Increments(analysed(text.replace("()", "")))
    facts = {
        rule.rule.rstrip(".")
        for tick in case["ticks"]
        for rule in increments.at(Tick(*tick), signals.get(tuple(tick)))
        if ":-" not in rule.rule
    }
    expect = case["expect"]
    assert set(expect["time_pinned"]) | set(expect["tick_pinned"]) == {f for f in facts if not f.startswith("tick")}
    assert len([fact for fact in facts if fact.startswith("tick")]) == expect.get("ticks", len(case["ticks"]))
    assert max(count for _, count in case["ticks"]) == expect.get("cnt", len(signals))


PUBLISHED = replace(CHOICES, windows=("time", "tuple"), pinned_heads=False, background=False, rules=4)


def test_of_repeated_arrivals_at_one_time_point_the_last_counts():
    """The first e(1) has left the window of two tuples, the second is in it, so e(1) is in the window throughout."""
    program = IncrementalProgram(Increments(analysed("q :- always e(X) [2 #], a."), 8))
    arrived = [(9, parse_fact(atom)) for atom in ("e(1)", "e(1)", "a")]
    for tick, signal in ticks_of(arrived, 8, 9):
        program.advance(tick, signal)
    (model,) = Solver(ParsedProgram("#show q_at/1." + "\n".join(program.rules)), function_table(9), 9).models(None)
    assert [ground_atom(atom) for atom in model] == [("q_at", (9,))]


@partly(80, suppress_health_check=list(HealthCheck))
@given(scenarios(PUBLISHED))
def test_the_incremental_program_has_the_answer_streams_of_the_definition(scenario: Scenario):
    """thesis-prop7, thesis-agree-modes."""
    analysis = analysed_scenario(scenario)
    boxed = {atom.signature for node in walk(analysis.program) if isinstance(node, Always) for atom in atoms(node)}
    if not analysis.ok or boxed & analysis.intensional:
        # Positive recursion through `always` is beyond the published encoding (Theorem 26).
        reject()
    try:
        program = IncrementalProgram(Increments(analysis, scenario.stream.start))
        expected = {
            time: {frozenset(one.atoms) for one in answer_streams(analysis.program, scenario.stream, time)}
            for time in scenario.times
        }
    except Rejected:
        reject()
    shown = "".join(f"#show {s.predicate}_at/{s.arity + 1}." for s in analysis.intensional)
    last: dict[int, list[str]] = {}
    for tick, signal in ticks_of(scenario.stream.input, scenario.stream.start, max(scenario.times)):
        program.advance(tick, signal)
        last[tick.time] = program.rules
    for time, rules in last.items():
        models = Solver(ParsedProgram("#show." + shown + "\n".join(rules)), function_table(time), time).models(None)
        found = {
            frozenset((args[-1], Fact(name.removesuffix("_at"), args[:-1])) for name, args in map(ground_atom, model))
            for model in models
        }
        assert found == expected[time]


def test_windows_beyond_the_published_ones_are_refused():
    with pytest.raises(Rejected, match="incremental"):
        Increments(analysed("b :- a [4 hop 2]."))
