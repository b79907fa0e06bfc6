"""The reference reasoner as a reasoner: the protocol around the judge."""

from __future__ import annotations

from hypothesis import given, settings

from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.reasoners.protocol import Reasoner
from larspark.reasoners.reference import ReferenceReasoner
from larspark.semantics.answer_streams import answer_streams
from support.random_programs import Scenario
from support.strategies import CHOICES, scenarios

A, B, ALARM = Fact("a"), Fact("b"), Fact("alarm")


def reference(text: str) -> Reasoner:
    return ReferenceReasoner(analyse(parse_program(text)))


@settings(max_examples=60)
@given(scenarios(CHOICES))
def test_it_is_the_judge_and_its_changes_add_up(scenario: Scenario) -> None:
    reasoner = ReferenceReasoner(analyse(scenario.program), scenario.background, scenario.stream.start)
    shown: set[Fact] = set()
    pinned: set[tuple[int, Fact]] = set()
    for time in scenario.times:
        arriving = [arrival.fact for arrival in scenario.stream.input if arrival.time == time]
        change = reasoner.advance(time, arriving)
        judged = answer_streams(scenario.program, scenario.stream, time, background=scenario.background)
        answer = reasoner.answer(None)
        assert {(one.now, frozenset(one.at.items())) for one in answer.answer_streams} == {
            (one.output(time), frozenset((at, facts) for at, facts in one.derived.items() if at != time))
            for one in judged
        }
        assert change.consistent is bool(judged)
        shown = (shown - change.disappeared) | change.appeared
        pinned = (pinned - change.unpinned) | change.pinned
        (first,) = reasoner.answer().answer_streams or (None,)
        assert shown == (first.now if first else set())
        assert pinned == ({(at, fact) for at, facts in first.at.items() for fact in facts} if first else set())


def test_atoms_of_one_time_point_may_come_in_several_steps() -> None:
    reasoner = reference("p :- a [1 #]. q :- b [1 #].")
    assert reasoner.advance(3, [A]).appeared == {Fact("p")}
    change = reasoner.advance(3, [B])
    assert (change.appeared, change.disappeared) == ({Fact("q")}, {Fact("p")})
    assert reasoner.answer().count == 2


def test_recorded_conclusions_of_passed_over_time_points_exist() -> None:
    reasoner = reference("#record alarm/0. alarm :- a [2]. seen(T) :- @T alarm [9].")
    reasoner.advance(1, [A])
    assert reasoner.advance(5).appeared == {Fact("seen", (time,)) for time in (2, 3)}
