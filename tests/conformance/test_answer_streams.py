"""Answer streams of whole programs: thesis ch. 3–6, answer update, Laser."""

from __future__ import annotations

import pytest

from larspark.language.facts import Fact
from larspark.semantics.answer_streams import answer_streams
from larspark.semantics.streams import Stream
from support.vectors import Case, cases, facts_by_time

Answers = set[frozenset[tuple[int, Fact]]]


def found(case: Case, stream: Stream, at: int) -> Answers:
    computed = answer_streams(
        case.program,
        stream,
        at,
        background=case.background,
        predicates=case.get("intensional"),
    )
    return {interpretation.atoms for interpretation in computed}


def expected(listed: list[dict[int, list[str]]]) -> Answers:
    return {
        frozenset((time, fact) for time, facts in facts_by_time(answer).items() for fact in facts) for answer in listed
    }


@pytest.mark.parametrize("case", cases("answer_streams"), ids=str)
def test_answer_streams(case: Case) -> None:
    assert case["expect"]["exhaustive"]
    assert found(case, case.stream, case["at"]) == expected(case["expect"]["answer_streams"])


def opened(case: Case) -> Stream:
    return Stream.of(case.stream.start, None, case.stream.input)


@pytest.mark.parametrize("case", cases("answer_stream"), ids=str)
def test_answer_stream(case: Case) -> None:
    outcome = case["expect"]
    if "closed_timeline" in outcome:
        assert found(case, case.stream, case["t"]) == expected(outcome["closed_timeline"])
        assert found(case, opened(case), case["t"]) == expected(outcome["open_timeline"])
    else:
        stream = opened(case) if case.get("timeline") == "open" else case.stream
        assert found(case, stream, case["t"]) == expected(outcome["answer_streams"])


@pytest.mark.parametrize("case", cases("output_stream"), ids=str)
def test_output_stream(case: Case) -> None:
    start, end = case["stream"]["timeline"]
    wanted = facts_by_time(case["expect"]["output"])
    for at in range(start, end + 1):
        (answer,) = answer_streams(case.program, opened(case), at)
        assert answer.output(at) == wanted.get(at, frozenset()), at
        cut = case.get("cut_timeline", {}).get(at)
        if cut is not None:
            data = Stream.of(start, at, (arrival for arrival in case.stream.input if arrival.time <= at))
            outputs = [one.output(at) for one in answer_streams(case.program, data, at)]
            assert outputs == ([] if cut == "inconsistent" else [facts_by_time({at: cut})[at]])
