"""Difference constraints between time variables: `low <= left - right <= high`.

They express that time points are natural numbers, that a window reaches so far, and that no data come from after the
evaluation time. Closed under composition (all-pairs shortest paths), they give the exact range of every variable
once some variables are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from larspark.hypothetical.theory.terms import ABSOLUTE, Term, Time, resolve


class TimeBound(NamedTuple):
    """`left - right <= most`."""

    left: Time
    right: Time
    most: int

    def apply(self, bound: Mapping[str, Term]) -> TimeBound:
        left, right = resolve(self.left, bound), resolve(self.right, bound)
        if not isinstance(left, Time) or not isinstance(right, Time):
            raise ValueError("a bound relates times")
        return TimeBound(left, right, self.most)


def at_least(time: Time, least: int) -> TimeBound:
    """`time >= least`."""
    return TimeBound(Time(ABSOLUTE, least), time, 0)


def equal_to(time: Time, value: int) -> tuple[TimeBound, TimeBound]:
    """`time = value`."""
    return TimeBound(time, Time(ABSOLUTE, value), 0), TimeBound(Time(ABSOLUTE, value), time, 0)


@dataclass(frozen=True)
class Differences:
    """A closed, satisfiable set of difference constraints; `most[x, y]` bounds x - y from above."""

    most: Mapping[tuple[str, str], int]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for pair in self.most for name in pair) - {ABSOLUTE}

    def high(self, name: str, known: Mapping[str, int]) -> int | None:
        """The largest possible value of a variable, given others (the origin is always known)."""
        found = [known[other] + most for other in known if (most := self.most.get((name, other))) is not None]
        origin = self.most.get((name, ABSOLUTE))
        return min([*found, *([origin] if origin is not None else [])], default=None)

    def low(self, name: str, known: Mapping[str, int]) -> int | None:
        """The smallest possible value of a variable, given others."""
        found = [known[other] - most for other in known if (most := self.most.get((other, name))) is not None]
        origin = self.most.get((ABSOLUTE, name))
        return max([*found, *([-origin] if origin is not None else [])], default=None)

    def admit(self, known: Mapping[str, int]) -> bool:
        """Whether these values violate nothing."""
        values = {ABSOLUTE: 0, **known}
        return all(values[x] - values[y] <= most for (x, y), most in self.most.items() if x in values and y in values)

    def implied(self, bound: TimeBound) -> bool:
        """Whether every solution satisfies the bound."""
        if bound.left.base == bound.right.base:
            return bound.left.offset - bound.right.offset <= bound.most
        most = self.most.get((bound.left.base, bound.right.base))
        return most is not None and most + bound.left.offset - bound.right.offset <= bound.most

    def listed(self) -> list[TimeBound]:
        return [TimeBound(Time(x), Time(y), most) for (x, y), most in self.most.items()]


def close(bounds: Iterable[TimeBound]) -> Differences | None:
    """The closure, or None when the bounds contradict each other."""
    most: dict[tuple[str, str], int] = {}
    for left, right, limit in bounds:
        difference = limit - left.offset + right.offset
        if left.base == right.base:
            if difference < 0:
                return None
            continue
        pair = left.base, right.base
        most[pair] = min(most.get(pair, difference), difference)
    nodes = sorted({name for pair in most for name in pair})
    for middle in nodes:
        for x in nodes:
            first = most.get((x, middle))
            if first is None:
                continue
            for y in nodes:
                second = most.get((middle, y))
                if second is None:
                    continue
                through = first + second
                if x == y:
                    if through < 0:
                        return None
                elif through < most.get((x, y), through + 1):
                    most[x, y] = through
    return Differences(most)


UNBOUNDED = Differences({})
"""No constraint at all."""
