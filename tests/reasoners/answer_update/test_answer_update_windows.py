"""Windows in every position, beside the judge at all time points and at every tick: background, chains, bounds."""

from __future__ import annotations

import pytest

from larspark.analysis import analyse
from larspark.diagnostics import Rejected
from larspark.language.parser import parse_fact, parse_program
from larspark.reasoners.registry import make_reasoner

BACKGROUND = tuple(map(parse_fact, ("bg(1)", "bg(x)", "e(2)")))
ARRIVALS = [
    *((0, "r(1)"), (1, "p(1)"), (1, "d0"), (2, "p(x)"), (2, "e(3)"), (3, "q(2)"), (3, "b"), (4, "p(3)"), (5, "r(x)")),
    *((5, "p(1)"), (6, "b"), (6, "p(1.5)"), (7, "n(9)"), (7, "n(4)"), (8, "q(x)"), (9, "d0"), (9, "n(x)")),
]

PROGRAMS = {
    "background at the points of a window": "@U d :- @U bg(_) [1].",
    "background in hopping windows": "@U d(X) :- @U bg(X) [4 hop 3]. c(U) :- @U bg(_) [1, +1] [2 hop 2].",
    "background at a time that is known": "c(U) :- n(U), @U bg(_). d(U) :- n(U), not @U bg(_) [of bg/1].",
    "background at a time ahead": "c :- @9 e(2). d :- @9 e(2) [2, +all], @_ bg(x). z(X) :- @X e(X).",
    "derived and input under a tuple window": "d0 :- b. d2(U) :- @U d0 [1 # of d0/0, r/1].",
    "derived and input under chains": "d0 :- b. d2 :- d0 [3] [2 #]. d3 :- d0 [2 #] [1]. d4 :- d0 [3 hop 3] [1 #].",
    "derived in a chain that does not count": "@T d0 :- @T b. d2(U) :- @U d0 [from 3 to 6] [1 # of d0/0].",
    "partitions of values of several types": "c(X) :- p(X) [1 # per 1]. d(X) :- p(X) [3 #] [1 # per X].",
    "an interval before a time window": "c :- p(_) [from 5 to 6] [0]. d(X) :- p(X) [from 1 to 4] [1 #].",
    "a hopping window before a time window": "c(X) :- p(X) [2 hop 2] [0]. d(X) :- p(X) [3 hop 3] [1 #].",
    "many windows that hop": "c(X) :- @T p(X) [6 hop 3] [6, +1 hop 3] [2, +2 hop 2], T != 3.",
    "bounds known before": "c(X) :- @T b [9], p(X) [from T - 1 to T].",
    "bounds known after": "c(X) :- p(X) [from T - 1 to T], @T b [9]. d :- @T p(_) [from T to T + 1], @T b [9].",
    "bounds negated": "c(T) :- not p(_) [from T to T + 1], @T b [9]. d :- not always p(X) [from X to 4], q(X) [9].",
    "bounds from the atom itself": "c(X) :- q(X) [from X to 9]. d(T) :- @T p(X) [from T to X + 1].",
    "bounds from each other": "d(X, Y) :- p(X) [from Y to 9], q(Y) [from X to 9].",
    "always with bounds from the atom itself": "c(X) :- always n(X) [from 7 to X]. d(X) :- always e(X) [from X to 9].",
    "bounds in an aggregate": "c(N) :- N = #count{ X : p(X) [from T to 9], @T b [9] }.",
    "bounds from an aggregate": "c(X) :- p(X) [from N to 9], N = #count{ Y : q(Y) [9] }.",
    "a bound without a value": "c :- p(X) [9], b [from X + 1 to 9]. d :- p(X) [9], not b [from X + 1 to 9].",
}


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("by_ticks", [False, True], ids=["points", "ticks"])
def test_like_the_judge(text: str, by_ticks: bool) -> None:
    program = parse_program(f"#input d0/0. #input e/1. {text} seen :- r(_).", "t.lars")
    analysis = analyse(program, background={fact.signature for fact in BACKGROUND})
    exact, reasoner = (make_reasoner(name, analysis, BACKGROUND) for name in ("reference", "answer-update"))
    arriving = [(time, parse_fact(atom)) for time, atom in ARRIVALS]
    arriving = [(time, fact) for time, fact in arriving if fact.signature in analysis.extensional]
    points = [(time, [fact for at, fact in arriving if at == time]) for time in range(15)]
    for time, facts in [(time, [fact]) for time, fact in arriving] if by_ticks else points:
        assert reasoner.advance(time, facts) == exact.advance(time, facts), time
        assert reasoner.answer().answer_streams == exact.answer().answer_streams, time


@pytest.mark.parametrize(
    "text",
    [
        "@T d :- @T bg(_).",
        "d(T) :- @T bg(_) [of bg/1] [1, +all].",
        "d(N) :- N = #sum{ T : @T bg(X) }.",
        "d :- @T bg(_) [from T to 9].",
    ],
)
def test_infinitely_many_times_are_refused(text: str) -> None:
    analysis = analyse(parse_program(text, "t.lars"), background={fact.signature for fact in BACKGROUND})
    with pytest.raises(Rejected) as refused:
        make_reasoner("answer-update", analysis, BACKGROUND)
    assert [finding.code for finding in refused.value.diagnostics] == ["E502"]
