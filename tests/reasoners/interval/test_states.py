"""Recorded states that are followed key by key: starts, inertia, and what ends it, beside the reference."""

from __future__ import annotations

import os
from collections.abc import Callable
from random import Random

import pytest

from larspark.language.facts import Fact
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.state.arrivals import Arrivals
from larspark.reasoners.reference import ReferenceReasoner
from support.analysed import analysed

FACTOR = 40 if os.environ.get("LARSPARK_EXHAUSTIVE") else 1
SEED, END = 1714, 14
KEYS = ("x", "y")

ASKED = ["a(X)", "b(X)", "a(X) [2]", "b(X) [from now-3 to now-2]", "always a(X) [1]", "p(X)", "q(X) [1]", "g(X,_)"]
PAIRS = ["e(X,Y)", "g(Y,X)", "e(X,Y) [2]", "a(X)", "b(Y)", "h(Y,X)"]
DERIVED = "p(X) :- a(X), not c(X). q(X) :- b(X), not a(X) [1]. h(X,Y) :- g(X,Y), not b(X)."
READERS = [
    "r(X) :- on(X) [3].",
    "r(X) :- always on(X) [2].",
    "r(X) :- on(X), not @(now-1) on(X).",
    "#record up/1. up(X) :- on(X), a(X). up(X) :- @(now-1) up(X), on(X) [1].",
    ":- c(X), on(X), a(X).",
    "n(N) :- N = #count{ X : on(X) }.",
]
PAIR_READERS = ["r(X) :- two(X,Y) [2].", "r(Y) :- always two(X,Y) [1].", "r(X) :- two(X,Y), not @(now-1) two(X,Y)."]


def rules(random: Random, head: str, asked: list[str]) -> str:
    def condition() -> str:
        return random.choice(("", "not ")) + random.choice(asked)

    found = []
    for _ in range(random.choice((1, 1, 2))):
        body = [next(one for one in random.sample(asked, len(asked)) if "_" not in one)]
        body += [condition() for _ in range(random.choice((0, 0, 1)))]
        if "Y" in head and not any("X" in one and "Y" in one and "not" not in one for one in body):
            body.insert(0, "e(X,Y)")
        found.append(f"{head} :- {', '.join(body)}.")
    for _ in range(random.choice((0, 1, 1, 1, 2))):
        body = [f"@(now-1) {head}", *(condition() for _ in range(random.choice((0, 1, 1, 2))))]
        found.append(f"{head} :- {', '.join(body)}.")
    return " ".join(found)


def scenario(number: int) -> tuple[str, dict[int, list[Fact]]]:
    random = Random(SEED * 1_000_003 + number)
    if random.random() < 0.7:
        text = "#record on/1. " + rules(random, "on(X)", ASKED)
        text += " " + " ".join(random.sample(READERS, random.choice((0, 1, 2))))
    else:
        text = "#record two/2. " + rules(random, "two(X,Y)", PAIRS)
        text += " " + " ".join(random.sample(PAIR_READERS, random.choice((0, 1))))
    stream: dict[int, list[Fact]] = {}
    for time in range(END):
        for _ in range(random.choice((0, 0, 1, 1, 2))):
            predicate = random.choice("aabbceg")
            args = tuple(random.choice(KEYS) for _ in range(2 if predicate in "eg" else 1))
            stream.setdefault(time, []).append(Fact(predicate, args))
    return f"{text} {DERIVED}", stream


def by_points(text: str, stream: dict[int, list[Fact]]) -> None:
    analysis = analysed(text)
    reference, interval = ReferenceReasoner(analysis), IntervalReasoner(analysis)
    for time in range(END):
        assert interval.advance(time, stream.get(time, [])) == reference.advance(time, stream.get(time, [])), time
        assert interval.answer().answer_streams == reference.answer().answer_streams, time


