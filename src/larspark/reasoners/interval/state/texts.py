"""Texts in one piece of memory that Arrow reads in place, each with a number; Python's texts are made on request."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from larspark.intervals.tables.storage import NONE, Column
from larspark.intervals.tables.texts import FILLED, SLOT, fill_slots, number_texts

_TEXTS, _BYTES = 64, 1024
"""Room at first."""


class Texts:
    """A growing numbering of texts; what has been written stays where it is as long as somebody looks at it."""

    def __init__(self) -> None:
        self._count = 0
        self._bytes: npt.NDArray[np.uint8] = np.empty(_BYTES, np.uint8)
        self._begins: Column = np.zeros(_TEXTS + 1, np.int64)
        self._slots = _free(FILLED * _TEXTS)

    def __len__(self) -> int:
        return self._count

    def numbers(self, texts: pa.StringArray) -> Column:
        """The numbers of texts, which are taken in when they are new."""
        numbers = np.empty(len(texts), np.int64)
        _, offsets, content = texts.buffers()
        if not len(texts):
            return numbers
        ends = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1].astype(np.int64)
        given = content.address if content is not None else 0
        done, before = 0, self._count
        while done < len(numbers):
            done, self._count = number_texts(
                given,
                ends,
                done,
                self._bytes.ctypes.data,
                len(self._bytes),
                self._begins,
                self._count,
                self._slots,
                numbers,
            )
            if done < len(numbers):  # as many of the others are expected to be new as of those so far
                new = (self._count - before) / max(done, 1)
                others, content_left = len(numbers) - done, int(ends[-1] - ends[done])
                self._grow(int(new * others) + 1, int(new * content_left) + int(ends[done + 1] - ends[done]))
        return numbers

    def __getitem__(self, number: int) -> str:
        begin, end = self._begins[number : number + 2].tolist()
        return self._bytes[begin:end].tobytes().decode()

    def take(self, numbers: Column) -> pa.StringArray:
        """Texts by their numbers."""
        first, count = (int(numbers[0]), len(numbers)) if len(numbers) else (0, 0)
        if (numbers == np.arange(first, first + count)).all():
            begins = self._begins[first : first + count + 1]
            content = pa.py_buffer(self._bytes[begins[0] : begins[-1]])
            return pa.StringArray.from_buffers(count, pa.py_buffer((begins - begins[0]).astype(np.int32)), content)
        parts = [None, pa.py_buffer(self._begins[: self._count + 1]), pa.py_buffer(self._bytes)]
        return pa.Array.from_buffers(pa.large_string(), self._count, parts).take(pa.array(numbers)).cast(pa.string())

    def _grow(self, texts: int, size: int) -> None:
        """Room for so many more texts, and at least for twice as many as there are."""
        used = int(self._begins[self._count])
        if used + size > len(self._bytes):
            larger = np.empty(max(used + size, 2 * used), np.uint8)
            larger[:used] = self._bytes[:used]
            self._bytes = larger
        if self._count + texts >= len(self._begins):
            begins = np.zeros(self._count + max(texts, self._count) + 1, np.int64)
            begins[: self._count + 1] = self._begins[: self._count + 1]
            self._begins = begins
            slots = _free(FILLED * len(begins))
            fill_slots(self._slots, slots)
            self._slots = slots


def _free(least: int) -> Column:
    """Free slots, as many as a power of two."""
    return np.full(SLOT << (least - 1).bit_length(), NONE, np.int64)
