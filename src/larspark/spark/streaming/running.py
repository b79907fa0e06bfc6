"""A stage at work in a bucket: what has come and is not final yet, and the evaluation up to the watermark."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from larspark.spark.cells import numbers_of
from larspark.spark.rows import Kind, row_columns
from larspark.spark.streaming.folding import folded, within
from larspark.spark.streaming.live import Evaluation, IntervalEvaluation
from larspark.spark.streaming.parcels import ORIGIN, change_schema, joined
from larspark.spark.streaming.stepped import SteppedEvaluation
from larspark.spark.streaming.task import StageTask


class Running:
    """Takes rows in the order of micro-batches; see `StageTask` for what it knows."""

    def __init__(self, task: StageTask, number: int) -> None:
        self._task = task
        self._number = number
        self._evaluation: Evaluation | None = None
        self._nothing = change_schema(task.work.width).empty_table()
        self._ended: list[pa.Table] = []
        self.watermark = -1
        self.pending = self._nothing
        """Arrivals after the watermark."""
        self.delivered = self._nothing
        """Conclusions of earlier stages that go on."""

    def snapshot(self) -> bytes | None:
        """What the log does not tell: where evaluations depend on those before, all about these."""
        return self._evaluation.snapshot() if isinstance(self._evaluation, SteppedEvaluation) else None

    def resume(self, first: int, watermark: int, snapshot: bytes) -> None:
        """Be where a snapshot was taken."""
        work = replace(self._task.work, start=first)
        self._evaluation = SteppedEvaluation(work, self._number, snapshot)
        self.watermark = watermark

    def _begun(self, first: int) -> Evaluation:
        work = replace(self._task.work, start=first)
        return (IntervalEvaluation if work.columnar else SteppedEvaluation)(work, self._number)

    def receive(self, rows: pa.Table) -> None:
        """Arrivals, and changes of what earlier stages conclude."""
        arriving = pc.equal(rows.column("kind"), int(Kind.ARRIVAL))
        self.pending = pa.concat_tables([self.pending, rows.filter(arriving)])
        ended, self.delivered = folded(self.delivered, rows.filter(pc.invert(arriving)), self._task.work.width)
        self._ended.append(ended)

    def advance(self, first: int | None, watermark: int) -> pa.Table:
        """Evaluate what has become final, on a timeline that begins at `first`; the changes of the conclusions."""
        task, before = self._task, self.watermark
        width = task.work.width
        if watermark <= before:
            return self._nothing.select(row_columns(width))
        assert first is not None
        self.watermark = watermark
        due = pc.less_equal(self.pending.column("time"), watermark)
        arrived, self.pending = self.pending.filter(due), self.pending.filter(pc.invert(due))
        arrived = arrived.take(pa.array(np.argsort(numbers_of(arrived.column("time")), kind="stable")))
        concluded = within(joined([*self._ended, self.delivered], width), before + 1, watermark)
        self._ended.clear()
        if self._evaluation is None:
            self._evaluation = self._begun(first)
        table = pa.concat_tables([of_predicates(arrived, task.read), concluded]).select(row_columns(width))
        found = self._evaluation.advance(table, watermark)
        echoed = _as_conclusions(of_predicates(arrived, task.echoed))
        return pa.concat_tables([found, echoed.select(found.column_names)])

    def look_ahead(self, first: int, until: int, concluded: pa.Table) -> pa.Table:
        """What holds after the watermark if nothing more arrives; earlier stages conclude the same of theirs.

        The evaluation has gone ahead then and is of no more use.
        """
        begin = self.watermark + 1
        if self._evaluation is not None:
            self._evaluation.begin_telling()
        self.delivered = self._nothing
        self._ended.append(concluded)
        found = self.advance(first, until)
        ended, going_on = folded(self._nothing, as_changes(found, 0), self._task.work.width)
        return within(joined([ended, going_on], self._task.work.width), begin, until).select(found.column_names)


def as_changes(found: pa.Table, origin: int) -> pa.Table:
    """Conclusions with who says them."""
    return found.append_column(ORIGIN, pa.array(np.full(len(found), origin, np.int32)))


def of_predicates(table: pa.Table, numbers: Iterable[int]) -> pa.Table:
    return table.filter(pc.is_in(table.column("predicate"), pa.array(sorted(numbers), pa.int32())))


def _as_conclusions(arrivals: pa.Table) -> pa.Table:
    """Atoms that hold at the time at which they arrive."""
    names, count = arrivals.column_names, len(arrivals)
    kinds = pa.array(np.full(count, int(Kind.NOW), np.int32))
    table = arrivals.set_column(names.index("kind"), "kind", kinds)
    return table.set_column(names.index("until"), "until", arrivals.column("time"))
