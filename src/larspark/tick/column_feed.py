"""Chunks of signals on their way to `TickColumns`: what the program refuses, what has no time, and what is late."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from larspark.blocks import Block, Numbers
from larspark.diagnostics import Diagnostic, Origin
from larspark.language.facts import Fact
from larspark.read import UNTIMED, Chunk
from larspark.runtime.admission import Admission
from larspark.tick.columns import TickColumns
from larspark.tick.signals import record_of
from larspark.tick.summary import Summary


class ColumnFeed:
    """Starts the engine with the first signal; what is refused or late is told as it comes."""

    def __init__(
        self,
        started: Callable[[int], TickColumns],
        admission: Admission,
        reject: Callable[[Diagnostic, str], None],
        late: Callable[[Fact, int, Origin | None], None],
    ) -> None:
        self._started, self._admission = started, admission
        self._reject, self._late = reject, late
        self._engine: TickColumns | None = None

    @property
    def summary(self) -> Summary:
        return Summary() if self._engine is None else self._engine.summary

    def first_time(self, chunk: Chunk) -> int | None:
        """The time of the first signal that the program takes; None: there is none."""
        admitted = [block for block in chunk.blocks if self._admission.to_signature(block.signature) is None]
        firsts = [(int(_order(block)[0]), int(block.times[0])) for block in admitted if len(block)]
        return min(firsts)[1] if firsts else None

    def take(self, chunk: Chunk) -> None:
        blocks = self._admitted(chunk)
        if not blocks:
            return
        orders = np.concatenate([_order(block) for block in blocks])
        arriving = np.argsort(orders, kind="stable")
        said = np.concatenate([block.times for block in blocks])[arriving]
        if self._engine is None:
            self._engine = self._started(max(int(said[0]), 0))
        # A signal without time comes now; one that lies before the present is late.
        reached = np.maximum.accumulate(np.maximum(said, self._engine.time))
        times = np.where(said == UNTIMED, reached, said)
        late = times < np.append(self._engine.time, reached[:-1])
        places = np.empty(len(arriving), np.int64)
        places[arriving] = np.arange(len(arriving))
        parts = np.split(places, np.cumsum([len(block) for block in blocks])[:-1])
        timed = [replace(block, times=times[part]) for block, part in zip(blocks, parts, strict=True)]
        if late.any():
            self._tell_late(
                chunk, [block.take(np.flatnonzero(late[part])) for block, part in zip(timed, parts, strict=True)]
            )
            timed = [block.take(np.flatnonzero(~late[part])) for block, part in zip(timed, parts, strict=True)]
        self._engine.arrive(timed)

    def finish(self, start: int) -> None:
        """No more signals; without any, the program's own facts are told."""
        self._engine = self._engine or self._started(start)
        self._engine.finish()

    def _admitted(self, chunk: Chunk) -> list[Block]:
        blocks: list[Block] = []
        refused: list[tuple[int, Diagnostic, str]] = []
        for block in chunk.blocks:
            objection = self._admission.to_signature(block.signature)
            if objection is None:
                blocks.append(block)
            else:
                rows = zip(_order(block).tolist(), block.times.tolist(), block.facts(), strict=True)
                refused += [(order, objection, record_of(fact, time)) for order, time, fact in rows]
        for order, objection, record in sorted(refused, key=lambda one: one[0]):
            self._reject(replace(objection, origin=_origin(chunk, order)), record)
        return blocks

    def _tell_late(self, chunk: Chunk, blocks: list[Block]) -> None:
        assert self._engine is not None
        rows = Chunk(tuple(blocks)).rows()
        self._engine.summary.late += len(rows)
        for order, time, fact in rows:
            self._late(fact, time, _origin(chunk, order))


def _order(block: Block) -> Numbers:
    assert block.order is not None
    return block.order


def _origin(chunk: Chunk, order: int) -> Origin | None:
    return None if chunk.located is None else chunk.located.origin(order)
