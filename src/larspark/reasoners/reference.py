"""The reference reasoner: the definitions themselves, for every program and small streams."""

from __future__ import annotations

from collections.abc import Sequence

from larspark.analysis.analysis import Analysis
from larspark.language.calendar import Calendar
from larspark.language.evaluate import Functions
from larspark.language.facts import Fact
from larspark.reasoners.protocol import Answer, AnswerStream, Change
from larspark.semantics.interpretations import Interpretation
from larspark.semantics.output import Evaluation, Evaluator
from larspark.semantics.structures import Environment


class ReferenceReasoner:
    """Evaluates from scratch at each step, by `larspark.semantics`; it refuses searches that are too large."""

    def __init__(
        self,
        analysis: Analysis,
        background: Sequence[Fact] = (),
        start: int = 0,
        *,
        functions: Functions | None = None,
        calendar: Calendar | None = None,
        limit: int | None = None,
    ) -> None:
        environment = Environment(functions or {}, calendar)
        self._evaluator = Evaluator(analysis.program, start, tuple(background), environment, limit)
        self._records = bool(analysis.recorded)
        self._time = start
        self._shown = AnswerStream()

    def advance(self, time: int, atoms: Sequence[Fact] = ()) -> Change:
        """See `Reasoner.advance`; with `#record` the time points passed over count as evaluations."""
        if self._records and self._evaluator.last is not None:
            for between in range(self._time + 1, time):
                self._evaluator.evaluate(between)
        self._time = time
        self._evaluator.arrive(time, atoms)
        evaluation = self._evaluator.evaluate(time)
        before, self._shown = self._shown, _chosen(evaluation)
        return Change(
            time,
            appeared=self._shown.now - before.now,
            disappeared=before.now - self._shown.now,
            pinned=_pinned(self._shown) - _pinned(before),
            unpinned=_pinned(before) - _pinned(self._shown),
            consistent=evaluation.chosen is not None,
        )

    def answer(self, models: int | None = 1) -> Answer:
        """The chosen answer stream first, then the others."""
        evaluation = self._evaluator.last
        if evaluation is None:
            return Answer(self._time, (AnswerStream(),))
        ordered = sorted(evaluation.answer_streams, key=lambda one: one is not evaluation.chosen)
        listed = tuple(_as_seen_at(evaluation.time, one) for one in ordered[:models])
        return Answer(evaluation.time, listed, evaluation.count)


def _chosen(evaluation: Evaluation) -> AnswerStream:
    return AnswerStream() if evaluation.chosen is None else _as_seen_at(evaluation.time, evaluation.chosen)


def _as_seen_at(time: int, interpretation: Interpretation) -> AnswerStream:
    elsewhere = {at: facts for at, facts in interpretation.derived.items() if at != time}
    return AnswerStream(interpretation.output(time), elsewhere)


def _pinned(answer: AnswerStream) -> frozenset[tuple[int, Fact]]:
    return frozenset((time, fact) for time, facts in answer.at.items() for fact in facts)
