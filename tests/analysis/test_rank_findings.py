"""Ranks that cannot be spelled out, and ranks that nobody asks for: what is told, and nothing else."""

from __future__ import annotations

import pytest

from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Severity
from larspark.language.parser import parse_program


@pytest.mark.parametrize(
    "text",
    [
        "best(R,X) :- (R,X) = #top{ k; Y : bid(Y) [3] }.",
        "best(R,X) :- (R,X) = #top{ 0; Y : bid(Y) [3] }.",
        "best(R,X) :- (R,X) = #top{ 2; Y,Z : bid(Y,Z) [3] }.",
    ],
)
def test_one_fault_is_told_once(text: str) -> None:
    assert [one.code for one in analyse(parse_program(text)).diagnostics] == ["E310"]


def test_a_rank_that_does_not_matter() -> None:
    analysis = analyse(parse_program("best(X) :- (_,X) = #top{ 2; Y : bid(Y) [3] }."))
    assert not analysis.diagnostics


@pytest.mark.parametrize(
    ("text", "names", "cure"),
    [
        (
            "t(R,D,X) :- (R,D,X) = #top{ 2; D,X : a(X,D) [5] }.",
            "D and X stand",
            "`(R,D,X) = #top{ 2; D1,X1 : a(X1,D1) [5] }`",
        ),
        (
            "t(R,D,D1) :- (R,D) = #top{ 2; D : a(_,D) [5] }, b(D1), not a(1,D), D > 3.",
            "D stands",
            "`(R,D) = #top{ 2; D2 : a(_,D2) [5] }`",
        ),
        ("t(R,X) :- (R,X) = #bottom{ 2; -Y : a(X,Y) [5] }.", "X stands", "`(R,X) = #bottom{ 2; -Y : a(X1,Y) [5] }`"),
    ],
)
def test_the_result_has_the_names_of_the_element(text: str, names: str, cure: str) -> None:
    (found,) = analyse(parse_program(text)).diagnostics
    assert (found.code, found.severity) == ("W212", Severity.WARNING)
    assert found.message.startswith(names)
    assert cure in found.hint
    assert found.origin is not None
    assert (found.origin.line, found.origin.column) == (1, text.index("(R,", 2) + 1)


@pytest.mark.parametrize(
    "text",
    [
        "t(R,D,X) :- (R,E,Y) = #top{ 2; D,X : a(X,D) [5] }, E = D + 1, b(X,D).",
        "t(R,D,X) :- a(_,D) [2], (R,D,X) = #top{ 2; D,Y : a(Y,D) [5] }.",
        "t(X,R,D) :- k(X), (R,D) = #top{ 2; E : a(X,E) [5] }.",
        "t(X,R,D) :- (R,D) = #top{ 2; E : a(X,E) [5] }.",
        "t(R,D) :- (R,D) = #top{ 2; D : a(_,D) [5] }, D = 3.",
        "t(R,D) :- (R,D) = #top{ 2; E : a(_,E) [5] }, (S,D) = #bottom{ S; D : b(D) [5] }, k(S).",
        "t(R,X) :- k(R), (R,X) = #top{ 2; Y : a(Y,R) [5] }.",
    ],
)
def test_a_group_has_a_key_that_something_else_gives(text: str) -> None:
    assert "W212" not in {one.code for one in analyse(parse_program(text)).diagnostics}
