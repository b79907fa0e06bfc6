"""From the rows that a relation has to those that it is to have: what groups that are computed anew gain and lose."""

from __future__ import annotations

import numpy as np

from larspark.intervals.tables.storage import Rows
from larspark.intervals.tables.table import outside
from larspark.reasoners.interval.network import Relation

Moved = tuple[Relation, Rows, Rows]
"""A relation with the rows it gains and loses."""


def revised(target: Relation, before: Rows, now: Rows | None, horizon: int) -> Moved:
    """The difference, as far as it still matters."""
    then = _mattering(before, horizon)
    wanted = then[:0] if now is None else _mattering(now, horizon)
    return target, outside(wanted, then), outside(then, wanted)


def _mattering(rows: Rows, horizon: int) -> Rows:
    """What is over would be new again and again to those who do not keep it."""
    found = rows[rows[:, -1] >= horizon]
    np.maximum(found[:, -2], horizon, out=found[:, -2])
    return found
