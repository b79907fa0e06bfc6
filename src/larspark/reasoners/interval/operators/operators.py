"""Operators that derive a relation from another where a core rule cannot.

A *local* operator proposes, for changed rows of its source, which rows of its target may change, and derives which
of proposed rows hold; it may stand in a recursion. An *exact* operator turns changes into changes.
"""

from __future__ import annotations

from larspark.intervals.rules.machine import clip
from larspark.intervals.sets import bounded
from larspark.intervals.step.network import RUNNING
from larspark.intervals.tables.addresses import address_of
from larspark.intervals.tables.storage import SLACK, Rows, new_table
from larspark.intervals.windows.boxes import extend_runs
from larspark.reasoners.interval.network import Run, Ticking
from larspark.reasoners.interval.state.tables import as_rows


class ExtendedRuns:
    """□ over arrivals in a sliding window: runs of time points are extended, nothing is recounted."""

    def __init__(self, node: Run, start: int) -> None:
        self.source, self.target = node.source, node.target
        self._past, self._start = bounded(node.past), start
        self._runs = new_table(node.target.width, [])

    @property
    def window(self) -> list[int]:
        """For arrivals that come one by one."""
        at, width = address_of(self._runs), self.target.width
        return [RUNNING, self.target.number, at, at, width, 0, self._past, 0, self._start, at, 0]

    def extend(self, arrived: Rows, horizon: int) -> Rows:
        """The rows that the arrivals make true."""
        return extend_runs(self._runs, arrived, self._past, self._start, horizon, SLACK)


class TimePoints:
    """The time points themselves, for given facts that are read with their time."""

    def __init__(self, node: Ticking, start: int) -> None:
        self.target = node.target
        self._window = bounded(node.past), node.future, bounded(node.hop)
        self._next = start

    def wake(self, until: int) -> Rows:
        """The time points that windows up to `until` can see and earlier ones could not."""
        last = until + self._window[1]
        times = range(self._next, last + 1)
        self._next = max(self._next, last + 1)
        return as_rows([(time << 1, *clip(time << 1, *self._window)) for time in times], 1)
