"""The pipeline on Spark: read, evaluate in partitions, write a table per derived predicate.

The output folder holds one table per shown predicate: its arguments, `from` and `to` (the evaluation times at which
the atom holds, both included), and `at` for atoms about another time point. Without --master Spark runs inside this
process on all cores; a Java comes with the installation if the machine has none.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from functools import reduce
from pathlib import Path

from pyspark.sql import DataFrame

from larspark.cli.arguments import Task, add_clock_arguments, add_program_arguments, load_task, read_time_point
from larspark.spark.batch import run_bounded
from larspark.spark.describe import as_json, describe
from larspark.spark.plan import make_plan
from larspark.spark.session import spark_session, ui_address
from larspark.spark.sources import read_source
from larspark.spark.tables import change_log
from larspark.spark.writing import DEAD_LETTERS, check_output, write_tables

EXAMPLE = """\
  larspark run program.lars --input events.parquet --output results
  larspark run program.lars --input tram.csv --input bus.csv --output results --partitions 8
  larspark run program.lars --input events.jsonl --output results --master spark://host:7077
  larspark run program.lars --explain
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_program_arguments(parser)
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="S",
        help="JSON lines, CSV or Parquet: atoms, or a table named after its predicate; a folder of such files",
    )
    parser.add_argument("--output", metavar="O", help="the folder for the result tables")
    parser.add_argument("--master", metavar="M", help="the Spark master (default: all cores of this machine)")
    parser.add_argument("--partitions", type=_positive, metavar="N", help="parts of the data (default: one per core)")
    parser.add_argument("--explain", action="store_true", help="print the stages and their keys instead of running")
    parser.add_argument("--table-format", choices=("parquet", "csv", "json"), default="parquet", help="of the results")
    parser.add_argument("--changes", action="store_true", help="write changes (+ and -) instead of intervals")
    parser.add_argument(
        "--timeline",
        nargs=2,
        type=read_time_point,
        metavar=("T0", "T1"),
        help="first and last time point (default: the data's)",
    )
    parser.add_argument(
        "--background",
        action="append",
        default=[],
        metavar="B",
        help="facts that always hold: CSV, Parquet, JSON lines or facts as text",
    )
    parser.add_argument(
        "--on-error",
        choices=("stop", "skip"),
        default="stop",
        help="bad records stop the run, or go to the table _dead_letters (default: stop)",
    )
    add_clock_arguments(parser)


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError("a positive number")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    task = load_task(arguments)
    if arguments.explain:
        return _explain(arguments, task)
    if not arguments.input or not arguments.output:
        print("larspark run: give --input and --output (or --explain)", file=sys.stderr)
        return 2
    return _run_bounded(arguments, task)


def _explain(arguments: argparse.Namespace, task: Task) -> int:
    plan = make_plan(task.analysis, task.background, task.calendar)
    print(json.dumps(as_json(plan)) if arguments.format == "json" else "\n".join(describe(plan)))
    return 0


def _run_bounded(arguments: argparse.Namespace, task: Task) -> int:

    folder = Path(arguments.output)
    check_output(folder)
    plan = make_plan(task.analysis, task.background, task.calendar)
    session = spark_session(arguments.master)
    _progress(arguments, f"Spark {session.version} on {session.sparkContext.master}, {ui_address(session) or 'no UI'}")
    began = time.monotonic()
    intake = reduce(DataFrame.unionByName, (read_source(session, path, plan.vocabulary) for path in arguments.input))
    done = run_bounded(
        plan,
        intake,
        timeline=tuple(arguments.timeline) if arguments.timeline else None,
        partitions=arguments.partitions,
        on_error=arguments.on_error,
    )
    _progress(arguments, f"{done.arrivals} atoms from time {done.start} to {done.end}, {done.refused} bad records")
    tables = {name: change_log(table) if arguments.changes else table for name, table in done.tables.items()}
    counts = {name: table.count() for name, table in tables.items()}
    if done.refused:
        tables[DEAD_LETTERS] = done.dead_letters
    places = write_tables(tables, folder, arguments.table_format)
    done.close()
    seconds = round(time.monotonic() - began, 2)
    if arguments.format == "json":
        result = {"atoms": done.arrivals, "refused": done.refused, "from": done.start, "to": done.end}
        found = {name: {"rows": counts[name], "path": str(places[name])} for name in counts}
        print(json.dumps({**result, "seconds": seconds, "tables": found}))
    else:
        for name, count in counts.items():
            print(f"{count:>9}  {name}  {places[name]}")
        print(f"done in {seconds} s")
    return 0


def _progress(arguments: argparse.Namespace, text: str) -> None:
    if arguments.format == "text":
        print(text, file=sys.stderr)
