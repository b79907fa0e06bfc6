"""The goals of `tick --foresee`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from larspark.cli.options.outlook import outlook_of
from larspark.hypothetical.answers.times import WrittenTimes
from larspark.hypothetical.foresight import Outlook
from larspark.python.foresight import Subject
from larspark.runtime.prepared import Prepared
from larspark.tick.lookout import Lookout
from larspark.tick.stamps import Stamping, as_it_is, full_atoms
from larspark.tick.timing import EveryPoints, Timing


@dataclass(frozen=True)
class Goals:
    """What to look out for in a program, and how."""

    subject: Subject
    goals: tuple[str, ...]
    outlook: Outlook

    @classmethod
    def of(cls, arguments: argparse.Namespace, prepared: Prepared, timing: Timing) -> Goals | None:
        """None without goals.

        Where output is due before a time point is over its facts may still come, which is a delay of one.
        """
        if not arguments.foresee:
            return None
        delay = 0 if isinstance(timing, EveryPoints) else 1
        return cls(Subject.of(prepared), tuple(dict.fromkeys(arguments.foresee)), outlook_of(arguments, delay))

    def lookout(self, start: int, times: Callable[[], WrittenTimes]) -> Lookout:
        """Raises Rejected for a goal that cannot be foreseen."""
        return Lookout({goal: self.subject.watch(goal, self.outlook, start) for goal in self.goals}, times)


def stamping_of(goals: Goals | None) -> Stamping:
    """Temporal Datalog takes facts that carry their time as last argument."""
    if goals is None or not goals.subject.temporal:
        return as_it_is
    return full_atoms(goals.subject.watch(goals.goals[0], goals.outlook, 0).theory)
