"""Random programs have every node of the tree in every position where its type lets it stand."""

from __future__ import annotations

import os
from random import Random

from support.positions import Position, all_positions, positions_in
from support.random_programs import random_scenario
from support.strategies import MIXTURE, WIDE_FULL

PROGRAMS = 12_000
"""The rarest positions are met some 20 times among so many, whatever the seed."""

NEVER = {
    "windows per key have classes of their own": {Position("KeyedWindow", "predicates", "Keyed")},
    "a rank stands by itself in a body": {
        position
        for position in all_positions()
        if position.child == "Ranked" and position[:2] not in (("Rule", "body"), ("Ranked", "element"))
    },
    "a rank has a number as its limit": {
        position for position in all_positions() if position[:2] == ("Ranked", "limit") and position.child != "Constant"
    },
    "resolving makes it, of a rank": {
        position for position in all_positions() if "Ranking" in (position.parent, position.child)
    },
    "a number of atoms is no duration": {
        Position(window, extent, "Duration")
        for window in ("TupleWindow", "PartitionWindow")
        for extent in ("past", "future")
    },
}


def test_every_node_in_every_position() -> None:
    random = Random(4 if os.environ.get("CI") else None)
    shapes = [*MIXTURE, *[WIDE_FULL] * 3 * len(MIXTURE)]
    missing = all_positions().difference(*NEVER.values())
    for _ in range(PROGRAMS):
        missing -= set(positions_in(random_scenario(random, random.choice(shapes)).program))
        if not missing:
            return
    assert not missing, "; ".join(map(str, sorted(missing)))
