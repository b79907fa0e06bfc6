"""Two reasoners side by side: they run as one, as long as they agree."""

from __future__ import annotations

from collections.abc import Sequence

from larspark.language.facts import Fact
from larspark.reasoners.protocol import Answer, Change, Reasoner


class Disagreement(Exception):
    """The first difference: both answers, and every signal that led there."""

    def __init__(self, answers: dict[str, Answer], stream: list[tuple[int, Fact]]) -> None:
        self.answers = answers
        self.stream = stream
        super().__init__(f"{' and '.join(answers)} disagree")


class AgreeingReasoner:
    """Answers with the first of two reasoners; raises `Disagreement` when the second one contradicts it.

    Where a program has several answer streams each may choose its own, if it is one of the other's.
    """

    def __init__(self, reasoners: dict[str, Reasoner]) -> None:
        self._reasoners = reasoners
        self._first, self._second = reasoners.values()
        self._stream: list[tuple[int, Fact]] = []

    def advance(self, time: int, atoms: Sequence[Fact] = ()) -> Change:
        self._stream += [(time, fact) for fact in atoms]
        change, _ = [reasoner.advance(time, atoms) for reasoner in self._reasoners.values()]
        if not self._agree():
            raise Disagreement({name: one.answer() for name, one in self._reasoners.items()}, self._stream)
        return change

    def answer(self, models: int | None = 1) -> Answer:
        return self._first.answer(models)

    def _agree(self) -> bool:
        mine, other = self._first.answer().answer_streams, self._second.answer().answer_streams
        if mine == other:
            return True
        if not (mine and other):
            return False
        # Truth maintenance knows only its own choice, so it is enough that one of the two knows the other's.
        mine_all, other_all = self._first.answer(None).answer_streams, self._second.answer(None).answer_streams
        return mine[0] in other_all or other[0] in mine_all
