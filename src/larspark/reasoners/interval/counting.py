"""Tuple and partition windows: an arrival is inside from its own time until enough others have arrived."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from larspark.intervals.sets import FOREVER
from larspark.intervals.storage import Rows
from larspark.language.facts import Signature
from larspark.reasoners.interval.arrivals import Arrivals, Batch
from larspark.reasoners.interval.network import Counted
from larspark.reasoners.interval.tables import as_rows


@dataclass
class Counting:
    """Counts the arrivals that pass the filters, per partition when there is one."""

    node: Counted
    _windows: dict[tuple[int, ...], deque[tuple[int, tuple[int, ...] | None]]] = field(default_factory=dict)
    """Per partition the numbers of the arrivals inside, with the row when it is of the predicate asked for."""
    _number: int = 0

    def change(self, arrivals: Arrivals) -> tuple[Rows, Rows]:
        """Rows gained and lost. A row is the arguments, the time and the number of an arrival."""
        gained: dict[int, tuple[int, ...]] = {}
        lost: list[tuple[int, ...]] = []
        size = self.node.size
        for time, signature, codes in self._counted(arrivals):
            self._number += 1
            asked = signature == self.node.signature
            row = (*codes, time << 1, self._number << 1) if asked else None
            if row is not None and size != 0:
                gained[self._number] = (*row, time, FOREVER)
            if size is None or size == 0:
                continue
            key = () if self.node.keys is None else tuple(codes[key] for key in self.node.keys)
            window = self._windows.setdefault(key, deque())
            window.append((self._number, row))
            if len(window) > size:
                number, oldest = window.popleft()
                if number in gained:  # it came and went in this chunk
                    gained[number] = (*gained[number][:-1], time - 1)
                elif oldest is not None:
                    lost.append((*oldest, time, FOREVER))
        width = self.node.target.width
        return as_rows(list(gained.values()), width), as_rows(lost, width)

    def _counted(self, arrivals: Arrivals) -> list[tuple[int, Signature, tuple[int, ...]]]:
        found = []
        for signature, batch in arrivals.batches.items():
            keep = passes(self.node, signature, batch)
            for place in np.flatnonzero(keep):
                codes = tuple(batch.codes[place].tolist())
                found.append((int(batch.places[place]), int(batch.times[place]), signature, codes))
        return [(time, signature, codes) for _, time, signature, codes in sorted(found, key=lambda arrival: arrival[0])]


def passes(node: Counted, signature: Signature, batch: Batch) -> npt.NDArray[np.bool_]:
    """Which arrivals of a batch are counted."""
    keep = np.ones(len(batch.times), np.bool_)
    for patterns in node.filters:
        chosen = np.zeros(len(batch.times), np.bool_)
        for wanted, values in patterns:
            if wanted == signature:
                fits = np.ones(len(batch.times), np.bool_)
                for column, value in enumerate(values):
                    if value is not None:
                        fits &= batch.codes[:, column] == value
                chosen |= fits
        keep &= chosen
    return keep
