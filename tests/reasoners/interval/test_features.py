"""Features that random programs do not reach, beside the reference reasoner at every time point."""

from __future__ import annotations

from decimal import Decimal

import pytest

from larspark.language.facts import Fact
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.reference import ReferenceReasoner
from support.analysed import analysed

BACKGROUND = (Fact("bg", (1,)), Fact("bg", ("x",)), Fact("span", (3, 6)), Fact("span", (5, 20)))

STREAM: dict[int, list[Fact]] = {
    2: [Fact("e", (1,)), Fact("f", ("x", 2))],
    3: [Fact("e", (Decimal("1.5"),)), Fact("a")],
    4: [Fact("e", ("x",)), Fact("a")],
    5: [Fact("f", ("x", 4)), Fact("f", ("y", 4)), Fact("e", (0,)), Fact("a")],
    7: [Fact("e", (2**70,)), Fact("a"), Fact("f", (1, 1))],
    8: [Fact("e", (4,)), Fact("e", (4,)), Fact("f", (2, 1))],
    12: [Fact("e", (-3,)), Fact("a"), Fact("f", ("two words", 7))],
}

PROGRAMS = [
    # the evaluation time as a term
    "p(X) :- e(X) [9], X < now.",
    "p(now) :- a [2]. q(T) :- @T a [5], T < now - 2.",
    "p(N) :- N = now % 3, a [1]. r :- not p(2), a [3].",
    "@(now + 2) p :- a. q :- p [+2]. r :- p.",
    "p :- @now a.",
    "p :- T = now, T \\ 5 = 0. q(U) :- a [3], T = now, U = T + 1, U > 4.",
    # arithmetic over all values
    "p(X * 2 - 1) :- e(X) [3]. q(X / Y) :- f(_, X) [4], e(Y) [4]. m(min(X, Y, 3)) :- e(X) [2], f(_, Y) [4].",
    "p(X, Y) :- e(X) [4], f(Y, _) [4], X < Y. q(abs(X)) :- e(X) [2]. r(X ^ 2) :- e(X) [1].",
    "p(X) :- e(X) [5], X >= 1. q(max(X)) :- e(X) [1].",
    # aggregates
    "n(S, N) :- f(S, _) [6], N = #count{ V : f(S, V) [6] }.",
    "n(N) :- N = #sum{ V, S : f(S, V) [6]; W : e(W) [2] }.",
    "n(N) :- N = #avg{ V : f(_, V) [6] }. m(N) :- N = #min{ V : e(V) [6] }. k(N) :- N = #max{ V : e(V) [6] }.",
    "p(X) :- f(_, X) [5], 2 <= #count{ V : f(_, V) [9], V >= X }.",
    "p(N) :- N = #count{ T : @T a [all] }. q :- p(N), N > 2.",
    # windows with variables, chains, partitions
    "p(X) :- e(X) [from L to H], span(L, H). q(L) :- span(L, H), not a [from L to H].",
    "p(X) :- @T e(X) [from 3 to 7], T != 4. q :- always a [from 3 to 5]. r :- always a [from 9 to 8].",
    "p(X) :- e(X) [4 hop 3] [2]. q(X) :- e(X) [4 hop 3] [2 #]. r(T) :- @T a [3 hop 3] [5].",
    "p(X, Y) :- f(X, Y) [1 # per X]. q(X) :- f(X, Y) [2 # per Y] [3]. r :- always a [2 #]. s :- always a [2 # of a/0].",
    "p(X) :- e(X) [2 #, +1 #]. q :- a [1 # of a/0, f/2]. r(X) :- f(X, 4) [of f(_, 4)] [6].",
    "p :- always a [1, +0]. q :- always a [2 hop 2]. r :- always a [all]. s :- always a [of a/0].",
    "p(L) :- span(L, H), always a [from L to H - 1]. q(L) :- span(L, H), not always a [from L to H - 1].",
    "p(L) :- span(L, H), not always e(x - 1) [from L to H]. q(L) :- span(L, H), not always f(x - 1, _) [from L to H].",
    "p(X, L) :- f(X, L) [9], always a [from L - 1 to L + 1]. q(L) :- span(L, H), always a [from H to L].",
    "p(X) :- @T a [all], always e(X) [from 0 to T], always e(X) [from T + 1 to now + 2].",
    "p(X) :- @T f(_, _) [all], always e(X) [from T to T + 1], always e(X) [from T to now].",
    # background with times, negation with `_`, constants in heads and times
    "p(X, T) :- @T bg(X) [1, +1], a [2]. q(T) :- @T a [4], @T bg(1) [2].",
    "p :- not f(_, 4) [3]. q(X) :- e(X) [4], not f(X, _) [2]. r :- always bg(1) [3], a.",
    "@3 p :- a. @T q(X) :- @T e(X) [4], not @T a [4]. r(X) :- q(X) [3]. s :- p [9].",
    "@(T - 9) p :- @T a.",
    # recursion, also through what is taken back
    "t(X, Y) :- f(X, Y) [6]. t(X, Z) :- t(X, Y), f(Y, Z) [9]. u(X) :- bg(X), not t(X, _).",
    "r(X) :- e(X) [4], not a [1]. t(X) :- r(X). t(Y) :- t(X), f(X, Y) [8]. t(X) :- t(Y), f(X, Y) [8], not a [2].",
    "@(T + 1) p :- @T p [+9], T < 10. @T p :- @T a. q :- always p [2].",
]


@pytest.mark.parametrize("text", PROGRAMS)
def test_like_the_reference(text: str) -> None:
    analysis = analysed(text)
    reference = ReferenceReasoner(analysis, BACKGROUND)
    interval = IntervalReasoner(analysis, BACKGROUND)
    for time in range(24):
        facts = STREAM.get(time, [])
        assert interval.advance(time, facts) == reference.advance(time, facts), time
        assert interval.answer().answer_streams == reference.answer().answer_streams, time


def test_negated_aggregates() -> None:
    """`not` is the complement: where the aggregate has no value, it holds."""
    text = "p :- not 2 = #count{ V : e(V) [1] }. q :- not 2 <= #min{ V : f(_, V) [1] }."
    interval = IntervalReasoner(analysed(text))
    shown = {}
    for time in range(10):
        interval.advance(time, STREAM.get(time, []))
        shown[time] = {str(fact) for fact in interval.answer().answer_streams[0].now}
    # e: {1} at 2, {1, 1.5} at 3, {1.5, x} at 4, {x, 0} at 5, {0} at 6, {2^70} at 7, {2^70, 4} at 8, {4} at 9
    assert {time for time, facts in shown.items() if "p" not in facts} == {3, 4, 5, 8}
    # min of f: 2 at 2 and 3, 4 at 5 and 6, 1 from 7 to 9
    assert {time for time, facts in shown.items() if "q" not in facts} == {2, 3, 5, 6}
