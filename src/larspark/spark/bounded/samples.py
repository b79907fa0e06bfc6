"""What tasks tell the driver, and samples of rows among it: when they come and to which bucket they go."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from larspark.spark.evaluate.messages import DRIVER, MessageKind

Sample: TypeAlias = npt.NDArray[np.int64]
"""A row for each of some rows: the time, and where it goes."""

NO_SAMPLE: Sample = np.empty((0, 2), np.int64)


def told(frames: Sequence[DataFrame], *kinds: MessageKind) -> list[tuple[MessageKind, int, bytes]]:
    """What tasks tell the driver: the kind, a number, and the content."""
    if not frames:
        return []
    wanted = (sf.col("stage") == DRIVER) & sf.col("kind").isin([int(kind) for kind in kinds])
    columns = ("kind", "predicate", "content")
    found = reduce(DataFrame.unionByName, (frame.where(wanted).select(*columns) for frame in frames))
    return [(MessageKind(row["kind"]), row["predicate"], bytes(row["content"])) for row in found.collect()]


def as_sample(contents: Sequence[bytes]) -> Sample:
    return np.concatenate([NO_SAMPLE, *(np.frombuffer(one, np.int64).reshape(-1, 2) for one in contents)])


def sampled(frames: Sequence[DataFrame], stage: int) -> Sample:
    """Some of the conclusions that a stage is sent; the stages before are evaluated for it."""
    return as_sample([content for _, number, content in told(frames, MessageKind.SAMPLE) if number == stage])
