"""One row for each atom and stretch of time: `from`, `to` (both included), `atom`, and `at` where it is pinned."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from larspark.blocks import Block
from larspark.write.atoms import atom_texts, json_texts, timed_texts

SCHEMA = pa.schema([("from", pa.int64()), ("to", pa.int64()), ("atom", pa.string()), ("at", pa.int64())])


def interval_table(block: Block) -> pa.Table:
    at = pa.nulls(len(block), pa.int64()) if block.at is None else pa.array(block.at)
    return pa.table([pa.array(block.times), pa.array(block.until), atom_texts(block), at], schema=SCHEMA)


def text_intervals(block: Block) -> pa.Array:
    """`36..41: q(1)`, and `36: q(1)` where it is one time point."""
    first, last = (pa.array(column).cast(pa.string()) for column in (block.times, block.until))
    ends = pc.if_else(pc.equal(first, last), "", pc.binary_join_element_wise("..", last, ""))
    return pc.binary_join_element_wise(first, ends, ": ", timed_texts(block), "")


def json_intervals(block: Block) -> pa.Array:
    """`{"from": 36, "to": 41, "atom": "q(1)", "at": null}`."""
    first, last = (pa.array(column).cast(pa.string()) for column in (block.times, block.until))
    at = "null" if block.at is None else pa.array(block.at).cast(pa.string())
    atoms = json_texts(atom_texts(block))
    return pc.binary_join_element_wise(
        '{"from": ', first, ', "to": ', last, ', "atom": ', atoms, ', "at": ', at, "}", ""
    )
