"""Maintenance instead of recomputation: truth maintenance does not slow down when windows grow."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import replace
from time import process_time

from larspark.bench.measuring.contestants import PerTimePoint
from larspark.bench.measuring.figures import Experiment, Figure
from larspark.bench.workloads.catalogue import WORKLOADS
from larspark.bench.workloads.task import Task

PROGRAMS = ("basic-td", "reach", "strategy")
SMALL, LARGE = 10, 500
GROWTH = 2
REPETITIONS = 3


def _measure(quick: bool) -> Iterator[Figure]:
    """The stream is long enough that atoms leave the large window, too; the same stream serves both."""
    large = 50 if quick else LARGE
    for name in PROGRAMS:
        workload = WORKLOADS[name]
        parameters = replace(workload.defaults, points=2 * large)
        tasks = {window: Task(workload, replace(parameters, window=window)) for window in (SMALL, large)}
        cost = {window: _cost(task, 1 if quick else REPETITIONS) for window, task in tasks.items()}
        details = {
            "time_points_per_second": {window: round(len(tasks[window].steps) / cost[window]) for window in cost},
            "size": parameters.size,
        }
        ratio = round(cost[large] / cost[SMALL], 3)
        yield Figure(f"window {large} / window {SMALL}, {name}", ratio, "", GROWTH, details=details)


def _cost(task: Task, repetitions: int) -> float:
    """CPU seconds of the fastest pass of the truth maintenance."""
    contestant, passes = PerTimePoint(task, "jtms"), []
    for _ in range(repetitions):
        run = contestant.prepare()
        gc.collect()
        started = process_time()
        run()
        passes.append(process_time() - started)
    return min(passes)


EXPERIMENTS = (
    Experiment("maintenance", "CPU time of jtms with large windows over that with small ones", _measure, seconds=15),
)
