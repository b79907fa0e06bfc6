"""DataFrames as intakes: which reading fits their columns, and the place of a row in the order of arrival."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from larspark.spark.intake import PLACE, intake_of_atoms, intake_of_predicate, unplaced
from larspark.spark.parsing import intake_of_table
from larspark.spark.vocabulary import Vocabulary


def intake_of_frame(frame: DataFrame, predicate: str, vocabulary: Vocabulary, time: str = "time") -> DataFrame:
    """A DataFrame with columns `predicate` or `atom`, or else the atoms of one predicate."""
    if vocabulary.columns_of(predicate):
        return intake_of_predicate(frame, predicate, vocabulary, time)
    if "atom" in frame.columns:
        return intake_of_table(with_places(frame), predicate, vocabulary, typed=True)
    if "predicate" in frame.columns:
        return intake_of_atoms(frame, vocabulary, time)
    return intake_of_predicate(frame, predicate, vocabulary, time)


def with_places(frame: DataFrame) -> DataFrame:
    """The rows with their place in the order of arrival, as far as they do not have it."""
    missing = {
        "source": sf.lit(None).cast("string"),
        "block": sf.lit(None).cast("bigint"),
        "place": unplaced(frame),
    }
    return frame.withColumns({name: missing[name] for name in PLACE if name not in frame.columns})


def located(frame: DataFrame) -> DataFrame:
    """The rows of files with their file; their order within it is counted where they are read."""
    return frame.select(
        "*",
        sf.col("_metadata.file_path").alias("source"),
        sf.col("_metadata.file_block_start").alias("block"),
    )
