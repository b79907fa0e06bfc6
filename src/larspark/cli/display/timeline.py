"""A stream and its conclusions drawn over time, one row per atom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from larspark.language.facts import Fact, fact_order

ARRIVES, HOLDS, PINNED, NOTHING = "●", "█", "◆", "·"

LEGEND = f"{ARRIVES} arrives   {HOLDS} derived, holds then   {PINNED} derived for that time point"


@dataclass(frozen=True)
class Row:
    label: str
    marks: Mapping[int, str]


def rows_of(facts_at: Mapping[int, Iterable[Fact]], mark: str) -> list[Row]:
    """One row per distinct atom, in order of atoms."""
    times: dict[Fact, dict[int, str]] = {}
    for time, facts in facts_at.items():
        for fact in facts:
            times.setdefault(fact, {})[time] = mark
    return [Row(str(fact), times[fact]) for fact in sorted(times, key=fact_order)]


def draw(rows: Iterable[Row], start: int, end: int, width: int) -> list[str]:
    """Lines of text at most `width` wide; when time points do not fit, several share a column."""
    rows = list(rows)
    label_width = max((len(row.label) for row in rows), default=0)
    available = max(10, width - label_width - 3)
    per_column = -(-(end - start + 1) // available)
    columns = -(-(end - start + 1) // per_column)
    lines = [f"{row.label:{label_width}} │{_cells(row, start, per_column, columns)}" for row in rows]
    return [*lines, f"{'':{label_width}} └{_axis(start, per_column, columns)}"]


def _cells(row: Row, start: int, per_column: int, columns: int) -> str:
    cells = [NOTHING] * columns
    for time, mark in row.marks.items():
        column = (time - start) // per_column
        if 0 <= column < columns:
            cells[column] = mark
    return "".join(cells)


def _axis(start: int, per_column: int, columns: int) -> str:
    """Time labels every ten columns, where they fit."""
    axis = ["─"] * columns
    for column in range(0, columns, 10):
        label = str(start + column * per_column)
        if column + len(label) <= columns:
            axis[column : column + len(label)] = label
    return "".join(axis)
