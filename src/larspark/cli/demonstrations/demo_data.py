"""Generated data for the demo: a tram network and a wind farm, a day of each, the same on every machine."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq

DAY = 12 * 60
"""Minutes of service."""

PARKS, TURBINES_PER_PARK = 6, 8
LINES, STOPS_PER_LINE, VEHICLES_PER_LINE = 8, 9, 4


def write_turbines(folder: Path, seed: int = 7) -> int:
    """Readings every minute, with hot spells and outages; the number of atoms."""
    random = Random(seed)
    names = [(f"w{park}{place}", f"park{park}") for park in range(PARKS) for place in range(TURBINES_PER_PARK)]
    readings: list[tuple[int, str, float]] = []
    visits: list[tuple[int, str]] = []
    hot_days = {park: random.randint(60, DAY - 120) for _, park in names}
    for turbine, park in names:
        silent = random.randint(0, DAY)
        heat = hot_days[park] + random.randint(-10, 25) if random.random() < 0.6 else DAY
        for minute in range(DAY):
            if silent <= minute < silent + 15:
                continue
            base = 92 if heat <= minute < heat + 40 else 70
            readings.append((minute, turbine, round(base + random.gauss(0, 3), 1)))
        if heat < DAY and random.random() < 0.5:
            visits.append((min(heat + random.randint(10, 30), DAY - 1), turbine))
    _background(folder / "turbines.csv", ("turbine", "park"), names)
    _table(folder / "temperature.parquet", ("time", "turbine", "celsius"), sorted(readings))
    _table(folder / "technician.parquet", ("time", "turbine"), sorted(visits))
    return len(readings) + len(visits)


def write_transport(folder: Path, seed: int = 7) -> int:
    """Vehicles going back and forth on their lines, some delayed, some dropping out; the number of atoms."""
    random = Random(seed)
    stops = {f"line{n}": [f"stop{n}{place}" for place in range(STOPS_PER_LINE)] for n in range(LINES)}
    minutes = {(line, stop): random.randint(2, 5) for line in stops for stop in stops[line]}
    following = [
        (line, here, there, minutes[line, here])
        for line, row in stops.items()
        for here, there in zip(row, [*row[1:], row[0]], strict=True)
    ]
    seen: list[tuple[int, str, str, str]] = []
    for line, row in stops.items():
        for vehicle in range(VEHICLES_PER_LINE):
            time, place = vehicle * 9, 0
            breakdown = random.randint(60, DAY * 3)
            while time < DAY:
                seen.append((time, f"{line}v{vehicle}", line, row[place]))
                delay = random.choice([0, 0, 0, 0, 1, 1, 6]) + (45 if time <= breakdown < time + 10 else 0)
                time += minutes[line, row[place]] + delay
                place = (place + 1) % STOPS_PER_LINE
    _background(folder / "next-stops.csv", ("line", "stop", "next", "minutes"), following)
    _table(folder / "arrival.parquet", ("time", "vehicle", "line", "stop"), sorted(seen))
    return len(seen)


def _table(path: Path, names: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    columns = [pa.array([row[place] for row in rows]) for place in range(len(names))]
    pq.write_table(pa.table(columns, names=list(names)), path)


def _background(path: Path, names: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([names, *rows])
