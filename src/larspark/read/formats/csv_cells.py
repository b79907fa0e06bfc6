"""Many lines of CSV without quotes: compiled code finds their cells, whole numbers and each distinct text."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

import numpy as np
import pyarrow as pa

from larspark.blocks import Numbers
from larspark.kernels.build import provide_kernels
from larspark.language.facts import Signature
from larspark.language.tree import ColumnType
from larspark.read.columns.arrays import texts_between
from larspark.read.columns.distinct_words import DistinctWords
from larspark.read.columns.layout import RowLayout
from larspark.read.formats.lines import Lines
from larspark.read.rules import Rules

FEW = 1 << 16
"""Bytes for which compiled code is not worth loading."""


class CellForm(Enum):
    """What the cells of a column may be read as before the rules for columns see them."""

    TEXT = auto()
    COUNT = auto()
    """Digits are a number."""
    NUMBER = auto()
    """Digits are a number, also with a minus in front."""


def cell_forms(layout: RowLayout, columns: int, rules: Rules) -> tuple[CellForm, ...] | None:
    """The forms of the columns that are read; None where columns say the predicate, and every row is different."""
    if layout.atom is not None or layout.named is not None:
        return None
    said = rules.typed.get(Signature(layout.predicate, len(layout.arguments)))
    forms = [CellForm.COUNT] * columns
    for place, kind in zip(layout.arguments, said.types if said else [None] * columns, strict=False):
        number = kind in (None, ColumnType.INTEGER, ColumnType.NUMBER) and place != layout.time
        forms[place] = CellForm.NUMBER if number else CellForm.TEXT
    return tuple(forms)


class ScannedCells:
    """The cells of lines, each of which is a row."""

    def __init__(self, lines: Lines, columns: int) -> None:
        from larspark.read.scanning import csv_scan  # noqa: PLC0415 - numba takes its time

        provide_kernels()
        self._scan = csv_scan
        self._content = lines.content
        self._letters = np.frombuffer(lines.content, np.uint8)
        self.counts = np.empty(len(lines), np.int64)
        """The number of cells of each line, none in an empty one."""
        edges = np.empty((len(lines), columns + 1), np.int64)
        self.longest = csv_scan.find_cells(self._letters, columns, self.counts, edges)
        """Bytes of the longest line."""
        self._edges = edges[: np.count_nonzero(self.counts == columns)]

    def batch(self, names: Sequence[str], columns: Sequence[int], forms: Sequence[CellForm]) -> pa.RecordBatch:
        """These columns of the rows with a cell for every column."""
        return pa.record_batch([*map(self._column, columns, forms)], names=list(names))

    def _column(self, column: int, form: CellForm) -> pa.Array:
        found = np.empty(len(self._edges), np.int64)
        signed = form is CellForm.NUMBER
        if form is not CellForm.TEXT and self._scan.whole_numbers(self._letters, self._edges, column, signed, found):
            return pa.array(found)
        spans = self._number_words(column, found)
        texts = texts_between(self._content, *spans.T)
        return pa.DictionaryArray.from_arrays(found.astype(np.int32), texts)

    def _number_words(self, column: int, codes: Numbers) -> Numbers:
        """Note which distinct text each cell is; where they stand first."""
        scan, done, words = self._scan, np.zeros(self._scan.DONE, np.int64), DistinctWords(self._letters)
        while True:
            scan.number_words(self._letters, self._edges, column, words.slots, words.known, codes, done)
            if done[scan.ROWS] == len(codes):
                return words.known[: done[scan.DISTINCT]]
            words.grow(int(done[scan.DISTINCT]))