def by_ticks(text: str, stream: dict[int, list[Fact]]) -> None:
    """Evaluations at one time point again are not followed key by key, those after them are."""
    analysis = analysed(text)
    reference, interval = ReferenceReasoner(analysis), IntervalReasoner(analysis)
    for time in range(END):
        for tick in [stream.get(time, [])[:1], *([fact] for fact in stream.get(time, [])[1:])]:
            reference.advance(time, tick)
            interval.advance(time, tick)
            assert interval.answer().answer_streams == reference.answer().answer_streams, (time, tick)


def by_chunks(text: str, stream: dict[int, list[Fact]]) -> None:
    analysis, size = analysed(text), 1 + len(text) % 6
    reference, chunks, late = (
        ReferenceReasoner(analysis),
        IntervalReasoner(analysis),
        IntervalReasoner(analysis, lateness=END),
    )
    for begin in range(0, END, size):
        times = range(begin, min(begin + size, END))
        for time in times:
            reference.advance(time, stream.get(time, []))
        arrivals = [(time, fact) for time in times for fact in stream.get(time, [])]
        chunks.advance_batch(times[-1], Arrivals.of(arrivals, chunks.dictionary))
        assert chunks.answer().answer_streams == reference.answer().answer_streams, times
        if begin % 2:
            chunks = IntervalReasoner.restore(chunks.snapshot(), analysis)
        # Not the last time point: what its first evaluation records would stay.
        after = [one for one in arrivals if one[0] < times[-1]][::2]
        late.advance_batch(times[-1], Arrivals.of([one for one in arrivals if one not in after], late.dictionary))
        late.advance_batch(times[-1], Arrivals.of(after, late.dictionary))
    assert late.answer().answer_streams == reference.answer().answer_streams


@pytest.mark.parametrize("way", [by_points, by_ticks, by_chunks])
def test_like_the_reference(way: Callable[[str, dict[int, list[Fact]]], None]) -> None:
    for number in range(30 * FACTOR):
        text, stream = scenario(number)
        try:
            way(text, stream)
        except AssertionError as error:
            error.add_note(f"{number}: {text}\n{stream}")
            raise


def rounds_of(text: str) -> list[tuple[bool, bool]]:
    """For every recorded predicate whether it is followed key by key, and whether its rules need not be evaluated."""
    reasoner = IntervalReasoner(analysed(text))
    reasoner.advance(0)
    rounds = reasoner.engine.rounds
    assert rounds is not None
    return rounds.followed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on(X) :- a(X). on(X) :- @(now-1) on(X), not b(X).", (True, True)),
        ("on(X) :- a(X), not b(X). on(X) :- @(now-1) on(X), a(X) [5], not b(X).", (True, True)),
        ("on(X) :- q(X). on(X) :- @(now-1) on(X). q(X) :- a(X), b(X).", (True, True)),
        # Others than its keys may end it; what else is asked for is found by the rules.
        ("on(X) :- a(X). on(X) :- @(now-1) on(X), not b(_).", (False, False)),
        ("on(X) :- a(X), not @(now-2) on(X). on(X) :- @(now-1) on(X).", (False, False)),
        # Constraints decide whether anything is recorded at all.
        ("on(X) :- a(X). on(X) :- @(now-1) on(X), not b(X). :- b(X), not a(X).", (True, False)),
        # Without inertia it is what is concluded.
        ("on(X) :- a(X), b(X). r(X) :- on(X) [3].", (True, False)),
    ],
)
def test_what_is_followed(text: str, expected: tuple[bool, bool]) -> None:
    assert rounds_of(f"#record on/1. {text}") == [expected]


def test_rules_that_are_followed_have_fired() -> None:
    text = "#record on/1. on(X) :- a(X). on(X) :- b(X). on(X) :- @(now-1) on(X), not c(X)."
    reasoner = IntervalReasoner(analysed(text))
    reasoner.advance(1, [Fact("a", ("x",))])
    fired = sorted(origin.column - 1 for _, origin in reasoner.engine.fired)
    assert fired == [text.index("on(X) :- a"), text.index("on(X) :- @")]
