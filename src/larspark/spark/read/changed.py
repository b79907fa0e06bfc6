"""Inputs of which some arrivals are dropped, and others added: what `what-if` evaluates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from larspark.blocks import Block
from larspark.explain.differences.changed_data import ArrivalChanges
from larspark.explain.evaluations.history import Sourced
from larspark.read import Chunk, Rules, chunk_of_facts
from larspark.spark.evaluate.messages import Batches
from larspark.spark.read.arrivals import FilePiece, RowReader
from larspark.spark.read.inputs import Inputs


def changed_inputs(inputs: Inputs, changes: ArrivalChanges) -> Inputs:
    """What is added arrives last at its time point."""
    pieces: list[FilePiece] = [ChangedPiece(piece, changes) for piece in inputs.pieces]
    if changes.added:
        pieces.append(AddedPiece(changes.added))
    frames = tuple(replace(one, reader=ChangedRows(one.reader, changes), sorts=None) for one in inputs.frames)
    return Inputs(tuple(pieces), frames)


@dataclass(frozen=True)
class ChangedPiece:
    """A part of a file without what is dropped."""

    piece: FilePiece
    changes: ArrivalChanges

    @property
    def path(self) -> str:
        return self.piece.path

    def chunks(self) -> Iterator[Chunk]:
        return (_without(chunk, self.changes) for chunk in self.piece.chunks())


@dataclass(frozen=True)
class ChangedRows:
    """Rows that Spark hands over, without what is dropped."""

    reader: RowReader
    changes: ArrivalChanges

    def chunks(self, batches: Batches) -> Iterator[Chunk]:
        return (_without(chunk, self.changes) for chunk in self.reader.chunks(batches))


@dataclass(frozen=True)
class AddedPiece:
    arrivals: tuple[Sourced, ...]

    path = "added"

    def chunks(self) -> Iterator[Chunk]:
        yield chunk_of_facts(((one.time, one.fact) for one in self.arrivals), Rules())


def _without(chunk: Chunk, changes: ArrivalChanges) -> Chunk:
    return replace(chunk, blocks=tuple(_rest(block, changes) for block in chunk.blocks))


def _rest(block: Block, changes: ArrivalChanges) -> Block:
    times = [time for time, fact in changes.dropped if fact.signature == block.signature]
    near = np.flatnonzero(np.isin(block.times, times))
    if not len(near):
        return block
    some = block.take(near)
    gone = [
        row for row, *one in zip(near, some.times.tolist(), some.facts(), strict=True) if tuple(one) in changes.dropped
    ]
    return block.take(np.setdiff1d(np.arange(len(block)), np.array(gone, np.int64)))
