"""Which tasks a run consists of, and the growth curves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

from larspark.bench.measure import Measurement, measure
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


def grow(
    workload: Workload, given: Mapping[str, int], repetitions: int, only: Callable[[str], bool]
) -> Iterator[tuple[str, list[Measurement]]]:
    """Measure the growth curves; who was too slow at one size is not asked for a larger one."""
    too_slow: set[tuple[str, str]] = set()
    for axis, task in growing(workload, given):
        slow = {name for along, name in too_slow if along == axis}
        found = measure(task, repetitions, _both(only, slow))
        too_slow |= {(axis, one.contestant) for one in found if one.exhausting}
        yield axis, found


def _both(only: Callable[[str], bool], slow: Collection[str]) -> Callable[[str], bool]:
    return lambda name: only(name) and name not in slow


def _quick(parameters: Parameters) -> Parameters:
    names = ("rate", "window", "points", "size", "gap")
    return replace(parameters, **{name: min(getattr(parameters, name), getattr(QUICK, name)) for name in names})
