"""A bounded run from sources to a folder: over plain files by the workers themselves, or through DataFrames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from larspark.spark.batch import run_bounded, timeline_of
from larspark.spark.direct.columns import Unfit
from larspark.spark.direct.course import Course, check_plan
from larspark.spark.direct.run import run_course
from larspark.spark.direct.sample import samples_of
from larspark.spark.direct.tables import FileTable, file_tables
from larspark.spark.failures import SparkError
from larspark.spark.pipeline_file import Source
from larspark.spark.plan import Plan, Span
from larspark.spark.session import cores, is_remote
from larspark.spark.skew import divide
from larspark.spark.sources import read_source
from larspark.spark.tables import change_log, table_names
from larspark.spark.writing import DEAD_LETTERS, file_name, staged, write_tables

UTC = ("UTC", "Etc/UTC", "Z", "+00:00")
"""Zones in which a timestamp without one means the same everywhere."""


BY_WORKERS = "workers read and write the files themselves"


@dataclass(frozen=True)
class Options:
    """How a bounded run is to be done."""

    timeline: tuple[int, int] | None = None
    partitions: int | None = None
    on_error: str = "stop"
    table_format: str = "parquet"
    changes: bool = False


@dataclass(frozen=True)
class Outcome:
    """What a bounded run has written."""

    start: int
    end: int
    arrivals: int
    rows: Mapping[str, int]
    """How many rows each table has."""
    places: Mapping[str, Path]
    notes: tuple[str, ...]
    """Which way the data went, and about partitions that are heavier than others."""
    refused: Mapping[str, int]
    """How many records were set aside, by reason."""


def run_to_folder(
    session: SparkSession, plan: Plan, sources: Sequence[Source | str], folder: Path, options: Options
) -> Outcome:
    """Evaluate a program over bounded sources; results are put in place when they are complete."""
    try:
        if is_remote(session):
            raise Unfit("workers behind Spark Connect may see other files")
        zone = session.conf.get("spark.sql.session.timeZone")
        return _through_workers(session, plan, plain_tables(plan, sources, options, utc=zone in UTC), folder, options)
    except Unfit as reason:
        return through_frames(session, plan, sources, folder, options, str(reason))


def way_of(plan: Plan, sources: Sequence[Source | str], options: Options) -> str:
    """Which way the data would go in a session of ours, in words."""
    try:
        plain_tables(plan, sources, options)
    except Unfit as reason:
        return _by_spark(str(reason))
    return BY_WORKERS


def plain_tables(
    plan: Plan, sources: Sequence[Source | str], options: Options, *, utc: bool = True
) -> tuple[FileTable, ...]:
    """The tables that workers read themselves; `Unfit` says why they do not."""
    if options.table_format != "parquet" or options.changes:
        raise Unfit("the results are not tables of intervals in Parquet")
    check_plan(plan)
    return file_tables(sources, plan.vocabulary, utc=utc)


def _through_workers(
    session: SparkSession, plan: Plan, tables: tuple[FileTable, ...], folder: Path, options: Options
) -> Outcome:
    buckets = options.partitions or cores(session)
    groups = [group for table in tables for group in table.groups]
    first, last = min((one.first for one in groups), default=None), max((one.last for one in groups), default=None)
    start, end = timeline_of(options.timeline, first, last)
    span = Span(start, start, end)
    samples = enumerate(samples_of(plan, tables, buckets))
    divisions = tuple(divide(plan, number, sample, span, buckets) for number, sample in samples)
    try:
        with staged(folder) as beside:
            rows = run_course(session, Course(plan, tables, span, buckets, divisions, beside))
    except SparkError as error:
        if f"{Unfit.__module__}.{Unfit.__qualname__}: " in str(error):
            raise Unfit("a record must be judged") from error
        raise
    notes = (BY_WORKERS, *(one.note for one in divisions if one.note))
    places = {name: folder / file_name(name) for name in table_names(plan)}
    return Outcome(start, end, sum(one.rows for one in groups), rows, places, notes, {})


def through_frames(
    session: SparkSession,
    plan: Plan,
    sources: Sequence[Source | str],
    folder: Path,
    options: Options,
    reason: str = "it was asked to",
) -> Outcome:
    """The same with DataFrames: everything that Spark can read, and records that are not all good."""
    intake = reduce(DataFrame.unionByName, (read_source(session, one, plan.vocabulary) for one in sources))
    done = run_bounded(
        plan, intake, timeline=options.timeline, partitions=options.partitions, on_error=options.on_error
    )
    tables = {name: change_log(table) if options.changes else table for name, table in done.tables.items()}
    rows = {name: count * (2 if options.changes else 1) for name, count in done.rows.items()}
    refused = _reasons(done.dead_letters) if done.refused else {}
    if refused:
        tables[DEAD_LETTERS] = done.dead_letters
    places = write_tables(tables, folder, options.table_format, rows)
    done.close()
    notes = (_by_spark(reason), *done.notes)
    return Outcome(done.start, done.end, done.arrivals, rows, places, notes, refused)


def _by_spark(reason: str) -> str:
    return f"Spark reads and writes the files: {reason}"


def _reasons(dead_letters: DataFrame) -> dict[str, int]:
    counted = dead_letters.groupBy(sf.substring_index("objection", ":", 1).alias("code")).count()
    return {row["code"]: row["count"] for row in counted.orderBy("code").collect()}
