"""A reasoner beside the judge, at every time point of a random scenario."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from unittest import mock

from hypothesis import reject

from larspark.analysis.pipeline import Analysis, analyse
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.reasoners.interval.engine import engine
from larspark.reasoners.protocol import AnswerStream, Reasoner
from larspark.semantics.answer_streams import answer_streams
from larspark.semantics.interpretations import Atoms
from larspark.semantics.preference import preferred
from support.random_programs import Scenario

Make = Callable[[Analysis, tuple[Fact, ...], int], Reasoner]


def analysed(scenario: Scenario) -> Analysis:
    return analyse(scenario.program, background={fact.signature for fact in scenario.background})


def steps(scenario: Scenario, make: Make) -> Iterator[tuple[int, Reasoner, list[Atoms]]]:
    """The reasoner after every time point, with the (preferred) answer streams of the definition there.

    A scenario that the reasoner or the judge refuses is none.
    """
    analysis = analysed(scenario)
    start = scenario.stream.start
    try:
        reasoner = make(analysis, scenario.background, start)
    except Rejected:
        reject()
    for time in scenario.times:
        arriving = [arrival.fact for arrival in scenario.stream.input if arrival.time == time]
        try:
            expected = answer_streams(analysis.program, scenario.stream, time, background=scenario.background)
            expected = preferred(analysis.program, expected, time, background=scenario.background)
            reasoner.advance(time, arriving)
        except Rejected:
            reject()
        yield time, reasoner, [interpretation.atoms for interpretation in expected]


def ticks(scenario: Scenario, make: Make) -> Iterator[tuple[int, Reasoner, list[Atoms]]]:
    """As `steps`, after every single arrival."""
    analysis = analysed(scenario)
    try:
        reasoner = make(analysis, scenario.background, scenario.stream.start)
    except Rejected:
        reject()
    for count, (time, fact) in enumerate(scenario.stream.arrivals(), 1):
        try:
            expected = answer_streams(
                analysis.program, scenario.stream, time, count=count, background=scenario.background
            )
            expected = preferred(analysis.program, expected, time, background=scenario.background)
            reasoner.advance(time, [fact])
        except Rejected:
            reject()
        yield time, reasoner, [interpretation.atoms for interpretation in expected]


def atoms(time: int, stream: AnswerStream) -> Atoms:
    """An answer stream in the form of the judge, without what stands for parts of formulas."""
    pinned = ((at, fact) for at, facts in stream.at.items() for fact in facts)
    both = [*pinned, *((time, fact) for fact in stream.now)]
    return frozenset((at, fact) for at, fact in both if not fact.signature.hidden)


def of_accepted_programs(test: Callable[..., None]) -> Callable[..., None]:
    """Some programs are refused only when they run: recursion that goes on for ever (E505), here given up early."""

    @wraps(test)
    def tried(**given: object) -> None:
        try:
            with mock.patch.object(engine, "MOST_WAVES", 2_000):
                test(**given)
        except Rejected:
            reject()

    return tried
