"""`#record` and `#input` for derived predicates, beside the reference reasoner."""

from __future__ import annotations

import pytest

from larspark.language.facts import Fact
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.arrivals import Arrivals
from larspark.reasoners.reference import ReferenceReasoner
from support.analysed import analysed

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
