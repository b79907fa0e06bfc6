"""The jobs of a run: every workload as it is, with growing parameters, and the experiments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from larspark.bench.measuring.figures import Experiment
from larspark.bench.measuring.measure import Measurement, measure
from larspark.bench.workloads.task import Parameters, Task, Workload

QUICK = Parameters(rate=20, window=5, points=20, size=12, gap=11)
"""The largest values of a quick run, which shows that everything works and that all agree."""

QUICK_SIZES = 2
"""How many sizes per axis a quick run tries."""

GROWING_ATOMS = 20_000
"""A stream of a growth curve has no more atoms than this, unless the window asks for it."""

GROWING_REPETITIONS = 2

Record: TypeAlias = dict[str, Any]
"""What a job leaves behind, as JSON: a measurement or a figure."""


@dataclass(frozen=True)
class RunRequest:
    """What is asked of a run."""

    given: Mapping[str, int]
    """Parameters that replace the workloads' own."""
    repetitions: int = 3
    quick: bool = False
    only: frozenset[str] = frozenset()
    """The contestants that take part; empty: all."""

    def lets(self, contestant: str) -> bool:
        return not self.only or contestant in self.only

    def settings(self) -> Record:
        """Measurements with other settings are other measurements."""
        return {
            "given": dict(self.given),
            "repetitions": self.repetitions,
            "quick": self.quick,
            "only": sorted(self.only),
        }


@dataclass(frozen=True)
class Job:
    """One piece of a run, which is done or not done."""

    name: str
    """Of the workload with the size that grows, or of the experiment: `diamond window=80`."""
    seconds: float
    """About how long it takes."""
    work: Callable[[Collection[str]], Iterable[Record]]
    """Measure without these contestants; figures come one by one."""
    workload: str = ""
    axis: str = ""
    """What grows; empty for the workload as it is."""


def single_task(workload: Workload, run: RunRequest) -> Task:
    """The workload with its own parameters, where nothing else is given."""
    parameters = _quick(workload.defaults) if run.quick else workload.defaults
    return Task(workload, replace(parameters, **run.given))


def single(workload: Workload, run: RunRequest) -> Job:
    """The measurement of a workload as it is."""
    task = single_task(workload, run)

    def work(_: Collection[str]) -> list[Record]:
        return [one.as_json() for one in measure(task, run.repetitions, run.lets)]

    return Job(workload.name, 1 if run.quick else workload.seconds, work, workload.name)


def growing(workload: Workload, run: RunRequest) -> Iterator[Job]:
    """The jobs of the growth curves, sizes in ascending order."""
    usual = replace(_quick(workload.defaults) if run.quick else workload.defaults, **run.given)
    for axis, values in workload.axes.items():
        for value in values[:QUICK_SIZES] if run.quick else values:
            parameters = _filled(usual.at(axis, value), run.quick)
            yield _grown(Task(workload, parameters), axis, f"{workload.name} {axis}={value:g}", run)


def _grown(task: Task, axis: str, name: str, run: RunRequest) -> Job:
    def work(slow: Collection[str]) -> list[Record]:
        found = measure(task, min(run.repetitions, GROWING_REPETITIONS), lambda who: _grows(who, run, slow))
        return [one.as_json() | {"axis": axis} for one in found]

    return Job(name, 1 if run.quick else task.workload.seconds / 2, work, task.workload.name, axis)


def _grows(contestant: str, run: RunRequest, slow: Collection[str]) -> bool:
    """Facts cost the same per atom beside everything else: their curve would say nothing new."""
    wanted = contestant in run.only if run.only else contestant != "facts"
    return wanted and contestant not in slow


def experiment_job(experiment: Experiment, run: RunRequest) -> Job:
    def work(_: Collection[str]) -> Iterator[Record]:
        for figure in experiment.run(run.quick):
            yield {"experiment": experiment.name, **figure.as_json()}

    return Job(experiment.name, 5 if run.quick else experiment.seconds, work)


def too_slow(job: Job, records: Iterable[Record]) -> set[str]:
    """Who was exhausted by a smaller size on the same axis, and is not asked for a larger one."""
    return {
        record["contestant"]
        for record in records
        if job.axis
        and (record.get("workload"), record.get("axis")) == (job.workload, job.axis)
        and Measurement.from_json(record).exhausting
    }


def _filled(parameters: Parameters, quick: bool) -> Parameters:
    """Enough time points to fill the window and go on for a while, and not more atoms than needed."""
    window = parameters.window
    least = window + window // 5 + (10 if quick else 50)
    affordable = GROWING_ATOMS // max(1, parameters.rate)
    return replace(parameters, points=max(least, min(parameters.points, affordable)))


def _quick(parameters: Parameters) -> Parameters:
    names = ("rate", "window", "points", "size", "gap")
    return replace(parameters, **{name: min(getattr(parameters, name), getattr(QUICK, name)) for name in names})
