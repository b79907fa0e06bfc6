"""The online answers of random programs over random streams are the declared ones at every time point (Prop. 11 to 13).

Compared are all ground instances of the schematic answers, with evidence and hypotheses. `LARSPARK_EXHAUSTIVE` makes
about 20,000 comparisons of programs and streams, instead of more than 500.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, assume, given, settings

from hypothetical.declarative import Judge, Universe, stamped
from larspark.hypothetical.online.query import WatchOptions
from larspark.hypothetical.online_algorithm import Online
from larspark.hypothetical.theory.stratification import Strata, stratify
from larspark.hypothetical.theory.temporal_datalog import temporal_theory
from larspark.hypothetical.theory.theory import Theory
from larspark.language.parser import parse_program
from larspark.language.values import Value
from support.temporal_programs import (
    CONSTANTS,
    SHALLOW,
    Arrivals,
    Frame,
    Rules,
    Shape,
    Stream,
    goal_r,
    instances,
    late_arrivals,
    programs,
    punctual,
    raw_instances,
    streams,
    text,
)

pytestmark = pytest.mark.thorough

LAST = 3
GOAL = goal_r()
UNKNOWN = ("c", "d")
"""Values that no rule and no fact speaks of: as many as an unknown domain needs to show what it does."""
FACTOR = 33 if os.environ.get("LARSPARK_EXHAUSTIVE") else 1


def examples(count: int) -> settings:
    return settings(max_examples=count * FACTOR, suppress_health_check=[HealthCheck.too_slow])


def read(rules: Rules) -> Theory:
    found = temporal_theory(parse_program(text(rules)))
    assume(isinstance(stratify(found), Strata))
    return found


def agree(rules: Rules, arrivals: Arrivals, *, delay: int = 0, constants: tuple[Value, ...] | None = CONSTANTS) -> None:
    """At every time point the instances of S_τ are the supported answers by definition, and those that need nothing."""
    theory = read(rules)
    universe = Universe(constants or (*CONSTANTS, *UNKNOWN), 0, LAST + 7)
    frame = Frame(universe, LAST + 2)
    judge = Judge(theory, universe, delay)
    online = Online(theory, GOAL, WatchOptions(constants=constants, delay=delay))
    history = []
    for tau in range(LAST + 1):
        history += [stamped(fact, about) for about, fact in arrivals[tau]]
        online.advance_late(tau, arrivals[tau])
        declared = {answer for answer in judge.at(tau, history).reported_answers(GOAL) if frame.holds(answer)}
        assert instances(online, online.answers(), frame) == declared, f"at {tau}"


@examples(150)
@given(programs(Shape()), streams(LAST))
def test_propositions_11_to_13_positive_programs(rules: Rules, facts: Stream) -> None:
    agree(rules, punctual(facts))


@examples(40)
@given(programs(Shape()), streams(LAST))
def test_proposition_12_rows_that_are_no_answers_are_dominated(rules: Rules, facts: Stream) -> None:
    """Taken literally Prop. 12 fails: a row may have too many hypotheses, or too much evidence. But only so."""
    theory = read(rules)
    universe = Universe(CONSTANTS, 0, LAST + 7)
    judge = Judge(theory, universe)
    online = Online(theory, GOAL)
    history = []
    for tau in range(LAST + 1):
        history += [stamped(fact, tau) for fact in facts[tau]]
        online.advance(tau, facts[tau])
        moment = judge.at(tau, history)
        for row in raw_instances(online, online.negation.judged(online.query), Frame(universe, LAST + 2)):
            assert any(
                answer.hypotheses < row.hypotheses
                or (answer.hypotheses == row.hypotheses and answer.evidence <= row.evidence)
                for answer in moment.of(row.answer)
            )


@examples(120)
@given(programs(Shape(negation=True)), streams(LAST))
def test_negation(rules: Rules, facts: Stream) -> None:
    agree(rules, punctual(facts))


@examples(60)
@given(programs(Shape(several=True, body=2)), streams(LAST))
def test_several_time_variables(rules: Rules, facts: Stream) -> None:
    agree(rules, punctual(facts))


@examples(90)
@given(programs(Shape(negation=True, several=True, body=2)), streams(LAST))
def test_negation_and_several_time_variables(rules: Rules, facts: Stream) -> None:
    agree(rules, punctual(facts))


@examples(80)
@given(programs(Shape(negation=True)), late_arrivals(LAST, 2))
def test_late_facts_out_of_order(rules: Rules, arrivals: Arrivals) -> None:
    agree(rules, arrivals, delay=2)


@examples(30)
@given(programs(Shape(negation=True, several=True, body=2)), late_arrivals(LAST, 2))
def test_late_facts_and_several_time_variables(rules: Rules, arrivals: Arrivals) -> None:
    agree(rules, arrivals, delay=2)


@examples(60)
@given(programs(Shape(negation=True, layers=SHALLOW, body=2)), streams(LAST))
def test_unknown_domain(rules: Rules, facts: Stream) -> None:
    agree(rules, punctual(facts), constants=None)


@examples(20)
@given(programs(Shape(negation=True, several=True, layers=SHALLOW, body=2, local=False)), streams(LAST))
def test_unknown_domain_and_several_time_variables(rules: Rules, facts: Stream) -> None:
    agree(rules, punctual(facts), constants=None)


@examples(80)
@given(programs(Shape(negation=True, facts=True)), streams(LAST))
def test_facts_of_the_program(rules: Rules, facts: Stream) -> None:
    agree(rules, punctual(facts))


@examples(30)
@given(programs(Shape(negation=True, several=True, body=2, facts=True)), late_arrivals(LAST, 2))
def test_facts_of_the_program_and_late_facts(rules: Rules, arrivals: Arrivals) -> None:
    agree(rules, arrivals, delay=2)
