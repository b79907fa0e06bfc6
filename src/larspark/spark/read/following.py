"""What a stream follows: folders to which files are added, live sources, and streaming formats of Spark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pyarrow as pa
import pyspark
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sf

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import TimeForm
from larspark.read import Rules, read_chunks
from larspark.read.formats.endings import CSV, JSON_LINES, PARQUET
from larspark.read.formats.parquet import opened
from larspark.read.live.addresses import is_live, read_address
from larspark.spark.plan.plan import ProgramVocabulary
from larspark.spark.read.growing import GrowingTable
from larspark.spark.read.inputs import FrameInput, check_exists, csv_cells, frame_input, unreadable
from larspark.spark.read.live_source import FORMAT, LiveSource
from larspark.spark.read.rules import InputSource, rules_for
from larspark.spark.read.tables import (
    DATABASE,
    is_table,
    read_table_address,
    table_frame,
    table_unreadable,
    with_predicate,
)
from larspark.spark.read.texts import LineRows
from larspark.spark.session.failures import SparkError, cause_of
from larspark.spark.session.session import is_remote
from larspark.spark.stream.reading import BLOCK, FILE

AS_NUMBERS = "spark.sql.legacy.parquet.nanosAsLong"
NOTHING: Mapping[str, Column] = MappingProxyType({})


def follow_sources(
    session: SparkSession, sources: Sequence[InputSource], vocabulary: ProgramVocabulary, journals: Path
) -> list[FrameInput]:
    """Streaming inputs. Columns that do not fit are rejected before anything starts."""
    if is_remote(session):
        message = "A stream writes its tables where its session runs, and this session runs elsewhere (Spark Connect)."
        raise Rejected([Diagnostic("E604", message, "Use a master such as `local[4]` or `spark://host:7077`.")])
    return [follow_source(session, one, vocabulary, journals / str(number)) for number, one in enumerate(sources)]


def follow_source(
    session: SparkSession, source: InputSource, vocabulary: ProgramVocabulary, journal: Path
) -> FrameInput:
    """A folder, an address, or a format of Spark; `journal` is where a live source may keep what it has received."""
    if source.format:
        return _follow_format(session, source, vocabulary)
    if is_table(source.path):
        return _follow_table(session, with_predicate(source), vocabulary, journal)
    if is_live(source.path):
        return _follow_address(session, source, vocabulary, journal)
    check_exists(source)
    if Path(source.path).is_file():
        hint = "Name the folder to which files are added, or leave out `--follow`."
        raise Rejected([Diagnostic("E406", f"`{source.path}` is a file, and only a folder can be followed.", hint)])
    try:
        return _follow_folder(session, source, vocabulary)
    except SparkError as error:
        raise unreadable(source, error) from error


def _follow_folder(session: SparkSession, source: InputSource, vocabulary: ProgramVocabulary) -> FrameInput:
    place, path = Path(source.path), source.path
    reader = session.readStream.options(**source.options)
    endings = {one.suffix.lower() for one in place.iterdir()} if place.is_dir() else {place.suffix.lower()}
    if endings & {*PARQUET}:
        times = nanosecond_times(session, place)
        frame = reader.schema(session.read.parquet(path).schema).parquet(path)
        shaped = frame.select(*(times.get(name, sf.col(f"`{name}`")) for name in frame.columns))
        return _located(frame, frame_input(shaped, source, vocabulary), times)
    form = _form_of(place, rules_for(source, vocabulary), source.predicate)
    if endings & {*CSV}:
        frame = csv_cells(reader).schema(csv_cells(session.read).csv(path).schema).csv(path)
        return replace(_located(frame, frame_input(frame, source, vocabulary, typed=False)), form=form)
    frame = reader.text(path)
    return replace(_located(frame, _lines(frame, source, vocabulary)), form=form)


def _follow_table(
    session: SparkSession, source: InputSource, vocabulary: ProgramVocabulary, copies: Path
) -> FrameInput:
    """A table of the catalog, if it can be followed; of a table of a database, the copies of its rows."""
    address = read_table_address(source.path)
    try:
        if address.url is None:
            return frame_input(session.readStream.options(**source.options).table(address.table), source, vocabulary)
    except SparkError as error:
        raise table_unreadable(address, error) from error
    frame = session.readStream.schema(table_frame(session, source).schema).parquet(str(copies))
    return _located(frame, frame_input(frame, source, vocabulary))


def growing_tables(session: SparkSession, sources: Sequence[InputSource], journals: Path) -> list[GrowingTable]:
    """The tables of databases that are followed, with the folders of their copies."""
    return [
        GrowingTable(session, source, journals / str(number))
        for number, source in enumerate(sources)
        if source.path.startswith(DATABASE)
    ]


def _form_of(folder: Path, rules: Rules, predicate: str | None) -> TimeForm:
    """How the times of the first file are written; tables of a stream have the same columns from the first row on."""
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    first = next((one for one in files if one.suffix.lower() in (*CSV, *JSON_LINES)), None)
    try:
        chunk = next(read_chunks(first, rules, predicate), None) if first else None
    except Rejected:
        chunk = None  # it is refused where it is read
    return chunk.form if chunk else TimeForm.POINTS


def _located(frame: DataFrame, found: FrameInput, made: Mapping[str, Column] = NOTHING) -> FrameInput:
    """The rows of files with their file; their order within it is counted where they are read.

    `made` are the columns that are made of others.
    """
    places = [sf.col("_metadata.file_path").alias(FILE), sf.col("_metadata.file_block_start").alias(BLOCK)]
    columns = (made.get(name, sf.col(f"`{name}`")) for name in found.frame.columns)
    return replace(found, frame=frame.select(*columns, *places))


def _follow_address(
    session: SparkSession, source: InputSource, vocabulary: ProgramVocabulary, journal: Path
) -> FrameInput:
    read_address(source.path)
    session.dataSource.register(LiveSource)
    options = {"path": source.path, "journal": str(journal.resolve()), **source.options}
    return _lines(session.readStream.format(FORMAT).options(**options).load(), source, vocabulary)


def _follow_format(session: SparkSession, source: InputSource, vocabulary: ProgramVocabulary) -> FrameInput:
    """Any source that Spark knows and that delivers JSON lines in a column `value`, such as Kafka."""
    reader = session.readStream.format(source.format or "").options(**source.options)
    try:
        return _lines(reader.load().selectExpr("cast(value as string) as value"), source, vocabulary)
    except SparkError as error:
        raise _no_format(source, error) from error


def _no_format(source: InputSource, error: Exception) -> Rejected:
    text = str(error)
    if "Failed to find" not in text and "DATA_SOURCE_NOT_FOUND" not in text:
        hint = "Check the options of the input; the rows need a column `value`."
        return Rejected([Diagnostic("E607", f"`{source.name}` cannot be followed: {cause_of(error)}.", hint)])
    hint = "Check its name, and give the archive that brings it with `--jars`."
    if source.format == "kafka":
        package = f"org.apache.spark:spark-sql-kafka-0-10_2.13:{pyspark.__version__}"
        hint = (
            f'Its connector is a package of Spark: `export PYSPARK_SUBMIT_ARGS="--packages {package} pyspark-shell"` '
            "before the run, or give its archives with `--jars`."
        )
    return Rejected([Diagnostic("E607", f"Spark has no format `{source.format}` here.", hint)])


def _lines(frame: DataFrame, source: InputSource, vocabulary: ProgramVocabulary) -> FrameInput:
    return FrameInput(frame.select("value"), LineRows(source.name, rules_for(source, vocabulary)), source.name)


def nanosecond_times(session: SparkSession, folder: Path) -> dict[str, Column]:
    """The columns of Parquet files in a folder that have timestamps in nanoseconds, as pandas writes them.

    The session is set to read them as numbers, of which times are made again.
    """
    files = sorted(one for one in folder.rglob("*") if one.suffix.lower() in PARQUET and one.name[0] not in "._")
    fields: list[pa.Field] = []
    if files:
        with opened(files[0]) as file:
            fields = list(file.schema_arrow)
    found = {field.name: _time(field) for field in fields if field.type in (pa.timestamp("ns"), _zoned(field))}
    if found:
        session.conf.set(AS_NUMBERS, "true")
    return found


def _zoned(field: pa.Field) -> pa.DataType | None:
    return pa.timestamp("ns", field.type.tz) if pa.types.is_timestamp(field.type) and field.type.tz else None


def _time(field: pa.Field) -> Column:
    micros = f"(`{field.name}` div 1000)"
    if field.type.tz:
        return sf.expr(f"timestamp_micros({micros})").alias(field.name)
    seconds = f"CAST({micros} AS DECIMAL(20, 0)) / 1000000"
    return sf.expr(f"TIMESTAMP_NTZ'1970-01-01 00:00:00' + make_dt_interval(0, 0, 0, {seconds})").alias(field.name)
