"""Partitions that are too heavy, divided in time where the rules allow it; one partition alone may be one.

A key is never divided between partitions, but its time can be: an evaluation looks no farther back than the windows, so
a span of evaluations needs its own arrivals and those that windows at its beginning still see (thesis Def. 8: an answer
stream depends on the data and the evaluation time alone). Of conclusions of earlier stages it needs those that hold in
the span: an evaluation sees what follows at itself, never what followed at another.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
import numpy.typing as npt

from larspark.spark.plan.plan import EvaluationSpan, PlannedStage, SparkPlan
from larspark.spark.plan.work import StagePart

HEAVY = 1.5
"""A partition with so many times the rows that would be its share is heavy."""

FEWEST = 40
"""Sampled rows of a partition from which its weight is believed."""

SPANS = 2
"""How many parts a heavy partition makes for each even share it has: cores that are done early take the next."""

LONGER = 4
"""How many times longer than the windows a span must be; what windows see before it is evaluated twice."""


@dataclass(frozen=True)
class TimeDivision:
    """The parts of a stage, and what there is to say about them."""

    parts: tuple[StagePart, ...]
    reach: int
    """How far back the windows see."""
    note: str = ""

    @property
    def divided(self) -> bool:
        """Some interval may be cut between two parts."""
        return len({part.bucket for part in self.parts}) < len(self.parts)


def divide(
    plan: SparkPlan, number: int, sample: npt.NDArray[np.int64], span: EvaluationSpan, buckets: int
) -> TimeDivision:
    """The parts of a stage with even weight, as far as possible; the sample has times and buckets of rows it reads."""
    planned = plan.stages[number]
    whole = tuple(StagePart(bucket, span.begin, span.end) for bucket in range(buckets if planned.stage.keyed else 1))
    times, places = sample[:, 0], sample[:, 1]
    weights = np.bincount(places, minlength=len(whole))
    share = weights.sum() / buckets
    heavy = [one for one, weight in enumerate(weights) if weight >= max(FEWEST, HEAVY * share)]
    if not heavy:
        return TimeDivision(whole, 0)
    told = f"stage {number + 1}: {_told(weights, heavy)}"
    reason = obstacle(plan, planned)
    if reason:
        return TimeDivision(whole, 0, f"{told}; time cannot be divided, because {reason}")
    reach = reach_of(plan, planned)
    parts = list(whole)
    for bucket in heavy:
        wanted = ceil(SPANS * weights[bucket] / share)
        begins = _begins(np.sort(times[places == bucket]), wanted, span, max(1, LONGER * reach))
        ends = [*(begin - 1 for begin in begins[1:]), span.end]
        first, *further = (StagePart(bucket, begin, end) for begin, end in zip(begins, ends, strict=True))
        parts[bucket] = first
        parts += further
    if len(parts) == len(whole):
        return TimeDivision(whole, 0, f"{told}; the timeline is too short to be divided")
    return TimeDivision(tuple(parts), reach, f"{told}; divided in time, there are {len(parts)}")


def _told(weights: npt.NDArray[np.int64], heavy: list[int]) -> str:
    if len(weights) == 1:
        return "everything is in one partition"
    part = f"{weights[heavy].sum() / weights.sum():.0%}"
    return f"{part} of what it reads is in {len(heavy)} of {len(weights)} partitions"


def obstacle(plan: SparkPlan, planned: PlannedStage) -> str:
    """Why the time of a stage cannot be divided; empty when it can."""
    program = planned.program
    if planned.depends:
        return "every evaluation depends on the one before"
    if program.ordered:
        return "a window counts arrivals"
    endless = [str(one) for one in sorted(program.inputs) if plan.analysis.retention[one].past is None]
    return f"{', '.join(endless)} can matter for ever" if endless else ""


def reach_of(plan: SparkPlan, planned: PlannedStage) -> int:
    """How far back an evaluation of a stage looks."""
    return max((plan.analysis.retention[one].past or 0 for one in planned.program.inputs), default=0)


def _begins(times: npt.NDArray[np.int64], wanted: int, span: EvaluationSpan, shortest: int) -> list[int]:
    """The first evaluations of spans with about the same number of rows."""
    begins = [span.begin]
    for number in range(1, wanted):
        time = int(times[number * len(times) // wanted])
        if time - begins[-1] >= shortest and span.end - time >= shortest:
            begins.append(time)
    return begins
