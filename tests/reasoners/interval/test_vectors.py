"""The published cases that are stratified: output streams, answer streams on the open timeline, encodings, Laser."""

from __future__ import annotations

import pytest

from larspark.analysis.pipeline import Analysis, analyse
from larspark.language.facts import Fact
from larspark.reasoners.protocol import AnswerStream
from larspark.reasoners.registry import make_reasoner
from support.vectors import Case, arrivals, cases, facts_by_time

OTHERS = {"E511", "E512", "E513", "E514"}
"""Full formulas, window functions in Python, choices, and negation in a cycle belong to other reasoners."""

CLOSED = {
    "thesis-thm26-future-head": "the case closes the timeline at the evaluation time; ours is open",
}


def analysed(case: Case) -> Analysis:
    return analyse(case.program, background={fact.signature for fact in case.background})


def accepted(found: list[Case]) -> list[Case]:
    return [case for case in found if case.id not in CLOSED and not analysed(case).accepts["interval"]]


OUTPUT = cases("output_stream")
ANSWER = cases("answer_stream")
ENCODING = cases("encoding")


def answer(case: Case, at: int) -> list[dict[int, frozenset[Fact]]]:
    """Evaluated at every time point up to this one."""
    start = case["stream"]["timeline"][0]
    reasoner = make_reasoner("interval", analysed(case), case.background, start)
    for time in range(start, at + 1):
        reasoner.advance(time, [fact for when, fact in arrivals(case["stream"]) if when == time])
    return [_visible(stream, at) for stream in reasoner.answer().answer_streams]


def _visible(stream: AnswerStream, at: int) -> dict[int, frozenset[Fact]]:
    """Without the atoms that stand for parts of formulas."""
    both = {**stream.at, at: stream.now}
    found = {time: frozenset(fact for fact in facts if not fact.signature.hidden) for time, facts in both.items()}
    return {time: facts for time, facts in found.items() if facts}


@pytest.mark.parametrize("case", accepted(OUTPUT), ids=str)
def test_output_stream(case: Case) -> None:
    start, end = case["stream"]["timeline"]
    wanted = facts_by_time(case["expect"]["output"])
    reasoner = make_reasoner("interval", analysed(case), case.background, start)
    for time in range(start, end + 1):
        reasoner.advance(time, [fact for when, fact in arrivals(case["stream"]) if when == time])
        (stream,) = reasoner.answer().answer_streams
        assert _visible(stream, time).get(time, frozenset()) == wanted.get(time, frozenset()), time


@pytest.mark.parametrize("case", accepted(ANSWER), ids=str)
def test_answer_stream(case: Case) -> None:
    outcome = case["expect"]
    wanted = outcome["open_timeline"] if "open_timeline" in outcome else outcome["answer_streams"]
    assert answer(case, case["t"]) == [facts_by_time(stream) for stream in wanted]


@pytest.mark.parametrize("case", accepted(ENCODING), ids=str)
def test_encoding(case: Case) -> None:
    outcome = case["expect"]
    wanted = outcome.get("agree", outcome.get("definition"))
    assert answer(case, case["at"]) == [facts_by_time(stream) for stream in wanted]


def test_every_other_case_belongs_to_another_reasoner() -> None:
    for case in (*OUTPUT, *ANSWER, *ENCODING):
        assert case.id in CLOSED or {reason.code for reason in analysed(case).accepts["interval"]} <= OTHERS, case.id
