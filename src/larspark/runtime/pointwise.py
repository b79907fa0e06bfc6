"""A recording evaluated time point by time point, or after every arrival, by any reasoner: answers as facts."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from larspark.language.facts import Fact, Signature
from larspark.reasoners.protocol import Answer, AnswerStream, Reasoner
from larspark.runtime.recording import Recording


@dataclass(frozen=True)
class Wanted:
    """When to evaluate, how many answer streams to ask for, and what to show of them."""

    shown: frozenset[Signature]
    at: int | None = None
    ticks: bool = False
    models: int | None = 1

    def shown_part(self, answer: Answer, count: int | None = None) -> Answer:
        """Only what `#show` names; answer streams that then look alike are one."""
        looks: dict[object, AnswerStream] = {}
        for stream in answer.answer_streams:
            at = {time: kept for time, facts in stream.at.items() if (kept := self._shown(facts))}
            part = AnswerStream(self._shown(stream.now), at)
            looks.setdefault((part.now, frozenset(at.items())), part)
        return Answer(answer.time, tuple(looks.values()), count)

    def _shown(self, facts: frozenset[Fact]) -> frozenset[Fact]:
        shown: Collection[tuple[str, int]] = self.shown
        return frozenset(fact for fact in facts if (fact.predicate, len(fact.args)) in shown)


def evaluate(reasoner: Reasoner, recording: Recording, wanted: Wanted) -> Iterator[Answer]:
    """The answers in evaluation order."""
    count = 0
    for time, facts in recording.time_points(recording.end if wanted.at is None else wanted.at):
        asked = wanted.at is None or time == wanted.at
        if wanted.ticks:
            for fact in facts:
                reasoner.advance(time, [fact])
                count += 1
                if asked:
                    yield wanted.shown_part(reasoner.answer(wanted.models), count)
        else:
            reasoner.advance(time, facts)
            if asked:
                yield wanted.shown_part(reasoner.answer(wanted.models))
