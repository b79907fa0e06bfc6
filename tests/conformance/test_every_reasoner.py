"""One corpus, every reasoner: the published programs through whichever reasoners accept them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conformance.closed_timelines import CLOSED_TIMELINE
from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact
from larspark.reasoners.protocol import AnswerStream
from larspark.reasoners.registry import REASONERS, make_reasoner
from larspark.runtime.recording import Recording
from support.vectors import Case, cases, facts_by_time


def runs(kind: str) -> Iterator[tuple[str, Case]]:
    """(reasoner, case) wherever the reasoner accepts the program and the data does not reach beyond the evaluation."""
    for case in cases(kind, without=tuple(CLOSED_TIMELINE)):
        if "intensional" in case.data:
            continue
        analysis = analyse(case.program, background={fact.signature for fact in case.background})
        yield from ((name, case) for name in REASONERS if name in analysis.reasoners)


def labelled(pairs: Iterator[tuple[str, Case]]) -> list[object]:
    return [pytest.param(name, case, id=f"{case.id}-{name}") for name, case in pairs]


def timed(stream: AnswerStream, at: int) -> frozenset[tuple[int, Fact]]:
    """The atoms of the program, without those that stand for parts of its formulas."""
    pinned = {(time, fact) for time, facts in stream.at.items() for fact in facts}
    both = pinned | {(at, fact) for fact in stream.now}
    return frozenset((time, fact) for time, fact in both if not fact.signature.hidden)


@pytest.mark.parametrize(("name", "case"), labelled(runs("answer_streams")))
def test_answer_streams(name: str, case: Case) -> None:
    at = case["at"]
    wanted = [
        frozenset((time, fact) for time, facts in facts_by_time(answer).items() for fact in facts)
        for answer in case["expect"]["answer_streams"]
    ]
    analysis = analyse(case.program, background={fact.signature for fact in case.background})
    reasoner = make_reasoner(name, analysis, case.background, case.stream.start)
    for time, facts in Recording.of_facts(case.stream.input, (case.stream.start, at)).time_points(at):
        reasoner.advance(time, facts)
    found = [timed(stream, at) for stream in reasoner.answer(None).answer_streams]
    if name in ("jtms", "answer-update"):
        assert found == [] if not wanted else found[0] in wanted
    else:
        assert sorted(found, key=sorted) == sorted(wanted, key=sorted)


@pytest.mark.parametrize(("name", "case"), labelled(runs("output_stream")))
def test_output_stream(name: str, case: Case) -> None:
    start, end = case["stream"]["timeline"]
    wanted = facts_by_time(case["expect"]["output"])
    reasoner = make_reasoner(name, analyse(case.program), start=start)
    for time, facts in Recording.of_facts(case.stream.input, (start, end)).time_points(end):
        reasoner.advance(time, facts)
        (answer,) = reasoner.answer().answer_streams
        now = frozenset(fact for fact in answer.now if not fact.signature.hidden)
        assert now == wanted.get(time, frozenset()), time
