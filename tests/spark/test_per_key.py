"""Keys that are decided apart."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.reasoners.clingo.per_key import PerKey
from larspark.reasoners.clingo.reasoner import ClingoReasoner
from larspark.spark.evaluate.stepwise import conclusions
from larspark.spark.plan.plan import EvaluationSpan, make_plan

NODES = tuple(Fact("n", (number,)) for number in range(4))


def made(text: str, background: tuple[Fact, ...] = ()) -> PerKey:
    plan = make_plan(analyse(parse_program(text), background={fact.signature for fact in background}), background)
    (planned,) = plan.stages
    reasoner = plan.work(planned, EvaluationSpan(0, 0, 0), 1).make(0)
    assert isinstance(reasoner, PerKey)
    return reasoner


def a(*args: str | int) -> Fact:
    return Fact("a", args)


CHOICE = "p(X) | q(X) :- a(X) [2]."
ON = "on(X) | off(X) :- n(X). :- on(X), a(X) [2]."


def test_a_key_without_data_is_forgotten() -> None:
    reasoner = made(CHOICE)
    reasoner.advance(1, [a("x"), a("y")])
    assert len(reasoner.answer().answer_streams[0].now) == 2
    reasoner.advance(3, [a("y")])
    change = reasoner.advance(4)
    assert {fact.args for fact in change.disappeared} == {("x",)}
    with patch.object(ClingoReasoner, "advance", autospec=True, side_effect=ClingoReasoner.advance) as advanced:
        reasoner.advance(5)
    assert advanced.call_count == 1, "y alone"


def test_keys_at_rest_are_not_asked() -> None:
    reasoner = made(ON, NODES)
    for time in range(5):
        reasoner.advance(time)
    with patch.object(ClingoReasoner, "advance", autospec=True, side_effect=ClingoReasoner.advance) as advanced:
        change = reasoner.advance(9, [a(2)])
    assert advanced.call_count == 1
    assert change.disappeared <= {Fact("on", (2,))}
    held = reasoner.answer().answer_streams[0].now
    assert Fact("off", (2,)) in held
    assert {fact.args for fact in held} == {(number,) for number in range(4)}


def test_the_clock_does_not_show_through_what_is_delivered() -> None:
    """Conclusions of an earlier stage may be pinned, but not where there are none."""
    text = "@T s(X) :- @T a(X) [3]. p(X) | q(X) :- n(X). :- p(X), s(X) [1]."
    plan = make_plan(analyse(parse_program(text), background={NODES[0].signature}), NODES)
    reasoner = plan.work(plan.stages[1], EvaluationSpan(0, 0, 0), 1).make(0)
    for time in range(5):
        reasoner.advance(time)
    with patch.object(ClingoReasoner, "advance", autospec=True, side_effect=ClingoReasoner.advance) as advanced:
        reasoner.advance(9, [Fact("delivered:s", (2,))])
    assert advanced.call_count == 1


def test_the_clock_may_show() -> None:
    reasoner = made("p(X) | q(X) :- n(X), now > 7. :- p(X), a(X).", NODES)
    assert not any(reasoner.advance(time).appeared for time in range(8))
    assert len(reasoner.advance(8).appeared) == len(NODES)


def test_two_keys_may_conclude_the_same() -> None:
    reasoner = made("p(X) | q(X) :- a(X, _, _) [2]. :- q(X), a(X, _, _). @(U - 1) r(Y) :- a(X, Y, U) [2], p(X).")
    pinned = (8, Fact("r", ("z",)))
    assert pinned in reasoner.advance(1, [a("x", "z", 9)]).pinned
    assert pinned not in reasoner.advance(2, [a("y", "z", 9)]).pinned
    assert pinned not in reasoner.advance(4).unpinned
    assert pinned in reasoner.advance(5).unpinned


def test_one_key_without_an_answer_stream_is_enough() -> None:
    reasoner = made("p(X) | q(X) :- a(X) [2]. :- p(X), b(X). :- q(X), b(X).")
    assert reasoner.advance(1, [a("x"), a("y")]).consistent
    assert not reasoner.advance(2, [Fact("b", ("x",))]).consistent
    assert reasoner.answer().answer_streams == ()
    assert reasoner.advance(3).consistent


@pytest.mark.parametrize(("text", "background"), [(CHOICE, ()), (ON, NODES)])
def test_a_snapshot_tells_everything(text: str, background: tuple[Fact, ...]) -> None:
    first, second = made(text, background), made(text, background)
    first.advance(1, [a(1), a(2)])
    first.advance(2, [a(3)])
    second.resume(first.snapshot())
    for time, atoms in ((3, []), (4, [a(1)]), (5, []), (9, [])):
        assert first.advance(time, atoms) == second.advance(time, atoms)
        assert first.answer() == second.answer()


def test_time_points_may_be_passed_over() -> None:
    reasoner = made(CHOICE)
    reasoner.advance(1, [a("x")])
    assert reasoner.next_change() == 2
    assert {fact.args for fact in reasoner.advance(20).disappeared} == {("x",)}


@pytest.mark.parametrize(("text", "background", "held"), [(CHOICE, (), {"x": (1, 3)}), (ON, NODES, {0: (0, 10**9)})])
def test_where_nothing_can_change_nothing_is_evaluated(
    text: str, background: tuple[Fact, ...], held: dict[object, tuple[int, int]]
) -> None:
    found = list(conclusions(made(text, background), [(1, 1, a("x"))] if not background else [], 0, 10**9))
    spans = {one.fact.args[0]: (one.time, one.until) for one in found if one.fact}
    assert spans.items() >= held.items()
