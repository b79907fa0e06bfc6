"""The windows of CQL and SQL: what is written, the name of the snapshot relation, the LARS window (Table 4.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from larspark.language.facts import Signature
from larspark.language.tree import UNBOUNDED, Keyed, PartitionWindow, TimeWindow, TupleWindow, Unbounded


@dataclass(frozen=True)
class RangeWindow:
    """`[RANGE L]`, `[RANGE L SLIDE D]`, `[RANGE UNBOUNDED]`; `[NOW]` is a range of 0."""

    length: int | Unbounded
    slide: int = 1


@dataclass(frozen=True)
class RowsWindow:
    """`[ROWS N]`: the last N tuples of the stream."""

    number: int


@dataclass(frozen=True)
class PartitionedRows:
    """`[PARTITION BY A, B ROWS N]`: the last N tuples for each value of the columns."""

    columns: tuple[str, ...]
    number: int


@dataclass(frozen=True)
class Hop:
    """SQL's `HOP(TABLE s, DESCRIPTOR(t), slide, length)`, and TUMBLE with one of both: the last whole stretch."""

    slide: int
    length: int


@dataclass(frozen=True)
class Session:
    """SQL's `SESSION(TABLE s PARTITION BY columns, DESCRIPTOR(t), gap)`: the session that ends now."""

    columns: tuple[str, ...]
    gap: int


SqlWindow: TypeAlias = Hop | Session
CqlWindow: TypeAlias = RangeWindow | RowsWindow | PartitionedRows | Hop | Session

BOUNDS = ("window_start", "window_end")
"""The columns that a window of SQL adds."""

NOW = RangeWindow(0)


def relation_name(stream: str, window: CqlWindow) -> str:
    """The snapshot relation rel(s) of a window over a stream."""
    match window:
        case RangeWindow(length, slide):
            suffix = "range_unb" if isinstance(length, Unbounded) else f"range_{length}"
            return f"{stream}_{suffix}" if slide == 1 else f"{stream}_{suffix}_slide_{slide}"
        case RowsWindow(number):
            return f"{stream}_rows_{number}"
        case PartitionedRows(columns, number):
            return f"{stream}_part_{'_'.join(columns)}_rows_{number}"
        case Hop(slide, length):
            return f"{stream}_tumble_{length}" if slide == length else f"{stream}_hop_{slide}_over_{length}"
        case Session(columns, gap):
            return "_".join([stream, "session", *columns, str(gap)])


def lars_window(
    window: RangeWindow | RowsWindow | PartitionedRows, signature: Signature, columns: tuple[str, ...]
) -> TimeWindow | TupleWindow | PartitionWindow:
    """The window function w(s); the columns of the stream give the positions to partition by."""
    match window:
        case RangeWindow(length, slide):
            return TimeWindow(length if isinstance(length, int) else UNBOUNDED, 0, slide)
        case RowsWindow(number):
            return TupleWindow(number)
        case PartitionedRows(names, number):
            positions = [column.lower() for column in columns]
            keys = tuple(positions.index(name.lower()) for name in names)
            return PartitionWindow(number, 0, (Keyed(signature, keys),))
