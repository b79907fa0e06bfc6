"""`#record` in closed form: inertia, negation through the recorded past, and what it costs while time passes."""

from __future__ import annotations

import pytest

from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact, parse_program
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.state.arrivals import Arrivals
from larspark.reasoners.reference import ReferenceReasoner
from support.analysed import analysed

STREAM = {1: ["a(x)"], 2: ["a(y)"], 5: ["b(x)"], 6: ["a(x)"], 9: ["a(y)", "b(y)"], 12: ["b(x)"], 13: ["a(z)"]}
END = 24

SWITCH = "#record on/1. on(X) :- a(X). on(X) :- @(now-1) on(X), not b(X). "
PROGRAMS = [
    SWITCH,
    SWITCH + "p(X) :- always on(X) [3]. q(X) :- on(X) [2], not on(X). r(X,T) :- @T on(X) [2].",
    SWITCH + "p(X) :- on(X) [4 hop 2]. q(X) :- always on(X) [4 hop 2]. r(X) :- on(X) [from now-3 to now-2].",
    SWITCH + "n(N) :- N = #count{ X : on(X) [3] }. m(N) :- N = #count{ X,T : @T on(X) [3] }.",
    # A conclusion at the pivot of a window is no reason for itself.
    "#record on/1. on(X) :- a(X). on(X) :- on(X) [+4 hop 5], not b(X).",
    "#record on/1, r/1. on(X) :- a(X). on(X) :- r(X) [0, +3 hop 4]. r(X) :- on(X) [0, +3 hop 4].",
    # Negation through the recorded past.
    "#record on/0, off/0. on :- a(_), not @(now-1) on. on :- @(now-1) on, not @(now-1) off. off :- b(_), not on.",
    "#record odd/0. odd :- not @(now-1) odd.",
    "#record p/1, q/1. p(X) :- a(X) [2], not @(now-1) q(X). q(X) :- p(X), not q(X) [from now-3 to now-1].",
    "#record n/1. n(0) :- a(x). n(N + 1) :- @(now-1) n(N), N < 5.",
    # Conclusions about other time points.
    "#record p/1. @(T + 2) p(X) :- @T a(X) [0]. q(X) :- p(X) [3]. r(X,T) :- @T p(X) [4].",
    "#record p/1. p(X) :- a(X). @(now + 3) p(X) :- b(X). q(X) :- always p(X) [0]. r(X) :- @(now-1) p(X), not b(X).",
    "#record p/1. @T p(X) :- @T a(X) [3], not b(X) [3]. q(X,T) :- @T p(X) [6].",
    # An evaluation without an answer stream records nothing.
    "#record on/1. on(X) :- a(X). on(X) :- @(now-1) on(X). :- b(X), not a(X). p(X) :- on(X) [3].",
    "#record on/1. #input on/1. on(X) :- a(X). on(X) :- @(now-1) on(X), not b(X). p(X) :- always on(X) [2].",
    "#record on/0. on. p :- @(now-2) on.",
    "#record t/1. @now t(X) :- a(X) [1 # per].",
    "#input p/1. #record p/1. p(X) :- a(X). q :- always p(x) [2 #].",
]


def facts(time: int) -> list[Fact]:
    return [parse_fact(text) for text in STREAM.get(time, ())]


@pytest.mark.parametrize("text", PROGRAMS)
def test_time_points(text: str) -> None:
    analysis = analysed(text)
    reference, interval = ReferenceReasoner(analysis), IntervalReasoner(analysis)
    foreseen: int | None = 0
    for time in range(END):
        expected = reference.advance(time, facts(time))
        assert interval.advance(time, facts(time)) == expected, time
        assert interval.answer().answer_streams == reference.answer().answer_streams, time
        if not facts(time) and (expected.appeared or expected.disappeared):
            assert foreseen is not None
            assert foreseen <= time
        foreseen = interval.next_change()


@pytest.mark.parametrize("text", PROGRAMS)
def test_ticks(text: str) -> None:
    analysis = analysed(text)
    reference, interval = ReferenceReasoner(analysis), IntervalReasoner(analysis)
    for time in range(END):
        for tick in [[], *([fact] for fact in facts(time))]:
            reference.advance(time, tick)
            interval.advance(time, tick)
            assert interval.answer().answer_streams == reference.answer().answer_streams, (time, tick)


@pytest.mark.parametrize("size", [1, 3, 7, END])
@pytest.mark.parametrize("text", PROGRAMS)
def test_chunks_late_and_restored(text: str, size: int) -> None:
    analysis = analysed(text)
    reference, chunks, late = (
        ReferenceReasoner(analysis),
        IntervalReasoner(analysis),
        IntervalReasoner(analysis, lateness=END),
    )
    for time in range(END):
        reference.advance(time, facts(time))
    for begin in range(0, END, size):
        times = range(begin, min(begin + size, END))
        arrivals = [(time, fact) for time in times for fact in facts(time)]
        chunks.advance_batch(times[-1], Arrivals.of(arrivals, chunks.dictionary))
        chunks = IntervalReasoner.restore(chunks.snapshot(), analysis)
        late.advance_batch(times[-1], Arrivals.of(arrivals[::2], late.dictionary))
        late.advance_batch(times[-1], Arrivals.of(arrivals[1::2], late.dictionary))
    expected = reference.answer().answer_streams
    assert chunks.answer().answer_streams == expected
    assert late.answer().answer_streams == expected


def test_nothing_is_done_while_nothing_changes() -> None:
    """What stays on is known to stay on; `always` is known to come."""
    reasoner = IntervalReasoner(analysed(SWITCH + "long(X) :- always on(X) [1000]."))
    reasoner.advance(3, [parse_fact("a(x)")])
    assert reasoner.next_change() == 1003
    reasoner.advance(1003)
    assert reasoner.next_change() is None


def test_given_facts_before_the_first_evaluation() -> None:
    given = Fact("g")
    analysis = analyse(parse_program("#record r/0. @T r :- @T g [2]."), background={given.signature})
    reference, interval = ReferenceReasoner(analysis, [given]), IntervalReasoner(analysis, [given])
    for time in (1, 2):
        reference.advance(time)
        interval.advance(time)
        assert interval.answer().answer_streams == reference.answer().answer_streams
