"""Letters as numbers."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from larspark.intervals.compiled import inlined

Content: TypeAlias = npt.NDArray[np.uint8]

ZERO, NINE = ord("0"), ord("9")

DIGITS = 18
"""So many fit into 64 bits, whatever they are."""


@inlined
def digits_end(content: Content, place: int, end: int) -> int:
    """Behind the digits that begin here; the same place if none do."""
    while place < end and ZERO <= content[place] <= NINE:
        place += 1
    return place
