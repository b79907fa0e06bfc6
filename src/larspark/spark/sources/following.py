"""What a stream follows: folders to which files are added, live sources, and streaming formats of Spark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from larspark.diagnostics import Diagnostic, Rejected
from larspark.read.sources import CSV, PARQUET
from larspark.spark.addresses import is_live, read_address
from larspark.spark.failures import SparkError
from larspark.spark.intake import INPUT
from larspark.spark.parsing import intake_of_lines
from larspark.spark.pipeline_file import Source
from larspark.spark.session import is_remote
from larspark.spark.sources.files import cells_intake, check_exists, csv_reader, table_intake, unreadable
from larspark.spark.sources.frames import located, with_places
from larspark.spark.sources.journalled import FORMAT, LiveSource
from larspark.spark.vocabulary import Vocabulary


@dataclass(frozen=True)
class Following:
    """A streaming intake; each of its rows says from which input it comes."""

    intake: DataFrame
    inputs: tuple[Source, ...]


def follow_sources(
    session: SparkSession,
    sources: Sequence[Source],
    vocabulary: Vocabulary,
    journals: Path,
    *,
    on_error: str = "skip",
) -> Following:
    """Several inputs as one; each row says which it comes from. Columns that do not fit are rejected before anything
    starts; `on_error="stop"`: no record may be bad."""
    if is_remote(session):
        message = "A stream writes its tables where its session runs, and this session runs elsewhere (Spark Connect)."
        raise Rejected([Diagnostic("E604", message, "Use a master such as `local[4]` or `spark://host:7077`.")])
    followed = (
        follow_source(session, source, vocabulary, journals / str(number)).withColumn(INPUT, sf.lit(number))
        for number, source in enumerate(sources)
    )
    united = reduce(DataFrame.unionByName, followed)
    return Following(strict(united) if on_error == "stop" else united, tuple(sources))


def follow_source(session: SparkSession, source: Source, vocabulary: Vocabulary, journal: Path) -> DataFrame:
    """A folder, an address, or a format of Spark; `journal` is where a live source may keep what it has received."""
    if source.format:
        return _follow_format(session, source, vocabulary)
    if is_live(source.path):
        return _follow_address(session, source, vocabulary, journal)
    return _follow_folder(session, source, vocabulary)


def strict(intake: DataFrame) -> DataFrame:
    """The same rows, but a bad record ends the stream; `failures` reads what is raised."""
    told = sf.concat(sf.col("objection"), sf.lit(" Record: "), sf.coalesce(sf.col("record"), sf.lit("")))
    raised = sf.when(sf.col("objection").isNotNull(), sf.raise_error(told))
    return intake.withColumn("objection", raised.cast("string"))


def _follow_folder(session: SparkSession, source: Source, vocabulary: Vocabulary) -> DataFrame:
    check_exists(source)
    if Path(source.path).is_file():
        hint = "Name the folder to which files are added, or leave out `--follow`."
        raise Rejected([Diagnostic("E406", f"`{source.path}` is a file, and only a folder can be followed.", hint)])
    try:
        return _records_of_folder(session, source, vocabulary)
    except SparkError as error:
        raise unreadable(source, error) from error


def _records_of_folder(session: SparkSession, source: Source, vocabulary: Vocabulary) -> DataFrame:
    place, path = Path(source.path), source.path
    reader = session.readStream.options(**source.options)
    endings = {one.suffix.lower() for one in place.iterdir()} if place.is_dir() else {place.suffix.lower()}
    if endings & {*PARQUET}:
        records = located(reader.schema(session.read.parquet(path).schema).parquet(path))
        return table_intake(with_places(records), source, vocabulary)
    if endings & {*CSV}:
        records = located(csv_reader(reader).schema(csv_reader(session.read).csv(path).schema).csv(path))
        return cells_intake(with_places(records), source, vocabulary)
    return intake_of_lines(with_places(located(reader.text(path))), vocabulary)


def _follow_address(session: SparkSession, source: Source, vocabulary: Vocabulary, journal: Path) -> DataFrame:
    read_address(source.path)
    session.dataSource.register(LiveSource)
    options = {"path": source.path, "journal": str(journal.resolve()), **source.options}
    records = session.readStream.format(FORMAT).options(**options).load()
    return intake_of_lines(records, vocabulary)


def _follow_format(session: SparkSession, source: Source, vocabulary: Vocabulary) -> DataFrame:
    """Any source that Spark knows and that delivers JSON lines in a column `value`, such as Kafka."""
    reader = session.readStream.format(source.format or "").options(**source.options)
    records = reader.load().selectExpr("cast(value as string) as value")
    return intake_of_lines(with_places(records), vocabulary)
