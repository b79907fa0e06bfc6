"""Conclusions about one atom from several partitions, united; and times without an answer stream, taken out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from larspark.intervals.sets import FOREVER
from larspark.intervals.storage import Rows, content, new_table
from larspark.intervals.table import absorb, remove
from larspark.spark.cells import numbers_of
from larspark.spark.rows import row_columns


def combine_rows(table: pa.Table, void: Sequence[tuple[int, int]], width: int) -> pa.Table:
    """The rows of each atom with maximal intervals, less the times in `void`."""
    keys = [name for name in row_columns(width) if name not in ("time", "until")]
    spelled = {name: table.column(name).combine_chunks().dictionary_encode() for name in keys}
    codes = [numbers_of(pa.chunked_array([pc.fill_null(spelled[name].indices, -1)])) for name in keys]
    rows = np.column_stack((*codes, numbers_of(table.column("time")), numbers_of(table.column("until"))))
    joined = new_table(len(keys), [])
    absorb(joined, np.ascontiguousarray(rows), -FOREVER)
    for first, last in void:
        known: Rows = content(joined)
        known[:, -2] = np.maximum(known[:, -2], first)
        known[:, -1] = np.minimum(known[:, -1], last)
        remove(joined, np.ascontiguousarray(known[known[:, -2] <= known[:, -1]]))
    left: Rows = content(joined)
    columns = {name: _taken(spelled[name], left[:, place]) for place, name in enumerate(keys)}
    columns |= {"time": pa.array(left[:, -2]), "until": pa.array(left[:, -1])}
    return pa.table([columns[name] for name in row_columns(width)], names=row_columns(width))


def _taken(spelled: pa.DictionaryArray, codes: Rows) -> pa.Array:
    return spelled.dictionary.take(pa.array(codes, mask=codes < 0))
