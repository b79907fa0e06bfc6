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

from larspark.intervals.storage import Rows
from larspark.reasoners.interval.arrivals import Arrivals
from larspark.reasoners.interval.component import Changes
from larspark.reasoners.interval.conclusions import END, Conclusions
from larspark.reasoners.interval.dictionary import Dictionary
from larspark.reasoners.interval.engine import Engine
from larspark.reasoners.interval.network import Relation
from larspark.reasoners.interval.reasoner import IntervalReasoner
from larspark.reasoners.interval.validity import clipped
from larspark.spark import reading
from larspark.spark.cells import numbers_of
from larspark.spark.conclusions import ConclusionRows, Writing
from larspark.spark.reading import Reading
from larspark.spark.rows import Kind
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
    outcome.final(END)
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
    """What a partition has concluded and not yet written; only evaluations from `begin` to `end` are wanted."""

    def __init__(self, work: Work, engine: Engine, writing: Writing) -> None:
        self._work = work
        self._writing = writing
        self._conclusions = Conclusions(engine, work.stage.concludes)

    def follow(self, changes: Changes, first: int, until: int) -> None:
        """A step of the engine from `first` to `until`."""
        self._conclusions.follow(changes, first, until)

    def final(self, until: int) -> None:
        """Write the intervals that have ended before `until`."""
        for signature, pinned, rows in self._conclusions.ended(until):
            kind = Kind.VOID if signature is None else Kind.AT if pinned else Kind.NOW
            self._writing.add(kind, signature, clipped(rows, self._work.begin, self._work.end))
