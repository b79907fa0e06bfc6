"""From an intake to parcels: a task routes the rows it has read, and tells every bucket what it has seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark import TaskContext

from larspark.spark.cells import numbers_of
from larspark.spark.evaluate.messages import Batches
from larspark.spark.evaluate.worker import keep_loaded as settle
from larspark.spark.intake import INPUT, PLACE, REFUSED
from larspark.spark.rows import Kind, row_columns
from larspark.spark.streaming.parcels import Content, Parcel, packed
from larspark.spark.streaming.routing import Route
from larspark.spark.streaming.timeline import Pulse


@dataclass(frozen=True)
class Packing:
    """The function for `mapInArrow`."""

    routes: tuple[Route, ...]
    labels: tuple[int, ...]
    width: int
    inputs: int
    """How many inputs there are."""
    latest: int
    """Time points from here on cannot be evaluated."""
    sinks: int = 1
    """In how many places conclusions end."""

    def __call__(self, batches: Batches) -> Batches:
        parts = [batch for batch in batches if batch.num_rows]
        if parts:
            context = TaskContext.get()
            parcels = list(self.parcels(pa.Table.from_batches(parts), context.partitionId() if context else 0))
            columns = [list(column) for column in zip(*parcels, strict=True)]
            kinds = (pa.int32(), pa.int32(), pa.int32(), pa.string(), pa.binary())
            arrays = [pa.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
            yield pa.record_batch(arrays, names=Parcel._fields)
        settle(self)

    def parcels(self, intake: pa.Table, task: int) -> Iterator[Parcel]:
        """Everything one task has read, addressed; the sink comes after the last stage."""
        ended = pc.equal(intake.column("kind"), int(Kind.END))
        records = intake.filter(pc.invert(ended))
        objection = pc.if_else(
            pc.greater_equal(pc.fill_null(records.column("time"), 0), self.latest),
            f"E411: The time is not before {self.latest}, up to which time points are counted.",
            records.column("objection"),
        )
        good = pc.is_null(objection)
        refused = records.filter(pc.invert(good))
        arrivals = self._placed(records, task).filter(good)
        pulse = self._pulse(arrivals, bool(pc.any(ended).as_py())).dump()
        kept = arrivals.select([*row_columns(self.width), *PLACE])
        for stage, route in enumerate(self.routes):
            parts = dict(route.parts(kept))
            for bucket in range(route.buckets):
                payload = packed(parts[bucket]) if bucket in parts else None
                yield Parcel(stage, self.labels[bucket], Content.ARRIVALS, pulse, payload)
        bad = refused.set_column(
            refused.schema.get_field_index("objection"), "objection", objection.filter(pc.invert(good))
        )
        for bucket in range(self.sinks):
            count = 0 if bucket else len(arrivals)
            yield Parcel(len(self.routes), self.labels[bucket], Content.ARRIVALS, pulse, str(count).encode())
        if len(bad):
            yield Parcel(
                len(self.routes),
                self.labels[0],
                Content.REFUSED,
                None,
                packed(self._told(bad)),
            )

    def _told(self, bad: pa.Table) -> pa.Table:
        """Bad records as they go to the dead letters."""
        spelled = pc.cast(bad.column("time"), pa.string())
        record = pc.coalesce(bad.column("record"), spelled)
        columns = [bad.column("objection"), record, bad.column("source")]
        return pa.table(columns, names=[*REFUSED, "source"])

    def _placed(self, records: pa.Table, task: int) -> pa.Table:
        """Rows whose source does not tell their place: in the order in which the task reads them."""
        counted = pa.array(np.arange(len(records), dtype=np.int64) + (task << 33))
        place = pc.coalesce(records.column("place"), counted)
        return records.set_column(records.schema.get_field_index("place"), "place", place)

    def _pulse(self, arrivals: pa.Table, ended: bool) -> Pulse:
        if not len(arrivals):
            return Pulse(ended=ended)
        times = numbers_of(arrivals.column("time"))
        origins = numbers_of(arrivals.column(INPUT))
        heard = [times[origins == number] for number in range(self.inputs)]
        return Pulse(int(times.min()), tuple(int(one.max()) if len(one) else None for one in heard), ended)
