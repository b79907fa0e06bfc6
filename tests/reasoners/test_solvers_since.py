"""`since`, `until` and `always` between computed bounds with clingo and the JTMS, beside the judge."""

from __future__ import annotations

import pytest

from larspark.analysis.pipeline import analyse
from larspark.language.parser import parse_program
from support.beside_judge import assert_agrees

SOLVERS = ("clingo", "jtms")
STREAM = "0:a(1) 0:b(1) 1:a(1) 1:a(2) 2:a(1) 2:b(2) 3:a(1) 3:b(3) 4:a(2) 4:b(1) 5:a(1) 6:a(1) 6:q 7:b(2) 8:a(2)"


SINCE_AND_UNTIL = [
    "w(X) :- a(X) since b(X) [3].",
    "w(X) :- a(X) since b(X).",
    "w(X,Y) :- a(X) [5], a(X) since b(Y) [4].",
    "w :- a(_) since b(_) [4].",
    "w(X) :- a(X) [9], not (a(X) since b(X) [4]).",
    "w(N) :- N = #count{ X : a(X) since b(X) [5] }.",
    "w(X) :- a(X) since b(X) [4 #].",
    "w(X) :- a(X) since b(X) [of a/1, b/1] [4].",
    "@(T+1) c(X) :- @T a(X) [5]. w(X) :- c(X) since b(X) [4].",
    "@T c(X) :- @T a(X) [5]. w(X) :- b(X) [9], not (c(X) since b(X) [4]).",
    "@(T+2) c(X) :- @T a(X) [5]. w(X) :- a(X) until c(X) [+4]. v(X) :- b(X) [9], c(X) until c(2) [+3].",
    "@T w(X) :- @T b(X) [5]. @T+1 w(X) :- @T b(X) [5]. r(X) :- w(X) since b(X) [5]. w(X) :- r(X), q.",
    "c :- not d. d :- not c. @T c(X) :- @T a(X) [5], c. w(X) :- c(X) since b(X) [4].",
    "#hold a(X) per X for 2. w(X) :- a(X) since b(X) [4].",
    "c(X) :- a(X). #record c/1. w(X) :- c(X) since b(X) [4].",
    ":- a(X) since b(X) [4], q.",
]

COMPUTED_BOUNDS = [
    "w(X,T,U) :- @T a(X) [5], @U b(X) [5], always a(X) [from T to U].",
    "w(X,Y) :- b(X) [5], always a(Y) [4] [from X to X+1].",
    "w(X) :- b(X) [5], not always a(_) [from X to X+1].",
    "w(X) :- b(X) [5], always a(X) [from 0-X to X].",
    "w(X) :- b(X) [5], always a(1) [from X/2 to 1.5*X].",
    "w(X,Y) :- @T b(X) [5], always a(Y) [from T to T+1], always a(1) [from Y to Y+1].",
    "w(X,N) :- N = #count{ Y : a(Y) [4] }, b(X) [5], always a(X) [from N to N+1].",
    "w(X) :- b(X) [5], always a(X) [2] [from 0-10^12*X to now].",
    "w(X) :- always a(X) [from X to X+1]. v(X) :- b(X) [5], always a(X) [4] [from X+2 to now].",
    "@T+1 p(X) :- @T b(X) [5]. p(X) :- @T p(X) [3], always p(X) [from T to now-1], T < now.",
]


@pytest.mark.parametrize("reasoner", SOLVERS)
@pytest.mark.parametrize("text", [*SINCE_AND_UNTIL, *COMPUTED_BOUNDS])
def test_solvers_take_since_until_and_always_between_computed_bounds(reasoner: str, text: str) -> None:
    assert not analyse(parse_program(text)).accepts[reasoner]
    assert_agrees(reasoner, text, STREAM)


@pytest.mark.parametrize("reasoner", SOLVERS)
@pytest.mark.parametrize(
    "text",
    [
        "w(X) :- g(X) since b(X) [3].",
        "w(X) :- a(X) since g(X) [3].",
        "w(X) :- b(X) [3], not (g(X) since b(X) [3]).",
        "w(X) :- b(X) [5], always g(2) [hop 2 over 3] [from X to X+1].",
        "w(X) :- b(X) [5], not always g(X) [from X to X*2^4].",
        "w(T,X) :- @T b(_) [5], always g(X) [from X+1 to T], always a(1) [from X to X+1].",
        "w(T) :- @T b(_) [5], always g(X) [3] [from X to T].",
    ],
)
def test_background_holds_throughout(reasoner: str, text: str) -> None:
    assert_agrees(reasoner, text, STREAM, ["g(2)", "g(3)"])
