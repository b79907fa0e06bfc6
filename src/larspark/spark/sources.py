"""Files and folders as intakes: JSON lines, CSV, Parquet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import TypeVar

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, DataFrameReader, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.streaming.readwriter import DataStreamReader

from larspark.diagnostics import Diagnostic, Rejected
from larspark.runtime.formats.files import CSV, ENDINGS, PARQUET
from larspark.spark.intake import PLACE, Vocabulary, intake_of_atoms, intake_of_predicate
from larspark.spark.parsing import intake_of_lines, intake_of_table
from larspark.spark.pipeline_file import Source


def read_source(session: SparkSession, source: Source | str, vocabulary: Vocabulary) -> DataFrame:
    """The intake of a file, or of a folder of files; a table is named after its predicate unless its columns say it."""
    if isinstance(source, str):
        source = Source(source)
    _check_exists(source)
    place = Path(source.path)
    if "://" not in source.path and place.is_dir() and place.suffix.lower() not in ENDINGS:
        inside = sorted(one for one in place.iterdir() if one.suffix.lower() in ENDINGS)
        if not inside:
            hint = f"Files that can be read end in {', '.join(ENDINGS)}."
            raise Rejected([Diagnostic("E406", f"The folder `{source.path}` holds no data.", hint)])
        parts = (_read_file(session, replace(source, path=str(one)), vocabulary) for one in inside)
        return reduce(DataFrame.unionByName, parts)
    return _read_file(session, source, vocabulary)


def _check_exists(source: Source) -> None:
    if "://" not in source.path and not Path(source.path).exists():
        message = f"There is no file or folder `{source.path}`."
        raise Rejected([Diagnostic("E406", message, "Check the name of the input.")])


def _read_file(session: SparkSession, source: Source, vocabulary: Vocabulary) -> DataFrame:
    ending = Path(source.path).suffix.lower()
    try:
        if ending in PARQUET:
            return _table_intake(_placed(session.read.parquet(source.path)), source, vocabulary)
        if ending in CSV:
            return _cells_intake(_placed(_csv(session.read).csv(source.path)), source, vocabulary)
        return intake_of_lines(_placed(session.read.text(source.path)), vocabulary)
    except AnalysisException as error:
        message = f"`{source.path}` cannot be read: {str(error).splitlines()[0]}"
        raise Rejected([Diagnostic("E406", message, "Check the name and the format.")]) from error


Reader = TypeVar("Reader", DataFrameReader, DataStreamReader)


def _csv(reader: Reader) -> Reader:
    return reader.option("header", True).option("escape", '"')


def _table_intake(frame: DataFrame, source: Source, vocabulary: Vocabulary) -> DataFrame:
    return intake_of_frame(_renamed(frame, source), source.predicate or Path(source.path).stem, vocabulary)


def _cells_intake(frame: DataFrame, source: Source, vocabulary: Vocabulary) -> DataFrame:
    predicate = source.predicate or Path(source.path).stem
    return intake_of_table(_renamed(frame, source), predicate, vocabulary, typed=False)


def _renamed(frame: DataFrame, source: Source) -> DataFrame:
    """The columns that a pipeline file chooses, under the names that the program expects."""
    wanted = (source.time, *source.columns)
    missing = [name for name in wanted if (source.columns or name != "time") and name not in frame.columns]
    if missing:
        hint = f"The columns are {', '.join(name for name in frame.columns if name not in PLACE)}."
        raise Rejected([Diagnostic("E407", f"`{source.path}` has no column `{missing[0]}`.", hint)])
    if source.columns:
        places = [name for name in PLACE if name in frame.columns]
        return frame.select(sf.col(source.time).alias("time"), *source.columns, *places)
    return frame.withColumnRenamed(source.time, "time")


@dataclass(frozen=True)
class Following:
    """Records as they come, and how a micro-batch of them is read."""

    records: DataFrame
    intake: Callable[[DataFrame], DataFrame]


def follow_source(session: SparkSession, source: Source | str, vocabulary: Vocabulary) -> Following:
    """A folder to which files are added, JSON lines from `socket://host:port`, or a streaming format of Spark."""
    if isinstance(source, str):
        source = Source(source)
    if source.format:
        return follow_format(session, source.format, source.options, vocabulary)
    if source.path.startswith("socket://"):
        host, _, port = source.path.removeprefix("socket://").rpartition(":")
        return follow_format(session, "socket", {"host": host, "port": port}, vocabulary)
    _check_exists(source)
    place, path, given = Path(source.path), source.path, source
    reader = session.readStream.options(**source.options)
    endings = {one.suffix.lower() for one in place.iterdir()} if place.is_dir() else {place.suffix.lower()}
    if endings & {*PARQUET}:
        records = _located(reader.schema(session.read.parquet(path).schema).parquet(path))
        return Following(records, lambda batch: _table_intake(_with_places(batch), given, vocabulary))
    if endings & {*CSV}:
        records = _located(_csv(reader).schema(_csv(session.read).csv(path).schema).csv(path))
        return Following(records, lambda batch: _cells_intake(_with_places(batch), given, vocabulary))
    return Following(_located(reader.text(path)), lambda batch: intake_of_lines(_with_places(batch), vocabulary))


def follow_format(session: SparkSession, name: str, options: Mapping[str, str], vocabulary: Vocabulary) -> Following:
    """Any source that Spark knows and that delivers JSON lines in a column `value`, such as Kafka."""
    records = session.readStream.format(name).options(**options).load().selectExpr("cast(value as string) as value")
    return Following(records, lambda batch: intake_of_lines(_with_places(batch), vocabulary))


def _located(frame: DataFrame) -> DataFrame:
    """A stream's rows with their file; their order within it is counted in the micro-batch."""
    return frame.select(
        "*",
        sf.col("_metadata.file_path").alias("source"),
        sf.col("_metadata.file_block_start").alias("block"),
    )


def intake_of_frame(frame: DataFrame, predicate: str, vocabulary: Vocabulary, time: str = "time") -> DataFrame:
    """A DataFrame with columns `predicate` or `atom`, or else the atoms of one predicate."""
    if vocabulary.columns_of(predicate):
        return intake_of_predicate(frame, predicate, vocabulary, time)
    if "atom" in frame.columns:
        return intake_of_table(_with_places(frame), predicate, vocabulary, typed=True)
    if "predicate" in frame.columns:
        return intake_of_atoms(frame, vocabulary, time)
    return intake_of_predicate(frame, predicate, vocabulary, time)


def _placed(frame: DataFrame) -> DataFrame:
    """A file's rows with their place in the order of arrival."""
    return frame.select(
        "*",
        sf.col("_metadata.file_path").alias("source"),
        sf.col("_metadata.file_block_start").alias("block"),
        sf.monotonically_increasing_id().alias("place"),
    )


def _with_places(frame: DataFrame) -> DataFrame:
    missing = {
        "source": sf.lit(None).cast("string"),
        "block": sf.lit(None).cast("bigint"),
        "place": sf.monotonically_increasing_id(),
    }
    return frame.withColumns({name: missing[name] for name in PLACE if name not in frame.columns})
