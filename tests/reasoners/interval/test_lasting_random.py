"""Random programs with held input and recorded conclusions: at time points and ticks, in chunks, restored, late."""

from __future__ import annotations

import os
from itertools import islice

import pytest

from larspark.language.tree import Hold, Program, Record
from support.contest import difference, judged_for, verdict
from support.random_programs import Scenario
from support.strategies import numbered

FACTOR = 40 if os.environ.get("LARSPARK_EXHAUSTIVE") else 1
SEED = 14


def memorable(program: Program) -> bool:
    return any(isinstance(directive, Hold | Record) for directive in program.directives)


def scenarios() -> list[tuple[int, Scenario]]:
    everything = ((number, numbered(SEED, number)) for number in range(1_000_000))
    return list(islice((one for one in everything if memorable(one[1].program)), 25 * FACTOR))


@pytest.mark.random
@pytest.mark.parametrize("way", ["points", "ticks", "arrivals", "chunks", "restored", "late"])
def test_like_the_judge(way: str) -> None:
    compared = 0
    for number, scenario in scenarios():
        name = "interval" if way in ("points", "ticks", "arrivals") else way
        outcome = verdict(way, name, judged_for(way, scenario))
        compared += outcome.kind == "agrees"
        assert not outcome.wrong, difference(way, name, SEED, number, outcome)
    assert compared > 8 * FACTOR
