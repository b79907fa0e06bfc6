"""A page about the measurements: its tables and plots come from the records, everything else is written by hand.

A block of the page stands between `<!-- measured: NAME -->` and `<!-- end -->` and is replaced whole.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from larspark.bench.measuring.measure import Measurement
from larspark.bench.measuring.store import FILE
from larspark.bench.measuring.suite import Record
from larspark.bench.reporting.curves import plots
from larspark.bench.reporting.report import COLUMNS, amount, as_figure, cells, labelled, measurements, number, table

BLOCK = re.compile(r"(<!-- measured: (?P<name>[a-z]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def filled(page: str, records: Sequence[Record], images: str) -> str:
    """The page with every block as the records have it; `images` is the way from the page to the plots."""
    made: Mapping[str, Callable[[], str]] = {
        "conditions": lambda: _conditions(records),
        "workloads": lambda: _workloads(records),
        "growth": lambda: _growth(records),
        "experiments": lambda: _experiments(records),
        "plots": lambda: _images(records, images),
    }
    return BLOCK.sub(lambda block: f"{block[1]}\n{made[block['name']]()}\n{block[3]}", page)


def write(folder: Path, records: Sequence[Record], page: Path | None) -> list[Path]:
    """Draw the plots into the folder beside the measurements, and fill the page; what the report consists of."""
    folder.mkdir(parents=True, exist_ok=True)
    written = [folder / FILE]
    for name, text in plots(records).items():
        written.append(folder / f"{name}.svg")
        written[-1].write_text(text, encoding="utf-8")
    if page is not None:
        images = Path(*[".."] * len(page.parent.parts), folder) if not folder.is_absolute() else folder
        page.write_text(filled(page.read_text(encoding="utf-8"), records, images.as_posix()), encoding="utf-8")
        written.append(page)
    return written


def _conditions(records: Sequence[Record]) -> str:
    """Where the numbers come from; several lines when they were taken in several ways."""
    ways: dict[str, int] = defaultdict(int)
    for record in records:
        settings, machine = record["settings"], record["settings"]["machine"]
        libraries = ", ".join(f"{name} {version}" for name, version in machine.items() if name not in ("system", "cpu"))
        size = "quick sizes, which say nothing about speed" if settings["quick"] else "full sizes"
        ways[f"{machine['cpu']}, {machine['system']}; {libraries}; sources {settings['code']}; {size}"] += 1
    return "\n".join(f"- {count} records: {way}" for way, count in ways.items()) + "\n"


def _workloads(records: Iterable[Record]) -> str:
    return table(COLUMNS, (cells(one) for one in measurements(records) if not one.is_peer))


def _growth(records: Iterable[Record]) -> str:
    """The cost at the largest size of an axis against that at the smallest."""
    curves: dict[tuple[str, str, str], list[tuple[float, Measurement]]] = defaultdict(list)
    for record in records:
        if "axis" in record and "workload" in record:
            one = Measurement.from_json(record)
            curves[one.workload, record["axis"], one.contestant].append((one.parameters[record["axis"]], one))
    rows = []
    for (workload, axis, who), points in curves.items():
        (low, first), (high, last) = min(points, key=_size), max(points, key=_size)
        if not first.is_peer and low != high:
            sizes = f"{axis} {low:g} to {high:g}"
            costs = [first.us_per_atom, last.us_per_atom, last.us_per_atom / first.us_per_atom]
            rows.append((workload, who, sizes, *map(number, costs)))
    return table(("workload", "who", "from … to", "µs/atom", "µs/atom", "growth"), rows, texts=3)


def _size(point: tuple[float, Measurement]) -> float:
    return point[0]


def _experiments(records: Iterable[Record]) -> str:
    rows = []
    for record in records:
        if "experiment" in record:
            figure = as_figure(record)
            rows.append((record["experiment"], labelled(figure), amount(figure), figure.verdict))
    return table(("experiment", "what", "measured", "asked"), rows)


def _images(records: Sequence[Record], images: str) -> str:
    return "".join(f"![{name}]({images}/{name}.svg)\n" for name in plots(records))
