"""Arguments between the cells of rows and the values or codes of a reasoner, a column at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from larspark.language.values import Value
from larspark.spark.rows import from_text, to_cells


def decode_values(table: pa.Table, arity: int) -> list[tuple[Value, ...]]:
    """The arguments of all rows of a table of one predicate."""
    if not arity:
        return [()] * len(table)
    places = [_values(table.column(f"n{place}"), table.column(f"s{place}")) for place in range(arity)]
    return list(zip(*places, strict=True))


def _values(numbers: pa.ChunkedArray, texts: pa.ChunkedArray) -> list[Value]:
    encoded = texts.combine_chunks().dictionary_encode()
    known = [from_text(text) for text in encoded.dictionary.to_pylist()]
    return [
        number if index is None else known[index]
        for number, index in zip(numbers.to_pylist(), encoded.indices.to_pylist(), strict=True)
    ]


def encode_values(rows: Sequence[Sequence[Value]], width: int) -> list[pa.Array]:
    """The cells of atoms with up to `width` arguments, column by column."""
    cells: list[pa.Array] = []
    for place in range(width):
        pairs = [to_cells(row[place]) if place < len(row) else (None, None) for row in rows]
        cells += [pa.array([n for n, _ in pairs], pa.int64()), pa.array([s for _, s in pairs], pa.string())]
    return cells


def numbers_of(column: pa.ChunkedArray) -> npt.NDArray[np.int64]:
    """A column of whole numbers; missing ones are 0."""
    return np.asarray(pc.fill_null(column, 0).to_numpy(), np.int64)
