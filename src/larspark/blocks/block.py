"""A block: rows of one predicate in the order of time.

Rows of arrivals have a time; rows of conclusions hold from `times` to `until` (both included), and are about the time
points in `at` where that is another than the evaluation time. The laws, each of them tested:

    merge(split(block)) = block          unpack(pack(block)) = block          ordering is stable
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from larspark.blocks.arguments import Argument, Numbers, columns_of, joined, same, taken, values_of
from larspark.language.facts import Fact, Signature
from larspark.language.values import Value


@dataclass(frozen=True, eq=False)
class Block:
    signature: Signature
    times: Numbers
    arguments: tuple[Argument, ...] = ()
    until: Numbers | None = None
    """The last evaluation at which a conclusion holds; None for arrivals."""
    at: Numbers | None = None
    """The time point that a conclusion is about; None: the evaluation time itself."""
    order: Numbers | None = None
    """The place of each arrival among all of its source; None where nothing asks for it."""

    def __len__(self) -> int:
        return len(self.times)

    def __eq__(self, other: object) -> bool:
        """The same rows, however they are kept."""
        if not isinstance(other, Block):
            return NotImplemented
        pairs = zip(self._numbers, other._numbers, strict=True)
        return (
            self.signature == other.signature
            and all(a is b if a is None or b is None else np.array_equal(a, b) for a, b in pairs)
            and all(map(same, self.arguments, other.arguments))
        )

    __hash__ = None  # type: ignore[assignment]  # columns can change

    @property
    def _numbers(self) -> tuple[Numbers | None, ...]:
        return self.times, self.until, self.at, self.order

    # -- rows --------------------------------------------------------------------------------------

    def take(self, rows: Numbers | slice) -> Block:
        """These rows."""
        times, until, at, order = (None if column is None else column[rows] for column in self._numbers)
        assert times is not None
        return Block(self.signature, times, tuple(taken(one, rows) for one in self.arguments), until, at, order)

    def split(self, time: int) -> tuple[Block, Block]:
        """What begins before a time, and the rest; the rows are in the order of time."""
        place = int(np.searchsorted(self.times, time))
        return self.take(slice(None, place)), self.take(slice(place, None))

    def cut(self, size: int) -> Iterator[Block]:
        """Pieces of at most so many rows."""
        for begin in range(0, len(self), size):
            yield self.take(slice(begin, begin + size))

    @property
    def in_order(self) -> bool:
        return bool((self.times[1:] >= self.times[:-1]).all())

    def ordered(self) -> Block:
        """The rows in the order of time; of one time point, in the order of arrival."""
        if self.order is not None:
            places = np.lexsort((self.order, self.times))
            return self if (places[1:] > places[:-1]).all() else self.take(places)
        return self if self.in_order else self.take(np.argsort(self.times, kind="stable"))

    def numbered(self, first: int) -> Block:
        """With places in the order of arrival, counted from `first` on."""
        return replace(self, order=np.arange(first, first + len(self)))

    # -- facts -------------------------------------------------------------------------------------

    @classmethod
    def of(cls, signature: Signature, rows: Iterable[tuple[int, Sequence[Value]]]) -> Block:
        """Arrivals from times and arguments."""
        pairs = list(rows)
        times = np.array([time for time, _ in pairs], np.int64)
        return cls(signature, times, columns_of((args for _, args in pairs), signature.arity))

    def facts(self) -> Iterator[Fact]:
        """The atoms of the rows."""
        predicate, columns = self.signature.predicate, [values_of(one) for one in self.arguments]
        if not columns:
            return (Fact(predicate) for _ in range(len(self)))
        return (Fact(predicate, args) for args in zip(*columns, strict=True))


def merge(blocks: Sequence[Block]) -> Block:
    """The rows of several blocks of one predicate in the order of time; ties stay in the order of the blocks."""
    first = blocks[0]
    if len(blocks) == 1:
        return first.ordered()
    columns = (
        None if first_column is None else np.concatenate([one._numbers[place] for one in blocks])
        for place, first_column in enumerate(first._numbers)
    )
    times, until, at, order = columns
    assert times is not None
    arguments = tuple(joined([one.arguments[place] for one in blocks]) for place in range(first.signature.arity))
    return Block(first.signature, times, arguments, until, at, order).ordered()
