"""Session windows: an arrival is inside from its own time until a pause follows the last arrival of its key."""

from __future__ import annotations

import numpy as np

from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.lists import column
from larspark.intervals.tables.storage import META, SIZE, SLACK, SURVIVORS, Rows, new_table
from larspark.intervals.windows.sessions import forget_keys, join_sessions, new_sessions, next_end
from larspark.reasoners.interval.network import InSession
from larspark.reasoners.interval.operators.counting import counted, key_width
from larspark.reasoners.interval.state.arrivals import Arrivals


class Sessions:
    """The sessions that go on. Their ends are not known before they come, so rows have none until then."""

    def __init__(self, node: InSession) -> None:
        self.node = node
        self._keys = new_table(key_width(node), [])
        self._size = column(self._keys, META)
        self._sessions = new_sessions()

    def change(self, arrivals: Arrivals, first: int, until: int, horizon: int) -> tuple[Rows, Rows]:
        """Rows gained and lost. A row is the arguments, the number and the time of an arrival."""
        keys, rows, asked = counted(self.node, arrivals, first)
        if self._size[SIZE] > 2 * self._size[SURVIVORS] + SLACK:
            forget_keys(self._sessions, self._keys, horizon)
        keys[:, -2] = rows[:, -1] >> 1
        np.minimum(keys[:, -2] + self.node.gap, FOREVER, out=keys[:, -1])
        return join_sessions(self._sessions, self._keys, keys, rows, asked, self.node.gap, until)

    @property
    def next_end(self) -> int:
        """When the first session ends if nothing arrives."""
        return next_end(self._sessions, self.node.gap)
