"""Questions about recordings beside evaluating what they are about: their rules alone, over what the windows see.

The proof, or what is missing, is measured by itself. When an atom began and will end, what keeps it, and repairs are
evaluations of other data: they are measured together with it, for information. Where there are choices, a program has
several answer streams, and what was chosen depends on all evaluations before: both sides make them and ask for as many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from larspark.bench.measuring.figures import Experiment, Figure
from larspark.bench.measuring.measure import cpu_seconds
from larspark.bench.workloads.catalogue import WORKLOADS
from larspark.bench.workloads.task import Task
from larspark.explain.evaluations.history import Sourced
from larspark.explain.evaluations.relevance import Relevance
from larspark.language.facts import Fact
from larspark.questions.explaining import Case

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
LARGER = {"closure": 4}
"""How often its rate a workload is asked about as well: 4 ms, half of them to make an engine ready, say little."""
REPEATED = 3
LONG = 2.0
"""Seconds beyond which once is enough."""

Ask: TypeAlias = tuple[str, float | None, Callable[[], object]]
"""What is asked, how often the evaluation it may take, and the question."""


def _measure(quick: bool) -> Iterator[Figure]:
    for name in ASKED[:2] if quick else ASKED:
        yield from _asked(name)
        if name in LARGER:
            yield from _asked(name, LARGER[name])


def _asked(name: str, times: int = 1) -> Iterator[Figure]:
    workload = WORKLOADS[name]
    task = Task(workload, workload.defaults.at("rate", times * workload.defaults.rate))
    called = name if times == 1 else f"{name} at {times} times its rate"
    arrivals = [Sourced(step.time, fact) for step in task.steps for fact in step.facts]
    case = Case.of(task.prepared, arrivals, (task.start, task.steps[-1].time))
    time = task.steps[len(task.steps) * 6 // 10].time
    holding, gone = _atoms(case, time)
    for fact, asked in ((holding, _why(case, holding, time)), (gone, _why_not(case, gone, time))):
        seen = case.setting.relevant(_cone(case, fact), time, time)
        evaluating = _seconds(lambda: _evaluated(case, fact, time))  # noqa: B023 - called here
        for what, limit, ask in asked:
            asking = _seconds(ask)
            details = {"atom": str(fact), "arrivals": len(seen), "evaluating": evaluating, "asking": asking}
            ratio = round(asking / evaluating, 2)
            yield Figure(f"{what} / evaluating its cone, {called}", ratio, "", limit, details=details)


def _cone(case: Case, fact: Fact) -> Relevance:
    """All atoms of its predicate and of those below; where there are choices, any of them may matter."""
    program = case.prepared.program
    return Relevance.of(program, fact, keyed=False) if case.setting.single else Relevance(program, None)


def _evaluated(case: Case, fact: Fact, time: int) -> object:
    """The answers up to that time; where there are choices, with all answer streams of the last evaluation.

    Which rules and arrivals there are in the cone is found as the question finds it.
    """
    if case.setting.single:
        cone = _cone(case, fact)
        return case.evaluate(case.setting.relevant(cone, time, time), time, narrowed=cone.narrowed)
    choices = case.choices(time)
    return choices and (choices.streams, choices.past(case.prepared.analysis.intensional))


def _why(case: Case, fact: Fact, time: int) -> Sequence[Ask]:
    return (
        ("why: the proof", 1, lambda: case.why(str(fact), time, lived=False)),
        ("why: proof and life", None, lambda: case.why(str(fact), time)),
    )


def _why_not(case: Case, fact: Fact, time: int) -> Sequence[Ask]:
    return (
        ("why-not: what is missing", 1, lambda: case.why_not(str(fact), time, repaired=False)),
        ("why-not: with times and repairs", None, lambda: case.why_not(str(fact), time)),
    )


def _atoms(case: Case, time: int) -> tuple[Fact, Fact]:
    """One that holds, and the last one that ended before."""
    seen = case.setting.relevant(Relevance(case.prepared.program, None), time - 2 * (case.setting.reach or 0), time)
    everything = case.evaluate(seen, time)
    holding = sorted((fact for point, fact in everything.atoms(time) if point == time), key=str)
    present = frozenset(holding)
    ended = [one for one in everything.stretches if one.at is None and one.fact not in present]
    gone = max(ended, key=lambda one: (one.last, str(one.fact)))
    return holding[len(holding) // 2], gone.fact


def _seconds(run: Callable[[], object]) -> float:
    first = cpu_seconds(run)
    again = (cpu_seconds(run) for _ in range(REPEATED - 1 if first < LONG else 0))
    return round(min([first, *again]), 4)


EXPERIMENTS = (
    Experiment("explain-cone", "why and why-not against evaluating what they are about", _measure, seconds=60),
)
