"""The shapes of answers: every time point, only changes, or intervals; each as text, as JSON lines and as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from larspark.blocks import Block
from larspark.write import changes, intervals, points
from larspark.write.atoms import atom_texts
from larspark.write.points import Span

Part = TypeVar("Part")

POINTS = pa.schema([("time", pa.int64()), ("atom", pa.string()), ("at", pa.int64())])
CHANGES = pa.schema([("time", pa.int64()), ("change", pa.string()), ("atom", pa.string()), ("at", pa.int64())])


@dataclass(frozen=True)
class Shape(Generic[Part]):
    text: Callable[[Part], pa.Array]
    """Lines for people."""
    json: Callable[[Part], pa.Array]
    """Lines for programs."""
    table: Callable[[Part], pa.Table]
    schema: pa.Schema


def _points_table(span: Span) -> pa.Table:
    rows, offsets = points.expanded(span, span.blocks)
    times = pa.array(points.evaluations(span, offsets))
    atoms = pa.chunked_array([atom_texts(block) for block in span.blocks], pa.string()).combine_chunks()
    at = pa.chunked_array([_at(block) for block in span.blocks], pa.int64()).combine_chunks()
    return pa.table([times, atoms.take(pa.array(rows)), at.take(pa.array(rows))], schema=POINTS)


def change_table(part: tuple[Span, Span]) -> pa.Table:
    tables = []
    for span, sign in zip(part, "+-", strict=True):
        for block in span.blocks:
            signs = pa.repeat(pa.scalar(sign), len(block))
            columns = [pa.array(block.times), signs, atom_texts(block), _at(block)]
            tables.append(pa.table(columns, schema=CHANGES))
    table = pa.concat_tables(tables) if tables else CHANGES.empty_table()
    return table.take(pc.sort_indices(table, [("time", "ascending")]))


def _at(block: Block) -> pa.Array:
    return pa.nulls(len(block), pa.int64()) if block.at is None else pa.array(block.at)


SHAPES: Mapping[str, Shape[Any]] = {
    "points": Shape[Span](points.text_lines, points.json_lines, _points_table, POINTS),
    "changes": Shape[tuple[Span, Span]](
        lambda part: changes.text_changes(*part), lambda part: changes.json_changes(*part), change_table, CHANGES
    ),
    "intervals": Shape[Block](
        intervals.text_intervals, intervals.json_intervals, intervals.interval_table, intervals.SCHEMA
    ),
}


def small_spans(spans: Iterable[Span]) -> Iterator[Span]:
    """The same in parts that can be put into lines at once."""
    for span in spans:
        yield from span.parts()
