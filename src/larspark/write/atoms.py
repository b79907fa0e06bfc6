"""The atoms of blocks as texts, and the order in which they are shown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from larspark.blocks import Argument, Block, Numbers
from larspark.blocks.spelling import read_spelling
from larspark.language.values import order_key, show_value
from larspark.write.times import TimeWriter


def atom_texts(block: Block, times: TimeWriter) -> pa.Array:
    """The canonical spelling of the atom of each row; arguments that are times leave as times do."""
    name = show_value(block.signature.predicate)
    if not block.arguments:
        return pa.repeat(pa.scalar(name), len(block))
    timed = times.places_in(block.signature)
    cells = [_shown(column, times if place in timed else None) for place, column in enumerate(block.arguments)]
    between = [part for cell in cells[1:] for part in (",", cell)]
    return pc.binary_join_element_wise(f"{name}(", cells[0], *between, ")", "")


def timed_texts(block: Block, times: TimeWriter) -> pa.Array:
    """The same, with the time of pinned atoms in front: `@68 expected(a1,museum)`."""
    if block.at is None:
        return atom_texts(block, times)
    return pc.binary_join_element_wise("@", times.texts(block.at), " ", atom_texts(block, times), "")


def _shown(column: Argument, times: TimeWriter | None) -> pa.Array:
    """The values of an argument; with `times` those that are time points as such."""
    if isinstance(column, np.ndarray):
        return pa.array(column).cast(pa.string()) if times is None else times.arguments(column)
    values = map(read_spelling, column.dictionary.to_pylist())
    shown = [show_value(value if times is None else times.value(value)) for value in values]
    return pa.array(shown, pa.string()).take(column.indices)


def show_order(blocks: Sequence[Block]) -> Numbers:
    """The rows of all blocks, counted one block after the other, in the order in which their atoms are shown.

    By predicate, then by arguments; what is pinned comes behind the rest, by its time.
    """
    begins = np.cumsum([0, *map(len, blocks)])
    ranked = sorted(range(len(blocks)), key=lambda number: blocks[number].signature)
    plain = [begins[number] + _by_arguments(blocks[number]) for number in ranked if blocks[number].at is None]
    pinned = [(number, _by_arguments(blocks[number])) for number in ranked if blocks[number].at is not None]
    rows = [begins[number] + rows for number, rows in pinned]
    if pinned:
        times = np.concatenate([_times(blocks[number])[rows] for number, rows in pinned])
        rows = [np.concatenate(rows)[np.argsort(times, kind="stable")]]
    return np.concatenate([*plain, *rows]) if plain or rows else np.empty(0, np.int64)


def _times(block: Block) -> Numbers:
    assert block.at is not None
    return block.at


def _by_arguments(block: Block) -> Numbers:
    if not block.arguments:
        return np.arange(len(block))
    return np.lexsort([_ranks(column) for column in reversed(block.arguments)])


def _ranks(column: Argument) -> Numbers:
    """Numbers that are ordered as the values are."""
    if isinstance(column, np.ndarray):
        return column
    keys = [order_key(read_spelling(text)) for text in column.dictionary.to_pylist()]
    ranks = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    return np.asarray(np.array([ranks[key] for key in keys], np.int64)[column.indices.to_numpy()])
