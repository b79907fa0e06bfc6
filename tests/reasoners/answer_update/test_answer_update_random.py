"""Answer update against the judge on random programs: all answer streams, at every time point and at every tick."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from larspark.analysis.analysis import Analysis
from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact, Signature
from larspark.language.tree import Input, Program, Record
from larspark.reasoners.answer_update import AnswerUpdateReasoner
from larspark.reasoners.answer_update.nodes import Node
from larspark.reasoners.protocol import AnswerStream, Change
from larspark.reasoners.reference import ReferenceReasoner
from larspark.semantics.answer_streams import answer_streams
from support.loops import looping
from support.random_programs import DERIVED, Scenario
from support.strategies import CHOICES, CONSTRAINED, GROUND, STRATIFIED, scenarios
from support.tiers import partly

PROGRAMS = 200
"""Per test; there are seven."""

often = partly(PROGRAMS, suppress_health_check=list(HealthCheck))

MAY_CHOOSE = st.one_of(scenarios(CHOICES), scenarios(GROUND))
UNIQUE = st.one_of(scenarios(STRATIFIED), scenarios(CONSTRAINED))


def accepted(scenario: Scenario) -> tuple[Scenario, Analysis]:
    """The scenario without the rules that close a recursion through a window."""
    background = {fact.signature for fact in scenario.background}
    analysis = analyse(Program(), background=background)
    for rule in scenario.program.rules:
        longer = analyse(Program((*analysis.program.rules, rule)), background=background)
        if not longer.accepts["answer-update"]:
            analysis = longer
    return replace(scenario, program=analysis.program), analysis


def atoms(answer: AnswerStream, time: int) -> dict[int, frozenset[Fact]]:
    return {**({time: answer.now} if answer.now else {}), **answer.at}


def assert_right(running: AnswerUpdateReasoner, scenario: Scenario, time: int, count: int) -> None:
    judged = answer_streams(scenario.program, scenario.stream, time, background=scenario.background, count=count)
    wanted = [dict(answer.derived) for answer in judged]
    found = [atoms(answer, time) for answer in running.answer(None).answer_streams]
    assert len(found) == len(wanted), scenario
    assert all(answer in wanted for answer in found), f"at {time}: {found} instead of {wanted}\n{scenario}"
    assert [atoms(answer, time) for answer in running.answer().answer_streams] == found[:1]


def arrivals_at(scenario: Scenario, time: int) -> list[Fact]:
    return [fact for at, fact in scenario.stream.arrivals() if at == time]


@pytest.mark.random
@pytest.mark.partly
@pytest.mark.parametrize("strategy", [MAY_CHOOSE, looping(), UNIQUE], ids=["choices", "loops", "unique"])
def test_agrees_with_the_judge_at_every_time_point(strategy: st.SearchStrategy[Scenario]) -> None:
    @often
    @given(strategy)
    def check(drawn: Scenario) -> None:
        scenario, analysis = accepted(drawn)
        running = AnswerUpdateReasoner(analysis, scenario.background, scenario.stream.start)
        count = 0
        for time in scenario.times:
            facts = arrivals_at(scenario, time)
            count += len(facts)
            running.advance(time, facts)
            assert_right(running, scenario, time, count)
            if strategy is UNIQUE:  # without cyclic negation nothing is guessed: au-prop2-incomplete
                assert not any(state.trace.choices for state in running.states)

    check()


@often
@given(MAY_CHOOSE)
def test_agrees_with_the_judge_at_every_tick(drawn: Scenario) -> None:
    scenario, analysis = accepted(drawn)
    running = AnswerUpdateReasoner(analysis, scenario.background, scenario.stream.start)
    for count, (time, fact) in enumerate(scenario.stream.arrivals(), 1):
        running.advance(time, [fact])
        assert_right(running, scenario, time, count)


@often
@given(UNIQUE, st.sampled_from(DERIVED), st.sampled_from(DERIVED))
def test_recorded_conclusions_and_derived_input(drawn: Scenario, recorded: Signature, arriving: Signature) -> None:
    scenario, analysis = accepted(drawn)
    directives = [Record(recorded)] if recorded in analysis.intensional else []
    extended = analyse(
        replace(analysis.program, directives=(*directives, Input(arriving))),
        background={fact.signature for fact in scenario.background},
    )
    running = AnswerUpdateReasoner(extended, scenario.background, scenario.stream.start)
    judge = ReferenceReasoner(extended, scenario.background, scenario.stream.start)
    for time in scenario.times:
        facts = arrivals_at(scenario, time)
        if time % 3 == 0:
            facts.append(Fact(arriving.predicate, ("x",) * arriving.arity))
        assert running.advance(time, facts) == judge.advance(time, facts)


@often
@given(UNIQUE)
def test_labels_keep_their_promise(drawn: Scenario) -> None:
    """What a label guarantees for later evaluation times holds there, whatever arrives."""
    scenario, analysis = accepted(drawn)
    running = AnswerUpdateReasoner(analysis, scenario.background, scenario.stream.start)
    promised: dict[Node, int] = {}
    for time in scenario.times:
        if not running.advance(time, arrivals_at(scenario, time)).consistent:
            return
        held = {node: interval[1] for state in running.states for node, (interval,) in state.intervals.items()}
        broken = [node for node, until in promised.items() if until >= time and node not in held]
        assert broken == []
        promised |= held


@often
@given(MAY_CHOOSE)
def test_nothing_changes_before_it_is_foreseen(drawn: Scenario) -> None:
    scenario, analysis = accepted(drawn)
    running = AnswerUpdateReasoner(analysis, scenario.background, scenario.stream.start)
    foreseen: int | None = scenario.stream.start
    for time in scenario.times:
        facts = arrivals_at(scenario, time)
        change = running.advance(time, facts)
        if not facts and (foreseen is None or time < foreseen):
            assert change == Change(time)
        foreseen = running.next_change()
