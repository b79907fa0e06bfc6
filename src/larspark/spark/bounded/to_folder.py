"""A bounded run from files to a folder of tables: workers read, evaluate and write, and Spark carries blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from larspark.analysis.typing.sorts import Sort
from larspark.language.facts import Signature
from larspark.reasoners.interval.state.profile import Profile
from larspark.spark.bounded.flow import Flow
from larspark.spark.bounded.run import run_stages
from larspark.spark.bounded.samples import told
from larspark.spark.bounded.sources import ArrivalSource, plain_files
from larspark.spark.bounded.start import RunOptions, RunSummary, read_inputs, span_of, summary_of
from larspark.spark.evaluate.messages import SCHEMA, MessageKind
from larspark.spark.evaluate.progress import progress_in
from larspark.spark.plan.plan import SparkPlan
from larspark.spark.read.arrivals import Unsure
from larspark.spark.read.inputs import inputs_of_sources
from larspark.spark.read.rules import InputSource
from larspark.spark.session.failures import SparkError
from larspark.spark.write import dead_letters
from larspark.spark.write.dead_letters import COLUMNS, DEAD_LETTERS, LetterFiles, open_letters, told_letters
from larspark.spark.write.files import FileOutput, Report, TableTarget
from larspark.spark.write.finishing import Converting, fits, in_lots, schema_of
from larspark.spark.write.names import argument_names, file_name, known_sorts, table_names, write_manifest
from larspark.write.places import staged
from larspark.write.table_files import write_table
from larspark.write.times import POINTS, TimeWriter


@dataclass(frozen=True)
class WrittenRun(RunSummary):
    """What a bounded run has written."""

    places: Mapping[str, Path | str]
    letters: tuple[tuple[str, str, str | None], ...]
    """The records that were set aside with objection and source, where they were asked for."""
    profile: Profile | None = None
    """What rules cost, where that was asked for."""


def run_to_folder(
    session: SparkSession, plan: SparkPlan, sources: Sequence[InputSource | str], folder: Path, options: RunOptions
) -> WrittenRun:
    """Evaluate a program over bounded sources; results are put in place when they are complete."""
    inputs = inputs_of_sources(session, sources, plan.vocabulary)
    plain = plain_files(inputs, ordered=plan.ordered)
    if plain is not None:
        try:
            return _run(session, plan, plain, folder, options)
        except SparkError as error:
            if f"{Unsure.__module__}.{Unsure.__qualname__}: " not in str(error):
                raise
    kept = read_inputs(session, plan, inputs, options)
    try:
        return _run(session, plan, kept, folder, options)
    finally:
        kept.frame.unpersist()


def _run(
    session: SparkSession, plan: SparkPlan, arrivals: ArrivalSource, folder: Path, options: RunOptions
) -> WrittenRun:
    with staged(folder) as beside:
        times = options.times(plan, arrivals.form)
        targets = targets_in(beside, plan, times, arrivals.sorts, changes=options.changes)
        for target in targets.values():
            target.folder.mkdir(parents=True)
        profiles = beside / "_profile" if options.profile else None
        span, buckets = span_of(plan, arrivals, options), options.buckets(session)
        flow = Flow(plan, span, buckets, FileOutput(targets), progress=progress_in(beside), profiles=profiles)
        ran = run_stages(session, flow, arrivals)
        profile = None if profiles is None else Profile.read(sorted(profiles.glob("*.json")))
        if profiles is not None:
            rmtree(profiles, ignore_errors=True)
        names = table_names(plan)
        rows = {
            name: _finished(session, targets[one], schema_of(targets[one], own), own, options.table_format)
            for name, one in names.items()
            for own in [[report for report in ran.reports if report.predicate == targets[one].number]]
        }
        write_manifest(beside, plan, times, {name: targets[one].columns for name, one in names.items()})
        if arrivals.refused and arrivals.dead_letters is not None:
            _write_letters(session, arrivals.dead_letters, beside / DEAD_LETTERS, options.table_format)
        ran.close()
        summary = summary_of(flow, arrivals, ran, rows, options)
    letters: tuple[tuple[str, str, str | None], ...] = ()
    if options.letters and arrivals.dead_letters is not None:
        letters = told_letters(arrivals.dead_letters.mapInArrow(open_letters, COLUMNS))
    tables = [*names, *([DEAD_LETTERS] if arrivals.refused else [])]
    places = {name: folder / file_name(name) for name in tables}
    return WrittenRun(**vars(summary), places=places, letters=letters, profile=profile)


def targets_in(
    folder: Path,
    plan: SparkPlan,
    times: TimeWriter = POINTS,
    given: Mapping[Signature, tuple[Sort, ...]] | None = None,
    *,
    changes: bool = False,
) -> dict[Signature, TableTarget]:
    """Where the tables of the shown predicates are written; what the types of columns tell is `given`."""
    numbers, known = plan.vocabulary.numbers, known_sorts(plan, given)
    return {
        one: TableTarget(numbers[one], folder / file_name(name), argument_names(plan, one), changes, times, known[one])
        for name, one in table_names(plan).items()
    }


def _write_letters(session: SparkSession, letters: DataFrame, folder: Path, table_format: str) -> None:
    folder.mkdir()
    written = told([letters.mapInArrow(LetterFiles(folder), SCHEMA)], MessageKind.REPORT)
    reports = [Report.read(content) for *_, content in written]
    _finished(session, TableTarget(dead_letters.NUMBER, folder, ()), dead_letters.SCHEMA, reports, table_format)


def _finished(
    session: SparkSession, target: TableTarget, schema: pa.Schema, reports: Sequence[Report], table_format: str
) -> int:
    """Give all files of a table the same types and format, and remove those that no report tells of."""
    kept = {report.path for report in reports if table_format == "parquet" and fits(report, schema, target)}
    lots = in_lots([report for report in reports if report.path not in kept])
    if lots:
        converting = Converting(target, schema, lots, table_format)
        again = session.range(0, len(lots), 1, len(lots)).mapInArrow(converting, SCHEMA)
        kept |= {Report.read(content).path for *_, content in told([again], MessageKind.REPORT)}
    for path in target.folder.iterdir():
        if path.name not in kept:
            path.unlink()
    if not kept:
        write_table(table_format, target.folder / f"empty.{table_format}", schema, [])
    return sum(report.rows for report in reports)
