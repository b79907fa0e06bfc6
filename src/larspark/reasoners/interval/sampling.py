"""Sizes of relations from a sample of the stream, to plan with before the stream itself begins."""

from __future__ import annotations

from collections.abc import Sequence

from larspark.language.facts import Fact
from larspark.reasoners.interval.planning.statistics import Size, Statistics
from larspark.reasoners.interval.reasoner import IntervalReasoner

LOOKS = 16
"""At how many time points of the sample the relations are measured."""


def sampled_sizes(reasoner: IntervalReasoner, steps: Sequence[tuple[int, Sequence[Fact]]]) -> Statistics:
    """Run over the sample; the largest size of each relation counts, since a sample may end in silence."""
    largest: dict[str, Size] = {}
    every = max(1, len(steps) // LOOKS)
    for number, (time, facts) in enumerate(steps):
        reasoner.advance(time, facts)
        if number % every == 0 or number == len(steps) - 1:
            for name, size in reasoner.engine.sizes().items():
                if name not in largest or size.rows > largest[name].rows:
                    largest[name] = size
    return largest
