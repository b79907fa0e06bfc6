"""The optimiser measured: each program as written and as rewritten, side by side over the same stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from larspark.analysis.rewrites.optimise import OptimisedProgram, optimise
from larspark.bench.measuring.contestants import Contestant, PerTimePoint
from larspark.bench.measuring.figures import Experiment, Figure
from larspark.bench.measuring.interval import IntervalChunks
from larspark.bench.measuring.measure import CHECKED, AnswersDiffer, cpu_seconds
from larspark.bench.measuring.suite import RunRequest, single_task
from larspark.bench.workloads.for_optimiser import MADE
from larspark.bench.workloads.task import Atoms, Task

SLOWER = 1.05
"""No program may take longer than this times its time without the optimiser."""


@dataclass(frozen=True)
class Gain:
    """What the optimiser did for one task."""

    task: Task
    contestant: str
    plan: OptimisedProgram
    before: float
    """CPU seconds of the fastest pass."""
    after: float

    @property
    def ratio(self) -> float:
        return self.before / self.after

    @property
    def reached(self) -> bool:
        """As fast as predicted, or at least not slower; a program that stays the same shows the noise of measuring."""
        wanted = self.plan.predicted if self.plan.predicted > 1 else 1 / SLOWER
        return not self.plan.steps or self.ratio >= wanted

    def as_json(self) -> dict[str, Any]:
        return {
            "workload": self.task.workload.name,
            "contestant": self.contestant,
            "parameters": self.task.parameters.as_json(),
            "rewrites": sorted({step.rewrite.name for step in self.plan.steps}),
            "cpu_seconds": {"before": round(self.before, 6), "after": round(self.after, 6)},
            "ratio": round(self.ratio, 3),
            "predicted": self.plan.predicted,
            "reached": self.reached,
        }


def gains(task: Task, repetitions: int = 3) -> list[Gain]:
    """With each contestant run both versions in turns; raises `AnswersDiffer` when they differ on what is shown."""
    both = zip(_contestants(task), _contestants(replace(task, optimised=True)), strict=True)
    return [_gain(task, written, rewritten, repetitions) for written, rewritten in both]


def _gain(task: Task, written: Contestant, rewritten: Contestant, repetitions: int) -> Gain:
    if not task.workload.several_models:  # otherwise each may answer with another model
        _compare(task, written, rewritten)
    before: list[float] = []
    after: list[float] = []
    for turn in range(repetitions):
        turns = [(before, written), (after, rewritten)]
        for times, contestant in turns if turn % 2 == 0 else reversed(turns):
            times.append(cpu_seconds(contestant.prepare()))
    return Gain(task, written.name, optimise(task.analysis.program), min(before), min(after))


def _contestants(task: Task) -> list[Contestant]:
    """The first reasoner of the workload, time point by time point; the interval reasoner fed in both ways."""
    reasoner = task.workload.reasoners[0]
    if reasoner == "interval":
        return [IntervalChunks(task, "live", 1), PerTimePoint(task, "interval", "facts")]
    return [PerTimePoint(task, reasoner)]


def _compare(task: Task, written: Contestant, rewritten: Contestant) -> None:
    places, shown = task.sample(CHECKED), task.analysis.shown
    expected, found = written.answers(places), rewritten.answers(places)

    def visible(atoms: Atoms) -> Atoms:
        return frozenset((time, fact) for time, fact in atoms if fact.signature in shown)

    for place in places:
        if visible(expected[place]) != visible(found[place]):
            time = task.steps[place].time
            raise AnswersDiffer(f"{task.workload.name}: the optimised program differs at time point {time}")


def as_text(found: Gain) -> str:
    """One line."""
    line = f"{found.task.workload.name:16}{found.contestant:8}{found.ratio:8.2f} times as fast"
    if not found.plan.steps:
        return f"{line}, the same program: noise"
    verdict = "reached" if found.reached else "missed"
    return f"{line}, predicted {found.plan.predicted:.1f}: {verdict}  ({', '.join(found.as_json()['rewrites'])})"


def _measure(quick: bool) -> Iterator[Figure]:
    """How many times as fast the programs made for the optimiser become, fed with columns."""
    for workload in MADE.values():
        live, *_ = gains(single_task(workload, RunRequest({}, quick=quick)), 1 if quick else 3)
        yield Figure(f"{workload.name}, as written / as rewritten", round(live.ratio, 2), "", live.plan.predicted, True)


EXPERIMENTS = (Experiment("optimiser", "programs as written beside programs as rewritten", _measure, seconds=20),)
