"""`#hold` for reasoners that list time points: what has arrived, and what holds on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from larspark.language.tree import Hold, points
from larspark.language.values import Value
from larspark.language.windows.selection import Arrival


def held_on(hold: Hold, arrivals: Sequence[Arrival], now: int) -> Iterable[Arrival]:
    """The time points after its arrival at which each value still holds; arrivals come in the order of time.

    They have the number of their arrival, but nothing counts them.
    """
    length = points(hold.length)
    following: dict[tuple[Value, ...], tuple[int, int]] = {}
    """By key: a time point, and the next one of the key."""
    found: list[Arrival] = []
    for time, number, fact in reversed(arrivals):
        key = tuple(fact.args[place] for place in hold.keys)
        own, after = following.get(key, (now + 1, now + 1))
        if own != time:
            own, after = time, own
            following[key] = own, after
        end = after if length is None else min(after, time + length + 1)
        found += (Arrival(at, number, fact) for at in range(time + 1, end))
    return found


def with_held(hold: Hold, arrivals: Sequence[Arrival], now: int) -> list[Arrival]:
    """Arrivals together with what holds on, in the order of time."""
    return sorted((*arrivals, *held_on(hold, arrivals, now)), key=_time)


def _time(arrival: Arrival) -> int:
    return arrival.time
