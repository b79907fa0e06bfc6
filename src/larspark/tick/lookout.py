"""Foresight beside the ordinary answers of a tick engine: goals watched over the same signals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from larspark.hypothetical.answers.prospect import Prospect
from larspark.hypothetical.answers.times import POINTS, WrittenTimes
from larspark.hypothetical.foresight import GoalWatch
from larspark.language.facts import Fact


@dataclass(frozen=True)
class Foreseen:
    """What a goal may come to, now and compared with the last output."""

    goal: str
    prospects: tuple[Prospect, ...]
    appeared: tuple[Prospect, ...] = ()
    disappeared: tuple[Prospect, ...] = ()

    @property
    def changed(self) -> bool:
        return bool(self.appeared or self.disappeared)


class Lookout:
    """Several goals of one program; `look` judges them, `told` says that the last look was written."""

    def __init__(self, goals: Mapping[str, GoalWatch], times: Callable[[], WrittenTimes] = lambda: POINTS) -> None:
        """With `times` as they are written by the time of a look."""
        self._goals, self._times = goals, times
        self._written: dict[str, dict[str, Prospect]] = {goal: {} for goal in goals}
        self._seen: tuple[Foreseen, ...] | None = None

    def advance(self, time: int, facts: Sequence[Fact]) -> None:
        for foresight in self._goals.values():
            foresight.advance(time, facts)
        self._seen = None

    @property
    def quiet(self) -> bool:
        """Nothing can change before a signal arrives."""
        return all(foresight.quiet for foresight in self._goals.values())

    def look(self) -> tuple[Foreseen, ...]:
        """The prospects of every goal; computed once per evaluation."""
        if self._seen is None:
            self._seen = tuple(self._foreseen(goal, foresight) for goal, foresight in self._goals.items())
        return self._seen

    def told(self) -> tuple[Foreseen, ...]:
        """The present look, with which later ones are compared."""
        look = self.look()
        self._written = {one.goal: {prospect.text: prospect for prospect in one.prospects} for one in look}
        self._seen = None
        return look

    def _foreseen(self, goal: str, foresight: GoalWatch) -> Foreseen:
        prospects, before = tuple(foresight.prospects(self._times())), self._written[goal]
        now = {prospect.text for prospect in prospects}
        return Foreseen(
            goal,
            prospects,
            tuple(prospect for prospect in prospects if prospect.text not in before),
            tuple(prospect for text, prospect in before.items() if text not in now),
        )
