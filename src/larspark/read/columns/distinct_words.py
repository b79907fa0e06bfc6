"""Room for the distinct words that compiled code finds in a text."""

from __future__ import annotations

import numpy as np

from larspark.blocks import Numbers
from larspark.kernels.build import provide_kernels
from larspark.read.columns.arrays import Bytes

_ROOM = 1 << 11
"""Words for which there is room at first, a power of two."""


class DistinctWords:
    """Where words stand first, and where they are looked up; `read.scanning.words` says how."""

    def __init__(self, content: Bytes) -> None:
        from larspark.read.scanning import words  # noqa: PLC0415 - numba takes its time

        provide_kernels()
        self._content = content
        self._enter = words.enter_words
        self.known: Numbers = np.empty((_ROOM, words.WORD), np.int64)
        self.slots: Numbers = np.full((2 * _ROOM, words.SLOT), -1)

    def grow(self, count: int) -> None:
        """Make room for twice as many; so many are known."""
        self.known = np.concatenate([self.known, np.empty_like(self.known)])
        self.slots = np.full((2 * len(self.slots), self.slots.shape[1]), -1)
        self._enter(self._content, self.known, count, self.slots)
