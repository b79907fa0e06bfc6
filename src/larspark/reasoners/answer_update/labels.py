"""Labels: a status and the evaluation times for which it is guaranteed (IJCAI 2015, section 4).

All intervals are on the axis of *evaluation times*. The published examples also put reference times of `@` atoms
into labels; those are a separate question here, see `AnswerUpdateReasoner.reference_times`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from larspark.intervals.sets import IntervalSet


class Status(StrEnum):
    IN = "in"
    OUT = "out"
    UNKNOWN = "unknown"


class Label(NamedTuple):
    status: Status
    intervals: IntervalSet


def around(intervals: IntervalSet, time: int) -> IntervalSet:
    """The one interval that contains `time`, if any: how long the present status has held and will hold."""
    return tuple((start, end) for start, end in intervals if start <= time <= end)
