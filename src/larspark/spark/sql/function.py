"""The table function in a worker: the rows of a partition are collected, and evaluated when all have come."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from types import FrameType
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark import TaskContext

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import TimeForm
from larspark.python.evaluate import Arrived, arrivals_in, intervals_over, timeline_over
from larspark.read.columns.layout import RowLayout
from larspark.runtime.atoms import time_of
from larspark.runtime.prepared import Prepared
from larspark.spark.session.workers import take_kernels
from larspark.spark.write.frames import TableRows

DEEPEST = 8
"""Frames between the function and Spark's wrapper, at most."""
WORDS = {TimeForm.ZONED: "timestamp", TimeForm.LOCAL: "timestamp_ntz", TimeForm.POINTS: "points"}
"""How the types of time columns are called."""


@dataclass(frozen=True)
class RulesFunction:
    """What the function is about."""

    name: str
    prepared: Prepared
    predicate: str
    """Of all rows; empty where a column tells it."""
    answer: TableRows
    """The table that it returns."""
    places: frozenset[int]
    """The arguments of the input by any of which it may be split."""
    ordered: bool
    """Whether the order of arrival matters."""

    def layout(self, names: list[str]) -> RowLayout:
        """How the columns of the table are read; `Rejected` when they do not fit."""
        found = RowLayout.of(names, self.predicate, self.prepared.rules, None)
        if found.time is None:
            hint = f"The columns are {', '.join(names)}; write `SELECT … AS time` in the TABLE argument."
            raise Rejected([Diagnostic("E407", f"The table of {self.name} has no column `time`.", hint)])
        if not self.predicate and found.atom is None and found.named is None:
            message = f"{self.name} reads several predicates, and no column tells which one a row is about."
            raise Rejected([Diagnostic("E407", message, "Unite tables with `SELECT time, 'hot' AS predicate, …`.")])
        return found

    def check(self, rows: pa.RecordBatch, layout: RowLayout) -> None:
        """`Rejected` when rows that meet in a rule are in several partitions."""
        told = partition_of(rows)
        if told.whole:
            return
        keys = {layout.arguments[place]: rows.schema.names[layout.arguments[place]] for place in self.keys_in(layout)}
        if told.by and all(any(rows.column(key).equals(one) for key in keys) for one in told.by):
            return
        if keys:
            hint = f"Write `TABLE(…) PARTITION BY {' or '.join(keys.values())}`, or WITH SINGLE PARTITION."
            message = f"The rules of {self.name} join rows that have the same {' or '.join(keys.values())}."
        else:
            hint = "Write `TABLE(…) WITH SINGLE PARTITION ORDER BY time`."
            message = f"The rules of {self.name} cannot be split: they need all rows in one partition."
        raise Rejected([Diagnostic("E616", message, hint)])

    def keys_in(self, layout: RowLayout) -> list[int]:
        return [place for place in sorted(self.places) if place < len(layout.arguments)]

    def answers(self, batches: list[pa.RecordBatch], since: Any, until: Any) -> Iterator[pa.Table]:
        """The answers over the rows of one partition."""
        table = pa.Table.from_batches(batches)
        self._check_order(table)
        arrived = arrivals_in({self.predicate: table} if self.predicate else table, self.prepared)
        self._check_times(arrived)
        start, end = timeline_over(arrived.blocks, None)
        start = start if since is None else time_of(since, self.prepared.calendar)
        end = end if until is None else time_of(until, self.prepared.calendar)
        timeline = timeline_over(arrived.blocks, (start, end))
        take_kernels()
        for block in intervals_over(self.prepared, arrived.blocks, timeline):
            if block.signature == self.answer.signature:
                yield self.answer.rows(block)

    def _check_order(self, table: pa.Table) -> None:
        """`Rejected` when the program needs the rows in the order of time, and they are not."""
        if self.ordered:
            place = self.layout(table.schema.names).time
            assert place is not None
            times = table.column(place).to_numpy()
            if len(times) > 1 and bool(np.any(times[1:] < times[:-1])):
                name = table.schema.names[place]
                message = f"{self.name} counts rows in the order in which they come, and they are not in that of time."
                raise Rejected([Diagnostic("E616", message, f"Write `TABLE(…) … ORDER BY {name}`.")])

    def _check_times(self, arrived: Arrived) -> None:
        wanted = self.answer.times.form
        found = max(self.prepared.calendar.form, arrived.form)
        if wanted not in (TimeForm.POINTS, found):
            message = f"{self.name} was registered for times of the type {WORDS[wanted]}, and these are {WORDS[found]}."
            hint = f'Register it with `times="{WORDS[found]}"`, or cast the column.'
            raise Rejected([Diagnostic("E616", message, hint)])

    @cached_property
    def handler(self) -> type:
        """The class that Spark makes an object of for each partition."""
        function = self

        class RulesOverTable:
            def __init__(self) -> None:
                self._batches: list[pa.RecordBatch] = []
                self._span: tuple[Any, Any] = (None, None)

            def eval(self, rows: pa.RecordBatch, since: pa.Array = None, until: pa.Array = None) -> None:
                function.check(rows, function.layout(rows.schema.names))
                self._batches.append(rows)
                self._span = (_constant(since), _constant(until))

            def terminate(self) -> Iterator[pa.Table]:
                return function.answers(self._batches, *self._span) if self._batches else iter(())

        return RulesOverTable


def _constant(column: pa.Array | None) -> Any:
    """The value of an argument that is the same for all rows."""
    return None if column is None or not len(column) else column[0].as_py()


@dataclass(frozen=True)
class Partition:
    by: tuple[pa.Array, ...] = ()
    """The values of the expressions behind PARTITION BY, for each row."""
    whole: bool = False
    """Whether all rows may be in this partition."""


def partition_of(rows: pa.RecordBatch) -> Partition:
    """How the rows that a function is being given have been chosen, as far as a worker can tell.

    Spark tells a table function nothing about `PARTITION BY`. It adds a column for each expression, by which its
    wrapper cuts record batches, and hands over the rows without them; so the wrapper's own variables are looked at.
    Without a wrapper rows are split as they were stored: several partitions have rows exactly if one other than the
    first has.
    """
    frame: FrameType | None = sys._getframe(1)
    for _ in range(DEEPEST):
        if frame is None:
            break
        match frame.f_locals:
            case {"original_batch": pa.RecordBatch() as batch, "start_idx": int(start), "end_idx": int(end), **others}:
                places = getattr(others.get("self"), "_partition_child_indexes", [])
                return Partition(tuple(batch.column(place).slice(start, end - start) for place in places))
        frame = frame.f_back
    context = TaskContext.get()
    return Partition(whole=context is None or context.partitionId() == 0 or not len(rows))
