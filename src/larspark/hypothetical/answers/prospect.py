"""Prospects: answers of foresight as the user gets them.

What is a value is one to go on with, and has time points; what is a text has times as they came.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from larspark.hypothetical.answers.answers import SupportedAnswer
from larspark.hypothetical.answers.times import POINTS, WrittenTimes
from larspark.language.values import Value, json_value


@dataclass(frozen=True)
class Prospect:
    """One answer, definite or hypothetical."""

    theta: Mapping[str, Value]
    """The values of the goal's variables; a variable still open is its own name."""
    at: int | None
    """The time at which the goal holds, when it is known."""
    evidence: tuple[str, ...]
    hypotheses: tuple[str, ...]
    where: Mapping[str, tuple[int | None, int | None]] = field(default_factory=dict)
    """The range of times that are still open."""
    exceptions: tuple[Mapping[str, Value], ...] = ()
    """Values that variables still open cannot have together."""
    conditions: tuple[str, ...] = ()
    """Comparisons that they must satisfy."""
    text: str = ""
    source: SupportedAnswer | None = field(default=None, compare=False, repr=False)
    times: WrittenTimes = field(default=POINTS, compare=False, repr=False)
    """How times are written in texts and JSON."""
    timed: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    """The variables that stand for times."""

    @property
    def definite(self) -> bool:
        return not self.hypotheses

    @property
    def rank(self) -> tuple[int, float, str]:
        """What misses least comes first, then what comes soonest."""
        return len(self.hypotheses), float("inf") if self.at is None else self.at, self.text

    def as_json(self) -> dict[str, object]:
        """The contract's three fields, and what else there is to say about this answer."""
        answer: dict[str, object] = {
            "theta": self._values(self.theta),
            "evidence": list(self.evidence),
            "hypotheses": list(self.hypotheses),
        }
        if self.at is not None:
            answer["at"] = self.times.value(self.at)
        if self.where:
            answer["where"] = {name: list(map(self._limit, limits)) for name, limits in self.where.items()}
        if self.conditions:
            answer["if"] = list(self.conditions)
        if self.exceptions:
            answer["except"] = [self._values(excepted) for excepted in self.exceptions]
        return answer

    def _values(self, found: Mapping[str, Value]) -> dict[str, object]:
        return {
            name: json_value(self.times.value(value) if name in self.timed else value) for name, value in found.items()
        }

    def _limit(self, point: int | None) -> Value | None:
        return None if point is None else self.times.value(point)
