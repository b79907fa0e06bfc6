"""What a run leaves behind: JSON lines, a table of ratios, and a plot per workload."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from larspark.bench.figures import Experiment, Figure
from larspark.bench.measure import Measurement
from larspark.bench.plot import Panel, draw
from larspark.bench.targets import verdict

PEERS = ("hand", "polars", "literal")
COLUMNS = ("workload", "who", "µs/atom", "median", "µs/time point", *(f"× {peer}" for peer in PEERS), "target")
X_LABELS = {"window": "window size, time points", "rate": "atoms per time point"}


def cells(measurement: Measurement) -> list[str]:
    """One line of the table."""
    found = measurement.as_json()
    return [
        measurement.task.workload.name,
        measurement.contestant,
        _figure(found["us_per_atom"]["min"]),
        _figure(found["us_per_atom"]["median"]),
        _figure(found["us_per_time_point"]["min"]),
        *(_figure(measurement.ratios[peer]) if peer in measurement.ratios else "" for peer in PEERS),
        verdict(measurement),
    ]


def as_text(measurements: Sequence[Measurement]) -> str:
    """For the terminal: the measurements of one task under a heading."""
    if not measurements:
        return ""
    task = measurements[0].task
    settings = ", ".join(f"{name} {value}" for name, value in task.parameters.as_json().items())
    lines = [f"{task.workload.name}: {task.atoms:,} atoms, {settings}", _aligned(COLUMNS[1:])]
    lines += [_aligned(cells(measurement)[1:]) for measurement in measurements]
    return "\n".join(lines) + "\n"


def figure_as_text(experiment: Experiment, figure: Figure) -> str:
    """For the terminal: one line."""
    where = f" at {figure.at:,g} {figure.axis}" if figure.axis else ""
    value = f"{_figure(figure.value)} {figure.unit}".rstrip()
    return f"{experiment.name}: {figure.what}{where}: {value}   {figure.verdict}".rstrip()


def _aligned(texts: Sequence[str]) -> str:
    who, *figures, target = texts
    return f"  {who:14}{''.join(f'{figure:>14}' for figure in figures)}   {target}".rstrip()


def as_markdown(measurements: Iterable[Measurement]) -> str:
    """For a document: the reasoners; the peers are in the ratios."""
    lines = [_line(COLUMNS), _line("---" if place < 2 else "--:" for place in range(len(COLUMNS)))]
    lines += [_line(cells(measurement)) for measurement in measurements if not measurement.is_peer]
    return "\n".join(lines) + "\n"


def plots(grown: Sequence[tuple[str, Measurement]]) -> dict[str, str]:
    """Per workload the curves of all contestants as SVG text."""
    costs: dict[str, dict[str, dict[str, list[tuple[float, float]]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    for axis, measurement in grown:
        at = float(measurement.task.parameters.as_json()[axis])
        costs[measurement.task.workload.name][axis][measurement.contestant].append((at, measurement.us_per_atom))
    return {
        workload: draw(workload, [_panel(axis, curves) for axis, curves in by_axis.items()], dashed=PEERS)
        for workload, by_axis in costs.items()
    }


def _panel(axis: str, curves: Mapping[str, list[tuple[float, float]]]) -> Panel:
    return Panel(f"cost against {axis}", X_LABELS[axis], curves)


def write(
    folder: Path,
    measurements: Sequence[Measurement],
    grown: Sequence[tuple[str, Measurement]],
    figures: Sequence[Mapping[str, Any]],
) -> list[Path]:
    """Write `measurements.jsonl`, `table.md` and `WORKLOAD.svg` into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    everything = [*(one.as_json() for one in measurements), *(one.as_json() for _, one in grown), *figures]
    contents = {"measurements.jsonl": "".join(json.dumps(one) + "\n" for one in everything)}
    if measurements:
        contents["table.md"] = as_markdown(measurements)
    contents.update({f"{workload}.svg": text for workload, text in plots(grown).items()})
    for name, text in contents.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in contents]


def _figure(value: float) -> str:
    """Three digits that matter."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _line(texts: Iterable[str]) -> str:
    return f"| {' | '.join(texts)} |"
