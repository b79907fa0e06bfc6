"""Tasks that read files: every block is sent off in parcels, to all stages that read its predicate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from larspark.language.calendar import Calendar
from larspark.spark.direct.columns import argument, points
from larspark.spark.direct.parcels import Batches, Content, Parcel, as_batches, seed
from larspark.spark.direct.routing import Route
from larspark.spark.direct.tables import BLOCK, FileTable, Group
from larspark.spark.rows import Kind
from larspark.spark.settling import settle


@dataclass(frozen=True)
class Errand:
    """A row group to be read."""

    table: FileTable
    group: Group
    order: int
    """The place of its first row in the order of arrival."""


@dataclass(frozen=True)
class Sending:
    """The function for `mapInArrow` over the numbers of errands; the first one also sends the seeds."""

    errands: tuple[Errand, ...]
    route: Route
    ordered: bool
    """Whether a window counts arrivals."""
    end: int
    """Later times are not evaluated."""
    calendar: Calendar

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from as_batches(self.parcels(number))
        settle(self)

    def parcels(self, number: int) -> Iterator[Parcel]:
        if number == 0:
            for part in range(len(self.route.division.parts)):
                yield seed(self.route.stage, part)
        if number < len(self.errands):
            errand = self.errands[number]
            order = errand.order
            for content in blocks(errand.table, errand.group, self.calendar):
                places = np.arange(order, order + len(content.times)) if self.ordered else None
                order += len(content.times)
                in_order = self._sorted(replace(content, order=places))
                yield from self.route.parcels(in_order, Kind.ARRIVAL, errand.table.predicate)

    def _sorted(self, content: Content) -> Content:
        """The rows that are evaluated, in the order of time."""
        times = content.times
        if (times[1:] >= times[:-1]).all() and (not len(times) or times[-1] <= self.end):
            return content
        rows = np.flatnonzero(times <= self.end)
        return content.taken(rows[np.argsort(times[rows], kind="stable")])


def blocks(table: FileTable, group: Group, calendar: Calendar, size: int = BLOCK) -> Iterator[Content]:
    """The rows of a row group as the file has them, so many at a time that a worker can hold them."""
    schema = pq.read_schema(group.path)
    texts = [name for name in table.arguments if pa.types.is_string(schema.field(name).type)]
    columns = list(dict.fromkeys([table.time, *table.arguments]))
    with pq.ParquetFile(group.path, read_dictionary=texts) as file:
        for batch in file.iter_batches(size, [group.number], columns, use_threads=False):
            rows = pa.Table.from_batches([batch])
            arguments = tuple(argument(rows.column(name)) for name in table.arguments)
            yield Content(points(rows.column(table.time), calendar), arguments)
