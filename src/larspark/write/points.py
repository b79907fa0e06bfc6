"""Every time point with what holds there: a line each, made for a whole span of time at once.

rows      hot(1) 3..5    hot(2) 4..4
expanded  3: hot(1)      4: hot(1), hot(2)      5: hot(1)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from larspark.blocks import Block, Numbers
from larspark.write.atoms import atom_texts, show_order, timed_texts
from larspark.write.json_texts import json_texts
from larspark.write.times import TimeWriter

_BETWEEN = np.frombuffer(b", ", np.uint8).copy()

MOST = 1 << 20
"""Atoms that are put into lines at once; more of them are divided by time."""


@dataclass(frozen=True)
class Span:
    """What holds at the evaluations from `first` to `until`; all intervals lie between these."""

    first: int
    until: int
    blocks: tuple[Block, ...]
    void: Numbers
    """The evaluations without an answer stream."""

    def parts(self) -> Iterator[Span]:
        """Shorter spans that are not too much for one go."""
        size = sum(int((_until(block) - block.times + 1).sum()) for block in self.blocks)
        if size <= MOST or self.first == self.until:
            yield self
            return
        middle = (self.first + self.until) // 2
        for first, until in ((self.first, middle), (middle + 1, self.until)):
            void = self.void[(self.void >= first) & (self.void <= until)]
            yield from Span(first, until, tuple(_cut(block, first, until) for block in self.blocks), void).parts()


def text_lines(span: Span, times: TimeWriter) -> pa.Array:
    """`36: p, q(1), @68 r`."""
    texts = [timed_texts(block, times) for block in span.blocks]
    answers = joined_texts(span, span.blocks, texts)
    answers = pc.if_else(pc.equal(answers, ""), "-", answers)
    told = times.texts(time_points(span))
    return _with_void(span, answers, "no answer stream", lambda answers: (told, ": ", answers))


def json_lines(span: Span, times: TimeWriter) -> pa.Array:
    """`{"time": 36, "answer_streams": [{"now": ["p", "q(1)"], "at": {"68": ["r"]}}]}`."""
    now = [block for block in span.blocks if block.at is None]
    pinned = [block for block in span.blocks if block.at is not None]
    holding = joined_texts(span, now, [json_texts(atom_texts(block, times)) for block in now])
    elsewhere = _pinned_lines(span, pinned, times) if pinned else pa.repeat(pa.scalar(""), len(holding))
    answers = pc.binary_join_element_wise('{"now": [', holding, '], "at": {', elsewhere, "}}", "")
    told = times.json(time_points(span))
    return _with_void(span, answers, "", lambda answers: ('{"time": ', told, ', "answer_streams": [', answers, "]}"))


def _with_void(span: Span, answers: pa.Array, instead: str, line: Callable[[pa.Array], tuple[object, ...]]) -> pa.Array:
    if len(span.void):
        mask = np.zeros(len(answers), np.bool_)
        mask[span.void - span.first] = True
        answers = pc.if_else(pa.array(mask), instead, answers)
    return pc.binary_join_element_wise(*line(answers), "")


def time_points(span: Span) -> Numbers:
    """The evaluations of a span."""
    return np.arange(span.first, span.until + 1)


def joined_texts(span: Span, blocks: Sequence[Block], texts: Sequence[pa.Array]) -> pa.Array:
    """For each evaluation the texts of the rows that hold, in the order in which atoms are shown."""
    rows, offsets = expanded(span, blocks)
    return _lines(rows, offsets, pa.chunked_array(texts, pa.string()).combine_chunks())


def _lines(rows: Numbers, offsets: Numbers, texts: pa.Array) -> pa.Array:
    """The texts of the rows of each line."""
    from larspark.intervals.tables.lines import joined  # noqa: PLC0415 - loads kernels

    if not len(texts):
        return pa.repeat(pa.scalar(""), len(offsets) - 1)
    _, ends, content = texts.buffers()
    bounds = np.frombuffer(ends, np.int32)[texts.offset : texts.offset + len(texts) + 1].astype(np.int64)
    made, ends = joined(rows, offsets, bounds, np.frombuffer(content, np.uint8).copy(), _BETWEEN)
    lines = pa.LargeStringArray.from_buffers(len(ends) - 1, pa.py_buffer(ends), pa.py_buffer(made))
    return lines.cast(pa.string())


def expanded(span: Span, blocks: Sequence[Block]) -> tuple[Numbers, Numbers]:
    """The rows that hold, evaluation after evaluation, and where each evaluation begins in this list."""
    from larspark.intervals.tables.lines import rows_at_points  # noqa: PLC0415 - loads kernels
    from larspark.kernels.build import provide_kernels  # noqa: PLC0415

    order = show_order(blocks)
    nothing = np.empty(0, np.int64)
    first = np.concatenate([nothing, *(block.times for block in blocks)])[order]
    last = np.concatenate([nothing, *(_until(block) for block in blocks)])[order]
    provide_kernels()
    ranks, offsets = rows_at_points(first - span.first, last - span.first, span.until - span.first + 1)
    return order[ranks], offsets


def evaluations(span: Span, offsets: Numbers) -> Numbers:
    """The evaluation of each row of `expanded`."""
    return np.repeat(np.arange(span.first, span.until + 1), np.diff(offsets))


def _pinned_lines(span: Span, blocks: Sequence[Block], times: TimeWriter) -> pa.Array:
    """For each evaluation `"68": ["r"], "70": ["q", "r"]`."""
    rows, offsets = expanded(span, blocks)
    at = np.concatenate([block.at for block in blocks if block.at is not None])[rows]
    evaluation = evaluations(span, offsets) - span.first
    begins = np.flatnonzero(np.append(True, (at[1:] != at[:-1]) | (evaluation[1:] != evaluation[:-1]))[: len(at)])
    texts = pa.chunked_array([json_texts(atom_texts(block, times)) for block in blocks], pa.string()).combine_chunks()
    ends = pa.array(np.append(begins, len(at)).astype(np.int32))
    grouped = pc.binary_join(pa.ListArray.from_arrays(ends, texts.take(pa.array(rows))), ", ")
    groups = pc.binary_join_element_wise('"', times.texts(at[begins]), '": [', grouped, "]", "")
    counts = np.bincount(evaluation[begins], minlength=len(offsets) - 1)
    bounds = pa.array(np.concatenate(([0], np.cumsum(counts))).astype(np.int32))
    return pc.binary_join(pa.ListArray.from_arrays(bounds, groups), ", ")


def _until(block: Block) -> Numbers:
    assert block.until is not None
    return block.until


def _cut(block: Block, first: int, until: int) -> Block:
    """The parts of the intervals that lie between two evaluations."""
    begin, end = np.maximum(block.times, first), np.minimum(_until(block), until)
    rows = np.flatnonzero(begin <= end)
    kept = block.take(rows)
    return Block(block.signature, begin[rows], kept.arguments, end[rows], kept.at)
