"""A program as text beside the judge: answers, and changes that add up to them, whenever it is evaluated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from larspark.analysis.analysis import Analysis
from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.reasoners.protocol import AnswerStream, Change
from larspark.reasoners.registry import make_reasoner
from support.notation import fact

Step = tuple[int, list[Fact]]
Shown = tuple[frozenset[Fact], frozenset[tuple[int, Fact]]]
NOTHING: Shown = (frozenset(), frozenset())


def arrivals(text: str) -> list[tuple[int, Fact]]:
    """`0:a 1:r(1)`: arrivals in order."""
    parts = (part.partition(":") for part in text.split())
    return [(int(time), fact(atom)) for time, _, atom in parts]


def at_points(stream: Sequence[tuple[int, Fact]], start: int) -> list[Step]:
    """Every time point, and some more than have data."""
    last = max((time for time, _ in stream), default=start)
    return [(time, [fact for at, fact in stream if at == time]) for time in range(start, last + 4)]


def at_ticks(stream: Sequence[tuple[int, Fact]], start: int) -> list[Step]:
    """After every arrival."""
    return [(time, [fact]) for time, fact in stream]


def at_arrivals(stream: Sequence[tuple[int, Fact]], start: int) -> list[Step]:
    """The time points with data only."""
    return [step for step in at_points(stream, start) if step[1]]


WAYS: tuple[Callable[[Sequence[tuple[int, Fact]], int], list[Step]], ...] = (at_points, at_ticks, at_arrivals)


def analysed(text: str, background: Iterable[str] = ()) -> tuple[Analysis, tuple[Fact, ...]]:
    known = tuple(map(fact, background))
    return analyse(parse_program(text), background={one.signature for one in known}).require(), known


def assert_agrees(name: str, text: str, stream: str, background: Iterable[str] = (), start: int = 0) -> None:
    """The reasoner finds answer streams of the judge (all of them, if it can) at every step of every way."""
    analysis, known = analysed(text, background)
    for way in WAYS:
        judge, reasoner = (make_reasoner(one, analysis, known, start) for one in ("reference", name))
        accumulated = NOTHING
        for time, atoms in way(arrivals(stream), start):
            judge.advance(time, atoms)
            change = reasoner.advance(time, atoms)
            place = f"{name}, {way.__name__}, time {time} after {[*map(str, atoms)]}:\n{text}\n"
            expected = {shown(one) for one in judge.answer(None).answer_streams}
            found = [shown(one) for one in reasoner.answer(None).answer_streams]
            assert change.consistent == bool(found) == bool(expected), place
            assert set(found) <= expected, place
            assert name == "jtms" or len(found) == len(expected), place
            accumulated = changed(accumulated, change)
            assert accumulated == (found[0] if found else NOTHING), place


def shown(stream: AnswerStream) -> Shown:
    return stream.now, frozenset((time, one) for time, facts in stream.at.items() for one in facts)


def changed(before: Shown, change: Change) -> Shown:
    """What is shown after a change, which must speak about what was shown before."""
    now, pinned = before
    assert change.disappeared <= now, change
    assert not change.appeared & now, change
    assert change.unpinned <= pinned, change
    assert not change.pinned & pinned, change
    return now - change.disappeared | change.appeared, pinned - change.unpinned | change.pinned
