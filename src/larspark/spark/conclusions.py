"""What the engine has concluded, as rows: codes become arguments, a column at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
import pyarrow as pa

from larspark.intervals.storage import Column, Rows
from larspark.language.facts import Signature
from larspark.reasoners.interval.dictionary import Dictionary
from larspark.spark.rows import Kind, row_columns, to_cells
from larspark.spark.work import Work


class Writing(Protocol):
    """Takes what an engine has concluded."""

    def add(self, kind: Kind, signature: Signature | None, rows: Rows) -> None:
        """Atoms as codes, with the intervals in which they hold."""

    def tables(self, *, ended: bool = False) -> Iterator[pa.Table]:
        """What leaves the partition now."""


class Cells:
    """Codes as the two cells of an argument; each value is spelled once."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self._texts = pa.nulls(1, pa.string())  # place 0 is that of no value
        self._numbers = np.zeros(1, np.int64)

    def of(self, codes: Column) -> tuple[pa.Array, pa.Array]:
        """Codes of numbers are even, those of numbered values odd."""
        numbered = (codes & 1).astype(np.bool_)
        if not numbered.any():
            return pa.array(codes >> 1), pa.nulls(len(codes), pa.string())
        self._learn()
        places = codes >> 1
        texts = self._texts.take(pa.array(places, mask=~numbered))
        numbers = np.where(numbered, self._numbers[np.where(numbered, places, 0)], places)
        return pa.array(numbers, mask=np.asarray(texts.is_valid())), texts

    def _learn(self) -> None:
        """The cells of values that have been numbered since the last time."""
        fresh = range(len(self._texts), len(self._dictionary) + 1)
        if fresh:
            pairs = [to_cells(self._dictionary.decode(number << 1 | 1)) for number in fresh]
            self._texts = pa.concat_arrays([self._texts, pa.array([text for _, text in pairs], pa.string())])
            self._numbers = np.append(self._numbers, np.array([number or 0 for number, _ in pairs], np.int64))


class ConclusionRows:
    """Conclusions as rows."""

    def __init__(self, work: Work, dictionary: Dictionary) -> None:
        self._work = work
        self._cells = Cells(dictionary)
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
            columns += self._cells.of(rows[:, place]) if place < arity else _no_cells(count)
        self._parts.append(pa.table(columns, names=row_columns(self._work.width)))

    def table(self) -> pa.Table:
        """Everything added since the last time."""
        parts, self._parts = self._parts, []
        return pa.concat_tables(parts) if parts else no_rows(self._work.width)

    def tables(self, *, ended: bool = False) -> Iterator[pa.Table]:
        yield self.table()


def _no_cells(count: int) -> tuple[pa.Array, pa.Array]:
    return pa.nulls(count, pa.int64()), pa.nulls(count, pa.string())


def no_rows(width: int) -> pa.Table:
    names = row_columns(width)
    kinds = [pa.int32(), pa.int32(), *[pa.int64()] * 3, *[pa.int64(), pa.string()] * width]
    return pa.table([pa.array([], kind) for kind in kinds], names=names)
