"""What the engine has concluded, as rows: codes become arguments, a column at a time."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from larspark.intervals.storage import Column, Rows
from larspark.language.facts import Signature
from larspark.reasoners.interval.dictionary import Dictionary
from larspark.spark.rows import Kind, row_columns, to_cells
from larspark.spark.work import Work


class Writing:
    """Conclusions as rows."""

    def __init__(self, work: Work, dictionary: Dictionary) -> None:
        self._work = work
        self._dictionary = dictionary
        self._parts: list[pa.Table] = []

    def add(self, kind: Kind, signature: Signature | None, rows: Rows) -> None:
        count = len(rows)
        if not count:
            return
        number = 0 if signature is None else self._work.numbers[signature]
        arity = 0 if signature is None else signature.arity
        at = pa.array(rows[:, -3] >> 1) if kind is Kind.AT else pa.nulls(count, pa.int64())
        columns = [
            pa.array(np.full(count, kind, np.int32)),
            pa.array(np.full(count, number, np.int32)),
            pa.array(rows[:, -2]),
            pa.array(rows[:, -1]),
            at,
        ]
        for place in range(self._work.width):
            columns += self._cells(rows[:, place]) if place < arity else _no_cells(count)
        self._parts.append(pa.table(columns, names=row_columns(self._work.width)))

    def _cells(self, codes: Column) -> tuple[pa.Array, pa.Array]:
        """Codes of numbers are even, those of numbered values odd."""
        numbered = (codes & 1).astype(np.bool_)
        if not numbered.any():
            return pa.array(codes >> 1), pa.nulls(len(codes), pa.string())
        distinct, places = np.unique(codes[numbered], return_inverse=True)
        pairs = [to_cells(self._dictionary.decode(code)) for code in distinct.tolist()]
        numbers, indexes = codes >> 1, np.zeros(len(codes), np.int64)
        numbers[numbered] = np.array([number or 0 for number, _ in pairs], np.int64)[places]
        indexes[numbered] = places
        texts = pa.array([text for _, text in pairs], pa.string()).take(pa.array(indexes, mask=~numbered))
        return pa.array(numbers, mask=np.asarray(texts.is_valid())), texts

    def table(self) -> pa.Table:
        """Everything added since the last time."""
        parts, self._parts = self._parts, []
        return pa.concat_tables(parts) if parts else no_rows(self._work.width)


def _no_cells(count: int) -> tuple[pa.Array, pa.Array]:
    return pa.nulls(count, pa.int64()), pa.nulls(count, pa.string())


def no_rows(width: int) -> pa.Table:
    names = row_columns(width)
    kinds = [pa.int32(), pa.int32(), *[pa.int64()] * 3, *[pa.int64(), pa.string()] * width]
    return pa.table([pa.array([], kind) for kind in kinds], names=names)
