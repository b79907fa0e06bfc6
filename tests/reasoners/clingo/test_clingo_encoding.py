"""The published encodings, against the definition: conformance kinds encoding, asp, asp_project."""

from __future__ import annotations

import pytest

from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact
from larspark.reasoners.clingo.reasoner import ClingoReasoner
from support.vectors import Case, arrivals, cases, facts_by_time

OPEN_FUTURE = {
    "thesis-thm26-future-head": "the case closes the timeline at the evaluation time; ours is open, as in its `static`"
}


def answers(case: Case) -> list[dict[int, frozenset[Fact]]]:
    start = case["stream"]["timeline"][0]
    signatures = {fact.signature for fact in case.background}
    reasoner = ClingoReasoner(analyse(case.program, background=signatures), case.background, start)
    by_time: dict[int, list[Fact]] = {}
    for time, fact in arrivals(case["stream"]):
        if time <= case["at"]:
            by_time.setdefault(time, []).append(fact)
    for time in sorted({*by_time, case["at"]}):
        reasoner.advance(time, by_time.get(time, ()))
    found = []
    for stream in reasoner.answer(None).answer_streams:
        facts = {**stream.at, **({case["at"]: stream.now} if stream.now else {})}
        found.append(facts)
    return found


@pytest.mark.parametrize("case", cases("encoding", without=tuple(OPEN_FUTURE)), ids=str)
def test_agrees_with_the_definition(case: Case):
    expect = case["expect"]
    wanted = [facts_by_time(stream) for stream in expect.get("agree", expect.get("definition"))]
    found = answers(case)
    assert len(found) == len(wanted)
    assert all(stream in found for stream in wanted)


@pytest.mark.parametrize("case", [case for case in cases("encoding") if case.id in OPEN_FUTURE], ids=str)
def test_future_heads_are_kept_on_the_open_timeline(case: Case):
    assert answers(case) == [facts_by_time(stream) for stream in case["expect"]["static"]]
