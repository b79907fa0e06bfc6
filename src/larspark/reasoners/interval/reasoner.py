"""The interval reasoner as a reasoner among others: facts in, changes and answers as facts out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from larspark.analysis.analysis import Analysis
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact
from larspark.reasoners.interval.answers import AnswerView
from larspark.reasoners.interval.arrivals import NOTHING, Arrivals
from larspark.reasoners.interval.component import Changes
from larspark.reasoners.interval.dictionary import Dictionary
from larspark.reasoners.interval.engine import Engine
from larspark.reasoners.interval.lower import lower
from larspark.reasoners.interval.recording import Recorder
from larspark.reasoners.protocol import Answer, Change

PART = 4096
"""How many arrivals are taken at once."""


class IntervalReasoner:
    """Evaluates a stratified program; see `Engine` for what it keeps."""

    def __init__(
        self,
        analysis: Analysis,
        background: Iterable[Fact] = (),
        start: int = 0,
        *,
        functions: Mapping[str, Callable[..., Any]] | None = None,
        calendar: Calendar | None = None,
    ) -> None:
        analysis.require("interval")
        given = tuple(background)
        self._analysis = analysis
        self.dictionary = Dictionary()
        network = lower(analysis, self.dictionary, start, frozenset(fact.signature for fact in given))
        self.engine = Engine(network, self.dictionary, given, functions, calendar)
        self._recorder = Recorder(self.engine, analysis.recorded) if analysis.recorded else None
        self._view: AnswerView | None = AnswerView(self.engine)

    @property
    def time(self) -> int:
        """The last time point that has been evaluated."""
        return self.engine.time

    @property
    def view(self) -> AnswerView:
        """What holds at the current time; it is followed from now on if it was not."""
        if self._view is None:
            self._view = AnswerView(self.engine)
        return self._view

    def advance(self, time: int, atoms: Sequence[Fact] = ()) -> Change:
        return self.advance_batch(time, Arrivals.of(((time, fact) for fact in atoms), self.dictionary))

    def advance_batch(self, until: int, arrivals: Arrivals) -> Change:
        """Take a chunk of arrivals and evaluate all time points up to `until`; the change is that at its end."""
        view = self.view
        for changes in self._parts(until, arrivals):
            view.move(changes)
        return view.change()

    def replay(self, until: int, arrivals: Arrivals) -> Iterator[Changes]:
        """The history instead of its end: what the relations gain and lose, as rows with intervals.

        What is gained in one part can be lost in the next as far as it lies beyond the time points evaluated. The
        live view is let go; asking for it again starts from what holds then.
        """
        self._view = None
        self.engine.tables.watchers.clear()
        yield from self._parts(until, arrivals)

    def _parts(self, until: int, arrivals: Arrivals) -> Iterator[Changes]:
        """Large chunks are taken in parts that fit the caches, or time point by time point where that matters."""
        if min(until, arrivals.earliest) < self.engine.time:
            raise Rejected([_backwards(min(until, arrivals.earliest), self.engine.time)])
        if self._recorder is not None:
            yield from self._recorder.parts(until, arrivals)
            return
        for end, part in arrivals.cut(PART):
            yield self.engine.advance(min(end, until), part)
        if self.engine.time < until:
            yield self.engine.advance(until, NOTHING)

    def answer(self, models: int | None = 1) -> Answer:
        del models  # there is at most one
        current = self.view.answer_stream()
        return Answer(self.engine.time, () if current is None else (current,))


def _backwards(time: int, current: int) -> Diagnostic:
    return Diagnostic(
        "E405",
        f"Time point {time} lies before {current}, which has been evaluated already.",
        "Bring the input into the order of time, or allow lateness.",
    )
