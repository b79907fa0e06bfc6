"""Foresight from Python: a few lines, live or over a recorded stream."""

from __future__ import annotations

import pytest

import larspark
from larspark.diagnostics import Rejected

OVERHEATING = "shutdown(X) :- always hot(X) [2]. alarm(X) :- hot(X) [3], smoke(X) [2], not inspected(X) [5]."
TURBINES = "#temporal temp/3. #temporal cool/2. cool(X,T+1) :- temp(X,high,T), temp(X,high,T+1), turbine(X)."


def test_live() -> None:
    foresight = larspark.Foresight(OVERHEATING, "alarm(X)", larspark.Outlook(horizon=1))
    foresight.advance(2, ["smoke(wt42)"])
    assert [prospect.text for prospect in foresight.prospects()] == [
        "alarm(wt42) at 3: seen smoke(wt42) at 2; needs hot(wt42) at 3, not inspected(wt42) [5] at 3"
    ]
    foresight.advance(3, ["hot(wt42)"])
    now, then = foresight.prospects()
    assert now.definite
    assert (now.theta, now.at) == ({"X": "wt42"}, 3)
    assert (then.at, then.hypotheses) == (4, ("@4 not inspected(wt42) [5]",))


def test_recorded() -> None:
    stream = [(3, "temp(a,high)"), (5, "temp(b,high)"), (6, "temp(b,high,6)"), (6, "temp(c,high)")]
    found = larspark.foresee(larspark.parse(TURBINES), "cool(X,T)", stream, background=["turbine(a)", "turbine(b)"])
    assert {
        time: [(p.theta["X"], p.theta["T"], p.definite) for p in prospects] for time, prospects in found.items()
    } == {
        3: [("a", 4, False)],
        4: [],
        5: [("b", 6, False)],
        6: [("b", 6, True), ("b", 7, False)],
    }


def test_background_makes_a_predicate_rigid() -> None:
    program = "@(T+1) cool(X) :- @T hot(X), @(T+1) hot(X), turbine(X)."
    found = larspark.foresee(program, "cool(X,T)", [(0, "hot(a)"), (0, "hot(b)")], background=["turbine(a)"])
    assert [prospect.text for prospect in found[0]] == ["cool(a) at 1: seen hot(a) at 0; needs hot(a) at 1"]


@pytest.mark.parametrize(
    ("program", "atom", "code"),
    [
        (OVERHEATING, "alarm(a)", "E409"),
        (OVERHEATING, "hot(a,b)", "E410"),
        (TURBINES, "temp(a,high,9)", "E550"),
        (TURBINES, "temp(a,high,3)", "E549"),
        (TURBINES, "cool(a)", "E551"),
    ],
)
def test_what_cannot_arrive(program: str, atom: str, code: str) -> None:
    goal = "alarm(X)" if program == OVERHEATING else "cool(X,T)"
    foresight = larspark.Foresight(program, goal)
    with pytest.raises(Rejected) as rejected:
        foresight.advance(5, [atom])
    assert [found.code for found in rejected.value.diagnostics] == [code]


def test_a_goal_that_nothing_derives() -> None:
    with pytest.raises(Rejected, match="No rule derives the goal"):
        larspark.Foresight(OVERHEATING, "fire(X)")
