"""Validity sets taken apart into single time points. Compiled."""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import kernel
from larspark.intervals.table import Rows


@kernel
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
            out[count, :width] = rows[row, :width]
            out[count, width] = time << 1
            out[count, width + 1] = time
            out[count, width + 2] = time
            count += 1
    return out
