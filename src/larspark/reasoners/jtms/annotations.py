"""How long a rule of the incremental encoding lives, in time and in arrivals (thesis Def. 36, sec. 7.2.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf


@dataclass(frozen=True, order=True)
class Tick:
    """A time point, and the number of arrivals so far (Def. 32)."""

    time: int
    count: int


@dataclass(frozen=True)
class Annotation:
    """(time, count): gone when either bound is reached; [time, count], `conjunctive`: when both are.

    As a duration it counts from the tick at which a rule is made, as an expiration from the beginning.
    """

    time: float = inf
    count: float = inf
    conjunctive: bool = False

    def from_tick(self, tick: Tick) -> Annotation:
        """The expiration of a rule with this duration, made at this tick."""
        return replace(self, time=self.time + tick.time, count=self.count + tick.count)

    def expired(self, tick: Tick) -> bool:
        reached = (self.time <= tick.time, self.count <= tick.count)
        return all(reached) if self.conjunctive else any(reached)

    def __str__(self) -> str:
        bounds = ",".join("inf" if bound == inf else str(bound) for bound in (self.time, self.count))
        return f"[{bounds}]" if self.conjunctive else f"({bounds})"


FOREVER = Annotation()
