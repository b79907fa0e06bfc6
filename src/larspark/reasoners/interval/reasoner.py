"""The interval reasoner as a reasoner among others: facts in, changes and answers as facts out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from larspark.analysis.analysis import Analysis
from larspark.diagnostics import Diagnostic, Rejected
from larspark.intervals.table import Rows
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact, Signature
from larspark.reasoners.interval.arrivals import Arrivals
from larspark.reasoners.interval.dictionary import Dictionary
from larspark.reasoners.interval.engine import Engine
from larspark.reasoners.interval.lower import lower
from larspark.reasoners.interval.network import Relation
from larspark.reasoners.protocol import Answer, AnswerStream, Change
from larspark.reasoners.results import change_between, stream_of


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
        self._shown: AnswerStream | None = AnswerStream()

    def advance(self, time: int, atoms: Sequence[Fact] = ()) -> Change:
        if time < self.engine.time:
            raise Rejected([_backwards(time, self.engine.time)])
        self.engine.advance(time, Arrivals.of(((time, fact) for fact in atoms), self.dictionary))
        before, self._shown = self._shown, self._current()
        return change_between(time, before, self._shown)

    def answer(self, models: int | None = 1) -> Answer:
        del models  # there is at most one
        current = self._current()
        return Answer(self.engine.time, () if current is None else (current,))

    def _current(self) -> AnswerStream | None:
        """The answer stream at the current time, None when there is none."""
        time, network = self.engine.time, self.engine.network
        assert network.inconsistent is not None
        if any(True for _ in self._valid(network.inconsistent)):
            return None
        found: list[tuple[int, Fact]] = []
        for signature, relation in network.now.items():
            found += ((time, self._fact(signature, row)) for row in self._valid(relation))
        for signature, relation in network.pinned.items():
            found += ((row[-1] >> 1, self._fact(signature, row[:-1])) for row in self._valid(relation))
        return stream_of(time, found)

    def _valid(self, relation: Relation) -> Iterator[list[int]]:
        rows: Rows = self.engine.tables.content(relation)
        time = self.engine.time
        valid = rows[(rows[:, -2] <= time) & (rows[:, -1] >= time), :-2]
        return iter(valid.tolist())

    def _fact(self, signature: Signature, codes: Sequence[int]) -> Fact:
        return Fact(signature.predicate, tuple(map(self.dictionary.decode, codes)))


def _backwards(time: int, current: int) -> Diagnostic:
    return Diagnostic(
        "E601",
        f"Time point {time} lies before {current}, which has been evaluated already.",
        "Bring the input into the order of time, or allow lateness.",
    )
