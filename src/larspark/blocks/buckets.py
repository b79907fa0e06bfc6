"""The bucket of a key: CRC-32 of how it is spelled, for one key and for many at once."""

from __future__ import annotations

import zlib

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from larspark.blocks import Argument
from larspark.blocks.arguments import compact
from larspark.blocks.spelling import ESCAPE
from larspark.language.values import Value, show_value

LONG = 48
"""Bytes of a text from which on it is left to zlib: a step for each byte is good for many short ones."""


def bucket_of(value: Value, buckets: int) -> int:
    """The partition to which a key belongs."""
    return zlib.crc32((value if isinstance(value, str) else show_value(value)).encode()) % buckets


def buckets_of(column: Argument, buckets: int) -> npt.NDArray[np.uint16]:
    """The bucket of each row; short numbers are sorted without comparisons."""
    spelled = pa.array(column).dictionary_encode() if isinstance(column, np.ndarray) else column
    if len(spelled.dictionary) > len(spelled):  # a few rows of a large table
        spelled = compact(spelled)
    of_texts = buckets_of_spellings(spelled.dictionary.cast(pa.string()), buckets).astype(np.uint16)
    return np.asarray(of_texts[spelled.indices.to_numpy()])


def _table() -> npt.NDArray[np.uint32]:
    """What each byte does to the checksum (the reflected polynomial of ISO 3309)."""
    found = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        found = np.where(found & 1, (found >> 1) ^ np.uint32(0xEDB88320), found >> 1)
    return found


_BYTES = _table()


def buckets_of_spellings(spellings: pa.Array, buckets: int) -> npt.NDArray[np.int64]:
    """The bucket of each value that is spelled so."""
    texts = spellings.cast(pa.large_string())
    _, offsets, content = texts.buffers()
    places = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    data = np.frombuffer(content or b"", np.uint8)
    begin, end = places[:-1].copy(), places[1:]
    some = np.flatnonzero(end > begin)
    begin[some[data[begin[some]] == ord(ESCAPE)]] += 1
    sums = _short_sums(data, begin, np.minimum(end, begin + LONG))
    for row in np.flatnonzero(end - begin > LONG).tolist():
        sums[row] = zlib.crc32(data[begin[row] : end[row]].tobytes())
    return sums.astype(np.int64) % buckets


def _short_sums(
    data: npt.NDArray[np.uint8], begin: npt.NDArray[np.int64], end: npt.NDArray[np.int64]
) -> npt.NDArray[np.uint32]:
    """The sums of all texts byte by byte; the longest come first, so that those that go on are always at the front."""
    lengths = end - begin
    order = np.argsort(-lengths, kind="stable")
    place, going = begin[order], np.searchsorted(-lengths[order], -np.arange(lengths.max(initial=0)), side="left")
    sums = np.full(len(order), 0xFFFFFFFF, np.uint32)
    for step, count in enumerate(going.tolist()):
        part = sums[:count]
        part[:] = _BYTES[(part ^ data[place[:count] + step]) & 0xFF] ^ (part >> 8)
    found = np.empty_like(sums)
    found[order] = ~sums
    return found
