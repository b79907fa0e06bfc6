"""The pipeline on Spark: read, evaluate in partitions, write a table per derived predicate.

The output folder holds one table per shown predicate: its arguments, `from` and `to` (the evaluation times at which
the atom holds, both included), and `at` for atoms about another time point. Without --master Spark runs inside this
process on all cores; a Java comes with the installation if the machine has none.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from larspark.cli.options.arguments import (
    add_clock_arguments,
    add_data_arguments,
    add_program_arguments,
    add_strict_argument,
    prepared_of,
    read_duration,
    read_timestamp,
    read_zone,
)
from larspark.cli.options.html import add_html_argument
from larspark.cli.options.metrics import add_metrics_argument
from larspark.cli.options.profiling import add_profile_argument
from larspark.cli.options.refused import add_refused_argument
from larspark.cli.pages.tick_page import add_page_argument
from larspark.cli.pipeline.bounded import run_bounded
from larspark.cli.pipeline.pipeline_file import ENDINGS, read_pipeline, wrong_entry
from larspark.cli.pipeline.stream import follow
from larspark.language.tree import Duration
from larspark.runtime.prepared import Prepared
from larspark.spark.interface import plan_of
from larspark.spark.plan.describe import as_json, describe
from larspark.spark.session.failures import SparkError, rejected
from larspark.translations.languages import language_of

EXAMPLE = """\
  larspark run program.lars --input events.parquet --output results
  larspark run program.lars --input tram.csv --input bus.csv --output results --partitions 8
  larspark run program.lars --input events.jsonl --output results --master spark://host:7077
  larspark run program.lars --input incoming/ --output results --follow --lateness 5min
  larspark run program.lars --input mqtt://broker:1883/trams --input listen://:9000 --output results --follow
  larspark run program.lars --input events/ --output day --from 2026-03-10 --until 2026-03-11
  larspark run pipeline.yml
  larspark run program.lars --explain
"""

DEFAULTS = {"table_format": "parquet"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_program_arguments(parser)
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="S",
        help="JSON lines, CSV or Parquet: atoms, or a table named after its predicate; a folder of such files; with "
        "--follow also socket://host:port, listen://host:port, mqtt://host:port/topic; table:name of the catalog, or "
        "jdbc:…#name of a database; several are read together",
    )
    parser.add_argument("--output", metavar="O", help="where the tables go: a folder, table:schema, or jdbc:…")
    parser.add_argument("--checkpoint", metavar="FOLDER", help="with --follow into a database: where to go on from")
    parser.add_argument(
        "--jars", action="append", default=[], metavar="FILE", help="a JDBC driver, or another archive that Spark loads"
    )
    parser.add_argument("--master", metavar="M", help="the Spark master (default: all cores of this machine)")
    parser.add_argument("--partitions", type=_positive, metavar="N", help="parts of the data (default: one per core)")
    parser.add_argument("--explain", action="store_true", help="print the stages and their keys")
    parser.add_argument(
        "--table-format", choices=("parquet", "csv", "json"), default=DEFAULTS["table_format"], help="of the results"
    )
    for name, meaning in (("--from", "the first evaluation"), ("--until", "the end, which is not evaluated")):
        parser.add_argument(
            name,
            dest=name.strip("-") + "_",
            metavar="T",
            help=f"{meaning}: a time point or a timestamp; of what arrived before --from, what windows see is read",
        )
    add_refused_argument(parser)
    add_strict_argument(parser)
    parser.add_argument("--changes", action="store_true", help="write changes (+ and -) instead of intervals")
    add_html_argument(parser)
    add_data_arguments(parser)
    parser.add_argument(
        "--on-error",
        choices=("stop", "skip"),
        help="bad records stop the run, or go to the table _dead_letters (default: stop, with --follow skip)",
    )
    parser.add_argument(
        "--follow", action="store_true", help="go on with what is added to the input folders, or comes from an address"
    )
    parser.add_argument("--once", action="store_true", help="with --follow: end when everything there has been read")
    parser.add_argument(
        "--lateness", type=_span, default=0, metavar="D", help="how late an atom may arrive: 5min, or time points"
    )
    parser.add_argument(
        "--early",
        action="store_true",
        help="with --follow: also what follows up to the latest time seen; late atoms may correct it",
    )
    add_metrics_argument(parser)
    add_page_argument(parser)
    add_profile_argument(parser)
    add_clock_arguments(parser)


def _span(text: str) -> int | Duration:
    return int(text) if text.isdigit() else read_duration(text)


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError("a positive number")
    return int(text)


STREAMS = ("metrics", "page", "once", "early", "checkpoint")
BOUNDED = ("from_", "until_", "html", "profile")
"""Options that mean nothing to the other kind of run."""


def _is_given(arguments: argparse.Namespace, name: str) -> bool:
    value = getattr(arguments, name)
    return value is not None and value is not False  # 0 is a port


def run(arguments: argparse.Namespace) -> int:
    if Path(arguments.program).suffix.lower() in ENDINGS and language_of(arguments.program) is None:
        _take_from_file(arguments)
    prepared = prepared_of(arguments)
    if arguments.explain:
        return _explain(arguments, prepared)
    if not arguments.input or not arguments.output:
        print("larspark run: give --input and --output (or --explain)", file=sys.stderr)
        return 2
    misplaced = [
        f"--{name.strip('_')}" for name in (BOUNDED if arguments.follow else STREAMS) if _is_given(arguments, name)
    ]
    if misplaced:
        kind = "a run over data that ends, without --follow" if arguments.follow else "a stream, with --follow"
        print(f"larspark run: {', '.join(misplaced)}: only for {kind}", file=sys.stderr)
        return 2
    try:
        return follow(arguments, prepared) if arguments.follow else run_bounded(arguments, prepared)
    except SparkError as error:
        raise rejected(error) from error


READERS: Mapping[str, Callable[[Any], Any]] = {
    "clock": read_duration,
    "epoch": lambda value: read_timestamp(str(value)),  # YAML makes a date of 2027-01-01
    "timezone": lambda value: read_zone(str(value)),
    "lateness": lambda value: _span(str(value)),
    "const": lambda entries: list(entries.items()),
}

"""Entries of a pipeline file that mean more than they are."""


def _take_from_file(arguments: argparse.Namespace) -> None:
    """What a pipeline file says, unless the command line says otherwise."""
    file = Path(arguments.program)
    for name, value in read_pipeline(file).items():
        said = getattr(arguments, name)
        if name == "program" or not said or said == DEFAULTS.get(name):
            try:
                setattr(arguments, name, READERS[name](value) if name in READERS else value)
            except argparse.ArgumentTypeError as error:
                message = f"The entry `{name}` cannot be {str(value)!r}: {str(error).rstrip('.')}."
                raise wrong_entry(file, name, message, "See docs/spark.md for its form.") from error


def _explain(arguments: argparse.Namespace, prepared: Prepared) -> int:
    """The stages."""
    plan = plan_of(prepared)
    print(json.dumps(as_json(plan)) if arguments.format == "json" else "\n".join(describe(plan)))
    return 0
