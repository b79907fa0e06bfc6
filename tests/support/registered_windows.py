"""Window functions that Python registers, for random programs."""

from __future__ import annotations

from larspark import register_window
from larspark.language.windows.selection import Selection


def multiples(stream: Selection, now: int, step: int) -> Selection:
    """What arrived at multiples of a number of time points, on the timeline up to now."""
    return Selection(stream.first, now, [one for one in stream.arrivals if one.time % step == 0])


def repeated(stream: Selection, now: int) -> Selection:
    """What had arrived before, on the timeline from the first of these on."""
    seen = set()
    kept = []
    for one in stream.arrivals:
        if one.fact in seen:
            kept.append(one)
        seen.add(one.fact)
    return Selection(kept[0].time if kept else now, now, kept)


register_window("multiples", multiples)
register_window("repeated", repeated)
