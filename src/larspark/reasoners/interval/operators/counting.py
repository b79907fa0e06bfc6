"""Tuple and partition windows: an arrival is inside from its own time until enough others have arrived."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from larspark.intervals.sets import bounded
from larspark.intervals.step.network import COUNTING, FILLING
from larspark.intervals.tables.addresses import address_of
from larspark.intervals.tables.storage import SLACK, Column, Rows, new_table
from larspark.intervals.windows.latest import fill_latest, new_latest
from larspark.intervals.windows.queues import enqueue, new_queues
from larspark.language.facts import Signature
from larspark.reasoners.interval.network import Counted, Filled, InSession
from larspark.reasoners.interval.state.arrivals import ArrivalBatch, Arrivals
from larspark.reasoners.interval.state.tables import as_rows

CountingNode: TypeAlias = Counted | Filled | InSession


class Counting:
    """Counts the arrivals that pass the filters, per partition when there is one."""

    def __init__(self, node: Counted) -> None:
        self.node = node
        self._size = bounded(node.size)
        self._partitions = new_table(key_width(node), [])
        self._latest = new_table(node.target.width, [])
        self._queues = new_queues()

    @property
    def window(self) -> list[int]:
        """For arrivals that come one by one."""
        places = address_of(self._queues), address_of(self._partitions)
        widths = self.node.signature.arity, key_width(self.node)
        given = self._size, int(self.node.whole), 0, address_of(self._latest), self.node.behind
        return [COUNTING, self.node.target.number, *places, *widths, *given]

    def change(self, arrivals: Arrivals, first: int) -> tuple[Rows, Rows]:
        """Rows gained and lost."""
        keys, rows, asked = counted(self.node, arrivals, first)
        if not len(rows) or not self._size:
            nothing = as_rows([], self.node.target.width)
            return nothing, nothing
        state, given = (self._queues, self._partitions, self._latest), (self._size, self.node.whole, self.node.behind)
        return enqueue(*state, keys, rows, asked, *given, SLACK)


class Filling:
    """□ over the last arrivals that pass the filters."""

    def __init__(self, node: Filled, start: int) -> None:
        self.node, self._start = node, start
        self._size = bounded(node.size)
        self._runs = new_table(node.signature.arity, [])
        self._latest = new_latest()

    @property
    def window(self) -> list[int]:
        """For arrivals that come one by one."""
        places, width = (address_of(self._latest), address_of(self._runs)), self.node.signature.arity
        return [FILLING, self.node.target.number, *places, width, 0, self._size, 0, self._start, 0, 0]

    def change(self, arrivals: Arrivals, first: int) -> tuple[Rows, Rows]:
        """Rows gained and lost: arguments, at single time points."""
        _, rows, asked = counted(self.node, arrivals, first)
        if not len(rows) or not self._size:
            nothing = as_rows([], self.node.target.width)
            return nothing, nothing
        return fill_latest(self._latest, self._runs, rows, asked, self._size, self._start, SLACK)


def can_pass(node: CountingNode, signature: Signature) -> bool:
    """Whether arrivals of a predicate can pass the filters."""
    return all(any(wanted == signature for wanted, _ in patterns) for patterns in node.filters)


def key_width(node: CountingNode) -> int:
    """How many arguments are a key; that of all predicates has as many."""
    return next((len(keys) for keys in (node.keys or {}).values()), 0)


def counted(node: CountingNode, arrivals: Arrivals, first: int) -> tuple[Rows, Rows, Column]:
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


def passes(node: CountingNode, signature: Signature, batch: ArrivalBatch) -> npt.NDArray[np.bool_]:
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
