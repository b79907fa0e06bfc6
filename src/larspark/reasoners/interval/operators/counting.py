"""Tuple and partition windows: an arrival is inside from its own time until enough others have arrived."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from larspark.intervals.sets import bounded
from larspark.intervals.tables.storage import Column, Rows, new_table
from larspark.intervals.windows.queues import enqueue, new_queues
from larspark.language.facts import Signature
from larspark.reasoners.interval.network import Counted, InSession
from larspark.reasoners.interval.state.arrivals import ArrivalBatch, Arrivals
from larspark.reasoners.interval.state.tables import as_rows


class Counting:
    """Counts the arrivals that pass the filters, per partition when there is one."""

    def __init__(self, node: Counted) -> None:
        self.node = node
        self._size = bounded(node.size)
        self._partitions = new_table(key_width(node), [])
        self._queues = new_queues()

    def counts(self, signature: Signature) -> bool:
        """Whether arrivals of a predicate can pass the filters."""
        return all(any(wanted == signature for wanted, _ in patterns) for patterns in self.node.filters)

    def change(self, arrivals: Arrivals, first: int) -> tuple[Rows, Rows]:
        """Rows gained and lost. A row is the arguments, the number and the time of an arrival."""
        keys, rows, asked = counted(self.node, arrivals, first)
        if not len(rows) or not self._size:
            nothing = as_rows([], self.node.target.width)
            return nothing, nothing
        return enqueue(self._queues, self._partitions, keys, rows, asked, self._size, self.node.whole)


def key_width(node: Counted | InSession) -> int:
    """How many arguments are a key; that of all predicates has as many."""
    return next((len(keys) for keys in (node.keys or {}).values()), 0)


def counted(node: Counted | InSession, arrivals: Arrivals, first: int) -> tuple[Rows, Rows, Column]:
    """Key and row of the counted arrivals in order, and which are of the predicate asked for.

    `first` is the number of the arrival at place 0: windows in a chain know an arrival by its number.
    """
    width = key_width(node)
    arity = node.signature.arity
    passing = {signature: passes(node, signature, batch) for signature, batch in arrivals.batches.items()}
    chosen = {
        signature: batch.where(passing[signature])
        for signature, batch in arrivals.batches.items()
        if passing[signature].any()
    }
    total = sum(len(batch.times) for batch in chosen.values())
    keys = np.zeros((total, width + 2), np.int64)
    rows = np.zeros((total, arity + 2), np.int64)
    asked = np.zeros(total, np.int64)
    order = np.argsort(np.concatenate([batch.places for batch in chosen.values()] or [asked]), kind="stable")
    ranks = np.empty(total, np.int64)
    ranks[order] = np.arange(total)
    begin = 0
    for signature, batch in chosen.items():
        own = ranks[begin : begin + len(batch.times)]
        begin += len(batch.times)
        rows[own, arity], rows[own, arity + 1] = (batch.places + first) << 1, batch.times << 1
        if node.keys and width:
            keys[own, :-2] = batch.codes[:, node.keys[signature]]
        if signature == node.signature:
            rows[own, :arity] = batch.codes
            asked[own] = 1
    return keys, rows, asked


def passes(node: Counted | InSession, signature: Signature, batch: ArrivalBatch) -> npt.NDArray[np.bool_]:
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
