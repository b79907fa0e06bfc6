"""Time points and validity sets put together and taken apart. Compiled."""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inner_kernel, kernel
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.storage import Column, Rows


@inner_kernel
def unroll(rows: Rows, first: int, last: int) -> Rows:
    """Each row once for every time point t of its interval within [first, last]: key, the code of t, t, t."""
    width = rows.shape[1] - 2
    total = 0
    for row in range(rows.shape[0]):
        total += max(0, min(last, rows[row, width + 1]) - max(first, rows[row, width]) + 1)
    out = np.empty((total, width + 3), np.int64)
    count = 0
    for row in range(rows.shape[0]):
        for time in range(max(first, rows[row, width]), min(last, rows[row, width + 1]) + 1):
            for column in range(width):
                out[count, column] = rows[row, column]
            out[count, width] = time << 1
            out[count, width + 1] = time
            out[count, width + 2] = time
            count += 1
    return out


@kernel
def stamped(codes: Rows, times: Column) -> Rows:
    """Arrivals as rows: the arguments, the code of the time, valid from then on."""
    count, arity = codes.shape
    rows = np.empty((count, arity + 3), np.int64)
    for row in range(count):
        for column in range(arity):
            rows[row, column] = codes[row, column]
        rows[row, arity] = times[row] << 1
        rows[row, arity + 1] = times[row]
        rows[row, arity + 2] = FOREVER
    return rows
