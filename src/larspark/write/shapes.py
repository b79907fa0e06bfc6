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
from larspark.write.times import POINTS, TimeWriter

Part = TypeVar("Part")


@dataclass(frozen=True)
class Shape(Generic[Part]):
    text: Callable[[Part], pa.Array]
    """Lines for people."""
    json: Callable[[Part], pa.Array]
    """Lines for programs."""
    table: Callable[[Part], pa.Table]
    schema: pa.Schema
    metadata: Mapping[str, str]
    """What a file says about its times, where it can."""


def shape_of(name: str, times: TimeWriter = POINTS) -> Shape[Any]:
    """`points`, `changes` or `intervals`."""
    match name:
        case "points":
            return Shape[Span](
                lambda span: points.text_lines(span, times),
                lambda span: points.json_lines(span, times),
                lambda span: _points_table(span, times),
                _points_schema(times),
                times.metadata,
            )
        case "changes":
            return Shape[tuple[Span, Span]](
                lambda part: changes.text_changes(*part, times),
                lambda part: changes.json_changes(*part, times),
                lambda part: change_table(part, times),
                change_schema(times),
                times.metadata,
            )
        case "intervals":
            return Shape[Block](
                lambda block: intervals.text_intervals(block, times),
                lambda block: intervals.json_intervals(block, times),
                lambda block: intervals.interval_table(block, times),
                intervals.interval_schema(times),
                times.metadata,
            )
    raise ValueError(f"there is no shape {name}")


def _points_schema(times: TimeWriter) -> pa.Schema:
    return pa.schema([("time", times.kind), ("atom", pa.string()), ("at", times.kind)])


def _points_table(span: Span, times: TimeWriter) -> pa.Table:
    rows, offsets = points.expanded(span, span.blocks)
    told = times.column(points.evaluations(span, offsets))
    atoms = pa.chunked_array([atom_texts(block, times) for block in span.blocks], pa.string()).combine_chunks()
    pinned = [times.column(block.at, len(block)) for block in span.blocks]
    at = pa.chunked_array(pinned, times.kind).combine_chunks()
    return pa.table([told, atoms.take(pa.array(rows)), at.take(pa.array(rows))], schema=_points_schema(times))


def change_schema(times: TimeWriter = POINTS) -> pa.Schema:
    return pa.schema([("time", times.kind), ("change", pa.string()), ("atom", pa.string()), ("at", times.kind)])


def change_table(part: tuple[Span, Span], times: TimeWriter = POINTS) -> pa.Table:
    schema, tables = change_schema(times), []
    for span, sign in zip(part, "+-", strict=True):
        for block in span.blocks:
            signs = pa.repeat(pa.scalar(sign), len(block))
            at = times.column(block.at, len(block))
            tables.append(pa.table([times.column(block.times), signs, atom_texts(block, times), at], schema=schema))
    table = pa.concat_tables(tables) if tables else schema.empty_table()
    return table.take(pc.sort_indices(table, [("time", "ascending")]))


def small_spans(spans: Iterable[Span]) -> Iterator[Span]:
    """The same in parts that can be put into lines at once."""
    for span in spans:
        yield from span.parts()
