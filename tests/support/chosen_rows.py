"""Interval rows of a program with several answer streams, beside all the answer streams it has."""

from __future__ import annotations

from collections.abc import Iterable

from larspark.analysis.analysis import Analysis
from larspark.language.facts import Fact
from larspark.reasoners.registry import make_reasoner
from support.interval_rows import Row

Shown = frozenset[tuple[Fact, int | None]]
"""What an answer stream shows: facts, pinned or not."""


def shown_at(rows: Iterable[Row], time: int) -> Shown:
    """What the rows say about an evaluation."""
    return frozenset((Fact(name, args), at) for name, args, first, last, at in rows if first <= time <= last)


def all_answers(
    analysis: Analysis, arrivals: Iterable[tuple[int, Fact]], start: int, end: int, background: tuple[Fact, ...] = ()
) -> dict[int, set[Shown]]:
    """By evaluation: what each answer stream of the whole program shows."""
    whole = make_reasoner("clingo", analysis, background, start)
    arriving: dict[int, list[Fact]] = {}
    for time, fact in arrivals:
        arriving.setdefault(time, []).append(fact)
    found: dict[int, set[Shown]] = {}
    for time in range(start, end + 1):
        whole.advance(time, arriving.get(time, []))
        found[time] = {
            frozenset(
                [
                    *((fact, None) for fact in stream.now if fact.signature in analysis.shown),
                    *((f, at) for at, facts in stream.at.items() for f in facts if f.signature in analysis.shown),
                ]
            )
            for stream in whole.answer(None).answer_streams
        }
    return found


def assert_chosen(rows: Iterable[Row], answers: dict[int, set[Shown]]) -> None:
    """At every evaluation the rows are an answer stream; none where there is none."""
    given = list(rows)
    for time, streams in answers.items():
        assert shown_at(given, time) in (streams or {frozenset()}), time
