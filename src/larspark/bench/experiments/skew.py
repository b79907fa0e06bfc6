"""A simulation of uneven keys: how much longer than its share the busiest core works.

Keys go to partitions as in a run, and heavy partitions are divided in time as in a run; only the arrivals are made up.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from larspark.bench.measuring.figures import Experiment, Figure

CORES = 64
KEYS = (100, 1_000, 10_000, 100_000)
ARRIVALS = 200_000
POINTS = 100_000
PROGRAM = "p(K) :- a(K) [60]."
"""A minute's window on a day of seconds, or thereabouts."""


def _measure(quick: bool) -> Iterator[Figure]:
    for count in KEYS[:2] if quick else KEYS:
        for name, weights in (("alike", np.ones(count)), ("weights 1/k", 1 / np.arange(1, count + 1))):
            whole, divided = busiest(weights)
            yield Figure(f"busiest core / mean, {name}", whole, "", axis="keys", at=count)
            yield Figure(f"busiest core / mean, {name}, divided in time", divided, "", axis="keys", at=count)


def busiest(weights: npt.NDArray[np.float64]) -> tuple[float, float]:
    """The work of the busiest core over the mean: with one partition per core, and with heavy ones divided in time."""
    from larspark.blocks.buckets import bucket_of  # noqa: PLC0415
    from larspark.spark.interface import plan_of  # noqa: PLC0415 - imports Spark
    from larspark.spark.plan.division import divide  # noqa: PLC0415
    from larspark.spark.plan.plan import EvaluationSpan  # noqa: PLC0415

    places = np.array([bucket_of(f"k{key}", CORES) for key in range(len(weights))])
    random = np.random.default_rng(1)
    arrived = places[random.choice(len(weights), ARRIVALS, p=weights / weights.sum())]
    sample = np.column_stack((random.integers(0, POINTS, ARRIVALS), arrived))
    plan = plan_of(PROGRAM)
    division = divide(plan, 0, sample, EvaluationSpan(0, 0, POINTS - 1), CORES)
    times = sample[:, 0]
    work = [
        int(((arrived == part.bucket) & (times >= part.begin - division.reach) & (times <= part.end)).sum())
        for part in division.parts
    ]
    mean = ARRIVALS / CORES
    return round(np.bincount(arrived, minlength=CORES).max() / mean, 2), round(_longest(work) / mean, 2)


def _longest(work: list[int]) -> int:
    """Every core takes the next part when it is done with one, the largest first."""
    cores = [0] * CORES
    for part in sorted(work, reverse=True):
        cores[cores.index(min(cores))] += part
    return max(cores)


EXPERIMENTS = (Experiment("skew", "simulated: uneven keys on 64 cores", _measure, seconds=15),)
