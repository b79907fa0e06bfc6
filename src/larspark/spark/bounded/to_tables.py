"""A bounded run into tables of Spark's catalog, or of a database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from pyspark.sql import DataFrame, SparkSession

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import TimeForm
from larspark.spark.bounded.start import RunOptions, RunSummary
from larspark.spark.bounded.to_folder import WrittenRun
from larspark.spark.bounded.to_frames import Results, run_to_frames
from larspark.spark.plan.plan import SparkPlan
from larspark.spark.read.inputs import inputs_of_sources
from larspark.spark.read.rules import InputSource, without_secrets
from larspark.spark.read.tables import CATALOG
from larspark.spark.session.failures import SparkError, cause_of
from larspark.spark.write.database import Database, replace_tables
from larspark.spark.write.dead_letters import DEAD_LETTERS, told_letters


def run_to_tables(
    session: SparkSession, plan: SparkPlan, sources: Sequence[InputSource | str], place: str, options: RunOptions
) -> WrittenRun:
    """Evaluate a program over bounded sources, into a schema of the catalog or a database."""
    if options.evaluations is not None and place.startswith(CATALOG):
        message = "A part of the time is put into a table of a database, or into a folder of its own."
        raise Rejected([Diagnostic("E615", message, "Name a folder for each day, and let the table read them all.")])
    results = run_to_frames(session, plan, inputs_of_sources(session, sources, plan.vocabulary), options)
    try:
        tables = dict(results.tables)
        if results.refused:
            tables[DEAD_LETTERS] = results.dead_letters
        if place.startswith(CATALOG):
            _save(session, place.removeprefix(CATALOG), tables)
        else:
            replace_tables(Database(session, place), tables, _span(results) if options.evaluations else None)
        letters = told_letters(results.dead_letters) if options.letters else ()
    finally:
        results.close()
    places = {name: f"{without_secrets(place)}#{name}" for name in tables}
    summary = {one.name: getattr(results, one.name) for one in fields(RunSummary)}
    return WrittenRun(**summary, places=places, letters=letters)


def _save(session: SparkSession, schema: str, tables: dict[str, DataFrame]) -> None:
    try:
        session.sql(f"CREATE SCHEMA IF NOT EXISTS {schema}")
        for name, table in tables.items():
            table.write.mode("overwrite").saveAsTable(f"{schema}.`{name}`")
    except SparkError as error:
        message = f"The catalog does not take the tables of `{schema}`: {cause_of(error)}."
        raise Rejected([Diagnostic("E617", message, "Name a schema of the catalog: `table:results`.")]) from error


def _span(results: Results) -> tuple[str, str]:
    """The first and the last evaluation, as SQL has them."""
    texts = (results.times.text(results.start), results.times.text(results.end))
    match results.times.form:
        case TimeForm.LOCAL:
            return (f"TIMESTAMP '{texts[0]}'", f"TIMESTAMP '{texts[1]}'")
        case TimeForm.ZONED:
            return (f"TIMESTAMP WITH TIME ZONE '{texts[0]}'", f"TIMESTAMP WITH TIME ZONE '{texts[1]}'")
    return texts
