"""`#hold`: an arrival opens an interval, which the next arrival of its key closes."""

from __future__ import annotations

from larspark.intervals.sets import bounded
from larspark.intervals.step.network import HOLDING
from larspark.intervals.step.step import arrive_held
from larspark.intervals.tables.addresses import address_of
from larspark.intervals.tables.storage import new_table
from larspark.intervals.windows.held import new_values
from larspark.reasoners.interval.network import Held
from larspark.reasoners.interval.state.arrivals import ArrivalBatch


class Holding:
    """The values that hold, as far as no later one of their key is known."""

    def __init__(self, node: Held, *, joined: bool) -> None:
        """Where rules look up what holds, it is `joined` with something."""
        self._target, self._passing = node.target.number, int(not joined)
        self._arity = node.signature.arity
        self._keys = new_table(len(node.keys), [])
        self._values = new_values(node.keys, bounded(node.length))
        self._places = address_of(self._values), address_of(self._keys)

    @property
    def window(self) -> list[int]:
        """For arrivals that come one by one."""
        return [HOLDING, self._target, *self._places, self._arity, 0, 0, self._passing, 0, 0, 0]

    def arrive(self, step_at: int, batch: ArrivalBatch) -> None:
        """Let a step that has begun know what holds with these arrivals, and what no longer does."""
        arrive_held(step_at, self._target, self._passing, *self._places, batch.codes, batch.times)
