"""The programs that every ordinary run tries beside the random ones, and how each is evaluated."""

from __future__ import annotations

from collections.abc import Iterator

from support.corners import (
    aggregate_corners,
    given_corners,
    keyed_corners,
    lasting_corners,
    rule_corners,
    window_corners,
)
from support.kept import kept
from support.ordinary import PROGRAMS
from support.random_programs import Scenario
from support.verdicts import analysed

IN_TURN = tuple(way for way in PROGRAMS if way not in ("replayed", "points"))
OF_INTERVALS = ("restored", "chunks", "late", "partitions", "changed", "corrected", "chunks", "partitions")
"""Ways in which the interval reasoner alone is at work; the first and the fifth take long."""

OF_ALL = ("points", "", "ticks", "", "arrivals", "")
"""Ways in which all of them are; some are left out, since these take longest."""


def standing(way: str) -> Iterator[Scenario]:
    """What was kept in all ways; corners of rules at time points, where all reasoners are at work, by their history,
    which tells most, and in another way in turn.

    Windows over what is derived, aggregates of it, and what is given, are read by all reasoners in turn as well.
    """
    yield from kept()
    for place, corner in enumerate(rule_corners()):
        if way == "points" or (way == "replayed" and not analysed(corner.scenarios[0]).accepts["interval"]):
            yield from corner.scenarios
        elif way in (corner.ways or (IN_TURN[place % len(IN_TURN)],)):
            turn = corner.ways.index(way) + place if corner.ways else place // len(IN_TURN)
            yield corner.scenarios[turn % 2]
    if way == "replayed":
        yield from lasting_corners()
    if way == "points":
        yield from given_corners()
    if way == "partitions":
        yield from keyed_corners()
    for place, scenario in enumerate((*aggregate_corners(), *given_corners(), *window_corners())):
        if way in ("replayed", OF_INTERVALS[place % len(OF_INTERVALS)], OF_ALL[place % len(OF_ALL)]):
            yield scenario
