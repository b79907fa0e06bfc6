"""How long an atom holds is right by evaluation with the definitions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, reject, settings

from larspark import Engine
from larspark.diagnostics import Rejected
from larspark.explain.evaluations.history import AnswerHistory, Sourced
from larspark.explain.faces.text import proof_text
from larspark.explain.lives.life import horizon
from larspark.explain.verification.verify import verify
from larspark.language.facts import Fact
from larspark.language.tree import Program
from larspark.questions.explaining import Case
from support.explained import case, case_of
from support.notation import fact
from support.random_programs import Scenario
from support.strategies import STRATIFIED, scenarios

PRESS = "alarm(M) :- always hot(M) [3], not technician(_) [5]. siren :- bell [4]."


def test_what_keeps_it_and_what_ends_it() -> None:
    asked = case(PRESS, "0:hot(x) 1:hot(x) 1:bell 2:hot(x)")
    (alarm,) = asked.why("alarm(x)", 2)
    assert alarm.as_json()["ends"] == {
        "without_input": 3,
        "continues_with": [{"atom": "hot(x)", "at": [3, 3]}],
        "ends_with": [{"pattern": "technician(_)"}],
    }
    (siren,) = asked.why("siren", 2)
    assert siren.as_json()["span"] == {"from": 1, "to": 5}
    assert siren.as_json()["ends"]["continues_with"] == [{"atom": "bell", "at": [3, 6]}]


@pytest.mark.parametrize(
    "more", ["", "#record a/0.", "b(X) :- r(X). b(X) :- b(X)."], ids=["little", "recorded", "much"]
)
def test_an_arrival_keeps_what_arrived(more: str) -> None:
    (found,) = case(f"a :- r(1) [2]. {more}", "0:c 1:r(1)", (0, 3)).why("r(1)", 1)
    assert found.life is not None
    assert found.life.continues_with == (((fact("r(1)")), (2, 2)),)


AHEAD = "#record r/1. @4 r(X) :- a(X) [2]. s(X) :- @_ r(X) [all]."


def test_what_is_recorded_stays() -> None:
    """Concluded about 4 at the evaluations 2 to 4, and in the stream from 4 on."""
    asked = case(AHEAD, "2:a(1)", (0, 6))
    for time in (2, 3, 5, 6):
        (found,) = asked.why("@4 r(1)", time)
        assert (found.as_json()["span"], found.as_json()["ends"]["without_input"]) == ({"from": 2, "to": None}, None)
        assert verify(found.as_json(), asked.setting) is None
    (present,) = asked.why("r(1)", 4)
    assert present.as_json()["span"] == {"from": 4, "to": 4}


def test_what_is_recorded_ahead_is_not_seen_before() -> None:
    asked = case("#record r/1. @(now+2) r(X) :- a(X). s(X) :- @_ r(X) [all].", "2:a(1)", (0, 6))
    assert [one.life.span for one in asked.why("@4 r(1)", 2) if one.life] == [(2, 2)]
    later = [one.life for one in asked.why("@4 r(1)", 6)]
    assert [(one.span[0], one.endless) for one in later if one] == [(4, True)]
    assert asked.why_not("@4 r(1)", 3).last_held == 2


@pytest.mark.parametrize(("time", "span"), [(2, {"from": 2, "to": 4}), (6, {"from": 4, "to": None})])
def test_the_life_of_what_is_recorded_is_verified(time: int, span: dict[str, int | None]) -> None:
    asked = case(AHEAD, "2:a(1)", (0, 6))
    (found,) = asked.why("@4 r(1)", time)
    ends = None if span["to"] is None else span["to"] + 1
    told = {**found.as_json(), "span": span, "ends": {**found.as_json()["ends"], "without_input": ends}}
    assert verify(told, asked.setting) is not None


def test_a_number_that_no_float_holds_ends_it() -> None:
    number = "12345678901234567890.5"
    (found,) = case("a(X) :- r(X) [2], not s(X) [2].", f"0:r({number})", (0, 3)).why(f"a({number})", 1)
    assert found.life is not None
    assert [one.pattern for one in found.life.ends_with] == [f"s({number})"]
    assert f"X = {number}" in proof_text(found)


def test_what_never_ends() -> None:
    (found,) = case("a :- b [all].", "0:b 1:c").why("a", 1)
    assert found.as_json()["span"] == {"from": 0, "to": None}


@given(scenarios(STRATIFIED))
@settings(suppress_health_check=list(HealthCheck), max_examples=25)
def test_since_and_until(scenario: Scenario) -> None:
    asked, judge = case_of(scenario), case_of(scenario, "reference")
    try:
        history = asked.evaluate(asked.arrivals, asked.end)
        for one in [each for each in history.stretches if each.at is None][:3]:
            time = (one.first + one.last) // 2
            if (time, one.fact) in [each[:2] for each in asked.arrivals]:
                continue
            (found,) = asked.why(str(one.fact), time)
            assert found.life is not None
            arrived = asked.setting.until(time)
            end = min(horizon(asked.prepared.program, time), found.life.span[1] + 1)
            idle = judge.evaluate(arrived, end)
            around = next(span for span in idle.spans(one.fact) if span[0] <= time <= span[1])
            assert around[0] == found.life.span[0], one
            assert (around[1] >= end) if found.life.endless else (around[1] == found.life.span[1]), one
            for fact, (first, last) in found.life.continues_with:
                for when in (first, last):
                    assert _holds(judge.evaluate((*arrived, Sourced(when, fact)), end), one.fact, end)
    except Rejected:
        reject()


def _holds(history: AnswerHistory, fact: Fact, time: int) -> bool:
    return any(first <= time <= last for first, last in history.spans(fact))


def test_an_atom_of_a_running_engine_ends_with_the_answer_stream() -> None:
    engine = Engine("a(X) :- b(X) [10]. :- not beat [3].")
    engine.advance(0, ["b(1)", "beat"])
    assert engine.why("a(1)").json["span"]["to"] == 3


def test_the_past_is_evaluated_only_where_it_is_asked_for_and_together_with_the_present() -> None:
    program = "path(X,Y) :- edge(X,Y) [9]. path(X,Z) :- path(X,Y), edge(Y,Z) [9], X < 9."
    asked = case(program, "0:edge(1,2) 1:edge(2,3)")
    told: list[object] = []
    evaluate, evaluate_at = Case.evaluate, Case.evaluate_at

    def whole(self: Case, arrivals: Iterable[Sourced], end: int, *other: Any, **named: Any) -> AnswerHistory:
        told.append(("up to", end))
        return evaluate(self, arrivals, end, *other, **named)

    def once(self: Case, arrivals: Sequence[Sourced], time: int, narrowed: Program, shown: Any = None) -> Any:
        told.append(shown)
        return evaluate_at(self, arrivals, time, narrowed, shown)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Case, "evaluate", whole)
        patched.setattr(Case, "evaluate_at", once)
        (proof,) = asked.why("path(1,3)", 1, lived=False)
        assert proof.life is None
        assert told == [None]
        told.clear()
        (proof,) = asked.why("path(1,3)", 1)
        assert proof.as_json()["span"] == {"from": 1, "to": 9}
        assert told == [Fact("path", (1, 3))]
