"""What a run of a pipeline begins with: its session and sources, and what it says about itself."""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path

from pyspark.sql import SparkSession

from larspark.runtime.manifest import InputFile, RunManifest
from larspark.runtime.prepared import Prepared
from larspark.spark.read.rules import InputSource
from larspark.spark.read.tables import is_table
from larspark.spark.session.jars import jar_settings
from larspark.spark.session.session import spark_session, told


def session_of(arguments: argparse.Namespace) -> SparkSession:
    """With the archives that the inputs and the output need."""
    places = [one.path for one in sources_of(arguments)] + [arguments.output]
    logging.getLogger().addFilter(is_no_interruption)
    session = spark_session(arguments.master, jar_settings(arguments.jars, places))
    say(arguments, told(session))
    return session


def is_no_interruption(record: logging.LogRecord) -> bool:
    """Py4J tells of a call that Ctrl-C tears up with a traceback, which says nothing to who pressed it."""
    return not record.getMessage().startswith("KeyboardInterrupt while sending command")


def manifest_of(arguments: argparse.Namespace, prepared: Prepared, timeline: tuple[int, int] | None) -> RunManifest:
    """What the results are about, for `larspark why --run`."""
    inputs = [
        InputFile(
            str(Path(one.path).resolve()) if _is_file(one.path) else one.name,
            one.predicate,
            one.columns,
            one.time,
        )
        for one in sources_of(arguments)
    ]
    on_error = arguments.on_error or "stop"
    return RunManifest.of(arguments.program, prepared, inputs, timeline, arguments.background, on_error)


def _is_file(path: str) -> bool:
    """Not so an address, a table, and what only Spark knows, which has no path."""
    return bool(path) and "://" not in path and not is_table(path)


def sources_of(arguments: argparse.Namespace) -> list[InputSource]:
    return [InputSource(one) if isinstance(one, str) else one for one in arguments.input]


def say(arguments: argparse.Namespace, text: str) -> None:
    if arguments.format == "text":
        print(text, file=sys.stderr)
