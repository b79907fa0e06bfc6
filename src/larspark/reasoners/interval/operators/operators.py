"""Operators that derive a relation from another where a core rule cannot.

A *local* operator proposes, for changed rows of its source, which rows of its target may change, and derives which
of proposed rows hold; it may stand in a recursion. An *exact* operator turns changes into changes.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from larspark.intervals.boxes import extend_runs, full_windows
from larspark.intervals.lists import column
from larspark.intervals.machine import clip
from larspark.intervals.seen import stretches_seen
from larspark.intervals.sets import FOREVER, bounded
from larspark.intervals.storage import META, SIZE, SLACK, SURVIVORS, Rows, compact, new_table
from larspark.intervals.unroll import unroll
from larspark.reasoners.interval.network import Boxed, Pointed, Relation, Run, Stretched, Ticking, Unrolled
from larspark.reasoners.interval.state.tables import Tables, as_rows


class LocalOperator(Protocol):
    source: Relation
    target: Relation

    def propose(self, rows: Rows) -> Rows: ...

    def derive(self, proposed: Rows) -> Rows: ...


class WakingOperator(LocalOperator, Protocol):
    """One that concludes something as time goes on, though nothing changes."""

    until: int

    def wake(self, after: int) -> Rows: ...


class Unrolling:
    """A fact about the evaluation time, with that time as a column: known up to `until`."""

    def __init__(self, node: Unrolled, tables: Tables, start: int) -> None:
        self.source, self.target = node.source, node.target
        self._tables = tables
        self.until = start - 1

    def propose(self, rows: Rows) -> Rows:
        return unroll(rows, -FOREVER, self.until)

    def derive(self, proposed: Rows) -> Rows:
        width = self.source.width
        held = self._tables.covered(self.source, np.delete(proposed, width, axis=1))
        return unroll(held, -FOREVER, self.until)

    def wake(self, after: int) -> Rows:
        """What holds newly only because time went on from `after`."""
        return unroll(self._tables.content(self.source), after + 1, self.until)


class Stretching:
    """A window over what holds in stretches of time points: each stretch is seen over an interval."""

    def __init__(self, node: Stretched, tables: Tables, start: int) -> None:
        self.source, self.target = node.source, node.target
        self._tables = tables
        self._past = bounded(node.past)
        self._window = self._past, bounded(node.future), node.hop, node.lag, start, int(node.always)
        self._longer = min(self._past + node.hop, FOREVER)

    def propose(self, rows: Rows) -> Rows:
        """Whoever can see a changed time point: no window sees what is ahead."""
        found = rows.copy()
        np.minimum(found[:, -1] + self._longer, FOREVER, out=found[:, -1])
        return found

    def derive(self, proposed: Rows) -> Rows:
        return stretches_seen(self._tables.raw(self.source), proposed, *self._window)


class Pointing:
    """The time points of stretches one by one, for whoever asks for the time: known up to `until`."""

    def __init__(self, node: Pointed, tables: Tables, start: int) -> None:
        self.source, self.target = node.source, node.target
        self._tables = tables
        self._past, self._lag = bounded(node.past), node.lag
        self.until = start - 1

    def propose(self, rows: Rows) -> Rows:
        return self._seen(unroll(rows, -FOREVER, self.until - self._lag))

    def derive(self, proposed: Rows) -> Rows:
        width = self.source.width
        asked = np.delete(proposed, width, axis=1)
        asked[:, width] = asked[:, width + 1] = proposed[:, width] >> 1
        return self.propose(self._tables.covered(self.source, asked))

    def wake(self, after: int) -> Rows:
        """What can be seen newly only because time went on from `after`."""
        content = self._tables.content(self.source)
        return self._seen(unroll(content, after + 1 - self._lag, self.until - self._lag))

    def _seen(self, found: Rows) -> Rows:
        found[:, -2] += self._lag
        np.minimum(found[:, -1] + self._past, FOREVER, out=found[:, -1])
        return found


class Boxing:
    """□ over a window: recounted for the key and the times that a changed point can touch."""

    def __init__(self, node: Boxed, tables: Tables, start: int) -> None:
        self.source, self.target = node.source, node.target
        self._tables = tables
        self._window = (
            bounded(node.past),
            bounded(node.future),
            bounded(node.hop),
            -FOREVER if node.fixed else start,
        )
        self._index = node.source.index(tuple(range(node.target.width)))

    def propose(self, rows: Rows) -> Rows:
        return np.delete(rows, self.target.width, axis=1)

    def derive(self, proposed: Rows) -> Rows:
        return full_windows(self._tables.raw(self.source), self._index, proposed, *self._window)


class Running:
    """□ over arrivals in a sliding window: runs of time points are extended, nothing is recounted."""

    def __init__(self, node: Run, start: int) -> None:
        self.source, self.target = node.source, node.target
        self._past, self._start = bounded(node.past), start
        self._runs = new_table(node.target.width, [])
        self._size = column(self._runs, META)

    def extend(self, arrived: Rows, horizon: int) -> Rows:
        """The rows that the arrivals make true."""
        found = extend_runs(self._runs, arrived, self._past, self._start, horizon)
        if self._size[SIZE] > 2 * self._size[SURVIVORS] + SLACK:
            compact(self._runs, horizon - 1)
        return found


class Clock:
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
