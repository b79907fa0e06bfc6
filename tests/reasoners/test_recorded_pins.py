"""`#record` of `@T a`: the conclusion joins the stream at its own time, from then on if it lies ahead."""

from __future__ import annotations

from random import Random

import pytest

from larspark.language.parser import parse_fact
from larspark.reasoners.registry import make_reasoner
from support.analysed import analysed

PROGRAMS = [
    "#record b/0. @T b :- @T a [1]. c(T) :- @T b [4].",
    "#record b/0. @(T-1) b :- @T a, a. c(T) :- @T b [2].",
    "#record b/0. @(T+3) b :- @T a, a. c(T) :- @T b [1, +9]. d :- always b [1]. e :- not b [2].",
    "#record b/0. @(T+2) b :- @T a [0], a. z :- not b [1].",
    "#record b/1. #input b/1. @(T+2) b(T) :- @T a [1]. b(0) :- a [2], not a. c(X) :- b(X) [1 # per X].",
]


@pytest.mark.parametrize("name", ["clingo", "jtms", "answer-update"])
@pytest.mark.parametrize("text", PROGRAMS)
def test_like_the_reference(text: str, name: str) -> None:
    analysis = analysed(text)
    for seed in range(6):
        random = Random(seed)
        exact, reasoner = make_reasoner("reference", analysis), make_reasoner(name, analysis)
        time = 2
        for _ in range(10):
            time += random.choice((0, 1, 1, 2))
            arriving = [parse_fact("a")] if random.random() < 0.4 else []
            assert reasoner.advance(time, arriving) == exact.advance(time, arriving)
            assert reasoner.answer().answer_streams == exact.answer().answer_streams
