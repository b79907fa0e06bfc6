"""Changes of conclusions, and the intervals they make.

A change says that a conclusion begins and goes on (`until` is FOREVER), that one which went on has ended (`time` is
-FOREVER), or both. So what goes on for long is told twice, however many micro-batches it lasts.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from larspark.intervals.sets import FOREVER
from larspark.intervals.storage import Rows, content, new_table
from larspark.intervals.table import absorb, remove
from larspark.spark.cells import numbers_of
from larspark.spark.streaming.parcels import change_schema, joined


def folded(going_on: pa.Table, changes: pa.Table, width: int) -> tuple[pa.Table, pa.Table]:
    """The conclusions that have ended, and those that go on after the changes."""
    if not len(changes):
        return changes.slice(0, 0), going_on
    table = joined([going_on, changes], width)
    keys = [name for name in table.column_names if name not in ("time", "until")]
    spelled = {name: table.column(name).combine_chunks().dictionary_encode() for name in keys}
    codes = [numbers_of(pa.chunked_array([pc.fill_null(one.indices, -1)])) for one in spelled.values()]
    rows = np.column_stack((*codes, numbers_of(table.column("time")), numbers_of(table.column("until"))))
    ends = rows[:, -2] == -FOREVER
    before = np.arange(len(rows)) < len(going_on)
    known = new_table(len(keys), [])
    absorb(known, np.ascontiguousarray(rows[before]), -FOREVER)
    ending = rows[ends]
    ending[:, -2], ending[:, -1] = ending[:, -1] + 1, FOREVER
    remove(known, np.ascontiguousarray(ending))
    absorb(known, np.ascontiguousarray(rows[~before & ~ends]), -FOREVER)
    left: Rows = content(known)
    columns = {name: _taken(spelled[name], left[:, place]) for place, name in enumerate(keys)}
    columns |= {"time": pa.array(left[:, -2]), "until": pa.array(left[:, -1])}
    schema = change_schema(width)
    result = pa.table([columns[name] for name in schema.names], schema=schema)
    open_ = pa.array(left[:, -1] >= FOREVER)
    return result.filter(pc.invert(open_)), result.filter(open_)


def within(intervals: pa.Table, first: int, last: int) -> pa.Table:
    """The part of intervals that lies between two time points."""
    begin = np.maximum(numbers_of(intervals.column("time")), first)
    end = np.minimum(numbers_of(intervals.column("until")), last)
    names = intervals.column_names
    clipped = intervals.set_column(names.index("time"), "time", pa.array(begin))
    clipped = clipped.set_column(names.index("until"), "until", pa.array(end))
    return clipped.filter(pa.array(begin <= end))


def _taken(spelled: pa.DictionaryArray, codes: Rows) -> pa.Array:
    return spelled.dictionary.take(pa.array(codes, mask=codes < 0))
