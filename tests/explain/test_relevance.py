"""What an atom can depend on."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from larspark.explain.evaluations.relevance import Relevance
from larspark.explain.proofs.proof import Life, Question
from larspark.language.parser import parse_program
from larspark.language.printing.printer import show
from larspark.language.resolve import resolve
from support.explained import case, case_of
from support.notation import fact
from support.random_programs import Scenario
from support.strategies import STRATIFIED, scenarios

TEMP = fact("temp(1)").signature


def relevance(text: str, atom: str) -> Relevance:
    return Relevance.of(resolve(parse_program(text)), fact(atom))


def test_constants_are_carried_into_the_bodies() -> None:
    found = relevance("hot(M) :- reading(M,C) [5], C > 8. alarm(M) :- hot(M), not calm(M,_) [2]. x :- y.", "alarm(m1)")
    assert found.takes(fact("reading(m1,7)"))
    assert not found.takes(fact("reading(m2,7)"))
    assert found.takes(fact("calm(m1,a)"))
    assert not found.takes(fact("y"))
    assert len(found.program.rules) == 2


def test_recursion_ends_and_is_known() -> None:
    found = relevance("r(X,Y) :- e(X,Y) [9]. r(X,Z) :- r(X,Y), e(Y,Z) [9].", "r(1,2)")
    assert found.recursive
    assert found.takes(fact("e(7,8)"))


def test_rules_are_narrowed_to_what_is_looked_at() -> None:
    found = relevance("r(X,Y) :- e(X,Y) [9]. r(X,Z) :- r(X,Y), e(Y,Z) [9]. x :- y.", "r(1,2)")
    assert [show(rule) for rule in found.narrowed.rules] == [
        "r(1,Y) :- e(1,Y) [9].",
        "r(1,Z) :- r(1,Y), e(Y,Z) [9].",
    ]


def test_time_points_are_not_given() -> None:
    found = relevance("late(T,X) :- @T e(X) [9].", "late(soon,1)")
    assert [show(rule) for rule in found.narrowed.rules] == ["late(T,1) :- @T e(1) [9]."]


def test_a_condition_that_no_narrowed_rule_gives() -> None:
    asked = case("#hold d(X,Y) per X for 9. p(2) :- e [3]. q(X) :- d(X,_), p(1).", "0:e 1:d(7,1)", (0, 3))
    assert [one.reason for one in asked.why_not("q(7)", 2).candidates[0].conditions] == [None, "other-value"]


def test_time_points_are_carried_into_the_bodies() -> None:
    text = "@T steam(V) :- @T temp(V) [20], V >= 100. hottest(T) :- @T steam(V) [20], not @T vent(V) [9], V > 150."
    found = relevance(text, "hottest(7)")
    assert found.points == {fact("steam(1)").signature: {7}, fact("vent(1)").signature: {7}, TEMP: {7}}
    again = relevance(f"{text} hottest(T) :- @T bell [3], temp(_) [2].", "hottest(7)")
    assert TEMP not in again.points


def test_only_arrivals_at_the_time_points_are_taken() -> None:
    text = "@T steam(V) :- @T temp(V) [20], V >= 100. hottest(T) :- @T steam(V) [20], V > 150."
    asked = case(text, "3:temp(160) 7:temp(160) 7:temp(90) 8:temp(170)")
    trials = asked.trials(Question("why", fact("hottest(7)"), 8))
    assert [one.time for one in trials.relevant] == [7, 7]
    assert asked.why("hottest(7)", 8)[0].life == Life((7, 27), False)


@given(scenarios(STRATIFIED))
@settings(suppress_health_check=list(HealthCheck), max_examples=15)
@pytest.mark.parametrize("much", [0, 100_000])
def test_what_does_not_matter_makes_no_difference(much: int, scenario: Scenario) -> None:
    asked = case_of(scenario, "interval")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("larspark.questions.evaluated_case.MANY", {"why": much, "why-not": much})
        for time in scenario.times[:: max(1, len(scenario.times) // 3)]:
            whole = asked.evaluate(asked.setting.until(time), time)
            if whole.consistent(time):
                for point, atom in sorted(whole.atoms(time), key=str)[:4]:
                    question = Question("why", atom, time, None if point == time else point)
                    assert (point, atom) in (asked.trials(question).derived or ())
                    other = atom._replace(args=(*atom.args[:-1], 5)) if atom.args else atom
                    missing = asked.trials(replace(question, fact=other))
                    assert ((point, other) in (missing.derived or ())) == ((point, other) in whole.atoms(time))


def test_constraints_matter_to_everything() -> None:
    found = relevance("a(X) :- b(X) [2]. :- c(X) [2].", "a(1)")
    assert found.takes(fact("c(5)"))


def test_windows_that_count_look_at_more() -> None:
    assert relevance("a(X) :- b(X) [2 #].", "a(1)").patterns is None
    found = relevance("a(X) :- b(X,7) [1 # per X].", "a(1)")
    assert found.takes(fact("b(1,8)"))
    assert not found.takes(fact("b(2,7)"))


def test_another_value_of_a_key_ends_what_is_held() -> None:
    asked = case("#hold r(M,C) per M for 9. hot(M) :- r(M,90).", "0:r(a,90) 3:r(a,20) 4:r(b,90)", (0, 6))
    assert asked.why("hot(a)", 2)[0].life is not None
    found = asked.why_not("hot(a)", 5)
    assert found.last_held == 2
    text = relevance("#hold r(M,C) per M for 9. hot(M) :- r(M,90).", "hot(a)")
    assert text.takes(fact("r(a,20)"))
    assert not text.takes(fact("r(b,90)"))
