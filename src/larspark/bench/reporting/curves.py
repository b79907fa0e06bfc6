"""A plot per workload and per experiment, from the records of growing sizes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from larspark.bench.measuring.measure import Measurement
from larspark.bench.measuring.suite import Record
from larspark.bench.reporting.plot import Panel, draw
from larspark.bench.reporting.report import PEERS, as_figure

COST = "CPU µs per atom"
X_LABELS = {
    "window": "window size, time points",
    "rate": "atoms per time point",
    "probability": "probability that a signal arrives",
}


def plots(records: Iterable[Record]) -> dict[str, str]:
    """By workload or experiment: a panel per axis, a curve per contestant or figure, as SVG text."""
    curves: dict[str, dict[tuple[str, str], dict[str, list[tuple[float, float]]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    for record in records:
        if "axis" not in record:
            continue
        axis = record["axis"]
        if "workload" in record:
            one = Measurement.from_json(record)
            panel, point = curves[one.workload][axis, COST], (one.parameters[axis], one.us_per_atom)
            panel[one.contestant].append(point)
        else:
            figure = as_figure(record)
            curves[record["experiment"]][axis, figure.unit][figure.what].append((figure.at, figure.value))
    return {
        name: draw(
            name,
            [Panel(f"against {axis}", X_LABELS.get(axis, axis), unit, lines) for (axis, unit), lines in panels.items()],
            dashed=PEERS,
        )
        for name, panels in curves.items()
    }
