"""Small programs put together of three parts: where atoms come from, how they are read, and what is done with them.

Each part is rare in larger programs, and two of them together are nearly never there. Gaps are those of `patterns.py`;
`P` is the predicate that is read.
"""

from __future__ import annotations

from support.generate.draw import Draw

SOURCES = {
    "": ("e", 3.0),
    "#input e/1.": ("e", 1.5),
    "#hold e/1 for {s}.": ("e", 1.0),
    "#hold e/1 per 1 for {s}.": ("e", 0.7),
    "#input bg/1.": ("bg", 1.0),
    "s(X) :- e(X) {w}.": ("s", 1.5),
    "s(X) :- e(X) {w}, not a {w}.": ("s", 1.0),
    "@T s(X) :- @T e(X) {w}.": ("s", 3.0),
    "@T s(X) :- @T e(X) {w}, not @T a {w}. s(X) :- f(X,_) {w}.": ("s", 1.0),
    "@(T + {s}) s(X) :- @T e(X) {w}.": ("s", 1.5),
    "@(T - {s}) s(X) :- @T e(X) {w}.": ("s", 1.0),
    "#input s/1. s(X) :- e(X) {w}.": ("s", 1.5),
    "#input s/1. @T s(X) :- @T e(X) {w}.": ("s", 1.5),
    "#record s/1. s(X) :- e(X) {w}.": ("s", 1.5),
    "#record s/1. @(now + {s}) s(X) :- e(X).": ("s", 1.0),
    "#record s/1. @(T - {s}) s(X) :- @T e(X) {w}.": ("s", 0.7),
    "s(X) :- e(X) {w}, not z(X). z(X) :- e(X) {w}, not s(X).": ("s", 1.5),
    "@T s(X) :- @T e(X) [1], not @T z(X). @T z(X) :- @T e(X) [1], not @T s(X).": ("s", 0.7),
    "s(X) | z(X) :- e(X) {w}. z(X) :- f(X,_) {w}.": ("s", 1.0),
    "s(X) :- e(X) {w}. s(Y) :- s(X), f(X,Y) {w}.": ("s", 1.5),
}
"""Rules and directives, with what they are about."""
READINGS = {
    "P(X)": 1.5,
    "P(X) {w}": 4.0,
    "P(X) {w}{w}": 1.5,
    "P(X) {n}": 1.5,
    "P(X) {w}{n}": 0.7,
    "P(X) {w}[of P({c})]": 0.7,
    "always P(X) {y}": 3.0,
    "always P(X) {n}": 0.7,
    "@T P(X) {w}": 4.0,
    "@T P(X)": 1.5,
    "@T P(X) {n}": 1.0,
    "@(now - {s}) P(X)": 1.0,
    "@(now + {s}) P(X) {w}": 0.7,
    "@T a {w}, @(T - {s}) P(X)": 1.0,
    "@T a {w}, @T P(X) {w}": 1.0,
    "P(X) [from now - {s} to now]": 0.7,
    "P(X) [from T to now], @T a {w}": 1.0,
    "P(X) {l}[from T - {s} to T + {s}], @T a [9]": 1.0,
}
USES = {
    "r(X) :- R.": 4.0,
    "t(X,X) :- R, f(X,_) {w}.": 1.0,
    "r(X) :- R, X {o} {v}.": 1.0,
    "r(X {r} {v}) :- R.": 0.7,
    "r(Y) :- R, Y = X {r} {v}, Y {o} X.": 0.7,
    "p :- R, not q. q :- R, not p. p :- b {l}.": 1.0,
    "r(X) :- R, not q(X). q(X) :- R, not r(X). #show r/1.": 0.7,
    "r(X) :- R, not q(X). q(X) :- R, not r(X). #prefer {v} : q(X).": 0.7,
    "r(X) | q(X) :- R. q(X) :- f(X,_) {w}.": 0.7,
    "r(1) :- b {w}. :- R, b {l}.": 0.7,
    "t(X,N) :- R, N = #{f}{{ V : f(X,V) {w} }}.": 0.7,
    "t(0,N) :- N = #{f}{{ X : R }}.": 2.0,
    "t(Y,N) :- f(Y,_) {w}, N = #{f}{{ X : R, X {o} Y }}.": 1.5,
    "r(Y) :- f(Y,_) {w}, not #{f}{{ X : R }} {o} Y.": 1.0,
    "r(Y) :- R, r(X), f(X,Y) {w}. r(X) :- R.": 0.7,
}
DENIED = {
    "r(X) :- f(X,_) {w}, not R.": 3.0,
    "r(X) :- f(X,_) {w}, not R, not b {w}.": 1.0,
    "t(X,N) :- f(X,_) {w}, N = #{f}{{ V : f(V,_) {w}, not R }}.": 1.0,
    "r(X) :- f(X,_) {w}, not R, not q(X). q(X) :- f(X,_) {w}, not r(X).": 1.0,
}
"""What a single literal without a time can be denied in."""
TIMED = {
    "t(X,T) :- R.": 4.0,
    "@T r(X) :- R.": 1.5,
    "@(T + {s}) r(X) :- R. q(X) :- r(X) {w}.": 1.0,
    "t(X,now - T) :- R, T {o} now - {s}.": 1.0,
    "r(X) :- R, not @T f(X,_) {w}.": 1.0,
    "t(0,N) :- N = #{f}{{ T : R }}.": 1.0,
    "t(X,T) :- R, T = #max{{ U : @U f(_,_) {w} }}.": 0.7,
    "t(X,T) :- R, f(X,T) {w}.": 0.7,
    "r(X) :- R, T {o} X.": 0.7,
}
"""What a time can be used for."""


def composed(draw: Draw) -> str:
    """A program with gaps."""
    source = draw.weighted({text: weight for text, (_, weight) in SOURCES.items()})
    predicate, _ = SOURCES[source]
    counted = predicate == "e" or f"#input {predicate}/1." in source
    reading = draw.weighted({text: weight for text, weight in READINGS.items() if counted or "{n}" not in text})
    timed, single = "T" in reading, "," not in reading
    if timed and draw.chance(0.6):
        use = draw.weighted(TIMED)
    elif single and not timed and draw.chance(0.35):
        use = draw.weighted(DENIED)
    else:
        use = draw.weighted(USES)
    return f"{source} {use.replace('R', reading).replace('P(', f'{predicate}(')}"
