from __future__ import annotations

import pytest

from larspark.analysis import Analysis
from support.analysed import analysed


def unsafe(analysis: Analysis) -> list[str]:
    """The variables found unsafe, in source order."""
    return [d.message.split()[2] for d in analysis.diagnostics if d.code == "E201"]


@pytest.mark.parametrize(
    "text",
    [
        "h(X) :- p(X).",
        "h(X) :- always p(X) [3].",
        "h(X,T) :- @T p(X) [3].",
        "@T h :- @T p.",
        "@(T + 3) h :- @T p [5].",
        "h(Z) :- p(X), q(Y), Z = X + Y.",
        "h(Z) :- p(X), Z = Y * 2, Y = X + 1.",
        "h(X) :- p(X), not q(X, _) [+3].",
        "h :- not q(_).",
        "h :- not @_ q [3].",
        "h(N) :- N = #count{ X : p(X) [5] }.",
        "h(S, N) :- s(S), N = #count{ X : p(X, S) [5] }.",
        "h(S) :- s(S), #sum{ V, X : p(X, V), V > S } > 3.",
        "h(N) :- N = #count{ X : p(X), X < M }, M = #count{ X : p(X) }.",
        "h(X) :- (p(X) [3] and not q(X)).",
        "h(X) :- (p(X) or q(X, Y)), r(Y).",
        "a(X) | b(X) :- p(X).",
        ":- p(X), q(X).",
        "h(now) :- p.",
        "h(X) :- p(X, Y), e [from Y to Y + 3].",
    ],
)
def test_safe_rules(text: str) -> None:
    assert unsafe(analysed(text)) == []


@pytest.mark.parametrize(
    ("text", "variables"),
    [
        ("h(X).", ["X"]),
        ("h(X) :- p(Y).", ["X"]),
        ("h(X, Z) :- p(X), not q(Z).", ["Z"]),
        ("h :- not q(X).", ["X"]),
        ("h :- p(X), X < Y.", ["Y"]),
        ("h(X) :- p(Y), X = Z + Y.", ["X", "Z"]),
        ("h(X) :- p(Y), Y != X.", ["X"]),
        ("h(_) :- p.", ["_"]),
        ("h :- p(X + 1).", ["X"]),
        ("@T h :- p.", ["T"]),
        ("h :- @(T + 1) p [3].", ["T"]),
        ("h(S, N) :- N = #count{ X : p(X, S) [5] }.", ["S"]),
        ("h(N) :- N = #count{ Y : p(X) }.", ["Y"]),
        ("h(N) :- N = #count{ X : p(X), X < N }.", ["N"]),
        ("h :- N = #count{ X : p(X), X < M }, M = #count{ X : p(X), X < N }.", ["N", "M"]),
        ("h(N) :- N = #sum{ X : not p(X) }.", ["X"]),
        ("h(X) :- (p(X) or q).", ["X"]),
        ("h(X) :- (p(X) -> q(X)).", ["X"]),
        ("a(X) | b(Y) :- p(X).", ["Y"]),
        ("h :- p(X), e [from X to Z].", ["Z"]),
        ("#prefer W@1, Z : p(X), not q(Y), X > 1.", ["W", "Z", "Y"]),
    ],
)
def test_unsafe_variables_are_named(text: str, variables: list[str]) -> None:
    assert unsafe(analysed(text)) == variables


def test_an_unsafe_variable_is_shown_where_it_stands() -> None:
    (finding,) = analysed("ok(X) :- p(X).\nh(X) :- p(X),\n  not q(Zed).").diagnostics
    assert finding.origin is not None
    assert (finding.origin.line, finding.origin.column, finding.origin.end_column) == (3, 9, 12)


def test_all_unsafe_variables_of_a_program_are_found_at_once() -> None:
    assert unsafe(analysed("a(X). b(Y) :- c. d(Z, Z) :- not e(Z).")) == ["X", "Y", "Z"]
