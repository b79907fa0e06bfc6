"""What bad records do to a reading: they end it, or are counted and left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from larspark.diagnostics import Diagnostic, Rejected
from larspark.read.chunk import Chunk

OnError: TypeAlias = Literal["stop", "skip"]
"""What a bad record does: end the reading with `Rejected`, or be counted and left out."""

MOST_KEPT = 1000
"""How many findings about skipped records are kept; all are counted."""


class CheckedChunks:
    """Chunks without bad records, and the account of those that were left out."""

    def __init__(
        self,
        chunks: Iterable[Chunk],
        on_error: OnError = "stop",
        refuse: Callable[[Diagnostic, str], None] = lambda _finding, _record: None,
    ) -> None:
        """`refuse` is told of every record that is left out."""
        self._chunks = chunks
        self._on_error = on_error
        self._refuse = refuse
        self.skipped = 0
        self.diagnostics: list[Diagnostic] = []

    def __iter__(self) -> Iterator[Chunk]:
        for chunk in self._chunks:
            if chunk.refused and self._on_error == "stop":
                first = chunk.refused[0]
                yield _before(chunk, first.order)
                raise Rejected([first.diagnostic])
            self.skipped += len(chunk.refused)
            for one in chunk.refused:
                self._refuse(one.diagnostic, one.record)
            room = MOST_KEPT - len(self.diagnostics)
            self.diagnostics += [one.diagnostic for one in chunk.refused[: max(room, 0)]]
            yield replace(chunk, refused=()) if chunk.refused else chunk


def _before(chunk: Chunk, order: int) -> Chunk:
    """The rows before a place in the order of arrival."""
    blocks = (
        block.take(slice(int(np.searchsorted(block.order, order)))) for block in chunk.blocks if block.order is not None
    )
    return Chunk(tuple(block for block in blocks if len(block)), form=chunk.form)
