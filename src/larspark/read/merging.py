"""Several sources merged by time, holding no more of each than a chunk and what belongs to one time point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from larspark.blocks import Block, merge
from larspark.language.calendar import TimeForm
from larspark.language.facts import Signature
from larspark.read.chunk import Chunk


@dataclass
class _Source:
    """Chunks of a source that are in the order of time, as far as they are read and not given on."""

    chunks: Iterator[Chunk]
    blocks: list[Block] = field(default_factory=list)
    form: TimeForm = TimeForm.POINTS
    last: int = -1
    """The latest time so far: what follows is not earlier."""
    ended: bool = False

    def read(self) -> Chunk | None:
        chunk = next(self.chunks, None)
        if chunk is None:
            self.ended = True
        else:
            self.blocks += chunk.blocks
            self.form = max(self.form, chunk.form)
            self.last = max([self.last, *(int(block.times[-1]) for block in chunk.blocks)])
        return chunk

    def take_before(self, time: int | None) -> list[Block]:
        """The rows before a time, or all."""
        if time is None:
            taken, self.blocks = self.blocks, []
            return taken
        parts = [block.split(time) for block in self.blocks]
        self.blocks = [rest for _, rest in parts if len(rest)]
        return [part for part, _ in parts if len(part)]


def merged(streams: Sequence[Iterator[Chunk]]) -> Iterator[Chunk]:
    """The rows of all streams in the order of time; at one time point, one stream after the other."""
    sources = [_Source(stream) for stream in streams]
    number = 0
    while True:
        waiting = [source for source in sources if not source.ended]
        frontier = min((source.last for source in waiting), default=None)
        refused = []
        for source in waiting:
            if source.last == frontier:
                chunk = source.read()
                refused += [replace(one, order=number) for one in (chunk.refused if chunk else ())]
        frontier = min((source.last for source in sources if not source.ended), default=None)
        blocks, count = _united([source.take_before(frontier) for source in sources], number)
        number += count
        if blocks or refused:
            yield Chunk(tuple(blocks), tuple(refused), form=max(source.form for source in sources))
        if frontier is None:
            return


def _united(parts: Sequence[Sequence[Block]], first: int) -> tuple[list[Block], int]:
    """One block per predicate, with places counted from `first` on; and the number of rows."""
    blocks = [(source, block) for source, part in enumerate(parts) for block in part]
    if not blocks:
        return [], 0
    times = np.concatenate([block.times for _, block in blocks])
    sources = np.repeat([source for source, _ in blocks], [len(block) for _, block in blocks])
    orders = np.concatenate([block.order for _, block in blocks if block.order is not None])
    places = np.empty(len(times), np.int64)
    places[np.lexsort((orders, sources, times))] = np.arange(first, first + len(times))
    by_signature: dict[Signature, list[Block]] = {}
    begin = 0
    for _, block in blocks:
        placed = replace(block, order=places[begin : begin + len(block)])
        by_signature.setdefault(block.signature, []).append(placed)
        begin += len(block)
    return [merge(same) for same in by_signature.values()], len(times)
