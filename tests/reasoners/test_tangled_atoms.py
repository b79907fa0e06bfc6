"""Atoms that need a value which is computed from what they themselves give, in every reasoner beside the judge."""

from __future__ import annotations

import pytest

from larspark.language.parser import parse_program
from support.analysed import analysed
from support.beside_judge import assert_agrees

ARRIVALS = (
    "0:e(1) 0:f(1,1) 1:f(1,2) 1:r(2) 2:e(2) 2:e(1) 3:f(2,1) 4:f(3,1) 4:e(3) 5:e(1) 6:f(2,2) 7:e(-1) 7:f(-1,1.5) 8:e(x)"
)

TANGLED = [
    "s(X) :- e(X) [from Y to 9], Y = #count{ Z : f(Z,X) [9] }.",
    "s(X) :- f(X,Y+1) [5], Y = #count{ Z : e(Z) [9], Z > X }.",
    "s(X) :- @(Y+1) e(X) [9], Y = #count{ Z : f(Z,X) [9] }.",
    "s(X) :- always e(X) [from Y to Y], Y = #count{ Z : f(Z,X) [9] }.",
    "s(X) :- always e(X) [from Y to Y+1], Y = #sum{ Z : f(Z,X) [3] }.",
    "s(X) :- e(X) [from now-Y to now], Y = #count{ Z : f(Z,X) [9] }.",
    "s(X) :- e(X) [from Y to 9], Y = #sum{ Z : f(X,Z) [9] }.",
    "s(X,Y) :- e(X) [from Y to 9], Y = #sum{ Z : f(Z,X) [2] }, not r(X) [3].",
    "s(X) :- e(X) [from Y to 9], Y = #count{ Z : f(Z,X) [9], Z != 0; W : e(W) [3], W > X }.",
    "s(X,T) :- @T e(X) [from Y to now], Y = #max{ Z : f(Z,X) [9] }.",
    "s(X) :- e(X) [from Y to 9], not #sum{ Z : f(Z,X) [9] } = Y, Y = X - 1.",
    "s(X) :- f(X,W+Y) [3], Y = X + 1, W = #count{ Z : e(Z) [9], Z > Y }.",
    "s(V) :- V != 1, V = #sum{ T : @T f(U,_) [9] }, @(V+0) e(U).",
    "s(V) :- V = #max{ Z : e(Z) [9], Z <= U }, e(U) [from V to 9].",
    "s(N) :- N = #count{ X,Y : e(X) [from Y to 9], Y = X * 2 }.",
    "t(X) :- e(X). s(X) :- t(X) [from Y to 9], Y = #count{ Z : t(Z) [9], Z < X }.",
    "s(X) :- e(X) [from Y to 9], Y = #count{ Z : f(Z,X) [9] }, (a or not f(X,_) [2]).",
    "s(K,V) :- (K,V) = #top{ 3; X : e(X) [from Y to 9], Y = X * 2 }.",
    "{ s(X) } :- e(X) [from Y to 9], Y = #count{ Z : f(Z,X) [9] }, X > 2.",
    "s(1) :- e(1). #prefer Y : e(X) [from Y to 9], Y = #count{ Z : f(Z,X) [9] }.",
]


@pytest.mark.parametrize("text", TANGLED)
@pytest.mark.parametrize("reasoner", ["interval", "clingo", "jtms", "answer-update"])
def test_what_follows_from_an_atom_may_bound_it(text: str, reasoner: str) -> None:
    if not analysed(text).accepts[reasoner]:
        assert_agrees(reasoner, text, ARRIVALS)
    else:
        assert "{ s(X) }" in text or "#prefer" in text
        assert reasoner != "clingo"


@pytest.mark.parametrize(
    "text",
    [
        "s(X) :- e(X) [from T to 9], @T r(_) [5].",
        "s(X) :- e(X) [from X to 9].",
        "s(X,Y) :- f(X,Y+1) [5], e(Y) [9].",
        "s(X) :- e(X) [from Y to 9], Y = now - 2, N = #count{ Z : f(Z,X) [9] }, N > 0.",
    ],
)
def test_other_atoms_stay_as_they_are(text: str) -> None:
    assert analysed(text).lowered is None
    assert analysed(text).program.rules == parse_program(text).rules
