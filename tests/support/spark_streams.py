"""Streams on a real Spark: arrivals in a file per micro-batch, read one after the other."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

from pyspark.sql import SparkSession

from larspark.language.facts import Fact
from larspark.spark.plan.plan import SparkPlan
from larspark.spark.read.following import follow_source
from larspark.spark.read.inputs import FrameInput
from larspark.spark.read.rules import InputSource
from larspark.spark.stream.stream import TableStream
from support.interval_rows import Row
from support.streams import Arrival, rows_in

PATIENCE = 240
STRANGE = Fact("strange", ())
"""An atom that no program knows; it says that time goes on."""


def put(folder: Path, batches: Iterable[Sequence[Arrival]]) -> None:
    """A file per micro-batch, after those that are there."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, part in enumerate(batches, len(list(folder.iterdir()))):
        path = folder / f"{number:03d}.jsonl"
        path.write_text("".join(json.dumps({"time": time, "atom": str(fact)}) + "\n" for time, fact in part))
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))  # files are read in the order of their age


def followed(spark: SparkSession, plan: SparkPlan, folder: Path) -> list[FrameInput]:
    source = InputSource(str(folder), options={"maxFilesPerTrigger": "1"})
    return [follow_source(spark, source, plan.vocabulary, folder.with_name("journal"))]


def run(spark: SparkSession, stream: TableStream, inputs: list[FrameInput]) -> None:
    assert stream.start(spark, inputs, once=True).awaitTermination(PATIENCE)


def cut(arrivals: Sequence[Arrival], random: Random, batches: int) -> list[Sequence[Arrival]]:
    """Micro-batches of any size."""
    cuts = sorted(random.sample(range(1, len(arrivals)), min(batches, len(arrivals)) - 1))
    return [arrivals[first:last] for first, last in zip([0, *cuts], [*cuts, len(arrivals)], strict=True)]


def delayed(arrivals: Sequence[Arrival], random: Random, lateness: int) -> list[Arrival]:
    """The atoms of each time point late by no more than that; among themselves they stay in order."""
    delays = {time: random.randint(0, lateness) for time, _ in arrivals}
    return sorted(arrivals, key=lambda one: one[0] + delays[one[0]])


def streamed(spark: SparkSession, folder: Path, stream: TableStream, batches: Iterable[Sequence[Arrival]]) -> set[Row]:
    """The rows when all micro-batches have come and the data has ended."""
    put(folder / "in", batches)
    run(spark, stream, followed(spark, stream.plan, folder / "in"))
    stream.finish(spark)
    return rows_in(stream.plan, stream.output)
