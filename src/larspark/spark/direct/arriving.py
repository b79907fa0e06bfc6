"""Parcels in a partition: opened in the order of their times, merged, and handed to the engine step by step."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

import numpy as np

from larspark.intervals.storage import Rows
from larspark.language.facts import Signature
from larspark.reasoners.interval.arrivals import Arrivals, Batch
from larspark.reasoners.interval.engine import Engine
from larspark.reasoners.interval.network import Relation
from larspark.spark import reading
from larspark.spark.columnar import Step
from larspark.spark.direct.columns import Numbers
from larspark.spark.direct.diary import Note, Page
from larspark.spark.direct.parcels import Content, Opened, unpacked
from larspark.spark.reading import Coder
from larspark.spark.rows import OTHER, Kind
from larspark.spark.stage_program import OTHERS
from larspark.spark.work import Work


class Coded(NamedTuple):
    """The rows of a parcel as the engine knows them."""

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


Key: TypeAlias = tuple[Kind, Signature]


class Held:
    """What has been opened and goes on after the time that has been reached."""

    def __init__(self, numbers: Mapping[Signature, int], coder: Coder) -> None:
        self._names = {number: signature for signature, number in numbers.items()} | {OTHER: Signature(OTHERS, 0)}
        self._coder = coder
        self._pieces: dict[Key, list[Coded]] = defaultdict(list)
        self.count = 0
        """How many rows."""

    def add(self, parcel: Opened) -> None:
        signature = self._names[parcel.predicate]
        content = unpacked(parcel.content)
        self._pieces[parcel.kind, signature].append(_coded(content, signature.arity, self._coder))
        self.count += len(content.times)

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


def steps(parcels: Iterable[Opened], page: Page, work: Work, engine: Engine) -> Iterator[Step]:
    """What a stage reads, in steps of its engine."""
    held = Held(work.numbers, Coder(engine.dictionary, {}))
    for parcel in parcels:
        if held.count >= reading.CHUNK and parcel.first > engine.time + 1:
            yield from _steps(held.before(parcel.first), parcel.first - 1, engine)
            page.write(Note(engine.time, work.end, engine.arrived))
        held.add(parcel)
    yield from _steps(held.before(work.end + 1), work.end, engine)


def _steps(ready: Mapping[Key, Coded], last: int, engine: Engine) -> Iterator[Step]:
    """Everything up to a time, in parts of some size."""
    arrivals = _placed({signature: one for (kind, signature), one in ready.items() if kind is Kind.ARRIVAL})
    known = {Kind.NOW: engine.network.now, Kind.AT: engine.network.pinned}
    concluded = {known[kind][name]: one for (kind, name), one in ready.items() if kind in known}
    for end, part in arrivals.cut(reading.CHUNK):
        first, until = engine.time + 1, min(end, last)
        yield Step(first, until, part, _between(concluded, first, until))
    if engine.time < last:
        first = engine.time + 1
        yield Step(first, last, Arrivals({}, 0), _between(concluded, first, last))


def _between(concluded: Mapping[Relation, Coded], first: int, until: int) -> dict[Relation, Rows]:
    """The conclusions of earlier stages that begin in the span."""
    places = ((name, one.rows, np.searchsorted(one.times, [first, until + 1])) for name, one in concluded.items())
    return {name: rows[low:high] for name, rows, (low, high) in places if low < high}


def _coded(content: Content, arity: int, coder: Coder) -> Coded:
    further = [] if content.at is None else [content.at << 1]
    further += [] if content.until is None else [content.times, content.until]
    rows = np.empty((len(content.times), arity + len(further)), np.int64)
    for place, column in enumerate(content.arguments[:arity]):
        rows[:, place] = coder.numbers(column) if isinstance(column, np.ndarray) else coder.texts(column)
    for place, numbers in enumerate(further, arity):
        rows[:, place] = numbers
    return Coded(rows, content.times, content.times[:0] if content.order is None else content.order)


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
    count = sum(len(one.times) for one in ready.values())
    if not any(len(one.order) for one in ready.values()):
        batches = {name: Batch(one.rows, one.times, np.arange(len(one.times))) for name, one in ready.items()}
        return Arrivals(batches, count)
    times, order = (np.concatenate([one[column] for one in ready.values()]) for column in (1, 2))
    places = np.empty(count, np.int64)
    places[np.lexsort((order, times))] = np.arange(count)
    own = np.split(places, np.cumsum([len(one.times) for one in ready.values()])[:-1])
    pairs = zip(ready.items(), own, strict=True)
    return Arrivals({name: Batch(one.rows, one.times, part) for (name, one), part in pairs}, count)
