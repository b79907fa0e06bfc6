"""Which tasks a run consists of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from larspark.bench.task import Parameters, Task, Workload

QUICK = Parameters(rate=20, window=5, points=20, size=12, gap=11)
"""The largest values of a quick run, which shows that everything works and that all agree."""


def single(workload: Workload, given: Mapping[str, int], quick: bool = False) -> Task:
    """The workload with its own parameters, where nothing else is given."""
    parameters = _quick(workload.defaults) if quick else workload.defaults
    return Task(workload, replace(parameters, **given))


def growing(workload: Workload, given: Mapping[str, int]) -> Iterator[tuple[str, Task]]:
    """The tasks of the growth curves, with the name of the parameter that grows."""
    usual = replace(workload.defaults, **given)
    for window in workload.windows:
        points = max(usual.points if usual.window < usual.points else 0, window + window // 5 + 100)
        yield "window", Task(workload, replace(usual, window=window, points=points))
    for rate in workload.rates:
        yield "rate", Task(workload, replace(usual, rate=rate))


def _quick(parameters: Parameters) -> Parameters:
    names = ("rate", "window", "points", "size", "gap")
    return replace(parameters, **{name: min(getattr(parameters, name), getattr(QUICK, name)) for name in names})
