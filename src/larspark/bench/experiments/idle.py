"""Idle time: what it costs to pass over time points at which nothing arrives, beside one at which much does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from statistics import median
from time import process_time

from larspark.bench.measuring.figures import Experiment, Figure
from larspark.bench.workloads.catalogue import WORKLOADS
from larspark.bench.workloads.task import Task
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.state.arrivals import NOTHING, Arrivals

IDLE = 1000
"""Time points without arrivals after every busy one."""


def _measure(quick: bool) -> Iterator[Figure]:
    for name in ("diamond", "join-chain", "cooling"):
        points = 20 if quick else 200
        task = Task(WORKLOADS[name], replace(WORKLOADS[name].defaults, points=points))
        busy, passed, stepped = _times(task)
        details = {"busy_us": round(busy * 1e6, 1), "points": points}
        yield Figure(f"{IDLE} idle time points / a busy one, {name}", round(passed / busy, 3), "", 1, details=details)
        yield Figure(f"an idle time point evaluated by itself, {name}", round(stepped * 1e6, 2), "µs")


def _times(task: Task) -> tuple[float, float, float]:
    """The median CPU seconds of a busy time point, of passing over the idle ones, and of one evaluated by itself."""
    reasoner = IntervalReasoner(task.analysis, task.background)
    advance = reasoner.engine.advance
    busy, passed, stepped = [], [], []
    for number, step in enumerate(task.steps):
        time = number * (IDLE + 2)
        arrivals = Arrivals.of(((time, fact) for fact in step.facts), reasoner.dictionary)
        busy.append(_seconds(partial(advance, time, arrivals)))
        passed.append(_seconds(partial(advance, time + IDLE, NOTHING)))
        stepped.append(_seconds(partial(advance, time + IDLE + 1, NOTHING)))
    return median(busy), median(passed), median(stepped)


def _seconds(call: Callable[[], object]) -> float:
    begin = process_time()
    call()
    return process_time() - begin


EXPERIMENTS = (Experiment("idle-time", "a thousand idle time points against a busy one", _measure, seconds=5),)
