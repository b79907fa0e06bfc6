"""Bounded runs on Spark, Parquet to Parquet, beside hand-written Spark SQL and the interval reasoner alone.

The session is started and everything has run once on a little data before anything is timed. Each master needs a
process of its own: `python -m larspark.bench.spark_batch FOLDER DATA MASTER larspark,sql` prints the seconds as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from larspark.analysis.pipeline import analyse
from larspark.bench.figures import Experiment, Figure
from larspark.bench.measure import Disagreement
from larspark.bench.process import measured_alone, peak_of_workers
from larspark.bench.spark_data import BOX, JOIN, SparkWorkload, generate
from larspark.language.parser import parse_program

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from larspark.spark.plan import Plan

ATOMS = 10_000_000
QUICK = 50_000
LENGTHS = (1, 2, 4)
"""How many times as long the histories are whose cost and memory are compared."""


def _speed(quick: bool) -> Iterator[Figure]:
    """Against hand-written SQL, with one core and two, and against the engine without Spark."""
    atoms = QUICK if quick else ATOMS
    with TemporaryDirectory() as folder:
        for name, size in (("warm", min(QUICK, atoms)), ("data", atoms)):
            generate(Path(folder) / name, size)
        two = measured_alone(__name__, folder, "data", "local[2]", "larspark,sql,frames")
        one = measured_alone(__name__, folder, "data", "local[1]", "larspark,sql,alone")
    for workload in (JOIN, BOX):
        name, seconds, alone = workload.name, two[workload.name], one[workload.name]
        for who, what in (("larspark", "larspark"), ("frames", "larspark through DataFrames"), ("sql", "Spark SQL")):
            asked = 500_000 if workload is JOIN and who == "larspark" else None
            details = {"atoms": atoms, "seconds": seconds[who]}
            rate = round(atoms / seconds[who])
            yield Figure(f"{name}, two cores, {what}", rate, "atoms/s", asked, at_least=True, details=details)
        yield Figure(f"{name}, larspark / hand-written Spark SQL", _ratio(seconds, "larspark", "sql"), "", 1)
        yield Figure(f"{name}, one core, larspark", round(atoms / alone["larspark"]), "atoms/s", details=alone)
        yield Figure(f"{name}, one core, engine without Spark", round(atoms / alone["alone"]), "atoms/s")
        yield Figure(f"{name}, one core, larspark / engine without Spark", _ratio(alone, "larspark", "alone"), "", 2)
        for who, limit in (("larspark", 1.6), ("sql", None)):
            speed_up = round(alone[who] / seconds[who], 3)
            yield Figure(f"{name}, {who}, one core / two", speed_up, "", limit, at_least=True)


def _ratio(seconds: dict[str, float], one: str, other: str) -> float:
    return round(seconds[one] / seconds[other], 3)


def _growth(quick: bool) -> Iterator[Figure]:
    """What a longer history costs: time per atom, and the memory of a worker."""
    atoms = (QUICK if quick else ATOMS) // LENGTHS[-1]
    peaks = {}
    with TemporaryDirectory() as folder:
        generate(Path(folder) / "warm", min(QUICK, atoms))
        for length in LENGTHS:
            generate(Path(folder) / str(length), atoms * length)
            found = measured_alone(__name__, folder, str(length), "local[2]", "larspark,sql")
            peaks[length] = found["worker_bytes"]
            axis, at = "atoms", atoms * length
            yield Figure("largest Python worker", peaks[length], "bytes", axis=axis, at=at)
            for workload in (JOIN, BOX):
                for who, seconds in found[workload.name].items():
                    yield Figure(f"{workload.name}, {who}", round(at / seconds), "atoms/s", axis=axis, at=at)
    growth = round(peaks[LENGTHS[-1]] / peaks[LENGTHS[0]], 3)
    yield Figure(f"largest Python worker, {LENGTHS[-1]} times the history", growth, "", 1.2)


EXPERIMENTS = (
    Experiment("spark-batch", "bounded runs on Spark, Parquet to Parquet, beside Spark SQL", _speed, seconds=180),
    Experiment("spark-batch-growth", "bounded runs on Spark over longer and longer histories", _growth, seconds=120),
)


# -- in a process of its own -----------------------------------------------------------------------


def _timed(folder: Path, data: str, master: str, names: list[str]) -> dict[str, Any]:
    from larspark.spark.session import spark_session  # noqa: PLC0415 - starts a Java

    session = spark_session(master)
    found: dict[str, Any] = {}
    for workload in (JOIN, BOX):
        contestants = {name: contestant(session, workload, name) for name in names}
        seconds: dict[str, float] = {}
        for step in ("warm", data):
            for name, run in contestants.items():
                output = folder / "out" / workload.name / name
                began = monotonic()
                run(folder / step / workload.name, output)
                seconds[name] = monotonic() - began
        for name in names[1:]:
            compare(workload, folder / "out", names[0], name)
        found[workload.name] = seconds
    return found | {"worker_bytes": peak_of_workers("pyspark.daemon")}


def contestant(session: SparkSession, workload: SparkWorkload, name: str) -> Callable[[Path, Path], None]:
    """What reads the folder of a workload and writes its tables into another."""
    match name:
        case "larspark" | "frames":
            return partial(_run_larspark, session, workload, frames=name == "frames")
        case "alone":
            return partial(_run_alone, workload)
    from larspark.bench.peers.spark_sql import run_sql  # noqa: PLC0415 - imports Spark

    return partial(run_sql, session, workload)


def _plan(workload: SparkWorkload) -> Plan:
    from larspark.spark.plan import make_plan  # noqa: PLC0415 - imports Spark

    return make_plan(analyse(parse_program(workload.program)).require())


def _run_larspark(
    session: SparkSession, workload: SparkWorkload, source: Path, output: Path, *, frames: bool = False
) -> None:
    """What `larspark run` does; or what it does with files that Spark has to read."""
    from larspark.spark.to_folder import Options, run_to_folder, through_frames  # noqa: PLC0415

    run = through_frames if frames else run_to_folder
    run(session, _plan(workload), [str(source)], output, Options())


def _run_alone(workload: SparkWorkload, source: Path, output: Path) -> None:
    """The same rows without Spark, by the engine in this process."""
    from larspark.bench.peers.engine_alone import run_alone  # noqa: PLC0415

    rmtree(output, ignore_errors=True)
    run_alone(_plan(workload), source, output)


def compare(workload: SparkWorkload, folder: Path, one: str, other: str) -> None:
    """Row by row."""
    for name, columns in workload.tables.items():
        first, second = (_sorted(folder / workload.name / who / name, columns) for who in (one, other))
        if not first.equals(second):
            raise Disagreement(f"{one} and {other} differ in the table {name} of {workload.name}")


def _sorted(place: Path, columns: tuple[str, ...]) -> pa.Table:
    """The rows in one order, whatever types the writers chose."""
    table = pq.read_table(place, columns=list(columns))
    kinds = [pa.string() if one.type in (pa.string(), pa.large_string()) else pa.int64() for one in table.schema]
    plain = table.cast(pa.schema(list(zip(columns, kinds, strict=True))))
    return plain.sort_by([(name, "ascending") for name in columns]).combine_chunks()


if __name__ == "__main__":
    print(json.dumps(_timed(Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4].split(","))))
