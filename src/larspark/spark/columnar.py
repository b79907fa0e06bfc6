"""A partition evaluated by the interval reasoner, a span of time after the other and without a step per row in Python.

Rows come in the order of time and conclusions leave when they are final, so that a partition holds what its windows
still see, however long the history is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from larspark.intervals.sets import FOREVER
from larspark.intervals.storage import Rows
from larspark.language.facts import Signature
from larspark.reasoners.interval.arrivals import Arrivals
from larspark.reasoners.interval.component import Changes
from larspark.reasoners.interval.dictionary import Dictionary
from larspark.reasoners.interval.engine import Engine
from larspark.reasoners.interval.network import Relation
from larspark.reasoners.interval.reasoner import IntervalReasoner
from larspark.spark import reading
from larspark.spark.cells import numbers_of
from larspark.spark.conclusions import ConclusionRows, Writing
from larspark.spark.reading import Reading
from larspark.spark.rows import Kind
from larspark.spark.validity import Validity, apart
from larspark.spark.work import Work


class Step(NamedTuple):
    """What is known of the evaluations from `first` to `until`."""

    first: int
    until: int
    arrivals: Arrivals
    concluded: Mapping[Relation, Rows] = {}


def evaluate_columnar(work: Work, number: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """The conclusions of a partition, as they become final; the batches are in the order of arrival."""

    def steps(work: Work, engine: Engine) -> Iterator[Step]:
        texts: dict[str, int] = {}
        for table, last in complete_tables(batches, work.end):
            rows = Reading(replace(work, start=engine.time + 1, end=last), table, engine, texts)
            for first, until in rows.chunks():
                yield Step(first, until, rows.arrivals(first, until), rows.concluded(first, until))

    return evaluate_steps(work, number, steps, partial(ConclusionRows, work))


def evaluate_steps(
    work: Work,
    number: int,
    steps: Callable[[Work, Engine], Iterable[Step]],
    writing: Callable[[Dictionary], Writing],
) -> Iterator[pa.Table]:
    """Lead the engine of a partition through the steps, and write what becomes final."""
    part = work.parts[number]
    work = replace(work, begin=part.begin, end=part.end)
    reasoner = work.make(part.bucket)
    assert isinstance(reasoner, IntervalReasoner)
    engine = reasoner.engine
    written = writing(engine.dictionary)
    outcome = _Outcome(work, engine, written)
    for step in steps(work, engine):
        changes = engine.advance(step.until, step.arrivals, step.concluded)
        outcome.follow(changes, step.first, step.until)
        outcome.final(step.until)
        yield from written.tables()
    outcome.final(FOREVER + 1)
    yield from written.tables(ended=True)


def complete_tables(batches: Iterable[pa.RecordBatch], end: int) -> Iterator[tuple[pa.Table, int]]:
    """Rows with the time up to which nothing is missing: a time point may go on in the next batch."""
    held: list[pa.RecordBatch] = []
    for batch in batches:
        held.append(batch)
        if sum(one.num_rows for one in held) < reading.CHUNK:
            continue
        table = pa.Table.from_batches(held)
        times = numbers_of(table.column("time"))
        complete = int(np.searchsorted(times, times[-1]))
        if complete:
            yield table.slice(0, complete), int(times[-1]) - 1
            held = table.slice(complete).to_batches()
    yield pa.Table.from_batches(held), end


class _Outcome:
    """What a partition has concluded and not yet written."""

    def __init__(self, work: Work, engine: Engine, writing: Writing) -> None:
        self._work = work
        self._network = network = engine.network
        self._writing = writing
        assert network.inconsistent is not None
        self._void = network.inconsistent
        self._pinned = {one: network.listed[one] for one in sorted(work.stage.concludes) if one in network.listed}
        self._plain = {
            one: network.now[one] for one in sorted(work.stage.concludes - {*self._pinned}) if one in network.now
        }
        both = (relation for one in self._pinned for relation in (network.now.get(one), network.listed[one]))
        followed = [self._void, *self._plain.values(), *(relation for relation in both if relation)]
        self._validity: dict[Relation, Validity] = {}
        for relation in followed:
            self._validity[relation] = Validity(relation.width)
            self._validity[relation].add(engine.tables.content(relation))
        self._holding = {one: Validity(one.arity) for one in self._pinned}
        self._elsewhere = {one: Validity(one.arity + 1) for one in self._pinned}

    def follow(self, changes: Changes, first: int, until: int) -> None:
        """A step of the engine from `first` to `until`."""
        for relation, validity in self._validity.items():
            validity.follow(relation, changes, first)
        for signature, relation in self._pinned.items():
            now = self._network.now.get(signature)
            if now:
                self._holding[signature].add(self._validity[now].within(first, until))
            itself, elsewhere = apart(self._validity[relation].within(first, until))
            self._holding[signature].add(itself)
            self._elsewhere[signature].add(elsewhere)

    def final(self, until: int) -> None:
        """Write the intervals that have ended before `until`."""
        for signature, relation in self._plain.items():
            self._write(Kind.NOW, signature, self._validity[relation], until)
        for signature in self._pinned:
            self._write(Kind.NOW, signature, self._holding[signature], until)
            self._write(Kind.AT, signature, self._elsewhere[signature], until)
        self._write(Kind.VOID, None, self._validity[self._void], until)

    def _write(self, kind: Kind, signature: Signature | None, validity: Validity, until: int) -> None:
        """Only evaluations from `begin` to `end` are wanted."""
        rows = validity.ended(until)
        rows[:, -2] = np.maximum(rows[:, -2], self._work.begin)
        rows[:, -1] = np.minimum(rows[:, -1], self._work.end)
        self._writing.add(kind, signature, rows[rows[:, -2] <= rows[:, -1]])
