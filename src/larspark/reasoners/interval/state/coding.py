"""Between blocks and the codes of an engine, a column at a time: Python sees no text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from larspark.blocks import Argument, Block, Numbers
from larspark.intervals.rules.arithmetic import INLINE
from larspark.intervals.tables.storage import Column, Rows
from larspark.language.facts import Signature
from larspark.reasoners.interval.state.arrivals import ArrivalBatch, Arrivals
from larspark.reasoners.interval.state.dictionary import Dictionary

_DENSE = 4
"""Values are looked for among all of the dictionary when these are at most so many times the codes."""

_REPEATING = 2
"""Codes of which each stands at least so often in a column are worth being found once."""
_SAMPLE = 1024


class Coder:
    """The codes of one dictionary."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary

    # -- into the engine ---------------------------------------------------------------------------

    def arrivals(self, blocks: Iterable[Block]) -> Arrivals:
        """What arrives: at most one block for each predicate, in the order of time.

        The places of arrivals among all follow their time, then `order`; without it, the order of the blocks.
        """
        found = [block for block in blocks if len(block)]
        count = sum(map(len, found))
        orders = [block.order if block.order is not None else np.zeros(len(block), np.int64) for block in found]
        places = places_among([block.times for block in found], orders)
        return Arrivals(
            {
                block.signature: ArrivalBatch(self.codes(block), block.times, own)
                for block, own in zip(found, places, strict=True)
            },
            count,
        )

    def codes(self, block: Block) -> Rows:
        """The arguments of a block."""
        rows = np.empty((len(block), block.signature.arity), np.int64)
        for place, column in enumerate(block.arguments):
            rows[:, place] = self.column(column)
        return rows

    def rows(self, block: Block) -> Rows:
        """The arguments; of conclusions also the time they are about, if it is another, and the interval."""
        codes = self.codes(block)
        if block.until is None:
            return codes
        pinned = [] if block.at is None else [block.at << 1]
        return np.column_stack((codes, *pinned, block.times, block.until))

    def column(self, column: Argument) -> Column:
        if not isinstance(column, np.ndarray):
            places: Numbers = column.indices.to_numpy()
            return self._dictionary.encode_spellings(column.dictionary)[places]
        if len(column) and max(abs(int(column.min())), abs(int(column.max()))) >= INLINE:
            return np.array([self._dictionary.encode(value) for value in column.tolist()], np.int64)
        return column << 1

    # -- out of it ---------------------------------------------------------------------------------

    def block(self, signature: Signature, rows: Rows, *, pinned: bool) -> Block:
        """Conclusions with their intervals: the last columns are first and last evaluation, before them the time."""
        arguments = tuple(self.argument(rows[:, place]) for place in range(signature.arity))
        at = rows[:, -3] >> 1 if pinned else None
        return Block(signature, rows[:, -2].copy(), arguments, rows[:, -1].copy(), at)

    def argument(self, codes: Column) -> Argument:
        """Codes of numbers are even; where others are among them, all are spelled."""
        odd = codes & 1
        if not odd.any():
            return codes >> 1
        if odd.all() and _mostly_different(codes):
            rows = np.arange(len(codes), dtype=np.int32)
            return pa.DictionaryArray.from_arrays(rows, self._dictionary.spellings(codes))
        if odd.all() and len(self._dictionary) < _DENSE * len(codes):
            distinct, places = _distinct(codes >> 1, len(self._dictionary) + 1)
            distinct = distinct << 1 | 1
        else:
            distinct, places = np.unique(codes, return_inverse=True)
        return pa.DictionaryArray.from_arrays(places.reshape(-1).astype(np.int32), self._dictionary.spellings(distinct))


def _mostly_different(codes: Column) -> bool:
    """Whether finding each code once would spare little, as far as the first ones tell."""
    first = codes[:_SAMPLE]
    return len(codes) > _SAMPLE and _REPEATING * len(np.unique(first)) > len(first)


def _distinct(numbers: Numbers, size: int) -> tuple[Numbers, Numbers]:
    """The numbers below a size that occur, in order, and the place of each among them; without sorting."""
    seen = np.zeros(size, np.bool_)
    seen[numbers] = True
    return np.flatnonzero(seen), (np.cumsum(seen) - 1)[numbers]


def places_among(times: Sequence[Numbers], orders: Sequence[Numbers]) -> list[Numbers]:
    """The place of each arrival of several predicates among all: by time, then by order."""
    if len(times) <= 1:
        return [np.arange(len(one)) for one in times]
    together = np.lexsort((np.concatenate(orders), np.concatenate(times)))
    places = np.empty(len(together), np.int64)
    places[together] = np.arange(len(together))
    return np.split(places, np.cumsum([len(one) for one in times])[:-1])
