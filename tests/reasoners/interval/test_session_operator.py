"""Sessions at interval speed: an arrival is one row, and the session's end takes all of them."""

from __future__ import annotations

from random import Random

from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.state.arrivals import Arrivals
from larspark.reasoners.interval.state.snapshot import Snapshot

PROGRAM = "n(B,N) :- bid(_,B) [session 3 per B], N = #count{ I : bid(I,B) [session 3 per B] }."


def reasoner(text: str = PROGRAM) -> IntervalReasoner:
    return IntervalReasoner(analyse(parse_program(text)), (), 0)


def counts(found: IntervalReasoner) -> set[tuple[object, ...]]:
    (stream,) = found.answer().answer_streams
    return {fact.args for fact in stream.now}


def test_a_session_counts_until_it_ends() -> None:
    found = reasoner()
    told = {}
    arriving = {0: [(1, "x")], 2: [(2, "x"), (3, "y")], 5: [(4, "x")], 12: [(5, "x")]}
    for time in range(17):
        found.advance(time, [Fact("bid", one) for one in arriving.get(time, ())])
        told[time] = counts(found)
    assert [told[time] for time in (0, 1, 2, 4, 5, 6, 8, 9, 12, 15, 16)] == [
        {("x", 1)},
        {("x", 1)},
        {("x", 2), ("y", 1)},
        {("x", 2), ("y", 1)},
        {("x", 3), ("y", 1)},
        {("x", 3)},
        {("x", 3)},
        set(),
        {("x", 1)},
        {("x", 1)},
        set(),
    ]


def test_many_keys_that_come_and_go() -> None:
    """Keys whose sessions are over are forgotten; chunks and single steps agree."""
    random = Random(3)
    arrivals = sorted((random.randint(0, 6000), number, f"b{random.randint(0, 4000)}") for number in range(9000))
    whole, parts = reasoner(), reasoner()
    facts = [(time, Fact("bid", (number, bidder))) for time, number, bidder in arrivals]
    whole.advance_batch(6001, Arrivals.of(facts, whole.dictionary))
    for end in range(10, 6011, 10):
        own = [one for one in facts if end - 10 < one[0] <= end]
        parts.advance_batch(min(end, 6001), Arrivals.of(own, parts.dictionary))
    assert counts(whole) == counts(parts)
    last = {bidder: time for time, _, bidder in arrivals}
    assert {one[0] for one in counts(whole)} == {bidder for bidder, time in last.items() if time >= 6001 - 3}


def test_what_is_over_is_dropped_from_the_log() -> None:
    found = reasoner()
    for time in range(0, 1000, 10):
        found.advance(time, [Fact("bid", (time, "x"))])
    kept = Snapshot.load(found.snapshot()).arrivals
    assert sum(map(len, kept.values())) < 5


def test_the_next_change_is_the_end_of_a_session() -> None:
    found = reasoner()
    found.advance(4, [Fact("bid", (1, "x"))])
    assert found.next_change() == 8
