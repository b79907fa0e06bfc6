"""Rules whose literals give each other values: each literal needs what one before it gives, in any order of writing.
Of some, the first needs what the last one gives.

What gives a value is an atom, an interval with computed bounds, an equation or an aggregate; what needs one is another
of these, a negation or a comparison. Gaps are those of `patterns.py`; `A` is what is needed, `B` what is given.
"""

from __future__ import annotations

from itertools import pairwise

from support.generate.draw import Draw

GIVING = {
    "e(B) {w}": 2.0,
    "f(_,B) {w}": 1.5,
    "@B a [9]": 1.5,
    "@B e(_) {w}": 1.0,
    "bg(B)": 0.7,
    "@B bg(_) {l}": 0.7,
}
LEADING = {
    "f(A,B) {w}": 3.0,
    "always e(B) [from A to A]": 2.0,
    "always e(B) [from A - {s} to now]": 1.0,
    "always f(A,B) [from A - {s} to A]": 1.0,
    "f(B,_) [from A to A + {s}]": 1.5,
    "@B e(A) {w}": 1.5,
    "@A e(B) {w}": 2.0,
    "@A bg(B) [{s}, +all]": 0.7,
    "@(A - {s}) e(B)": 1.0,
    "B = A {r} {v}": 2.0,
    "B = #{f}{{ Z : f(A,Z) {w} }}": 1.0,
    "B = #max{{ Z : e(Z) {w}, Z <= A }}": 1.5,
    "B = #min{{ Z,A : f(Z,_) {w}, Z >= A }}": 1.0,
    "B = #count{{ Z : f(A,Z) {w} }}": 1.5,
    "B = #sum{{ T : @T f(A,_) {w} }}": 1.0,
}
CLOSING = {
    "e(B) [from A to now]": 2.0,
    "e(B) [from A to {s} + 6]": 2.0,
    "e(B) {w} [from A - {s} to A + 2]": 1.0,
    "always e(B) [from A to A]": 1.5,
    "always f(B,_) [from A - {s} to A]": 1.0,
    "f(B,A) {w}": 1.0,
    "f(B,A + {s}) {w}": 2.0,
    "@(A + {s}) e(B) {w}": 2.0,
    "@A e(B)": 1.0,
    "@T f(B,A - {s}) {w}": 1.0,
    "bg(B + 0 * A)": 0.3,
}
"""What gives B and needs A, which follows from it."""
ENDING = {
    "not f(B,_) {w}": 1.5,
    "not f(_,A) [from B to now]": 1.5,
    "not always e(A) [from B to B + {s}]": 1.0,
    "not @B e(A)": 1.0,
    "not {s} <= #count{{ Z : f(Z,B) {w} }}": 1.5,
    "not A = #max{{ Z : e(Z) {w}, Z <= B }}": 0.7,
    "B {o} A": 1.5,
    "B {o} now - {s}": 1.0,
    "not bg(B)": 0.5,
}
CLOSED = 0.25
"""The part whose first literal needs what the last one gives."""
HEADS = {"t(A,B)": 4.0, "r(B)": 2.0, "@B r(A)": 0.7, "@(now + {s}) t(A,B)": 0.5}


def meetings(draw: Draw) -> str:
    """A rule with gaps."""
    names = "UVXY"[: draw.pick([2, 2, 3, 3, 4])]
    closed = draw.chance(CLOSED)
    first = _between(draw.weighted(CLOSING), names[-1], names[0])
    literals = [first if closed else draw.weighted(GIVING).replace("B", names[0])]
    for before, name in pairwise(names):
        literals.append(_between(draw.weighted(LEADING), before, name))
    for _ in range(draw.pick([0, 1, 1, 2])):
        literals.append(_between(draw.weighted(ENDING), draw.pick(names), draw.pick(names)))
    literals.sort(key=lambda _: draw.pick(range(100)))
    head = _between(draw.weighted(HEADS), draw.pick(names), names[-1])
    return f"{head} :- {', '.join(literals)}."


def _between(text: str, needed: str, given: str) -> str:
    return text.replace("A", needed).replace("B", given)
