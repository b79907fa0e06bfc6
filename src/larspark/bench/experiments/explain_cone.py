"""Questions about recordings beside evaluating what they are about: their rules, over what the windows see."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from larspark.bench.measuring.figures import Experiment, Figure
from larspark.bench.measuring.measure import cpu_seconds
from larspark.bench.workloads.catalogue import WORKLOADS
from larspark.bench.workloads.task import Task
from larspark.explain.evaluations.history import Sourced
from larspark.explain.evaluations.relevance import Relevance
from larspark.language.facts import Fact
from larspark.runtime.explaining import Case

ASKED = (
    "diamond",
    "box",
    "join-chain",
    "join-random",
    "several-rules",
    "cooling",
    "negation",
    "aggregate",
    "ranks",
    "closure",
    "content",
)
REPEATED = 3


def _measure(quick: bool) -> Iterator[Figure]:
    for name in ASKED[:2] if quick else ASKED:
        yield from _asked(name)


def _asked(name: str) -> Iterator[Figure]:
    workload = WORKLOADS[name]
    task = Task(workload, workload.defaults)
    arrivals = [Sourced(step.time, fact) for step in task.steps for fact in step.facts]
    case = Case.of(task.prepared, arrivals, (task.start, task.steps[-1].time))
    time = task.steps[len(task.steps) * 6 // 10].time
    holding, gone = _atoms(case, time)
    for ask, fact in (("why", holding), ("why-not", gone)):
        cone = Relevance.of(case.prepared.program, fact, keyed=False)
        seen = case.setting.relevant(cone, time, time)
        evaluating = _seconds(lambda: case.evaluate(seen, time))  # noqa: B023 - called here
        asking = _seconds(lambda: _ask(case, ask, fact, time))  # noqa: B023
        details = {"atom": str(fact), "arrivals": len(seen), "evaluating": evaluating, "asking": asking}
        yield Figure(f"{ask} / evaluating its cone, {name}", round(asking / evaluating, 2), "", 1, details=details)


def _ask(case: Case, ask: str, fact: Fact, time: int) -> object:
    return case.why(str(fact), time) if ask == "why" else case.why_not(str(fact), time)


def _atoms(case: Case, time: int) -> tuple[Fact, Fact]:
    """One that holds, and the last one that ended before."""
    seen = case.setting.relevant(Relevance(case.prepared.program, None), time - 2 * (case.setting.reach or 0), time)
    everything = case.evaluate(seen, time)
    holding = sorted((fact for point, fact in everything.atoms(time) if point == time), key=str)
    ended = [one for one in everything.stretches if one.at is None and one.fact not in holding]
    gone = max(ended, key=lambda one: (one.last, str(one.fact)))
    return holding[len(holding) // 2], gone.fact


def _seconds(run: Callable[[], object]) -> float:
    return round(min(cpu_seconds(run) for _ in range(REPEATED)), 4)


EXPERIMENTS = (
    Experiment("explain-cone", "why and why-not against evaluating what they are about", _measure, seconds=60),
)
