"""The marks of everything that has happened so far, followed change by change, and bounded."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from larspark.explain.evaluations.history import AnswerHistory, Refusal, Sourced
from larspark.language.facts import Fact
from larspark.web.log import EvaluationEvent
from larspark.web.marks import AnswerMark, MarkKind
from larspark.web.picture import arrival_marks, history_marks, refused_marks


class MarkTally:
    """What a page that opens now is shown; of each kind of mark the latest `most` are kept."""

    def __init__(self, most: int) -> None:
        self._ended: deque[AnswerMark] = deque(maxlen=most)
        self._arrivals: deque[AnswerMark] = deque(maxlen=most)
        self._holding: dict[Fact, int] = {}
        self._pinned: dict[tuple[int, Fact], int] = {}
        self.void: deque[tuple[int, int]] = deque(maxlen=most)
        self.ended = self.arrived = 0
        """How many there were, kept or not."""

    def begin(self, arrivals: Iterable[Sourced], history: AnswerHistory, refused: Iterable[Refusal]) -> None:
        """A past that is known as a whole; what holds at its end goes on."""
        self._take(self._arrivals, [*arrival_marks(arrivals), *refused_marks(refused)])
        ended = []
        for mark in history_marks(history):
            if mark.last is None or mark.last < history.end:
                ended.append(mark)
            elif mark.at is None:
                self._holding[mark.fact] = mark.first
            else:
                self._pinned[mark.at, mark.fact] = mark.first
        self._take(self._ended, ended)
        self.void.extend(history.void)

    def _take(self, column: deque[AnswerMark], marks: list[AnswerMark]) -> None:
        column.extend(marks)
        if column is self._arrivals:
            self.arrived += len(marks)
        else:
            self.ended += len(marks)

    def follow(self, event: EvaluationEvent) -> None:
        time, _ = event.tick
        self._take(self._arrivals, [*arrival_marks(event.arrived), *refused_marks(event.refused)])
        self._take(self._ended, list(event.ended))
        if event.change is None:
            return
        appeared, disappeared, pinned, unpinned = event.change.sets
        ended = [
            AnswerMark(fact, MarkKind.HOLDS, first, time - 1)
            for fact in disappeared
            if (first := self._holding.pop(fact, time)) < time
        ]
        ended += [
            AnswerMark(fact, MarkKind.PINNED, first, time - 1, at)
            for at, fact in unpinned
            if (first := self._pinned.pop((at, fact), time)) < time
        ]
        self._take(self._ended, ended)
        self._holding |= dict.fromkeys(appeared, time)
        self._pinned |= dict.fromkeys(pinned, time)
        if not event.change.consistent:
            self.void.append((time, time))

    @property
    def left_out(self) -> int:
        """Marks that are not kept any more."""
        return self.arrived - len(self._arrivals) + self.ended - len(self._ended)

    def marks(self) -> Iterator[AnswerMark]:
        yield from self._arrivals
        yield from self._ended
        yield from (AnswerMark(fact, MarkKind.HOLDS, first, None) for fact, first in self._holding.items())
        yield from (AnswerMark(fact, MarkKind.PINNED, first, None, at) for (at, fact), first in self._pinned.items())
