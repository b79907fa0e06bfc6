"""Files and folders as intakes: JSON lines, CSV, Parquet."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import TypeVar

from pyspark.sql import DataFrame, DataFrameReader, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.streaming.readwriter import DataStreamReader

from larspark.diagnostics import Diagnostic, Rejected
from larspark.read.sources import CSV, ENDINGS, PARQUET
from larspark.spark.addresses import is_live
from larspark.spark.failures import SparkError, cause_of
from larspark.spark.intake import PLACE
from larspark.spark.parsing import intake_of_lines, intake_of_table
from larspark.spark.pipeline_file import Source
from larspark.spark.sources.frames import intake_of_frame, located, with_places
from larspark.spark.vocabulary import Vocabulary


def read_source(session: SparkSession, source: Source | str, vocabulary: Vocabulary) -> DataFrame:
    """The intake of a file, or of a folder of files; a table is named after its predicate unless its columns say it."""
    if isinstance(source, str):
        source = Source(source)
    if source.format or is_live(source.path):
        message = f"`{source.name}` has no end, and a bounded run waits for it."
        raise Rejected([Diagnostic("E607", message, "Add `--follow`.")])
    check_exists(source)
    place = Path(source.path)
    if "://" not in source.path and place.is_dir() and place.suffix.lower() not in ENDINGS:
        inside = sorted(one for one in place.iterdir() if one.suffix.lower() in ENDINGS)
        if not inside:
            hint = f"Files that can be read end in {', '.join(ENDINGS)}."
            raise Rejected([Diagnostic("E406", f"The folder `{source.path}` holds no data.", hint)])
        parts = (_read_file(session, replace(source, path=str(one)), vocabulary) for one in inside)
        return reduce(DataFrame.unionByName, parts)
    return _read_file(session, source, vocabulary)


def check_exists(source: Source) -> None:
    if "://" not in source.path and not Path(source.path).exists():
        message = f"There is no file or folder `{source.path}`."
        raise Rejected([Diagnostic("E406", message, "Check the name of the input.")])


def _read_file(session: SparkSession, source: Source, vocabulary: Vocabulary) -> DataFrame:
    ending = Path(source.path).suffix.lower()
    try:
        if ending in PARQUET:
            return table_intake(_placed(session.read.parquet(source.path)), source, vocabulary)
        if ending in CSV:
            return cells_intake(_placed(csv_reader(session.read).csv(source.path)), source, vocabulary)
        return intake_of_lines(_placed(session.read.text(source.path)), vocabulary)
    except SparkError as error:
        raise unreadable(source, error) from error


def unreadable(source: Source, error: Exception) -> Rejected:
    message = f"`{source.path}` cannot be read: {cause_of(error)}."
    return Rejected([Diagnostic("E406", message, "Check the name and the format.")])


Reader = TypeVar("Reader", DataFrameReader, DataStreamReader)


def csv_reader(reader: Reader) -> Reader:
    return reader.option("header", True).option("escape", '"')


def table_intake(frame: DataFrame, source: Source, vocabulary: Vocabulary) -> DataFrame:
    return intake_of_frame(_renamed(frame, source), source.predicate or Path(source.path).stem, vocabulary)


def cells_intake(frame: DataFrame, source: Source, vocabulary: Vocabulary) -> DataFrame:
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


def _placed(frame: DataFrame) -> DataFrame:
    return with_places(located(frame))
