"""Bounded runs on Spark, Parquet to Parquet, beside hand-written Spark SQL and the interval reasoner alone.

The session is started and everything has run on a little data before anything is timed. Each master needs a
process of its own: `python -m larspark.bench.experiments.spark_batch FOLDER DATA MASTER larspark,sql 8 3` prints
the seconds of the fastest of three passes as JSON, after eight over a little data.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from math import inf
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from larspark.bench.measuring.figures import Experiment, Figure
from larspark.bench.measuring.measure import AnswersDiffer
from larspark.bench.measuring.process import measured_alone, peak_of_workers
from larspark.bench.workloads.spark_data import BOX, JOIN, SparkWorkload, generate

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from larspark.spark.plan.plan import SparkPlan

ATOMS = 10_000_000
QUICK = 50_000
SMALL = 5_000
LENGTHS = (1, 2, 4)
"""How many times as long the histories are whose cost and memory are compared."""

PASSES, MORE_PASSES = ("8", "4"), ("8", "8")
"""Over a little data, so that Java has compiled what runs often, and over all of it; the fastest one counts."""
QUICK_PASSES = ("1", "1")


@contextmanager
def _generated(atoms: Mapping[str, int]) -> Iterator[str]:
    """A folder with data by name, and with a little to warm up."""
    with TemporaryDirectory() as folder:
        for name, size in {"warm": min(QUICK, *atoms.values()), **atoms}.items():
            generate(Path(folder) / name, size)
        yield folder


def _speed(quick: bool) -> Iterator[Figure]:
    """Two cores, beside hand-written SQL."""
    atoms, passes = (QUICK, QUICK_PASSES) if quick else (ATOMS, PASSES)
    with _generated({"data": atoms}) as folder:
        for table_format in ("csv", "jsonl"):
            generate(Path(folder) / table_format, atoms, table_format)
        found = measured_alone(__name__, folder, "data", "local[2]", "larspark,sql,frames", *passes)
        formats = {
            name: measured_alone(__name__, folder, name, "local[2]", "larspark", *passes)
            for name in ("data", "csv", "jsonl")
        }
    for workload in (JOIN, BOX):
        seconds = found[workload.name]
        asked = 500_000 if workload is JOIN else None
        rate, ratio = round(atoms / seconds["larspark"]), round(seconds["larspark"] / seconds["sql"], 3)
        yield Figure(workload.name, rate, "atoms/s", asked, at_least=True, details={"atoms": atoms, **seconds})
        yield Figure(f"{workload.name} / hand-written Spark SQL", ratio, "", 1)
        framed = round(seconds["frames"] / seconds["sql"], 3)
        yield Figure(f"{workload.name}, DataFrames / hand-written Spark SQL", framed, "", 1)
        alone = {name: told[workload.name]["larspark"] for name, told in formats.items()}
        for name in ("csv", "jsonl"):
            slower = round(alone[name] / alone["data"], 3)
            yield Figure(f"{workload.name}, {name} / Parquet", slower, "", 2, details=alone)


def _small(quick: bool) -> Iterator[Figure]:
    """The first run of a session over a little data: what a user waits for once Spark has started."""
    atoms = SMALL // 10 if quick else SMALL
    with _generated({"small": atoms}) as folder:
        found = measured_alone(__name__, folder, "small", "local[2]", "larspark", "0", "1")
    yield Figure(f"{atoms:,} atoms, the first run", round(found[JOIN.name]["larspark"], 2), "s", 5)
    yield Figure(f"{atoms:,} atoms, the next one", round(found[BOX.name]["larspark"], 2), "s", 5)


def _cores(quick: bool) -> Iterator[Figure]:
    """What a second core brings, and what Spark costs with one."""
    atoms, passes = (QUICK, QUICK_PASSES) if quick else (ATOMS, MORE_PASSES)
    with _generated({"data": atoms}) as folder:
        two = measured_alone(__name__, folder, "data", "local[2]", "larspark", *passes)
        one = measured_alone(__name__, folder, "data", "local[1]", "larspark,alone", *passes)
    for workload in (JOIN, BOX):
        both, seconds = two[workload.name], one[workload.name]
        speed_up = round(seconds["larspark"] / both["larspark"], 3)
        overhead = round(seconds["larspark"] / seconds["alone"], 3)
        yield Figure(f"{workload.name}, one core", round(atoms / seconds["larspark"]), "atoms/s", details=seconds)
        yield Figure(f"{workload.name}, one core / two", speed_up, "", 1.6, at_least=True, details=both)
        yield Figure(f"{workload.name}, one core / engine without Spark", overhead, "", 2)


def _growth(quick: bool) -> Iterator[Figure]:
    """What a longer history costs: time per atom, and the memory of a worker."""
    atoms = (QUICK if quick else ATOMS) // LENGTHS[-1]
    sizes = {str(length): atoms * length for length in LENGTHS}
    peaks = []
    with _generated(sizes) as folder:
        for name, size in sizes.items():
            found = measured_alone(__name__, folder, name, "local[2]", "larspark", *QUICK_PASSES)
            peaks.append(found["worker_bytes"])
            yield Figure("largest Python worker", peaks[-1], "bytes", axis="atoms", at=size)
            for workload in (JOIN, BOX):
                rate = round(size / found[workload.name]["larspark"])
                yield Figure(workload.name, rate, "atoms/s", axis="atoms", at=size)
    growth = round(peaks[-1] / peaks[0], 3)
    yield Figure(f"largest Python worker, {LENGTHS[-1]} times the history", growth, "", 1.2)


EXPERIMENTS = (
    Experiment("spark-batch", "bounded runs on Spark, Parquet to Parquet, beside Spark SQL", _speed, seconds=120),
    Experiment("spark-batch-small", "a small bounded run on Spark, which has just started", _small, seconds=40),
    Experiment("spark-batch-cores", "bounded runs on one core and two, and without Spark", _cores, seconds=170),
    Experiment("spark-batch-growth", "bounded runs on Spark over longer and longer histories", _growth, seconds=70),
)


# -- in a process of its own -----------------------------------------------------------------------


def _timed(folder: Path, data: str, master: str, names: list[str], warm: int, passes: int) -> dict[str, Any]:
    from larspark.spark.session.class_archive import reading  # noqa: PLC0415 - Spark is an optional installation
    from larspark.spark.session.session import java_settings, spark_session  # noqa: PLC0415

    for workload in (JOIN, BOX):  # `larspark run` has its plan before Spark starts
        _plan(workload.program)
    # What a larspark of its own leaves out of Java would slow Spark SQL down.
    session = spark_session(master, java_settings(reading()) if "sql" in names else {})
    found: dict[str, Any] = {}
    for workload in (JOIN, BOX):
        contestants = {name: contestant(session, workload, name) for name in names}
        seconds: dict[str, float] = {}
        for step in (*["warm"] * warm, *[data] * passes):
            for name, run in contestants.items():
                output = folder / "out" / workload.name / name
                began = monotonic()
                run(folder / step / workload.name, output)
                if step == data:
                    seconds[name] = min(monotonic() - began, seconds.get(name, inf))
        for name in names[1:]:
            compare(workload, folder / "out", names[0], name)
        found[workload.name] = seconds
    return found | {"worker_bytes": peak_of_workers("pyspark.daemon")}


def contestant(session: SparkSession, workload: SparkWorkload, name: str) -> Callable[[Path, Path], None]:
    """What reads the folder of a workload and writes its tables into another."""
    match name:
        case "larspark":
            return partial(_run_larspark, session, workload)
        case "frames":
            return partial(_run_frames, session, workload)
        case "alone":
            return partial(_run_alone, workload)
    from larspark.bench.peers.spark_sql import run_sql  # noqa: PLC0415 - imports Spark

    return partial(run_sql, session, workload)


@cache
def _plan(program: str) -> SparkPlan:
    from larspark.spark.interface import plan_of  # noqa: PLC0415 - imports Spark

    return plan_of(program)


def _run_larspark(session: SparkSession, workload: SparkWorkload, source: Path, output: Path) -> None:
    """What `larspark run` does."""
    from larspark.spark.bounded.start import RunOptions  # noqa: PLC0415
    from larspark.spark.bounded.to_folder import run_to_folder  # noqa: PLC0415

    run_to_folder(session, _plan(workload.program), [str(source)], output, RunOptions())


def _run_frames(session: SparkSession, workload: SparkWorkload, source: Path, output: Path) -> None:
    """What a notebook does with `reason`: DataFrames in, DataFrames out, which are written."""
    from larspark.spark.interface import reason  # noqa: PLC0415

    frames = {place.stem: session.read.parquet(str(place)) for place in source.iterdir()}
    for name, table in reason(workload.program, frames).items():
        table.write.mode("overwrite").parquet(str(output / name))


def _run_alone(workload: SparkWorkload, source: Path, output: Path) -> None:
    """The same rows without Spark, by the engine in this process."""
    from larspark.bench.peers.engine_alone import run_alone  # noqa: PLC0415

    rmtree(output, ignore_errors=True)
    run_alone(_plan(workload.program), source, output)


def compare(workload: SparkWorkload, folder: Path, one: str, other: str) -> None:
    """Row by row."""
    for name, columns in workload.tables.items():
        first, second = (_sorted(folder / workload.name / who / name, columns) for who in (one, other))
        if not first.equals(second):
            raise AnswersDiffer(f"{one} and {other} differ in the table {name} of {workload.name}")


def _sorted(place: Path, columns: tuple[str, ...]) -> pa.Table:
    """The rows in one order, whatever types the writers chose."""
    table = pq.read_table(place, columns=list(columns))
    kinds = [pa.string() if one.type in (pa.string(), pa.large_string()) else pa.int64() for one in table.schema]
    plain = table.cast(pa.schema(list(zip(columns, kinds, strict=True))))
    return plain.sort_by([(name, "ascending") for name in columns]).combine_chunks()


if __name__ == "__main__":
    _, place, data, master, names, *passes = sys.argv
    print(json.dumps(_timed(Path(place), data, master, names.split(","), *map(int, passes))))
