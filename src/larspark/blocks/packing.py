"""Blocks as bytes, in Arrow's stream format: between tasks, in state stores, in snapshots. Nothing in them is code."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from larspark.blocks.arguments import Argument, Numbers, compact
from larspark.blocks.block import Block
from larspark.language.facts import Signature

_NUMBERS = ("times", "until", "at", "order")
_ARGUMENT = "argument "


def pack(block: Block, *, compress: bool = False) -> bytes:
    """The block without its predicate, which whoever unpacks it knows."""
    named = {name: _narrow(column) for name in _NUMBERS if (column := getattr(block, name)) is not None}
    named |= {f"{_ARGUMENT}{place}": _packed(column) for place, column in enumerate(block.arguments)}
    return pack_table(pa.record_batch(list(named.values()), names=list(named)), compress=compress)


def pack_table(table: pa.RecordBatch | pa.Table, *, compress: bool = True) -> bytes:
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="lz4" if compress else None)
    with pa.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write(table)
    return bytes(sink.getvalue())


def unpack_table(content: bytes | pa.Buffer) -> pa.Table:
    return pa.ipc.open_stream(content).read_all()


def unpack(content: bytes | pa.Buffer, signature: Signature) -> Block:
    batch = pa.ipc.open_stream(content).read_next_batch()
    named = dict(zip(batch.schema.names, batch.columns, strict=True))
    numbers = {name: _wide(named.pop(name)) for name in _NUMBERS if name in named}
    arguments = (one if pa.types.is_dictionary(one.type) else _wide(one) for one in named.values())
    return Block(signature, arguments=tuple(arguments), **numbers)


def _packed(column: Argument) -> pa.Array:
    if isinstance(column, np.ndarray):
        return _narrow(column)
    small = compact(column)
    return pa.DictionaryArray.from_arrays(_narrow(small.indices.to_numpy()), small.dictionary)


def _narrow(numbers: Numbers) -> pa.Array:
    """The same numbers in as few bytes as all of them need."""
    low, high = (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, 0)
    kinds = (np.dtype(name) for name in ("int8", "int16", "int32", "int64"))
    return pa.array(numbers.astype(next(k for k in kinds if np.iinfo(k).min <= low and high <= np.iinfo(k).max)))


def _wide(column: pa.Array) -> Numbers:
    return np.asarray(column.to_numpy(), np.int64)
