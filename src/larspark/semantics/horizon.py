"""The open right end: which time points of [t0, ∞) decide a formula."""

from __future__ import annotations

from functools import lru_cache
from math import lcm

from larspark.language.traversal import walk
from larspark.language.tree import (
    Always,
    At,
    Formula,
    IntervalWindow,
    Node,
    SessionWindow,
    Some,
    Term,
    TimeWindow,
    points,
)
from larspark.language.values import NotANumber
from larspark.semantics.names import names
from larspark.semantics.structures import Binding, Place, Structure


def instants(place: Place, body: Formula, binding: Binding) -> range:
    """The time points of T; of an open T as many as decide whether the body holds at some or at all of them."""
    stream = place.stream
    end = horizon(place, body, binding) if stream.end is None else stream.end
    return range(stream.start, end + 1)


def horizon(place: Place, body: Formula, binding: Binding) -> int:
    """A time point of an open timeline beyond which the truth of the body only repeats itself.

    Landmarks are the last atom, the evaluation time and the time points the body names. From a point that lies
    further behind all landmarks than the windows of the body can reach together, every selected stream looks the
    same up to a shift, except for the pivots of hopping windows, which repeat with the least common multiple of
    the hop sizes. Each modality may pass on to another point, so one such period per modality is added.
    """
    m, stream, time = place
    landmarks = [time, stream.start, stream.last, m.stream.last, m.now or 0]
    landmarks += [named for term in time_terms(body) if (named := _time(m, term, binding)) is not None]
    reach, period, modalities = extents(body)
    return max(landmarks) + reach + (modalities + 1) * period


def _time(m: Structure, term: Term, binding: Binding) -> int | None:
    if not names(term) <= binding.keys():
        return None
    try:
        value = m.value(term, binding)
    except NotANumber:
        return None
    return value if isinstance(value, int) else None


@lru_cache(1 << 14)
def time_terms(formula: Node) -> tuple[Term, ...]:
    """The terms of a formula that name time points."""
    found: list[Term] = []
    for part in walk(formula):
        if isinstance(part, At):
            found.append(part.time)
        elif isinstance(part, IntervalWindow):
            found += [part.start, part.end]
    return tuple(found)


@lru_cache(1 << 14)
def extents(formula: Node) -> tuple[int, int, int]:
    """How far the time windows of a formula reach together, the period of their pivots, and its modalities."""
    reach, period, modalities = 0, 1, 0
    for part in walk(formula):
        if isinstance(part, TimeWindow):
            hop = points(part.hop) or 1
            reach += (points(part.past) or 0) + (points(part.future) or 0) + hop
            period = lcm(period, hop)
        elif isinstance(part, SessionWindow):
            reach += (points(part.gap) or 0) + 1
        elif isinstance(part, Some | Always | At):
            modalities += 1
    return reach, period, modalities
