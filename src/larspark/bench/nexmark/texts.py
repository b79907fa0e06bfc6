"""Random texts as Arrow columns, made from bytes without a Python string for each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Numbers = npt.NDArray[np.int64]

SHORTEST = 3
_SPECIAL = 13
"""One in so many characters of a name is not a letter."""


def letters(random: np.random.Generator, lengths: Numbers) -> pa.Array:
    """Texts of these lengths, of small letters."""
    return _texts(_letters(random, int(lengths.sum())), lengths)


def names(random: np.random.Generator, count: int, longest: int, special: str = " ") -> pa.Array:
    """Texts of letters and now and then the special character, which stands at neither end."""
    lengths = SHORTEST + random.integers(0, longest - SHORTEST, count)
    characters = _letters(random, int(lengths.sum()))
    ends = np.cumsum(lengths)
    seldom = random.integers(0, _SPECIAL, len(characters), np.uint8) == 0
    seldom[ends - 1] = seldom[ends - lengths] = False
    characters[seldom] = ord(special)
    return _texts(characters, lengths)


def digits(random: np.random.Generator, count: int) -> pa.Array:
    """Four digits each."""
    return pc.utf8_lpad(pa.array(random.integers(0, 10_000, count)).cast(pa.string()), 4, "0")


def chosen(places: Numbers, among: Sequence[str] | pa.Array) -> pa.Array:
    """The texts at these places of a list."""
    return pa.DictionaryArray.from_arrays(pa.array(places, pa.int32()), pa.array(among)).cast(pa.string())


def fill(random: np.random.Generator, used: Numbers, average: int) -> pa.Array:
    """Letters that bring records, of which so many bytes are used, to about the average size."""
    wanted = np.maximum(average - used, 0)
    spread = np.round(wanted * 0.2).astype(np.int64)
    return letters(random, np.where(used > average, 0, wanted - spread + random.integers(0, np.maximum(2 * spread, 1))))


def _letters(random: np.random.Generator, count: int) -> npt.NDArray[np.uint8]:
    return random.integers(ord("a"), ord("z") + 1, count, np.uint8)


def _texts(characters: npt.NDArray[np.uint8], lengths: Numbers) -> pa.Array:
    offsets = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=offsets[1:])
    return pa.StringArray.from_buffers(len(lengths), pa.py_buffer(offsets), pa.py_buffer(characters))
