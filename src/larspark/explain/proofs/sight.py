"""When windows see an atom: where it comes in, and where it leaves."""

from __future__ import annotations

from dataclasses import replace

from larspark.explain.evaluations.world import World
from larspark.language.tree import TimeWindow, Window, points
from larspark.language.values import NotANumber
from larspark.semantics.entailment import windowed
from larspark.semantics.interpretations import TimedFact
from larspark.semantics.structures import Binding, Place

SCANNED = 100
"""Evaluations that are looked at, where there is no formula."""


def enters(windows: tuple[Window, ...], time: int) -> int | None:
    """The first evaluation that sees an atom, of a window that moves with time; None for others."""
    match windows:
        case (TimeWindow(_, future, hop),) if (ahead := points(future)) is not None:
            step = points(hop) or 1
            return max(time, -(-(time - ahead) // step) * step)
    return None


def leaves(windows: tuple[Window, ...], time: int) -> int | None:
    """The first evaluation that does not see an atom any more, likewise."""
    match windows:
        case (TimeWindow(past, _, hop),) if (back := points(past)) is not None:
            step = points(hop) or 1
            return ((time + back) // step + 1) * step
    return None


def left(world: World, windows: tuple[Window, ...], timed: TimedFact, binding: Binding) -> int | None:
    """The first evaluation, up to the present, that does not see an atom any more."""
    known = leaves(windows, timed[0])
    if known is not None:
        return known
    seen = False
    for time in range(timed[0], min(world.time, timed[0] + SCANNED) + 1):
        sees = _sees(world, windows, timed, time, binding)
        if seen and not sees:
            return time
        seen = sees
    return None


def until(world: World, windows: tuple[Window, ...], timed: TimedFact, binding: Binding) -> int | None:
    """The first evaluation after the present that does not see an atom any more, if nothing arrives."""
    known = leaves(windows, timed[0])
    if known is not None:
        return known
    coming = range(world.time + 1, world.time + SCANNED + 1)
    return next((time for time in coming if not _sees(world, windows, timed, time, binding)), None)


def _sees(world: World, windows: tuple[Window, ...], timed: TimedFact, time: int, binding: Binding) -> bool:
    """Whether an evaluation of what had arrived by then sees an atom."""
    m = replace(world.place.m, now=time)
    place = Place(m, world.place.stream.until(time), time)
    try:
        for window in windows:
            place = windowed(place, window, binding)
    except (KeyError, NotANumber):
        return False
    return timed[1] in place.stream.at(timed[0]) and (bool(windows) or timed[0] == time)
