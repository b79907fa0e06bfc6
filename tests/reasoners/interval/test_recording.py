"""`#record` and `#input` for derived predicates, beside the reference reasoner."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, reject

from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.state.arrivals import Arrivals
from larspark.reasoners.reference import ReferenceReasoner
from support.analysed import analysed
from support.judged import analysed as analysed_scenario
from support.random_programs import Scenario
from support.strategies import ARRIVING, scenarios
from support.tiers import partly

FACTOR = 34 if os.environ.get("LARSPARK_EXHAUSTIVE") else 1

A, B = Fact("a"), Fact("b")
STREAM = {1: [A], 2: [B], 5: [A, B], 6: [A], 12: [B]}

PROGRAMS = [
    "#record alarm/0. alarm :- a [2]. seen(T) :- @T alarm [9].",
    "#record on/0. on :- a. on :- on [1], not b.",
    "#record p/0. p :- a [1], not b [2]. q :- always p [1]. n(N) :- N = #count{ T : @T p [6] }.",
    "#record s/1. s(T) :- @T a [1]. t(X,T) :- @T s(X) [3], not b.",
    "#input a/0. a :- b. c :- a [1]. d :- always a [1].",
    "#input a/0. a :- b, not c. d :- a [1 #]. e :- not a [2].",
    "#record p/0. :- p [3], a. p :- b.",
]


@pytest.mark.parametrize("text", PROGRAMS)
def test_like_the_reference(text: str) -> None:
    reference, interval = ReferenceReasoner(analysed(text)), IntervalReasoner(analysed(text))
    for time in range(20):
        facts = STREAM.get(time, [])
        assert interval.advance(time, facts) == reference.advance(time, facts), time
        assert interval.answer().answer_streams == reference.answer().answer_streams, time


@pytest.mark.parametrize("text", PROGRAMS)
def test_chunks_and_time_points_passed_over(text: str) -> None:
    point_by_point, in_one = IntervalReasoner(analysed(text)), IntervalReasoner(analysed(text))
    for time in range(20):
        point_by_point.advance(time, STREAM.get(time, []))
    arrivals = [(time, fact) for time, facts in STREAM.items() for fact in facts]
    in_one.advance_batch(19, Arrivals.of(arrivals, in_one.dictionary))
    assert in_one.answer() == point_by_point.answer()


@pytest.mark.parametrize(
    "text",
    [
        "#input b/0. p :- @T b, @T c.",  # neither of the two says what T may be
    ],
)
def test_given_facts_at_times_that_nothing_tells(text: str) -> None:
    given = (B, Fact("c"))
    analysis = analyse(parse_program(text), background={fact.signature for fact in given})
    with pytest.raises(Rejected):
        IntervalReasoner(analysis, given)


@partly(FACTOR * 600)
@given(scenarios(ARRIVING))
def test_random_programs(scenario: Scenario) -> None:
    """Conclusions that also arrive or are recorded, input that is also given: what is data is not listed as pinned."""
    try:
        program, start = analysed_scenario(scenario), scenario.stream.start
        reference = ReferenceReasoner(program, scenario.background, start)
        interval = IntervalReasoner(program, scenario.background, start)
        for time in scenario.times:
            facts = [arrival.fact for arrival in scenario.stream.input if arrival.time == time]
            expected = reference.advance(time, facts)
            assert interval.advance(time, facts) == expected, f"at {time}\n{scenario}"
            assert interval.answer().answer_streams == reference.answer().answer_streams, f"at {time}\n{scenario}"
    except Rejected:
        reject()
