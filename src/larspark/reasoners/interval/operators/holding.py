"""`#hold`: an arrival opens an interval, which the next arrival of its key closes."""

from __future__ import annotations

import numpy as np

from larspark.intervals.held import forget, hold, new_values
from larspark.intervals.lists import column
from larspark.intervals.sets import FOREVER, bounded
from larspark.intervals.storage import META, SIZE, SLACK, SURVIVORS, Rows, new_table
from larspark.intervals.table import outside
from larspark.reasoners.interval.network import Held
from larspark.reasoners.interval.state.arrivals import Arrivals
from larspark.reasoners.interval.state.tables import as_rows


class Holding:
    """The values that hold, as far as no later one of their key is known."""

    def __init__(self, node: Held) -> None:
        self.node = node
        self._length = bounded(node.length)
        self._keys = new_table(len(node.keys), [])
        self._size = column(self._keys, META)
        self._values = new_values()

    def change(self, arrivals: Arrivals, horizon: int) -> tuple[Rows, Rows]:
        """The rows gained and lost: arguments and the interval in which they hold."""
        batch = arrivals.batches.get(self.node.signature)
        if batch is None or not len(batch.times):
            nothing = as_rows([], self.node.target.width)
            return nothing, nothing
        codes, times = batch.codes, batch.times
        if (times[1:] < times[:-1]).any():
            order = np.argsort(times, kind="stable")
            codes, times = codes[order], times[order]
        if self._size[SIZE] > 2 * self._size[SURVIVORS] + SLACK:
            forget(self._values, self._keys, horizon, self.node.target.width)
        own = np.empty((len(times), len(self.node.keys) + 2), np.int64)
        own[:, :-2] = codes[:, self.node.keys]
        own[:, -2] = times
        np.minimum(times + self._length, FOREVER, out=own[:, -1])
        gained, lost = hold(self._values, self._keys, own, codes, times, self._length)
        # A value that comes again goes on holding.
        return gained, outside(lost, gained) if len(lost) else lost
