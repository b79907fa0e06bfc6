"""Arrivals of which one key has most."""

from __future__ import annotations

from random import Random

from larspark.language.facts import Fact

SKEWED = "p(X) :- e(X) [2]. q(X, V) :- e(X) [3], f(X, V) [1], not g(X) [2]."


def heavy_key(random: Random, count: int) -> list[tuple[int, Fact]]:
    """One key has 60 % of the atoms."""
    arrivals = []
    for number in range(count):
        key = "k0" if random.random() < 0.6 else f"k{random.randint(1, 30)}"
        name = random.choice("eeffg")
        arrivals.append((number // 20, Fact(name, (key, random.randint(0, 3)) if name == "f" else (key,))))
    return arrivals
