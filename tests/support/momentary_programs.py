"""Programs whose rules look at single arrivals, and random arrivals for them: what is taken past an engine."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from hypothesis import strategies as st

from larspark.language.facts import Fact
from larspark.language.values import Value

GIVEN = "known(1,a). known(2,b). known(2,c). known(a,a). known(1.5,2). single(2). single(b). twice(1,1). twice(a,b). "
PROGRAMS = (
    "p(X,Y) :- a(X,Y).",
    "p(X) :- a(X,_). p(Y) :- a(_,Y).",
    "p(X) :- a(X,X). p(X) :- b(X).",
    "p(X,Y) :- a(X,Y), X < Y. p(X,X) :- b(X), X != 2.",
    "p(X,Z) :- a(X,Y), Z = X * 0.5 + Y.",
    "p(Z) :- a(X,Y), Z = X / Y. p(Z) :- a(X,Y), Z = X % Y.",
    "p(Z,X) :- a(X,Y), Z = X - Y, Z >= -1. q(Z) :- a(X,Y), Z = X * Y.",
    "p(X,V) :- a(X,_), known(X,V). p(X,none) :- a(X,_), not known(X,_).",
    "p(X,Y) :- a(X,Y), known(X,Y), not single(X). q(K) :- b(X), known(K,X).",
    "p(X,V) :- a(X,Y), known(K,V), K = X + Y. q(X) :- b(X), twice(X,X).",
    "p(X,Y,now) :- a(X,Y), now > 2. q(H) :- b(_), H = now * now.",
    "p(X) :- a(X,2). p(X) :- a(X,b), single(b). p(7) :- b(1).",
    "q(X,Y) :- a(X,Y), X >= 1. p(Y) :- q(X,Y), Y <= 2. r(X) :- b(X), p(X). #show p/1. #show q/2.",
    "p(X,Y) :- a(X,Y). :- b(2). :- b(X), X = a.",
    "p(X) :- a(X,_). q(X) :- a(X,_), b(X). s(X) :- c(X).",
    "p(X) :- a(X,_) . q(X) :- b(X) [2]. s(X) :- b(X).",
    "p(X,M) :- a(X,Y), M = max(X,Y), N = min(X,Y), N >= 0. q(Z) :- b(X), Z = abs(X).",
    "p(X) :- b(X), X = Y, a2(Y). p(X) :- b(X), 1 = X.",
    "p(X,N) :- a(X,_), N = #count{ V : known(X,V) }. q(X) :- b(X), not 1 <= #count{ V : known(X,V) }.",
    "p(X,V) :- a(X,_), (1,V) = #top{ 1; K : single(K) }. q(X) :- b(X), X = #max{ K : known(K,_) }.",
)
VALUES: Sequence[Value] = (
    0, 1, 2, 3, -1, "a", "b", "two words", "\0", "1", Decimal("1.5"), Decimal("-0.25"), 2**61, 2**62, -(2**63), 2**64,
    Decimal("0.0000000000000000001"),
)  # fmt: skip
START, END = 0, 9

_DRAWN = st.lists(
    st.tuples(
        st.integers(START, END),
        st.one_of(
            st.tuples(st.just("a"), st.tuples(st.sampled_from(VALUES), st.sampled_from(VALUES))),
            st.tuples(st.just("b"), st.tuples(st.sampled_from(VALUES))),
            st.tuples(st.just("c"), st.tuples(st.integers(0, 3))),
        ),
    ),
    max_size=14,
)

ARRIVALS = _DRAWN.map(lambda drawn: sorted(((time, Fact(*fact)) for time, fact in drawn), key=lambda one: one[0]))
"""In the order of time."""


def shown(rules: str) -> str:
    """The program with what always holds."""
    own = rules if "#show" in rules else f"{rules} #show p/1. #show p/2. #show p/3. #show q/1. #show s/1."
    return GIVEN + own
