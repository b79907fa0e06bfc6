"""Patterns with what is written out before anything else sees it, in the style and with the gaps of `patterns.py`.

`{k}` is a comparison and `{m}` an operation, both spelled as a predicate, `{i}` one of Allen's relations.
"""

from __future__ import annotations

from larspark.language.shorthands.relation_predicates import COMPARISONS, OPERATIONS

COMPARED, CALCULATED = (*COMPARISONS,), (*OPERATIONS,)
BETWEEN = (
    *("before", "after", "meets", "met by", "overlaps", "overlapped by", "starts", "started by", "during", "contains"),
    *("finishes", "finished by", "equals"),
    *("before", "after", "equals") * 2,
)
"""Short intervals are often apart, or the same."""

AS_PREDICATES = (
    "t(X,Y) :- e(X) {w}, f(Y,_) {w}, not {k}(X,Y).",
    "t(X,Z) :- f(X,Y) {w}, {m}(X,Y,Z), not {k}(Z,{v}).",
    "r(Y) :- e(X) {w}, incr(X,Y), not e(Y) {w}.",
    "r(X) :- e(X) {w}, bg(Y), not {m}(X,Y,{v}), not incr(Y,X).",
    "t(X,D) :- @T e(X) {w}, leq(T,now), minus(now,T,D), {k}(D,{s}).",
    "@T s(X) :- @T e(X) {w}. r(X) :- @T s(X) {w}, plus(T,{s},U), not @U a {w}.",
    "s(X) :- e(X) {w}. s(Y) :- s(X), incr(X,Y), not geq(X,{s}), not a {l}.",
    "t(X,N) :- e(X) {w}, N = #{f}{{ Z : f(X,V) {w}, {m}(X,V,Z), {k}(V,X) }}.",
    "r(X) :- e(X) {w}, not q(X). q(X) :- e(X) {w}, not r(X). :- r(X), r(Y), neq(X,Y), b {l}.",
    "leq(X,Y) :- f(X,Y) {w}. r(X) :- e(X) {w}, not leq(X,_). p :- leq(X,Y), lt(X,Y).",
)
"""The last one derives a predicate of the name, and means it."""
BETWEEN_INTERVALS = (
    "t(X,Y) :- f(X,Y) {w}, [X,X + {s}] {i} [Y,Y + {s}]. r(X) :- f(X,Y) {w}, [X,X + {s}] {i} [Y,Y + 1].",
    "t(X,Y) :- f(X,Y) {w}, not [{s},2] {i} [X,Y].",
    "t(X,Y) :- e(X) {w}, bg(Y), [X,X + {s}] {i} [Y - {s},Y + {s}]. r(X) :- e(X) {w}, bg(Y), [Y,Y] {i} [X,X + {s}].",
    "t(T,U) :- @T e(_) {w}, @U a {w}, [T,T + {s}] {i} [U,now].",
    "r(X) :- @T e(X) {w}, @U a [9], not [T,T + {s}] {i} [U,now].",
    "@T s(X) :- @T e(X) {w}. t(S,E) :- @S s(X) [9], @E s(X), always s(X) [from S to E], @U a {w}, [S,E] {i} [U,now].",
    "#record s/1. s(X) :- e(X) {w}. r(X) :- @S s(X) [5], @E a {w}, not [S,now] {i} [E,E + {s}].",
    "t(X,N) :- e(X) {w}, N = #count{{ V : f(V,_) {w}, [X,X + {s}] {i} [V,V + 1] }}.",
)
FOR_EVERY = (
    "p :- e(X) {w} : f(X,_) {w}; a {w}.",
    "r(X) :- e(X) {w}, not f(X,Y) {w} : bg(Y), not a {l}.",
    "r(X) :- f(X,_) {w}, e(Y) {w} : f(X,Y) {w}, Y {o} X.",
    "@T s(X) :- @T e(X) {w}. r(X) :- f(X,_) {w}, s(Y) {w} : f(X,Y) {w}.",
    "r(X) :- e(X) {w}, not @T a {w} : @T e(X) {w}, T < now.",
    "s(X) :- e(X) {w}, not a {w}. r(X) :- e(X) {w}, not s(Y) : f(X,Y) {w}; not b {l}.",
    "r(X) :- e(X) {w}, {k}(X,Y) : f(Y,_) {w}.",
    "r(X) :- e(X) {w}, not [X,Y] {i} [{s},Z] : f(Y,Z) {w}.",
)
SPELLINGS = (*AS_PREDICATES, *BETWEEN_INTERVALS, *FOR_EVERY)
