"""The programs that every ordinary run tries beside the random ones, and how each is evaluated."""

from __future__ import annotations

from collections.abc import Iterator

from support.corners import corners
from support.kept import kept
from support.ordinary import PROGRAMS
from support.random_programs import Scenario

IN_TURN = tuple(way for way in PROGRAMS if way != "replayed")


def standing(way: str) -> Iterator[Scenario]:
    """What was kept in all ways; corners by their history, which tells most, and in another way in turn."""
    yield from kept()
    for place, scenario in enumerate(corners()):
        if way in ("replayed", IN_TURN[place % len(IN_TURN)]):
            yield scenario
