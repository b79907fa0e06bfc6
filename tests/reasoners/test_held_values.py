"""`#hold`, by every reasoner that takes the program, beside the definition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from larspark.language.facts import Fact
from larspark.language.parser import parse_fact
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.state.arrivals import Arrivals
from larspark.reasoners.protocol import AnswerStream
from larspark.reasoners.reference import ReferenceReasoner
from larspark.reasoners.registry import make_reasoner
from support.analysed import analysed, codes

HELD = "#hold r(M, C) per M for 3. "
#  m: 90  .  70  .  .  .  .  95,96  95  .  .  .  .
#  k: .   .  .  85  .  .  .  .      .   .  .  .  .
STREAM: Mapping[int, Sequence[str]] = {
    2: ["r(m,90)"],
    4: ["r(m,70)"],
    5: ["r(k,85)"],
    9: ["r(m,95)", "r(m,96)"],
    10: ["r(m,95)"],
    20: ["r(k,99)"],
}
END = 28

PROGRAMS = [
    HELD + "hot(M) :- r(M,C), C > 80.",
    HELD + "p(M) :- r(M,C) [2], C > 80. q(M) :- m(M), not r(M,_) [2]. m(m). m(k).",
    HELD + "p(M,C) :- always r(M,C) [2].",
    HELD + "p(M,T) :- @T r(M,_) [2]. q(M,C) :- @(now-2) r(M,C).",
    HELD + "p(M,C) :- r(M,C) [4 hop 3]. q(M,C) :- always r(M,C) [2 hop 2].",
    HELD + "p(M,C) :- r(M,C) [from 6 to 8]. q(M,C) :- r(M,C) [from now-3 to now-2].",
    HELD + "n(M,N) :- m(M), N = #count{ T : @T r(M,_) [4] }. s(S) :- S = #sum{ C,M : r(M,C) }. m(m).",
    HELD + "p(M,C) :- r(M,C) [2 #]. q(M,C) :- r(M,C) [1 # per M].",
    "#hold r(M, C) per M. p(M,C) :- r(M,C). q(M,C) :- always r(M,C) [6].",
    "#hold r(M, C) for 4. p(M,C) :- r(M,C).",
    "#hold r(M, C) per M, C for 4. p(M,C) :- r(M,C) [1].",
    "#hold r(M, C) per M for 0. p(M,C) :- r(M,C) [1].",
    HELD + "#record hot/1. hot(M) :- r(M,C), C > 80. warm(M) :- hot(M) [2], not hot(M).",
    HELD + "#record on/1. on(M) :- r(M,C), C > 80, not @(now-1) on(M).",
    HELD + "#record on/1. on(M) :- r(M,95). any(M) :- r(M,C), C > 80. any(M) :- @(now-1) on(M).",
]


def facts(time: int) -> list[Fact]:
    return [parse_fact(text) for text in STREAM.get(time, ())]


@pytest.mark.parametrize("name", ["interval", "clingo", "jtms", "answer-update"])
@pytest.mark.parametrize("text", PROGRAMS)
def test_like_the_definition(text: str, name: str) -> None:
    analysis = analysed(text)
    assert analysis.accepts[name] == ()
    reference, reasoner = ReferenceReasoner(analysis), make_reasoner(name, analysis, (), 0)
    for time in range(END):
        reference.advance(time, facts(time))
        reasoner.advance(time, facts(time))
        assert reasoner.answer().answer_streams == reference.answer().answer_streams, time


@pytest.mark.parametrize("name", ["interval", "clingo", "jtms", "answer-update"])
def test_at_ticks_the_old_value_holds_until_the_new_one_arrives(name: str) -> None:
    analysis = analysed("#hold r(M, C) per M for 5. p(C) :- r(m,C). q(C,T) :- @T r(m,C) [5].")
    reasoner = make_reasoner(name, analysis, (), 0)
    reasoner.advance(1, [parse_fact("r(m,1)")])
    reasoner.advance(3, [parse_fact("r(k,9)")])
    assert held(reasoner.answer().answer_streams[0]) == {"p(1)", "q(1,1)", "q(1,2)", "q(1,3)"}
    reasoner.advance(3, [parse_fact("r(m,2)")])
    assert held(reasoner.answer().answer_streams[0]) == {"p(2)", "q(1,1)", "q(1,2)", "q(2,3)"}
    reasoner.advance(3, [parse_fact("r(m,3)")])
    assert held(reasoner.answer().answer_streams[0]) == {"p(2)", "p(3)", "q(1,1)", "q(1,2)", "q(2,3)", "q(3,3)"}


def held(stream: AnswerStream) -> set[str]:
    return set(map(str, stream.now))


@pytest.mark.parametrize("text", PROGRAMS)
def test_late_arrivals_and_snapshots(text: str) -> None:
    """Everything arrives three time points late; in the end it is as if it had not."""
    analysis = analysed(text)
    reference, late = ReferenceReasoner(analysis), IntervalReasoner(analysis, lateness=3)
    for time in range(END):
        reference.advance(time, facts(time))
    for time in range(3, END):
        arrivals = [(time - 3, fact) for fact in facts(time - 3)]
        late.advance_batch(time, Arrivals.of(arrivals, late.dictionary))
        if time % 5 == 0:
            late = IntervalReasoner.restore(late.snapshot(), analysis)
    assert late.answer().answer_streams == reference.answer().answer_streams


@pytest.mark.parametrize("text", PROGRAMS)
@pytest.mark.parametrize("ends", [[END], [3, 4, 10, END], [9, 9, 10, 19, END]])
def test_in_chunks(text: str, ends: list[int]) -> None:
    """What is over inside a chunk need not be kept; the answer at its end does not tell whether it is."""
    analysis = analysed(text)
    whole, stepwise = IntervalReasoner(analysis), IntervalReasoner(analysis)
    begin = 0
    for end in ends:
        arrivals = [(time, fact) for time in range(begin, end + 1) for fact in facts(time)]
        whole.advance_batch(end, Arrivals.of(arrivals, whole.dictionary))
        for time in range(begin, end + 1):
            stepwise.advance(time, facts(time))
        assert whole.answer() == stepwise.answer()
        begin = end + 1


def test_a_value_that_ends_with_a_chunk_may_end_sooner() -> None:
    """Its last time point is that of the chunk, at which another value arrives with the next tick."""
    reasoner = IntervalReasoner(analysed("#hold r(M, C) per M for 2. hot(M) :- r(M,C), C > 80."))
    reasoner.advance_batch(3, Arrivals.of([(1, parse_fact("r(m,90)"))], reasoner.dictionary))
    assert held(reasoner.answer().answer_streams[0]) == {"hot(m)"}
    reasoner.advance(3, [parse_fact("r(m,70)")])
    assert not held(reasoner.answer().answer_streams[0])


def test_nothing_changes_while_nothing_arrives() -> None:
    reasoner = IntervalReasoner(analysed("#hold r(M, C) per M for 500. p(M) :- always r(M,_) [100]. q(M) :- r(M,C)."))
    reasoner.advance(10, [parse_fact("r(m,1)")])
    assert reasoner.next_change() == 110
    reasoner.advance(110)
    assert reasoner.next_change() == 511


@pytest.mark.parametrize(
    "text",
    [
        "#hold p/1 for 3. p(X) :- a(X).",
        '#hold p/1 for 3. #background "p.csv" as p/1. q :- p(1).',
        "#hold p/1 for 3. #hold p/1 for 5. q :- p(1).",
    ],
)
def test_what_cannot_be_held(text: str) -> None:
    assert "E210" in codes(text)
