"""Measurements as text for the terminal and as tables for a document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from larspark.bench.measuring.figures import Figure
from larspark.bench.measuring.measure import Measurement
from larspark.bench.measuring.suite import Record
from larspark.bench.reporting.targets import verdict

PEERS = ("hand", "polars", "literal")
COLUMNS = ("workload", "who", "µs/atom", "median", "µs/time point", *(f"× {peer}" for peer in PEERS), "target")


def measurements(records: Iterable[Record], *, grown: bool = False) -> list[Measurement]:
    """The measurements of workloads as they are, or those of the growth curves."""
    return [Measurement.from_json(record) for record in records if "workload" in record and ("axis" in record) == grown]


def cells(measurement: Measurement) -> list[str]:
    """One line of the table."""
    found = measurement.as_json()
    return [
        measurement.workload,
        measurement.contestant,
        number(found["us_per_atom"]["min"]),
        number(found["us_per_atom"]["median"]),
        number(found["us_per_time_point"]["min"]),
        *(number(measurement.ratios[peer]) if peer in measurement.ratios else "" for peer in PEERS),
        verdict(measurement),
    ]


def heading(measurement: Measurement) -> str:
    """For the terminal: what was measured, and the names of the columns."""
    settings = ", ".join(f"{name} {value:g}" for name, value in measurement.parameters.items())
    return f"{measurement.workload}: {measurement.atoms:,} atoms, {settings}\n{_aligned(COLUMNS[1:])}"


def line(measurement: Measurement) -> str:
    """For the terminal: one contestant."""
    return _aligned(cells(measurement)[1:])


def _aligned(texts: Sequence[str]) -> str:
    who, *figures, target = texts
    return f"  {who:14}{''.join(f'{figure:>14}' for figure in figures)}   {target}".rstrip()


def figure_line(name: str, figure: Figure) -> str:
    """For the terminal: one number of an experiment."""
    return f"{name}: {labelled(figure)}: {amount(figure)}   {figure.verdict}".rstrip()


def labelled(figure: Figure) -> str:
    return f"{figure.what} at {figure.at:,g} {figure.axis}" if figure.axis else figure.what


def amount(figure: Figure) -> str:
    return f"{number(figure.value)} {figure.unit}".rstrip()


def table(head: Sequence[str], rows: Iterable[Sequence[str]], texts: int = 2) -> str:
    """Markdown; the first `texts` columns are words, the others numbers."""
    lines = [_line(head), _line("---" if place < texts else "--:" for place in range(len(head)))]
    return "\n".join([*lines, *map(_line, rows)]) + "\n"


def number(value: float) -> str:
    """Three digits that matter."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def as_figure(record: Record) -> Figure:
    known: dict[str, Any] = {name: value for name, value in record.items() if name in Figure.__dataclass_fields__}
    return Figure(**known)


def _line(texts: Iterable[str]) -> str:
    return f"| {' | '.join(texts)} |"
