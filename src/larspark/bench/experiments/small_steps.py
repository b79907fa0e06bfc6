"""Small steps: one arrival at every time point, evaluated by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from statistics import median

from larspark.bench.measuring.contestants import ByHandPass
from larspark.bench.measuring.figures import Experiment, Figure
from larspark.bench.measuring.interval import IntervalChunks
from larspark.bench.measuring.measure import compare, cpu_seconds
from larspark.bench.workloads.catalogue import WORKLOADS
from larspark.bench.workloads.programs import FORMS
from larspark.bench.workloads.streams import single_signals
from larspark.bench.workloads.task import Task

LIMIT = 3.0
"""Microseconds of CPU time per step."""

PASSES = 7


def _measure(quick: bool) -> Iterator[Figure]:
    points = 100 if quick else 4000
    for name in ("diamond", "join-chain", "cooling", *(f"basic-{form}" for form in FORMS)):
        task = small(name, points)
        live, hand = IntervalChunks(task, "live", 1), ByHandPass(task)
        compare(task, [live, hand])
        own, others = [], []
        for _ in range(1 if quick else PASSES):
            own.append(cpu_seconds(live.prepare()) / points * 1e6)
            others.append(cpu_seconds(hand.prepare()) / points * 1e6)
        details = {"points": points, "median": round(median(own), 2), "hand": round(min(others), 2)}
        yield Figure(f"a step with one arrival, {name}", round(min(own), 2), "µs", LIMIT, details=details)


def small(name: str, points: int) -> Task:
    """A workload with one arrival at each time point."""
    workload = WORKLOADS[name]
    if name.startswith("basic"):
        workload = replace(workload, stream=single_signals)
    return Task(workload, replace(workload.defaults, rate=1, points=points))


EXPERIMENTS = (Experiment("small-steps", "live steps with one arrival each", _measure, seconds=10),)
