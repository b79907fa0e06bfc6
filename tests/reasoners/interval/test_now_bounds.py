"""Comparisons with the evaluation time: bounds of validity, with the answers that the definition gives."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.display.describe import describe
from larspark.reasoners.interval.network import Unrolled
from support.analysed import analysed
from support.beside_judge import assert_agrees

LARGE = 2**70
DIGITS = "0.1234567890123456789012345678901234"
"""As many digits as a decimal can have: a larger number beside it has no exact sum."""

operators = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
values = st.sampled_from(["0", "1", "2", "3", "5", "-2", "2.5", "x", str(LARGE), str(-LARGE), DIGITS])
beside = st.sampled_from(
    ["now", "now + 1", "2 + now", "now - 3", "now - T", "now + T", "now - X", "3 - now", "X - now"]
)
others = st.sampled_from(
    ["X", "T", "3", "2.5", "x", "X + 1", "T * 2", "X - T", f"{LARGE}", f"-{LARGE}", "Y", "min(X, 4)"]
)
bodies = st.sampled_from(["@T a(X) [4], b(Y) [all]", "@T a(X), b(Y) [2]", "@T a(_) [3], a(X) [5], @T b(Y)"])
heads = st.sampled_from(["d(X,T)", "d(Y,X)", "@(T + 1) d(X,Y)", "d(X,now)"])


@st.composite
def rules(draw: st.DrawFn) -> str:
    comparisons = []
    for _ in range(draw(st.integers(1, 2))):
        left, right = draw(st.permutations([draw(beside), draw(others)]))
        sign = draw(st.sampled_from(["", "", "not "]))
        comparisons.append(f"{sign}{left} {draw(operators)} {right}")
    told = ", ".join(comparisons)
    if draw(st.integers(0, 3)) == 0:
        return f"d(N) :- N = #count{{ X,T : {draw(bodies)}, {told} }}."
    return f"{draw(heads)} :- {draw(bodies)}, {told}."


@st.composite
def streams(draw: st.DrawFn) -> str:
    arrivals = st.tuples(st.integers(0, 5), st.sampled_from("aab"), values)
    found = sorted(draw(st.lists(arrivals, min_size=1, max_size=6)), key=lambda one: one[0])
    return " ".join(f"{time}:{predicate}({value})" for time, predicate, value in found)


@settings(max_examples=60)
@given(rules(), streams())
def test_comparisons_of_any_values(text: str, stream: str) -> None:
    assert_agrees("interval", text, stream)


@pytest.mark.parametrize(
    "compared", ["X - now = X", "X + now >= Y", "now - X < Y", "now + X <= 2.5", "now * 1 - X < x"]
)
def test_numbers_beyond_the_ordinary(compared: str) -> None:
    large = 2**61
    stream = f"0:a({2**70}) 0:b({2**70}) 1:a({large - 1}) 2:b({large}) 3:a({-large}) 3:b(x) 4:b(0.5) 4:a({1 - large})"
    assert_agrees("interval", f"d(X,Y) :- a(X) [all], b(Y) [all], {compared}.", stream)


@pytest.mark.parametrize(
    "text",
    [
        "d(X) :- @T a(X) [9], T + 3 <= now, now <= T + 5.",
        "d(X) :- @T a(X) [9], now - T > 2.",
        "d(X) :- a(X) [all], now < X, not now = 3.",
        "d(X) :- a(X) [all], now != X + 0.5.",
        "d(N) :- N = #count{ X : @T a(X), 3 <= now - T }, N < now.",
        "@U d(X) :- @T a(X) [9], @U a(_), 2 * T - now >= U.",
    ],
)
def test_nothing_is_done_per_time_point(text: str) -> None:
    network = IntervalReasoner(analysed(text)).engine.network
    assert not any(isinstance(operator, Unrolled) for operator in network.operators)
    assert_agrees("interval", text, "0:a(2) 0:a(5) 1:a(x) 2:a(7) 2:a(2.5) 4:a(1)")


@pytest.mark.parametrize(
    "text",
    [
        "d(X,K) :- a(X) [3], H = now % 2, b(H,K) [5].",
        "d(X,K) :- a(X) [3], H = now % 2, b(H,K) [5], c(K,_) [2].",
        "d(X,K) :- a(X) [3], H = now % 2, b(H,K) [5], not c(K,_) [1].",
        "d(K,L) :- b(H,K) [4], H = now % 2, c(M,L) [4], M = now % 3.",
        "d(X) :- a(X) [3], H = now % 2, b(H,X) [5].",
        "d(K) :- b(H,K) [5], H = now % 2.",
        "d(X,K) :- a(X) [3], H = now, b(H,K) [all], K > X.",
        "@(H + 1) d(X,K) :- a(X) [3], H = now % 4, always b(H,K) [1].",
    ],
)
def test_tables_that_the_time_is_looked_up_in(text: str) -> None:
    assert_agrees(
        "interval", text, "0:a(1) 0:b(1,2) 1:b(0,3) 2:b(1,1) 3:c(2,3) 3:b(3,2) 4:c(0,1) 5:a(2) 7:b(0,2) 9:a(1)"
    )


def test_a_table_is_looked_up_by_the_time_and_not_multiplied() -> None:
    analysis = analysed("d(X,K) :- a(X) [3], H = now % 2, b(H,K) [5].")
    rules = [rule for part in describe(analysis).parts for rule in part.rules]
    (rule,) = [rule for rule in rules if rule.concludes.startswith("d/2")]
    (start,) = [start for start in rule.starts if "at its times" in start.when]
    assert [step.bound for step in start.steps if step.kind == "join"] == [(0,)]
