"""`#hold`: what arrives holds on until the next arrival of its key, at most for some time.

Let r be held per the arguments K for n time points. At an evaluation at t the stream has, beside the data, every atom
r(x) at every time point u ≤ t for which there is an arrival of r(x) at some s with s < u ≤ s + n, and no arrival
r(y) with y_K = x_K at a time point in (s, u]. Arrivals of one key at the same time point do not end each other. Held
atoms are data without an arrival, like recorded ones: tuple windows neither count nor select them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from larspark.language.facts import Fact
from larspark.language.tree import Hold, points
from larspark.semantics.streams import Arrival


def held(holds: Iterable[Hold], arrivals: Iterable[Arrival], time: int) -> Mapping[int, frozenset[Fact]]:
    """The atoms that hold on at an evaluation, by time point."""
    arrived = tuple(arrivals)
    found: dict[int, set[Fact]] = {}
    for hold in holds:
        own = [arrival for arrival in arrived if arrival.fact.signature == hold.signature]
        for start, fact in own:
            following = [at for at, other in own if at > start and _key(hold, other) == _key(hold, fact)]
            length = points(hold.length)
            last = time if length is None else min(time, start + length)
            for at in range(start + 1, min([last + 1, *following])):
                found.setdefault(at, set()).add(fact)
    return {at: frozenset(facts) for at, facts in found.items()}


def _key(hold: Hold, fact: Fact) -> tuple[object, ...]:
    return tuple(fact.args[place] for place in hold.keys)
