"""The last stage, where there is one: conclusions about one atom from several partitions are united and written.

Parcels come in the order in which intervals begin, so that an interval leaves as soon as nothing can make it longer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from larspark.intervals.sets import FOREVER
from larspark.intervals.storage import Rows
from larspark.language.facts import Signature
from larspark.reasoners.interval.dictionary import Dictionary
from larspark.reasoners.interval.validity import Validity, outside_of
from larspark.spark import reading
from larspark.spark.direct.arriving import Coded, Held, Key
from larspark.spark.direct.parcels import Batches, Opened, Parcel, as_batches, opened, unpacked
from larspark.spark.direct.written import ConclusionFiles, Target
from larspark.spark.reading import Coder
from larspark.spark.rows import Kind


@dataclass(frozen=True)
class Uniting:
    """The function for `mapInArrow`: every atom with maximal intervals, less the times without an answer stream."""

    targets: Mapping[Signature, Target]
    numbers: Mapping[Signature, int]

    def __call__(self, batches: Batches) -> Batches:
        given = opened(batches)
        if next(given, None):  # the seed
            yield from as_batches(self._reports(given))

    def _reports(self, parcels: Iterator[Opened]) -> Iterator[Parcel]:
        dictionary = Dictionary()
        files = ConclusionFiles(dictionary, self.targets)
        held = Held(self.numbers, Coder(dictionary, {}))
        validity: dict[Key, Validity] = {}
        void = np.empty((0, 2), np.int64)
        for parcel in parcels:
            if parcel.kind is Kind.VOID:
                told = unpacked(parcel.content)
                assert told.until is not None
                void = _disjoint(np.concatenate((void, np.column_stack((told.times, told.until)))))
                continue
            if held.count >= reading.CHUNK:
                self._unite(held.before(parcel.first), validity)
                self._write(files, validity, void, parcel.first - 1)
            held.add(parcel)
        self._unite(held.before(FOREVER), validity)
        self._write(files, validity, void, FOREVER + 1)
        yield from files.reports()

    def _unite(self, ready: Mapping[Key, Coded], validity: dict[Key, Validity]) -> None:
        for (kind, signature), coded in ready.items():
            key, rows = (kind, signature), coded.rows
            if kind is Kind.ARRIVAL:  # the output shows arriving atoms of predicates that rules derive as well
                key, rows = (Kind.NOW, signature), np.column_stack((rows, coded.times, coded.times))
            if key not in validity:
                validity[key] = Validity(rows.shape[1] - 2)
            validity[key].add(rows)

    def _write(self, files: ConclusionFiles, validity: Mapping[Key, Validity], void: Rows, until: int) -> None:
        for (kind, signature), known in validity.items():
            files.add(kind, signature, outside_of(known.ended(until), void))


def _disjoint(spans: Rows) -> Rows:
    joined = Validity(0)
    joined.add(spans)
    found = joined.ended(FOREVER + 1)
    return found[np.argsort(found[:, 0])]
