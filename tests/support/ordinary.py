"""The random programs of an ordinary run: every reasoner beside the judge, each program judged once for all."""

from __future__ import annotations

import os
from collections import Counter
from itertools import islice
from random import SystemRandom

import pytest

from support.contest import contestants, entered, judged_for, shrunk, verdict
from support.tiers import part

PROGRAMS = {
    "points": part(2200),
    "ticks": 600,
    "arrivals": 500,
    "chunks": 260,
    "replayed": 220,
    "restored": 100,
    "resumed": 160,
    "late": 220,
    "corrected": 120,
    "changed": 100,
    "partitions": 220,
}
"""By the way they are evaluated. `tests/exhaustive.py` tries as many more as it is asked to."""

LEAST = {"interval": 0.5, "clingo": 0.7, "jtms": 0.35, "answer-update": 0.5}
"""The part of the programs that each has to take, or the comparison says little.

By default two of five: of 80 programs, chance may leave fewer than half."""


def agree(evaluate: str) -> None:
    """All programs of one way; with CI set always the same ones."""
    seed = 1 if os.environ.get("CI") else SystemRandom().randrange(10**9)
    agreeing: Counter[str] = Counter()
    names = contestants(evaluate, "all")
    conclusive = 0
    for number, scenario in islice(entered(evaluate, seed), PROGRAMS[evaluate]):
        judged = judged_for(evaluate, scenario)
        conclusive += judged.conclusive
        for name in names:
            outcome = verdict(evaluate, name, judged)
            agreeing[name] += outcome.kind == "agrees"
            if outcome.wrong:
                small = shrunk(evaluate, name, judged.scenario, outcome)
                told = verdict(evaluate, name, judged_for(evaluate, small)).detail
                pytest.fail(f"{name} {outcome.kind}, seed {seed}, program {number}:\n{small}\n{told}", pytrace=False)
    assert conclusive > 0.4 * PROGRAMS[evaluate]  # some 58 % are; of 80 programs chance may leave fewer
    few = [name for name in names if agreeing[name] < LEAST.get(name, 0.4) * PROGRAMS[evaluate]]
    assert not few, f"too few programs for {few}: {agreeing}"
