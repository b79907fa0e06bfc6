"""The input that can still matter, kept in the order of arrival: from it an engine can be built anew.

That is how a snapshot is restored, how rules and background data change under a running engine, and how late arrivals
are put in their place where windows count them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from larspark.analysis.analysis import Retention
from larspark.intervals.tables.storage import Column, Rows
from larspark.intervals.windows.sessions import going_on
from larspark.language.facts import Signature
from larspark.reasoners.interval.network import Counted, Filled, InSession, Network, Selected, Spanned
from larspark.reasoners.interval.operators.counting import passes
from larspark.reasoners.interval.state.arrivals import ArrivalBatch, Arrivals
from larspark.reasoners.interval.state.dictionary import Dictionary

Mask: TypeAlias = npt.NDArray[np.bool_]

SLACK = 4096
"""How many more arrivals than twice the needed ones may be kept before the others are looked for."""


class LogMark(NamedTuple):
    """Where a log stands."""

    old: dict[Signature, ArrivalBatch]
    new: list[tuple[int, Arrivals]]
    length: int
    size: int
    kept: int
    arrived: int


class InputLog:
    """Arrivals per predicate, each with its place in the order of all; what no window can see again is dropped."""

    def __init__(self) -> None:
        self._old: dict[Signature, ArrivalBatch] = {}
        self._new: list[tuple[int, Arrivals]] = []
        """What has come since, with the place of the first."""
        self._alone: dict[Signature, list[int]] = {}
        """What has come after that by ones and twos: arguments, time and place of each arrival, in one list of numbers.

        Many small objects that stay for a while would cost more than the step that they came with.
        """
        self._size = 0
        self._kept = 0
        self.arrived = 0
        """All arrivals ever, dropped ones included."""

    def mark(self) -> LogMark:
        """Where the log stands, to come back to; it is often taken, so what is large is not copied."""
        self._gather()
        return LogMark(self._old, self._new, len(self._new), self._size, self._kept, self.arrived)

    def go_back(self, mark: LogMark) -> None:
        self._old, self._new, self._alone = mark.old, mark.new[: mark.length], {}
        self._size, self._kept, self.arrived = mark.size, mark.kept, mark.arrived

    def append(self, arrivals: Arrivals) -> None:
        if not arrivals.count:
            return
        if arrivals.few is not None:
            for place, (signature, codes) in enumerate(arrivals.few, self.arrived):
                if signature not in self._alone:
                    self._alone[signature] = []
                self._alone[signature] += (*codes, arrivals.earliest, place)
        else:
            self._gather()
            self._new.append((self.arrived, arrivals))
        self._size += arrivals.count
        self.arrived += arrivals.count

    def _gather(self) -> None:
        """Make batches of what came alone."""
        for signature, numbers in self._alone.items():
            rows = np.array(numbers, np.int64).reshape(-1, signature.arity + 2)
            batch = ArrivalBatch(np.ascontiguousarray(rows[:, :-2]), rows[:, -2].copy(), rows[:, -1].copy())
            self._new.append((0, Arrivals({signature: batch}, len(rows))))
        self._alone = {}

    def exceeds(self, slack: int) -> bool:
        """Whether there is so much that it is worth looking for what is needed no more."""
        return self._size > (2 * self._kept + slack if slack else 0)

    def arrivals(self) -> Arrivals:
        """Everything kept, by time and then by arrival: a late arrival comes last at its time point."""
        return ordered(self._batches())

    def _batches(self) -> dict[Signature, ArrivalBatch]:
        """Old and new together, per predicate."""
        self._gather()
        parts = {signature: [batch] for signature, batch in self._old.items()}
        for place, arrivals in self._new:
            for signature, batch in arrivals.batches.items():
                placed = ArrivalBatch(batch.codes, batch.times, batch.places + place)
                parts.setdefault(signature, []).append(placed)
        self._new = []
        self._old = {signature: _joined(batches) for signature, batches in parts.items()}
        return self._old

    def prune(
        self, time: int, retention: Mapping[Signature, Retention], network: Network, *, slack: int = SLACK
    ) -> None:
        """Drop what matters neither by its age at `time` nor by its place among the latest, when there is enough."""
        if not self.exceeds(slack) or any(isinstance(node, Selected | Spanned) for node in network.operators):
            return
        batches = self._batches()
        keep = {signature: _young(batch.times, time, retention.get(signature)) for signature, batch in batches.items()}
        for node in network.operators:
            match node:
                case Counted():
                    _keep(node, batches, keep, time, partial(_latest, node.size, node.whole))
                case Filled():
                    _keep(node, batches, keep, time, partial(_latest, node.size, False))
                case InSession():
                    _keep(node, batches, keep, time, partial(_in_session, node.gap, time))
        self._old = {signature: batch.where(keep[signature]) for signature, batch in batches.items()}
        self._size = self._kept = sum(len(batch.times) for batch in self._old.values())

    # -- snapshots ---------------------------------------------------------------------------------

    def columns(self) -> dict[Signature, Rows]:
        """Per predicate rows of arguments, time and place."""
        return {
            signature: np.column_stack((batch.codes, batch.times, batch.places))
            for signature, batch in self._batches().items()
        }

    def translate(self, old: Dictionary, new: Dictionary) -> None:
        """Go over to other codes for the same values."""
        self._old = {
            signature: ArrivalBatch(old.translate(batch.codes, new), batch.times, batch.places)
            for signature, batch in self._batches().items()
        }

    def load(self, columns: Mapping[Signature, Rows], arrived: int) -> None:
        self._old = {
            signature: ArrivalBatch(np.ascontiguousarray(rows[:, :-2]), rows[:, -2].copy(), rows[:, -1].copy())
            for signature, rows in columns.items()
        }
        self._size = self._kept = sum(map(len, columns.values()))
        self.arrived = arrived


def ordered(batches: Mapping[Signature, ArrivalBatch]) -> Arrivals:
    """Batches brought into the order of time, ties by place; places are renumbered."""
    present = {signature: batch for signature, batch in batches.items() if len(batch.times)}
    if not present:
        return Arrivals({}, 0)
    times = np.concatenate([batch.times for batch in present.values()])
    places = np.concatenate([batch.places for batch in present.values()])
    ranks = np.empty(len(times), np.int64)
    ranks[np.lexsort((places, times))] = np.arange(len(times))
    result: dict[Signature, ArrivalBatch] = {}
    begin = 0
    for signature, batch in present.items():
        own = ranks[begin : begin + len(batch.times)]
        begin += len(batch.times)
        order = np.argsort(own)
        result[signature] = ArrivalBatch(batch.codes[order], batch.times[order], own[order])
    return Arrivals(result, len(times))


def _joined(parts: list[ArrivalBatch]) -> ArrivalBatch:
    if len(parts) == 1:
        return parts[0]
    return ArrivalBatch(
        np.concatenate([part.codes for part in parts]),
        np.concatenate([part.times for part in parts]),
        np.concatenate([part.places for part in parts]),
    )


def _young(times: Column, time: int, retention: Retention | None) -> Mask:
    """Which arrivals a time window can still see; predicates that no rule reads matter only when they are counted."""
    if retention is None:
        return np.zeros(len(times), np.bool_)
    if retention.past is None:
        return np.ones(len(times), np.bool_)
    return times >= time - retention.past


Choice: TypeAlias = Callable[[Column, Column, Column], Mask]
"""Of arrivals with their keys as numbers, times and places: which are kept."""


def _keep(
    node: Counted | Filled | InSession,
    batches: Mapping[Signature, ArrivalBatch],
    keep: dict[Signature, Mask],
    time: int,
    choice: Choice,
) -> None:
    """Keep the chosen ones of the counted arrivals up to a time.

    All later ones are kept: evaluations from that time on are made again when something comes late.
    """
    counted = {signature: np.flatnonzero(passes(node, signature, batch)) for signature, batch in batches.items()}
    times = np.concatenate([batches[signature].times[rows] for signature, rows in counted.items()])
    places = np.concatenate([batches[signature].places[rows] for signature, rows in counted.items()])
    keys = np.zeros(len(times), np.int64)
    if node.keys is not None and len(times):
        own = [
            batches[signature].codes[rows][:, node.keys[signature]] for signature, rows in counted.items() if len(rows)
        ]
        keys = np.unique(np.concatenate(own), axis=0, return_inverse=True)[1].reshape(-1)
    chosen, old = np.ones(len(times), np.bool_), times <= time
    chosen[old] = choice(keys[old], times[old], places[old])
    begin = 0
    for signature, rows in counted.items():
        keep[signature][rows] |= chosen[begin : begin + len(rows)]
        begin += len(rows)


def _latest(size: int | None, whole: bool, keys: Column, times: Column, places: Column) -> Mask:
    """The latest of each key; with fewer than these, older ones would seem to be inside."""
    order = np.lexsort((places, times, keys))
    behind = np.searchsorted(keys[order], keys[order], side="right") - np.arange(len(order)) - 1
    if whole and len(order):  # as many as are behind the last one of the same time
        begins = np.append(True, (np.diff(keys[order]) != 0) | (np.diff(times[order]) != 0))
        last = np.append(np.flatnonzero(begins)[1:] - 1, len(order) - 1)
        behind = behind[last][np.cumsum(begins) - 1]
    latest = np.empty(len(order), np.bool_)
    latest[order] = np.ones(len(order), np.bool_) if size is None else behind < size
    return latest


def _in_session(gap: int, time: int, keys: Column, times: Column, places: Column) -> Mask:
    return going_on(keys, times, gap, time)
