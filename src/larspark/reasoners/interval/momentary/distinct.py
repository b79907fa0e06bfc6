"""Conclusions that hold at single time points, as atoms with maximal intervals.

Where some argument is a number that grows from row to row, no atom is there twice and every row is an interval already.
That is seen by looking; from the first row on for which it is not so, intervals are united in a table as elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from larspark.blocks import Block, merge
from larspark.language.facts import Signature
from larspark.reasoners.interval.answers.conclusions import END
from larspark.reasoners.interval.answers.validity import MaximalIntervals
from larspark.reasoners.interval.state.coding import Coder


class DistinctRows:
    """Rows of one predicate, block after block in the order of time; no time point is divided."""

    def __init__(self, signature: Signature, coder: Coder) -> None:
        self._signature, self._coder = signature, coder
        self._growing: dict[int, int] | None = None
        """The arguments that have grown from row to row so far, with their last value; None before the first row."""
        self._held: Block | None = None
        """The rows of the last time point: the next one may go on with them."""
        self._table: MaximalIntervals | None = None
        """Once rows may be equal."""

    def add(self, block: Block) -> Iterator[Block]:
        """Take rows; what is final is handed out."""
        if self._table is None:
            growing = self._still_growing(block)
            if growing:
                self._growing = growing
                before, held = block.split(int(block.times[-1]))
                yield from (part for part in (self._held, before) if part is not None and len(part))
                self._held = held
                return
            self._table = MaximalIntervals(self._signature.arity)
            if self._held is not None:
                block = merge([self._held, block])
                self._held = None
        self._table.add(self._coder.rows(block))

    def ended(self, until: int) -> Iterator[Block]:
        """What cannot go on after the evaluations up to `until`."""
        if self._table is not None:
            rows = self._table.ended(until)
            if len(rows):
                yield self._coder.block(self._signature, rows, pinned=False).ordered()
        elif self._held is not None and until >= END:
            yield self._held
            self._held = None

    def _still_growing(self, block: Block) -> dict[int, int]:
        growing: dict[int, int] = {}
        for place, column in enumerate(block.arguments):
            if isinstance(column, np.ndarray) and (self._growing is None or place in self._growing):
                after = self._growing is None or column[0] > self._growing[place]
                if after and (column[1:] > column[:-1]).all():
                    growing[place] = int(column[-1])
        return growing
