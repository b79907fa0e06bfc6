"""What one look through the intake tells before a bounded run: its span, its size, its cells, and a sample of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from larspark.spark.destination import target_bucket
from larspark.spark.plan import Plan
from larspark.spark.rows import cell_columns

Sample: TypeAlias = npt.NDArray[np.int64]
"""A row for each of some rows: the time, and where it goes."""

SAMPLED = 0.001
"""The part of the arrivals and conclusions whose partition is looked at."""


@dataclass(frozen=True)
class Profile:
    """An intake at a glance."""

    first: int | None
    last: int | None
    arrivals: int
    refused: int
    filled: frozenset[str]
    """The cells that any record has something in."""
    sample: Sample
    """Some arrivals: the time, and for each stage the partition (-1: the stage does not read it)."""

    def of_stage(self, number: int) -> Sample:
        """The sampled arrivals that a stage reads: the time and the partition."""
        places = self.sample[:, 1 + number]
        return np.column_stack((self.sample[:, 0], places))[places >= 0]


def profile_of(plan: Plan, intake: DataFrame, buckets: int) -> Profile:
    """One job over the whole intake."""
    cells = cell_columns(plan.vocabulary.width)
    good = sf.col("objection").isNull()
    places = [sf.coalesce(target_bucket(plan, planned, buckets), sf.lit(-1)) for planned in plan.stages]
    seen = sf.array(sf.col("time"), *(place.cast("bigint") for place in places))
    found = (
        intake.withColumn("lot", sf.rand(1))
        .agg(
            sf.min("time").alias("first"),
            sf.max("time").alias("last"),
            sf.count_if(good).alias("arrivals"),
            sf.count_if(~good).alias("refused"),
            sf.collect_list(sf.when(good & (sf.col("lot") < SAMPLED), seen)).alias("sample"),
            *(sf.max(sf.col(name).isNotNull()).alias(name) for name in cells),
        )
        .first()
    )
    assert found is not None
    sample = np.array(found["sample"], np.int64).reshape(-1, 1 + len(plan.stages))
    filled = frozenset(name for name in cells if found[name])
    return Profile(found["first"], found["last"], found["arrivals"], found["refused"], filled, sample)
