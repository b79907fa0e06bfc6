"""Ranks that cannot be spelled out, and ranks that nobody asks for: what is told, and nothing else."""

from __future__ import annotations

import pytest

from larspark.analysis.pipeline import analyse
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
