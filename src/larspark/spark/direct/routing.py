"""Where rows go: to the partition of their key, in every stage that reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from larspark.spark.direct.columns import Argument, Numbers
from larspark.spark.direct.parcels import PARCEL, Content, Parcel
from larspark.spark.rows import ESCAPE, Kind, checksums
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
        targets = np.zeros(len(content.times), np.int64)
        for place in keys:
            targets += buckets_of(content.arguments[place], self.buckets)
        targets = (targets % self.buckets).astype(np.uint16)  # short numbers are sorted without comparisons
        order = np.argsort(targets, kind="stable")
        ends = np.searchsorted(targets[order], np.arange(self.buckets), side="right")
        for number, part in enumerate(self.division.parts):
            own = content.taken(order[ends[part.bucket - 1] if part.bucket else 0 : ends[part.bucket]])
            yield number, self._seen(own, part) if self.division.divided else own

    def _seen(self, content: Content, part: Part) -> Content:
        """The rows of a bucket that a span of its time sees: arrivals within reach, and conclusions that hold in it."""
        if content.until is None:
            low, high = np.searchsorted(content.times, [part.begin - self.division.reach, part.end + 1])
            return content.taken(slice(low, high))
        found = content.taken(np.flatnonzero((content.times <= part.end) & (content.until >= part.begin)))
        return replace(found, times=np.maximum(found.times, part.begin))


def buckets_of(column: Argument, buckets: int) -> Numbers:
    """The bucket of each row, as `rows.bucket` says it."""
    if isinstance(column, np.ndarray):
        spelled = pa.array(column).dictionary_encode()
        texts = [str(value) for value in spelled.dictionary.to_pylist()]
    else:
        spelled = column
        texts = [text.removeprefix(ESCAPE) for text in spelled.dictionary.to_pylist()]
    return np.asarray(checksums(texts, buckets)[spelled.indices.to_numpy()])
