"""Late arrivals: after every one, all answers that can still change are those of the definition for what has arrived.

The answers are put together from the changes that come out, so corrections are the differences between answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.engine.changes import RelationChanges
from larspark.reasoners.interval.network import Kind
from larspark.reasoners.interval.state.arrivals import Arrivals
from larspark.reasoners.reference import ReferenceReasoner
from larspark.semantics.answer_streams import answer_streams
from larspark.semantics.interpretations import Atoms
from larspark.semantics.streams import Stream
from support.analysed import analysed as from_text
from support.evaluations import points
from support.judged import analysed, atoms
from support.kept import facts_in
from support.limits import small_limits
from support.random_programs import Scenario
from support.strategies import CONSTRAINED, scenarios
from support.tiers import partly
from support.treatments import treat
from support.verdicts import judge

LATENESS = 4
Arrived = tuple[int, Fact]
Row = tuple[str, Kind, tuple[int, ...]]


class Told:
    """What the changes have said so far about every evaluation time."""

    def __init__(self, reasoner: IntervalReasoner, last: int) -> None:
        self._reasoner, self._last = reasoner, last
        self._at: dict[int, set[Row]] = {}
        tables, network = reasoner.engine.tables, reasoner.engine.network
        held = RelationChanges()
        for relation in (*network.now.values(), *network.pinned.values(), network.inconsistent):
            held.gain(relation, tables.content(relation))
        self.hear(held)

    def hear(self, changes: RelationChanges) -> None:
        for gained, changed in ((False, changes.lost), (True, changes.gained)):
            for relation, rows in changed.items():
                if relation.kind in (Kind.NOW, Kind.PINNED) or relation.name == "inconsistent":
                    for *key, first, last in rows.tolist():
                        for time in range(first, min(last, self._last) + 1):
                            known = self._at.setdefault(time, set())
                            row = (relation.name.removeprefix("@ ").split("/")[0], relation.kind, tuple(key))
                            known.add(row) if gained else known.discard(row)

    def answers(self, time: int) -> list[Atoms]:
        """The answer streams at a time, in the form of the judge."""
        decode = self._reasoner.dictionary.decode
        found: set[tuple[int, Fact]] = set()
        for name, kind, key in self._at.get(time, ()):
            match kind:
                case Kind.NOW:
                    found.add((time, Fact(name, tuple(map(decode, key)))))
                case Kind.PINNED:
                    found.add((key[-1] >> 1, Fact(name, tuple(map(decode, key[:-1])))))
                case _:
                    return []
        return [frozenset(found)]


def delayed(arrivals: Sequence[Arrived], random: Random) -> Iterator[tuple[int, list[Arrived]]]:
    """The arrivals by the time point at which they are heard of, each up to the lateness after its own time."""
    heard = [(time + random.choice((0, 0, 1, LATENESS)), (time, fact)) for time, fact in arrivals]
    times = range(min((at for at, _ in heard), default=0), max((at for at, _ in heard), default=0) + 1)
    for now in times:
        yield now, [arrival for at, arrival in heard if at == now]


def in_order(known: Sequence[Arrived]) -> list[Arrived]:
    """By time; what was heard of later is later at its time point."""
    return sorted(known, key=lambda arrival: arrival[0])


@partly(300)
@given(scenarios(CONSTRAINED), st.randoms(use_true_random=False))
def test_corrections_are_the_differences_between_answers(scenario: Scenario, random: Random) -> None:
    analysis, start = analysed(scenario), scenario.stream.start
    try:
        reasoner = IntervalReasoner(analysis, scenario.background, start, lateness=LATENESS)
        told = Told(reasoner, scenario.times[-1] + LATENESS)
        known: list[Arrived] = []
        for now, heard in delayed([tuple(arrival) for arrival in scenario.stream.input], random):
            known += heard
            for changes in reasoner.replay(now, Arrivals.of(heard, reasoner.dictionary)):
                told.hear(changes)
            stream = Stream.of(start, None, in_order(known))
            for time in range(max(start, now - LATENESS), now + 1):
                expected = answer_streams(analysis.program, stream, time, background=scenario.background)
                assert told.answers(time) == [one.atoms for one in expected], f"{time} at {now}: {known}\n{scenario}"
    except Rejected:
        reject()
    assert reasoner.too_late == 0


RECORDING = [
    "#record alarm/0. alarm :- a [2]. seen(T) :- @T alarm [9].",
    "#record on/0. on :- a. on :- on [1], not b.",
    "#record p/0. p :- a [1], not b [2]. q :- always p [1]. n(N) :- N = #count{ T : @T p [6] }.",
    "#record p/0. p :- a [2 #]. q :- p [3], not b [2 #].",
    "#record p/0. :- p [3], b. p :- a.",
]


@pytest.mark.parametrize("text", RECORDING)
@settings(max_examples=40)
@given(
    arrivals=st.lists(st.tuples(st.integers(0, 8), st.sampled_from([Fact("a"), Fact("b")])), max_size=8),
    random=st.randoms(use_true_random=False),
)
def test_what_was_recorded_is_corrected_too(text: str, arrivals: list[Arrived], random: Random) -> None:
    reasoner = IntervalReasoner(from_text(text), lateness=LATENESS)
    told = Told(reasoner, 20)
    known: list[Arrived] = []
    for now, heard in delayed(in_order(arrivals), random):
        known += heard
        for changes in reasoner.replay(now, Arrivals.of(heard, reasoner.dictionary)):
            told.hear(changes)
        reference = ReferenceReasoner(from_text(text))
        for time in range(now + 1):
            reference.advance(time, [fact for at, fact in in_order(known) if at == time])
            if time >= now - LATENESS:
                expected = [atoms(time, stream) for stream in reference.answer().answer_streams]
                assert told.answers(time) == expected, f"{time} at {now}: {known}"


@pytest.mark.parametrize(
    "rules",
    [
        "s(X) :- e(X) [2 # whole].",
        "t(X,Y) :- f(X,Y) [2 # per X].",
        "s(X) :- always e(X) [1 #].",
        "s(X) :- e(X) [session 1].",
        "#record r/1. r(X) :- e(X) [3 #]. s(X) :- r(X) [4].",
    ],
)
def test_what_is_counted_is_kept_as_long_as_something_may_come_late(rules: str) -> None:
    """Evaluations are made again with the arrivals that were counted then, however many have come since."""
    arrivals = {
        0: "e(1). f(1,2).",
        1: "e(2). a. e(2).",
        2: "a. e(1). f(2,3).",
        3: "a. b. e(3). f(1,4).",
        4: "e(2). e(0).",
        7: "e(1). f(1,2). f(1,2).",
        8: "b. e(4). f(2,2).",
        10: "a. e(2). f(1,5).",
    }
    stream = Stream.of(0, None, [(time, fact) for time, facts in arrivals.items() for fact in facts_in(facts)])
    with small_limits():
        outcome = treat("corrected", judge(Scenario(parse_program(rules), stream, ()), points))
    assert outcome.kind == "agrees", outcome.detail
