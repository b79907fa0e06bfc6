"""clingo and the JTMS on small programs that some reasoner once got wrong, beside the judge at points and ticks."""

from __future__ import annotations

import pytest

from larspark.diagnostics import Rejected
from larspark.reasoners.registry import make_reasoner
from support.beside_judge import analysed, assert_agrees

SOLVERS = ("clingo", "jtms")


@pytest.mark.parametrize("reasoner", SOLVERS)
@pytest.mark.parametrize(
    ("text", "stream"),
    [
        ("d :- always a [1]. e :- not always a [1].", "0:a 1:r(1) 1:a"),
        ("d :- always a [1].", "0:a 0:a 1:b 1:a 1:a 2:b 2:a 4:b 4:a"),
    ],
)
def test_always_goes_on_at_a_later_tick(reasoner: str, text: str, stream: str) -> None:
    assert_agrees(reasoner, text, stream)


@pytest.mark.parametrize("reasoner", SOLVERS)
@pytest.mark.parametrize(
    "literal",
    [
        "p(X) [from now-1 to now]",
        "@_ p(X) [from now-1 to now]",
        "p(X) [from now-1 to now] [1 #]",
        "p(X) [3 #] [from now-1 to now]",
        "p(X) [from 2*now-3 to now+1] [1]",
        "p(X) [of p/1] [from now-1 to now] [1 # per X]",
        "q(X) [9], not p(X) [from now-1 to now]",
        "q(X) [9], not p(X) [from now-1 to now] [2 #]",
        "p(X) [from now-1 to 1.5]",
        "@T q(X) [9], p(X) [from T+1 to now]",
        "q(X) [9], p(X) [from X to 1]",
    ],
)
def test_intervals_that_move_with_the_clock(reasoner: str, literal: str) -> None:
    assert_agrees(reasoner, f"d(X) :- {literal}.", "0:p(1) 0:q(1) 1:p(2) 1:p(1) 3:q(2) 3:p(1) 4:q(1) 5:p(2)")


def test_negated_interval_with_variable_bounds() -> None:
    assert_agrees("clingo", "d(X) :- @T q(X) [9], not p(X) [from T+1 to now].", "0:p(1) 0:q(1) 1:p(2) 2:q(2) 2:p(1)")


@pytest.mark.parametrize(
    "rule",
    [
        "d(N) :- N = #count{ X : @_ p(X) }.",
        "d(N) :- N = #count{ X,S : @S p(X), @S q [3] }.",
        "d(N) :- N = #count{ X,S : @S p(X) [2] }.",
        "d(N,M) :- N = #count{ X : p(X) [3] }, M = #max{ X : p(X) [3], X > N }.",
        "d(N,M) :- M = #min{ X : p(X) [3], X > N }, N = #count{ X : p(X) [3] }, 0 = #count{ X : p(X), X > N + 1 }.",
        "d(N,M) :- N = #max{ X : p(X) [3] }, M = #min{ X : p(X) [3] }.",
        "d(M) :- p(M) [2], not 1 = #count{ S : @S p(M) [3], @S q }.",
        "d(M) :- p(M) [2], 0 = #count{ X : p(X) [3], not q [from X to 2] }.",
    ],
)
def test_aggregates_over_background(rule: str) -> None:
    assert_agrees("clingo", rule, "0:q 0:p(3) 1:p(7) 2:p(2) 2:q", ["p(1)"])


def test_a_time_with_infinitely_many_values_inside_an_aggregate() -> None:
    analysis, known = analysed("d(N) :- N = #sum{ S : @S p(X) }.", ["p(1)"])
    with pytest.raises(Rejected, match="infinitely many"):
        make_reasoner("clingo", analysis, known)


@pytest.mark.parametrize("reasoner", SOLVERS)
@pytest.mark.parametrize(
    "literal",
    ["always p(X) [from T to now]", "p(X) [from T to now] [1 #]", "p(X) [from T+1 to now] [1]", "bg(X) [from T to 3]"],
)
def test_what_has_no_encoding_is_said_beforehand(reasoner: str, literal: str) -> None:
    analysis, _ = analysed(f"d(X) :- @T q, {literal}.", ["bg(1)"])
    assert [reason.code for reason in analysis.accepts[reasoner]] == ["E519"]
