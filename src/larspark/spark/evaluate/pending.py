"""Messages in a partition: opened in the order of their times, merged, and handed to the engine step by step."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

import numpy as np

from larspark.blocks import Block, Numbers
from larspark.intervals.tables.storage import Rows
from larspark.language.facts import Signature
from larspark.reasoners.interval.engine.engine import IntervalEngine
from larspark.reasoners.interval.network import Relation
from larspark.reasoners.interval.state.arrivals import ArrivalBatch, Arrivals
from larspark.reasoners.interval.state.coding import Coder, places_among
from larspark.spark.evaluate.messages import MessageKind, kind_of


class Coded(NamedTuple):
    """The rows of a block as the engine knows them."""

    rows: Rows
    """The arguments; of conclusions also the time they are about, if it is another, and the interval."""
    times: Numbers
    order: Numbers
    """The place of each arrival among all; empty where no window counts."""

    def cut(self, time: int) -> tuple[Coded, Coded]:
        """What begins before a time, and the rest."""
        place = int(np.searchsorted(self.times, time))
        before, rest = slice(None, place), slice(place, None)
        return Coded(*(one[before] for one in self)), Coded(*(one[rest] for one in self))


Key: TypeAlias = tuple[MessageKind, Signature]


class Pending:
    """What has been opened and goes on after the time that has been reached."""

    def __init__(self, coder: Coder) -> None:
        self._coder = coder
        self._pieces: dict[Key, list[Coded]] = defaultdict(list)
        self.count = 0
        """How many rows."""

    def add(self, block: Block) -> None:
        order = block.times[:0] if block.order is None else block.order
        self._pieces[kind_of(block), block.signature].append(Coded(self._coder.rows(block), block.times, order))
        self.count += len(block)

    def before(self, frontier: int) -> dict[Key, Coded]:
        """Take out what begins before a time, in the order of time."""
        found: dict[Key, Coded] = {}
        for key, pieces in self._pieces.items():
            parts = [piece.cut(frontier) for piece in pieces]
            self._pieces[key] = [rest for _, rest in parts if len(rest.times)]
            ready = [before for before, _ in parts if len(before.times)]
            if ready:
                found[key] = _merged(ready)
        self.count -= sum(len(one.times) for one in found.values())
        return found


class EngineStep(NamedTuple):
    """What is known of the evaluations from `first` to `until`."""

    first: int
    until: int
    arrivals: Arrivals
    concluded: Mapping[Relation, Rows] = {}


def steps_of(ready: Mapping[Key, Coded], last: int, engine: IntervalEngine, size: int) -> Iterator[EngineStep]:
    """Everything up to a time, in parts of about so many arrivals."""
    arrivals = _placed({signature: one for (kind, signature), one in ready.items() if kind is MessageKind.ARRIVAL})
    relations = {MessageKind.NOW: engine.network.now, MessageKind.AT: engine.network.pinned}
    concluded = {relations[kind][name]: one for (kind, name), one in ready.items() if kind in relations}
    for end, part in arrivals.cut(size):
        first, until = engine.time + 1, min(end, last)
        yield EngineStep(first, until, part, _between(concluded, first, until))
    if engine.time < last:
        first = engine.time + 1
        yield EngineStep(first, last, Arrivals({}, 0), _between(concluded, first, last))


def _between(concluded: Mapping[Relation, Coded], first: int, until: int) -> dict[Relation, Rows]:
    """The conclusions of earlier stages that begin in the span."""
    places = ((name, one.rows, np.searchsorted(one.times, [first, until + 1])) for name, one in concluded.items())
    return {name: rows[low:high] for name, rows, (low, high) in places if low < high}


def _merged(pieces: list[Coded]) -> Coded:
    if len(pieces) == 1:
        return pieces[0]
    joined = Coded(*(np.concatenate(column) for column in zip(*pieces, strict=True)))
    if len(joined.order):
        places = np.lexsort((joined.order, joined.times))
    elif (joined.times[1:] < joined.times[:-1]).any():
        places = np.argsort(joined.times, kind="stable")  # runs that are in order are merged
    else:
        return joined
    return Coded(*(column[places] if len(column) else column for column in joined))


def _placed(ready: Mapping[Signature, Coded]) -> Arrivals:
    """The arrivals with their places among all; these matter only where a window counts."""
    times, orders = ([one[column] for one in ready.values()] for column in (1, 2))
    places = places_among(times, orders) if any(map(len, orders)) else [np.arange(len(one)) for one in times]
    pairs = zip(ready.items(), places, strict=True)
    batches = {name: ArrivalBatch(one.rows, one.times, own) for (name, one), own in pairs}
    return Arrivals(batches, sum(map(len, times)))
