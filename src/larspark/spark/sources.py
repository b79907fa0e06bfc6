"""Files and folders as intakes: JSON lines, CSV, Parquet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from larspark.diagnostics import Diagnostic, Rejected
from larspark.runtime.formats.files import CSV, ENDINGS, PARQUET
from larspark.spark.intake import PLACE, Vocabulary, intake_of_atoms, intake_of_predicate
from larspark.spark.parsing import intake_of_lines, intake_of_table


def read_source(session: SparkSession, path: str, vocabulary: Vocabulary) -> DataFrame:
    """The intake of a file, or of a folder of files; a table is named after its predicate unless its columns say it."""
    if "://" in path:
        return _read_file(session, path, vocabulary)
    place = Path(path)
    if not place.exists():
        message = f"There is no file or folder `{path}`."
        raise Rejected([Diagnostic("E406", message, "Check the name of the input.")])
    if place.is_dir() and place.suffix.lower() not in ENDINGS:
        inside = sorted(one for one in place.iterdir() if one.suffix.lower() in ENDINGS)
        if not inside:
            hint = f"Files that can be read end in {', '.join(ENDINGS)}."
            raise Rejected([Diagnostic("E406", f"The folder `{path}` holds no data.", hint)])
        return reduce(DataFrame.unionByName, (_read_file(session, str(one), vocabulary) for one in inside))
    return _read_file(session, str(place), vocabulary)


def _read_file(session: SparkSession, path: str, vocabulary: Vocabulary) -> DataFrame:
    name = Path(path)
    ending = name.suffix.lower()
    try:
        if ending in PARQUET:
            return intake_of_frame(_placed(session.read.parquet(path)), name.stem, vocabulary)
        if ending in CSV:
            frame = session.read.option("header", True).option("escape", '"').csv(path)
            return intake_of_table(_placed(frame), name.stem, vocabulary, typed=False)
        return intake_of_lines(_placed(session.read.text(path)), vocabulary)
    except AnalysisException as error:
        message = f"`{path}` cannot be read: {str(error).splitlines()[0]}"
        raise Rejected([Diagnostic("E406", message, "Check the name and the format.")]) from error


@dataclass(frozen=True)
class Following:
    """Records as they come, and how a micro-batch of them is read."""

    records: DataFrame
    intake: Callable[[DataFrame], DataFrame]


def follow_source(session: SparkSession, path: str, vocabulary: Vocabulary) -> Following:
    """A folder to which files are added, or JSON lines from `socket://host:port`."""
    if path.startswith("socket://"):
        host, _, port = path.removeprefix("socket://").rpartition(":")
        return follow_format(session, "socket", {"host": host, "port": port}, vocabulary)
    place = Path(path)
    if not place.exists():
        raise Rejected([Diagnostic("E406", f"There is no file or folder `{path}`.", "Check the name of the input.")])
    inside = sorted(one.suffix.lower() for one in place.iterdir()) if place.is_dir() else [place.suffix.lower()]
    predicate, reader = place.stem, session.readStream
    if any(ending in PARQUET for ending in inside):
        records = _located(reader.schema(session.read.parquet(path).schema).parquet(path))
        return Following(records, lambda batch: intake_of_frame(_with_places(batch), predicate, vocabulary))
    if any(ending in CSV for ending in inside):
        schema = session.read.option("header", True).csv(path).schema
        records = _located(reader.schema(schema).option("header", True).option("escape", '"').csv(path))
        return Following(
            records, lambda batch: intake_of_table(_with_places(batch), predicate, vocabulary, typed=False)
        )
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
