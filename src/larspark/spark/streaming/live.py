"""The evaluation of a stage in a bucket, from micro-batch to micro-batch: rows in, changes of conclusions out."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import numpy as np
import pyarrow as pa

from larspark.intervals.sets import FOREVER
from larspark.intervals.storage import Rows, Table, content, new_table
from larspark.intervals.table import absorb
from larspark.language.facts import Signature
from larspark.reasoners.interval.conclusions import seen_from_evaluations
from larspark.reasoners.interval.network import Relation
from larspark.reasoners.interval.reasoner import IntervalReasoner
from larspark.reasoners.interval.validity import Validity
from larspark.spark.conclusions import ConclusionRows
from larspark.spark.reading import Reading
from larspark.spark.rows import Kind
from larspark.spark.work import Work


class Evaluation(Protocol):
    """A running stage."""

    def advance(self, table: pa.Table, until: int) -> pa.Table:
        """Evaluate up to `until`, with the rows that lie after the last call's end; the changes as rows."""
        ...

    def begin_telling(self) -> None:
        """Tell what goes on once more, as if it began with the next evaluation."""
        ...


class IntervalEvaluation:
    """By the interval reasoner."""

    def __init__(self, work: Work, number: int) -> None:
        self._work = work
        reasoner = work.make(number)
        assert isinstance(reasoner, IntervalReasoner)
        self._engine = reasoner.engine
        network = self._engine.network
        concluded = sorted(work.stage.concludes)
        relations = [one.get(signature) for signature in concluded for one in (network.now, network.listed)]
        self._validity: dict[Relation, Validity] = {}
        for relation in (network.inconsistent, *relations):
            if relation:
                self._validity[relation] = Validity(relation.width)
                self._validity[relation].add(self._engine.tables.content(relation))
        self._time = work.start - 1
        self._going_on: dict[tuple[Kind, Signature | None], Table] = {}

    def advance(self, table: pa.Table, until: int) -> pa.Table:
        before, self._time = self._time, until
        reading = Reading(replace(self._work, start=before + 1, end=until), table, self._engine)
        found: dict[Relation, list[Rows]] = {relation: [] for relation in self._validity}
        for first, last in reading.chunks():
            changes = self._engine.advance(last, reading.arrivals(first, last), reading.concluded(first, last))
            for relation, validity in self._validity.items():
                validity.follow(relation, changes, first)
                found[relation].append(validity.within(first, last))
        return self._changes({relation: np.concatenate(parts) for relation, parts in found.items()}, before)

    def begin_telling(self) -> None:
        self._going_on.clear()

    def _changes(self, found: dict[Relation, Rows], before: int) -> pa.Table:
        network = self._engine.network
        writing = ConclusionRows(self._work, self._engine.dictionary)
        for signature in sorted(self._work.stage.concludes):
            now, pinned = network.now.get(signature), network.listed.get(signature)
            holding = found[now] if now else np.empty((0, signature.arity + 2), np.int64)
            if pinned:
                at_itself, elsewhere = seen_from_evaluations(_united(found[pinned]))
                holding = np.concatenate((holding, at_itself))
                writing.add(Kind.AT, signature, self._told(Kind.AT, signature, elsewhere, before))
            writing.add(Kind.NOW, signature, self._told(Kind.NOW, signature, holding, before))
        writing.add(Kind.VOID, None, self._told(Kind.VOID, None, found[network.inconsistent], before))
        return writing.table()

    def _told(self, kind: Kind, signature: Signature | None, rows: Rows, before: int) -> Rows:
        """What is new about the intervals: their beginning, their end, or both."""
        width = rows.shape[1] - 2
        table = self._going_on.pop((kind, signature), None)
        if table is None:
            table = new_table(width, [])
        absorb(table, np.ascontiguousarray(rows), -FOREVER)
        known: Rows = content(table)
        goes_on = known[:, -1] == self._time
        if goes_on.any():
            self._going_on[kind, signature] = still = new_table(width, [])
            absorb(still, np.ascontiguousarray(known[goes_on]), -FOREVER)
        known_before = known[:, -2] <= before
        known[goes_on, -1] = FOREVER
        known[known_before, -2] = -FOREVER
        told: Rows = known[~(goes_on & known_before)]
        return told


def _united(rows: Rows) -> Rows:
    table = new_table(rows.shape[1] - 2, [])
    absorb(table, np.ascontiguousarray(rows), -FOREVER)
    return np.asarray(content(table))
