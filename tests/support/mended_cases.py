"""Faults of the first release in their smallest form, for every door; what is right, or refused, the judge says."""

from __future__ import annotations

from collections.abc import Iterator

from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Rejected
from larspark.language.parser import parse_program
from larspark.reasoners.reference import ReferenceReasoner
from support.beside_judge import arrivals
from support.corpus import Wanted
from support.notation import fact
from support.side_by_side import Piece

JOBS = "0:limit(1) 0:job(7) 1:v(1,7) 2:job(2) 3:limit(3) 5:job(8)"
MIXED = "0:r(1) 1:p(1) 2:r(2) 3:p(2) 3:p(1) 4:a 5:a 6:a 8:a 9:p(1)"

MENDED: tuple[tuple[str, str, str, str], ...] = (
    ("outer variables 1", "busy(X,N) :- limit(X) [2], N = #count{ K : job(K) [4], K > X }, N > 0.", JOBS, ""),
    ("outer variables 2", "d(X,N) :- limit(X) [2], N = #sum{ X,K : job(K) [4] }.", JOBS, ""),
    ("outer variables 3", "d(X,N) :- limit(X) [2], N = #count{ K : job(K) [4], not v(X,K) [3] }.", JOBS, ""),
    ("outer variables 4", "d(X,N) :- limit(X) [2], N = #count{ K : job(K) [4]; V : v(X,V) [3] }, N > 1.", JOBS, ""),
    (
        "recursion",
        "reach(X) :- q(X). reach(Y) :- reach(X), v(X,Y) [4], 0 = #count{ K : p(K) [4], K > X }.",
        "0:q(1) 0:v(1,5) 2:p(3) 3:q(1) 4:v(5,2)",
        "",
    ),
    ("always", "d :- always a [1]. e :- not always a [1].", "0:a 1:r(1) 1:a 3:a", ""),
    ("record", "#record on/0. on :- @(now - 1) s [1]. seen :- on [5].", "0:s 3:x", ""),
    ("chain 1", "d(X) :- p(X) [3 #] [1 # per X]. e(X) :- p(X) [9], not p(X) [3 #] [1 # per X].", MIXED, ""),
    ("chain 2", "d(X) :- p(X) [1 #] [of p/1] [1 #].", MIXED, ""),
    ("chain 3", "d(X) :- p(X) [3 #] [2 # of p/1].", MIXED, ""),
    ("moving interval 1", "d(X) :- p(X) [from now-1 to now].", MIXED, ""),
    ("moving interval 2", "d(X) :- p(X) [from now-1 to now] [1 #].", MIXED, ""),
    ("background at times", "@U d :- @U bg(_) [1].", "0:a 3:a", "bg(1)"),
    ("derived atoms are not counted", "#input d0/0. d0. d2 :- @U d0 [1 # of d0/0, r/1].", "1:r(1) 2:d0 4:r(2)", ""),
    ("mixed keys", "d(X) :- p(X) [1 # per 1].", "0:p(1) 1:p(x) 2:p(1.5) 3:p(1)", ""),
    (
        "interval before a window",
        "d(X) :- p(X) [from 5 to 6] [0]. e(X) :- p(X) [2 hop 2] [0].",
        "4:p(1) 5:p(2) 8:a",
        "",
    ),
    ("bounds before variables", "d(X) :- p(X) [from T to 9], @T r(_) [3], not p(X) [from 0 to T].", MIXED, ""),
    (
        "tuples of different length",
        "@U d0(Z) :- @U b, p(Z) [1 # of p/1, r/1]. d1 :- @U d0(Y), always a [of a/0] [1 #], "
        "N = #count{ 2,V : @S d0(V), V < Y; V : d0(V) [all,+all] }.",
        "0:p(2) 0:a 0:b 1:p(1) 2:b 3:a",
        "",
    ),
    ("no time points", "alarm(M) :- always hot(M) [10 hop 5], machine(M).", "5:hot(1) 7:hot(1)", "machine(1)"),
    ("bounds and times", "d(X,T) :- @T q(X) [2], @T b [from T-1 to 9].", "0:q(1) 0:b 1:b 2:q(2) 2:b", ""),
    ("counted background", "#input p/1. d(X,T) :- @T p(X) [2 #].", "0:p(1) 1:a 2:p(2) 4:a", "p(9)"),
    ("large numbers", "d(X) :- r(X) [2]. e(X+1) :- r(X), X > 1.", "0:r(2305843009213693952) 1:r(3) 3:r(1)", ""),
    ("records ahead", "#record b/0. @(T+3) b :- @T a, a. c(T) :- @T b [1, +9]. e :- not b [2].", "0:a 2:a 7:a", ""),
    (
        "input and derived",
        "#input b/1. #record b/1. @(T+2) b(T) :- @T a [1]. c(X) :- b(X) [3].",
        "0:a 1:b(9) 4:b(2)",
        "",
    ),
    ("facts of the program", "p(k,3). r(X,T) :- p(X,T).", "0:a 3:a", ""),
    ("facts at times", "@3 p(k). @T r(X) :- @T p(X). s(X) :- r(X).", "0:a 3:a", ""),
    ("pinned ahead", "@T+30 x :- @T a [1].", "0:a 1:a", ""),
    ("relations", "d(X,Y) :- p(X) [9], p(Y) [3], leq(X,Y), neq(X,Y), incr(X,Y).", MIXED, ""),
)
"""Name, program, stream, background."""
REFUSED: tuple[tuple[str, str, str, str, str], ...] = (
    ("pins too far ahead", "@X d :- r(X).", "0:r(3) 1:r(2305843009213693952)", "", "E411"),
    ("infinitely many times", "d(N) :- N = #sum{ S : @S p(X) }.", "0:a 1:a", "p(1)", "E502"),
)
"""What is refused, with the code of the diagnostic."""
START = {"no time points": 3}
MORE = 3
"""Time points after the last arrival."""


def mended() -> Iterator[Wanted]:
    for name, text, stream, background in MENDED:
        yield _wanted(name, text, stream, background)


def refused(case: str) -> tuple[Piece, str, Wanted | None]:
    """What is refused by which code; and what the judge says of it, if it says anything."""
    name, text, stream, background, code = next(one for one in REFUSED if one[0] == case)
    known = tuple(map(fact, background.split()))
    piece = Piece(parse_program(text), tuple(arrivals(stream)), known)
    try:
        return piece, code, _wanted(name, text, stream, background)
    except Rejected:
        return piece, code, None


def _wanted(name: str, text: str, stream: str, background: str) -> Wanted:
    program, known = parse_program(text), tuple(map(fact, background.split()))
    arriving, start = tuple(arrivals(stream)), START.get(name, 0)
    judge = ReferenceReasoner(analyse(program, background={one.signature for one in known}), known, start)
    answers = {}
    for time in range(start, arriving[-1][0] + MORE + 1):
        judge.advance(time, [fact for at, fact in arriving if at == time])
        (stream_there,) = judge.answer().answer_streams
        pinned = {(at, one) for at, facts in stream_there.at.items() for one in facts}
        answers[time] = frozenset({*pinned, *((time, one) for one in stream_there.now)})
    return Wanted(name, Piece(program, arriving, known), start, answers, now_only=False)
