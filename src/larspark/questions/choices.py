"""A program with choices as explanations see it: what is chosen, evaluation by evaluation, and what else there is.

What was chosen stays as long as it can, so an answer depends on all evaluations before it: one run makes them all,
and goes on from there when the question is about what follows.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property

from larspark.explain.evaluations.history import AnswerHistory
from larspark.explain.evaluations.relevance import Patterns
from larspark.language.facts import Signature
from larspark.questions.histories import atoms_of_stream, history_of_answers
from larspark.reasoners.protocol import Answer, Reasoner
from larspark.runtime.pointwise import Wanted
from larspark.runtime.recording import Recording
from larspark.semantics.interpretations import Atoms

STREAMS = 20
"""Answer streams that are looked at, at most."""


class ChosenAnswers:
    """Evaluations one after the other, with the chosen answer stream; the one in question with all of them."""

    def __init__(
        self, reasoner: Reasoner, derived: frozenset[Signature], past: Sequence[Answer], gone_by: bool
    ) -> None:
        """Of a reasoner that has evaluated the time in question, and the time points of `past` before it.

        Gone by: the reasoner is at work, so that neither its past nor what follows can be asked for.
        """
        self._reasoner, self._wanted, self._gone_by = reasoner, Wanted(derived), gone_by
        self._answer = reasoner.answer(STREAMS)
        self._past, self._coming = past, [self._answer]

    @classmethod
    def of(cls, reasoner: Reasoner, recording: Recording, derived: frozenset[Signature]) -> ChosenAnswers:
        """All that arrives on a timeline, by a reasoner that stands at its start."""
        past: list[Answer] = []
        for time, facts in recording.time_points(recording.end):
            reasoner.advance(time, facts)
            if time < recording.end:
                past.append(reasoner.answer())
        return cls(reasoner, derived, past, gone_by=False)

    @property
    def followed(self) -> None:
        """See the protocol: `past` tells it."""
        return None

    @cached_property
    def streams(self) -> tuple[Atoms, ...]:
        """All answer streams, the chosen one first; none where there is no answer stream."""
        found = self._wanted.shown_part(self._answer)
        return tuple(atoms_of_stream(found.time, one) for one in found.answer_streams)

    def past(self, shown: Collection[Signature]) -> AnswerHistory:
        """What was chosen of these predicates up to now, as far as that is known."""
        return self._history([*self._past, self._answer], Wanted(self._wanted.shown & frozenset(shown)))

    def present(self, patterns: Patterns | None) -> Atoms | None:
        """See the protocol; choices may depend on anything, so all that is chosen."""
        del patterns
        return self.streams[0] if self.streams else None

    def coming(self, patterns: Patterns | None, end: int) -> AnswerHistory | None:
        """See the protocol."""
        if self._gone_by:
            return None
        for time in range(self._coming[-1].time + 1, end + 1):
            self._reasoner.advance(time)
            self._coming.append(self._reasoner.answer())
        wanted = self._wanted if patterns is None else Wanted(self._wanted.shown & patterns.keys())
        return self._history(self._coming, wanted, patterns)

    @staticmethod
    def _history(answers: Sequence[Answer], wanted: Wanted, patterns: Patterns | None = None) -> AnswerHistory:
        shown = [wanted.shown_part(one) for one in answers]
        return history_of_answers(shown, shown[0].time, shown[-1].time, patterns)
