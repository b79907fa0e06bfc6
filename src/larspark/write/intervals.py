"""One row for each atom and stretch of time: `from`, `to` (both included), `atom`, and `at` where it is pinned."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from larspark.blocks import Block, Numbers
from larspark.write.atoms import atom_texts, timed_texts
from larspark.write.json_texts import json_texts
from larspark.write.times import POINTS, TimeWriter


def interval_schema(times: TimeWriter) -> pa.Schema:
    return pa.schema([("from", times.kind), ("to", times.kind), ("atom", pa.string()), ("at", times.kind)])


def interval_table(block: Block, times: TimeWriter = POINTS) -> pa.Table:
    first, last, at = times.column(block.times), times.ends(_until(block)), times.column(block.at, len(block))
    return pa.table([first, last, atom_texts(block, times), at], schema=interval_schema(times))


def text_intervals(block: Block, times: TimeWriter) -> pa.Array:
    """`36..41: q(1)`, and `36: q(1)` where it is one time point."""
    first, last = times.texts(block.times), times.texts(_until(block))
    ends = pc.if_else(pc.equal(first, last), "", pc.binary_join_element_wise("..", last, ""))
    return pc.binary_join_element_wise(first, ends, ": ", timed_texts(block, times), "")


def json_intervals(block: Block, times: TimeWriter) -> pa.Array:
    """`{"from": 36, "to": 41, "atom": "q(1)", "at": null}`."""
    first, last = times.json(block.times), times.json_ends(_until(block))
    at = "null" if block.at is None else times.json(block.at)
    atoms = json_texts(atom_texts(block, times))
    return pc.binary_join_element_wise(
        '{"from": ', first, ', "to": ', last, ', "atom": ', atoms, ', "at": ', at, "}", ""
    )


def _until(block: Block) -> Numbers:
    assert block.until is not None
    return block.until
