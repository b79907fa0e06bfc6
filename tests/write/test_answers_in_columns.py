"""Answers in columns say the same as answers as facts: points, changes and intervals, in chunks of any size."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

import pyarrow as pa
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from larspark.blocks import Block
from larspark.cli.commands.eval import as_json, as_text
from larspark.diagnostics import Rejected
from larspark.read import Rules, chunk_of_facts
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.protocol import Answer
from larspark.runtime import stretches
from larspark.runtime.pointwise import Wanted, evaluate
from larspark.runtime.recording import Recording
from larspark.runtime.replay import Replay
from larspark.write.shapes import shape_of, small_spans
from larspark.write.times import POINTS
from support.judged import analysed
from support.random_programs import Scenario
from support.strategies import ARRIVING, CONSTRAINED, scenarios


class Both:
    """A scenario, evaluated in columns and by facts."""

    def __init__(self, scenario: Scenario) -> None:
        self._analysis = analysed(scenario)
        self._background, self._start = scenario.background, scenario.stream.start
        arrivals = [(arrival.time, arrival.fact) for arrival in scenario.stream.input]
        last = scenario.times[-1]
        self._arrivals = arrivals
        self.recording = Recording.of_facts(arrivals, (self._start, last))
        self.last = last

    def reasoner(self) -> IntervalReasoner:
        try:
            return IntervalReasoner(self._analysis, self._background, self._start)
        except Rejected:
            reject()

    def replay(self) -> Replay:
        return Replay(self.reasoner(), self._analysis.shown)

    def chunks(self, size: int) -> Iterator[Sequence[Block]]:
        """So many arrivals at once."""
        for begin in range(0, len(self._arrivals), size):
            yield chunk_of_facts(self._arrivals[begin : begin + size], Rules(), begin).blocks

    def answers(self) -> Iterator[Answer]:
        try:
            yield from evaluate(self.reasoner(), self.recording, Wanted(self._analysis.shown))
        except Rejected:
            reject()


def lines(parts: Iterable[pa.Array]) -> list[str]:
    return [line for part in parts for line in part.to_pylist()]


SCENARIOS = scenarios(CONSTRAINED) | scenarios(ARRIVING)


@settings(max_examples=150)
@given(SCENARIOS, st.integers(1, 9))
def test_points_are_those_of_facts(scenario: Scenario, size: int) -> None:
    both = Both(scenario)
    answers = list(both.answers())
    spans = list(small_spans(both.replay().points(both.chunks(size), both.last)))
    assert lines(map(shape_of("points").text, spans)) == [as_text(answer, POINTS) for answer in answers]
    assert lines(map(shape_of("points").json, spans)) == [as_json(answer, POINTS) for answer in answers]
    rows = [row for span in spans for row in shape_of("points").table(span).to_pylist()]
    told = [row for span in stretches.points_of(answers) for row in shape_of("points").table(span).to_pylist()]
    assert rows == told


@settings(max_examples=100)
@given(SCENARIOS, st.integers(1, 9))
def test_changes_are_those_of_facts(scenario: Scenario, size: int) -> None:
    both = Both(scenario)
    told = list(stretches.changes_of(both.answers()))
    found = list(both.replay().changes(both.chunks(size), both.last))
    for shape in (shape_of("changes").text, shape_of("changes").json):
        assert lines(map(shape, found)) == lines(map(shape, told))


@settings(max_examples=100)
@given(SCENARIOS, st.integers(1, 9))
def test_intervals_are_those_of_facts(scenario: Scenario, size: int) -> None:
    both = Both(scenario)
    told = lines(map(shape_of("intervals").json, stretches.intervals_of(both.answers())))
    found = lines(map(shape_of("intervals").json, both.replay().intervals(both.chunks(size), both.last)))
    assert sorted(found) == sorted(told)
    assert all(json.loads(line)["from"] <= json.loads(line)["to"] for line in found)
