"""The programs and the Parquet files of the bounded runs on Spark."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

Numbers: TypeAlias = npt.NDArray[np.int64]

WINDOW = 5
FILES = 4
"""Per predicate, so that every core has something to read."""


@dataclass(frozen=True)
class SparkWorkload:
    """A program that is split by a machine, and the columns of its result tables."""

    name: str
    program: str
    tables: dict[str, tuple[str, ...]]


JOIN = SparkWorkload(
    "diamond and join",
    f"attended(M) :- visit(M, _) [{WINDOW}].\nchecked(M, V, T) :- reading(M, V) [{WINDOW}], visit(M, T) [{WINDOW}].",
    {"attended": ("arg1", "from", "to"), "checked": ("arg1", "arg2", "arg3", "from", "to")},
)
BOX = SparkWorkload("box", f"alarm(M) :- always hot(M) [{WINDOW}].", {"alarm": ("arg1", "from", "to")})

JOIN_MACHINES, JOIN_RATE, VISITS = 20_000, 1_000, 0.2
BOX_MACHINES, HOT = 5_000, 0.9


def generate(folder: Path, atoms: int, table_format: str = "parquet") -> None:
    """A folder per workload with a table per predicate, in the order of time; the longer, the more time points."""
    random = np.random.default_rng(1)
    times = np.arange(atoms) // JOIN_RATE
    machines = random.integers(0, JOIN_MACHINES, atoms)
    visit = random.random(atoms) < VISITS
    values, technicians = random.integers(0, 100, atoms), random.integers(0, 500, atoms)
    inside = folder / JOIN.name
    place = inside / f"reading.{table_format}"
    _write(place, times[~visit], machines[~visit], JOIN_MACHINES, value=values[~visit])
    place = inside / f"visit.{table_format}"
    _write(place, times[visit], machines[visit], JOIN_MACHINES, technician=technicians[visit])
    points = max(WINDOW + 1, round(atoms / BOX_MACHINES / HOT))
    times, machines = np.nonzero(random.random((points, BOX_MACHINES)) < HOT)
    _write(folder / BOX.name / f"hot.{table_format}", times, machines, BOX_MACHINES)


def _write(place: Path, times: Numbers, machines: Numbers, count: int, **further: Numbers) -> None:
    names = pa.array([f"m{number}" for number in range(count)])
    named = pa.DictionaryArray.from_arrays(pa.array(machines), names).cast(pa.string())
    table = pa.table({"time": times, "machine": named, **further})
    place.mkdir(parents=True)
    size = -(-len(table) // FILES)
    for number in range(FILES):
        part, path = table.slice(number * size, size), place / f"part-{number}{place.suffix}"
        match place.suffix:
            case ".csv":
                pyarrow.csv.write_csv(part, path, pyarrow.csv.WriteOptions(quoting_style="none"))
            case ".jsonl":
                path.write_text("\n".join(_lines(part, place.stem)) + "\n")
            case _:
                pq.write_table(part, path)


def _lines(table: pa.Table, predicate: str) -> list[str]:
    """The rows as JSON lines with atoms."""
    time, *arguments = (column.cast(pa.string()).combine_chunks() for column in table.columns)
    atoms = pc.binary_join_element_wise(*arguments, ",")
    before, between, after = '{"time": ', f', "atom": "{predicate}(', ')"}'
    lines: list[str] = pc.binary_join_element_wise(before, time, between, atoms, after, "").to_pylist()
    return lines
