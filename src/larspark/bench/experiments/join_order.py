"""The order of joins: a rule whose literals stand in an unlucky order, with and without planning by sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from larspark.analysis.pipeline import Analysis
from larspark.bench.measuring.figures import Experiment, Figure
from larspark.bench.measuring.measure import AnswersDiffer, cpu_seconds
from larspark.language.facts import Fact
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.state.arrivals import Arrivals
from larspark.runtime.prepared import prepare

PROGRAM = """
#input asked/1, seen/2, broken/1.
alarm(S,V) :- asked(S), seen(S,V) [50], broken(V) [50].
"""
STOPS, VEHICLES, BROKEN = 10, 5000, 3
"""Few stops see many vehicles, few of which are broken: from the vehicles to the stops is the shorter way."""


def _stream(points: int) -> list[tuple[int, list[Fact]]]:
    random = Random(1)
    return [
        (
            time,
            [
                *(Fact("seen", (random.randrange(STOPS), random.randrange(VEHICLES))) for _ in range(100)),
                *(Fact("asked", (stop,)) for stop in range(STOPS)),
                *(Fact("broken", (vehicle,)) for vehicle in range(BROKEN) if time % 10 == 0),
            ],
        )
        for time in range(points)
    ]


def _prepared(analysis: Analysis, points: int, reviewing: bool) -> tuple[IntervalReasoner, Callable[[], object]]:
    reasoner = IntervalReasoner(analysis)
    reasoner.engine.reviewing = reviewing
    chunks = [
        (time, Arrivals.of(((time, fact) for fact in facts), reasoner.dictionary)) for time, facts in _stream(points)
    ]

    def run() -> None:
        for until, arrivals in chunks:
            reasoner.engine.advance(until, arrivals)

    return reasoner, run


def _measure(quick: bool) -> Iterator[Figure]:
    analysis, points = prepare(PROGRAM).require().analysis, 40 if quick else 300
    seconds: dict[bool, list[float]] = {True: [], False: []}
    answers = []
    for _ in range(1 if quick else 3):
        for reviewing, times in seconds.items():
            reasoner, run = _prepared(analysis, points, reviewing)
            times.append(cpu_seconds(run))
            answers.append(reasoner.view.answer_stream())
    if any(answer != answers[0] for answer in answers):
        raise AnswersDiffer("join-order: the order of joins has changed an answer")
    ratio = min(seconds[False]) / min(seconds[True])
    yield Figure("as written / planned by sizes", round(ratio, 2), "", 1, True, details={"points": points})


EXPERIMENTS = (Experiment("join-order", "a rule in an unlucky order, planned by sizes or not", _measure, seconds=10),)
