"""Interval rows of a reasoner that goes from time point to time point, to compare tables with."""

from __future__ import annotations

from collections.abc import Iterable

from larspark.analysis.analysis import Analysis
from larspark.language.facts import Fact
from larspark.reasoners.protocol import AnswerStream
from larspark.reasoners.registry import make_reasoner

Row = tuple[str, tuple[object, ...], int, int, int | None]
"""Predicate, arguments, from, to, at."""


def rows_of(
    analysis: Analysis,
    arrivals: Iterable[tuple[int, Fact]],
    start: int,
    end: int,
    background: tuple[Fact, ...] = (),
    reasoner: str = "interval",
) -> set[Row]:
    engine = make_reasoner(reasoner, analysis, background, start)
    arriving: dict[int, list[Fact]] = {}
    for time, fact in arrivals:
        arriving.setdefault(time, []).append(fact)
    found: dict[tuple[Fact, int | None], list[tuple[int, int]]] = {}
    for time in range(start, end + 1):
        engine.advance(time, arriving.get(time, []))
        for stream in engine.answer().answer_streams:
            for key in _atoms(stream):
                spans = found.setdefault(key, [])
                if spans and spans[-1][1] == time - 1:
                    spans[-1] = (spans[-1][0], time)
                else:
                    spans.append((time, time))
    return {
        (fact.predicate, fact.args, first, last, at)
        for (fact, at), spans in found.items()
        if fact.signature in analysis.shown
        for first, last in spans
    }


def _atoms(stream: AnswerStream) -> Iterable[tuple[Fact, int | None]]:
    yield from ((fact, None) for fact in stream.now)
    yield from ((fact, at) for at, facts in stream.at.items() for fact in facts)
