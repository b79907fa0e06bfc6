"""Bounded runs on Spark, Parquet to Parquet, beside hand-written Spark SQL and the interval reasoner alone.

The session is started and everything has run once on a little data before anything is timed. Each master needs a
process of its own: `python -m larspark.bench.spark_batch FOLDER MASTER larspark,sql` prints the seconds as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from functools import partial, reduce
from pathlib import Path
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
HISTORY = 5
"""How many times longer the history is whose memory is compared."""


def _measure(quick: bool) -> Iterator[Figure]:
    atoms = QUICK if quick else ATOMS
    with TemporaryDirectory() as folder:
        place = Path(folder)
        for name, size in (("warm", min(QUICK, atoms)), ("short", atoms // HISTORY), ("data", atoms)):
            generate(place / name, size)
        two = measured_alone(__name__, folder, "data", "local[2]", "larspark,sql")
        details = {"atoms": atoms, **two}
        for workload in (JOIN, BOX):
            seconds = two[workload.name]
            rate = round(atoms / seconds["larspark"])
            asked = 500_000 if workload is JOIN else None
            yield Figure(f"{workload.name}, two cores", rate, "atoms/s", asked, at_least=True, details=details)
            ratio = round(seconds["larspark"] / seconds["sql"], 3)
            yield Figure(f"{workload.name} / hand-written Spark SQL", ratio, "", 1)
        one = measured_alone(__name__, folder, "data", "local[1]", "larspark,alone")
        for workload in (JOIN, BOX):
            speed_up = round(one[workload.name]["larspark"] / two[workload.name]["larspark"], 3)
            yield Figure(f"{workload.name}, one core / two", speed_up, "", 1.6, at_least=True, details=one)
            overhead = round(one[workload.name]["larspark"] / one[workload.name]["alone"], 3)
            yield Figure(f"{workload.name}, one partition / engine alone", overhead, "", 2)
        short = measured_alone(__name__, folder, "short", "local[2]", "larspark")
        growth = round(two["worker_bytes"] / short["worker_bytes"], 3)
        sizes = {"short": short["worker_bytes"], "long": two["worker_bytes"]}
        yield Figure(f"memory of a worker, {HISTORY} times the history", growth, "", 1.2, details=sizes)


EXPERIMENTS = (
    Experiment("spark-batch", "bounded runs on Spark, Parquet to Parquet, beside Spark SQL", _measure, seconds=300),
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
        case "larspark":
            return partial(_run_larspark, session, workload)
        case "alone":
            return partial(_run_alone, workload)
    from larspark.bench.peers.spark_sql import run_sql  # noqa: PLC0415 - imports Spark

    return partial(run_sql, session, workload)


def _plan(workload: SparkWorkload) -> Plan:
    from larspark.spark.plan import make_plan  # noqa: PLC0415 - imports Spark

    return make_plan(analyse(parse_program(workload.program)).require())


def _run_larspark(session: SparkSession, workload: SparkWorkload, source: Path, output: Path) -> None:
    """What `larspark run` does."""
    from pyspark.sql import DataFrame  # noqa: PLC0415

    from larspark.spark.batch import run_bounded  # noqa: PLC0415
    from larspark.spark.sources import read_source  # noqa: PLC0415
    from larspark.spark.writing import write_tables  # noqa: PLC0415

    plan = _plan(workload)
    intakes = (read_source(session, str(place), plan.vocabulary) for place in sorted(source.iterdir()))
    done = run_bounded(plan, reduce(DataFrame.unionByName, intakes))
    write_tables(done.tables, output, rows=done.rows)
    done.close()


def _run_alone(workload: SparkWorkload, source: Path, output: Path) -> None:
    """The same rows without Spark: pyarrow reads and writes, the engine works in this process."""
    from larspark.bench.peers.engine_alone import run_alone  # noqa: PLC0415

    for name, table in run_alone(_plan(workload), source).items():
        (output / name).mkdir(parents=True, exist_ok=True)
        pq.write_table(table, output / name / "all.parquet")


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
