"""Where rows go: to the partition of their key, in every stage that reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from larspark.spark.checksums import buckets_of_cells
from larspark.spark.direct.columns import Argument
from larspark.spark.direct.parcels import PARCEL, Content, Parcel, compact
from larspark.spark.rows import Kind
from larspark.spark.skew import Division
from larspark.spark.work import Part

Keys = Sequence[int]
"""The arguments by which a predicate is split; none: everything goes to the first bucket."""


@dataclass(frozen=True)
class Route:
    """The way to a stage."""

    stage: int
    keys: Mapping[int, Keys]
    """For each predicate that is sent on this way."""
    buckets: int
    division: Division

    def parcels(self, content: Content, kind: Kind, predicate: int) -> Iterator[Parcel]:
        """Rows in the order of time, addressed."""
        for part, own in self._parts(content, self.keys[predicate]):
            for begin in range(0, len(own.times), PARCEL):
                piece = own.taken(slice(begin, begin + PARCEL))
                yield Parcel(self.stage, part, int(piece.times[0]), kind, predicate, piece.packed())

    def _parts(self, content: Content, keys: Keys) -> Iterator[tuple[int, Content]]:
        """The rows of each partition."""
        if len(self.division.parts) == 1:
            yield 0, content
            return
        targets = self._targets(content, keys)
        order = np.argsort(targets, kind="stable")
        ends = np.searchsorted(targets[order], np.arange(self.buckets), side="right")
        for number, part in enumerate(self.division.parts):
            own = content.taken(order[ends[part.bucket - 1] if part.bucket else 0 : ends[part.bucket]])
            yield number, self._seen(own, part) if self.division.divided else own

    def _targets(self, content: Content, keys: Keys) -> npt.NDArray[np.uint16]:
        """The bucket of each row; short numbers are sorted without comparisons."""
        if not keys:
            return np.zeros(len(content.times), np.uint16)
        first, *further = (buckets_of(content.arguments[place], self.buckets) for place in keys)
        if not further:
            return first
        return (sum(further, first.astype(np.int64)) % self.buckets).astype(np.uint16)

    def _seen(self, content: Content, part: Part) -> Content:
        """The rows of a bucket that a span of its time sees: arrivals within reach, and conclusions that hold in it."""
        if content.until is None:
            low, high = np.searchsorted(content.times, [part.begin - self.division.reach, part.end + 1])
            return content.taken(slice(low, high))
        found = content.taken(np.flatnonzero((content.times <= part.end) & (content.until >= part.begin)))
        return replace(found, times=np.maximum(found.times, part.begin))


def buckets_of(column: Argument, buckets: int) -> npt.NDArray[np.uint16]:
    """The bucket of each row, as `rows.bucket` says it."""
    spelled = pa.array(column).dictionary_encode() if isinstance(column, np.ndarray) else column
    if len(spelled.dictionary) > len(spelled):  # a few rows of a large table
        spelled = compact(spelled)
    of_cells = buckets_of_cells(spelled.dictionary.cast(pa.string()), buckets).astype(np.uint16)
    return np.asarray(of_cells[spelled.indices.to_numpy()])
