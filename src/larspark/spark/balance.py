"""How the stages of a bounded run are divided, each as soon as what it reads is there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from larspark.language.facts import Signature
from larspark.spark import profile
from larspark.spark.destination import target_bucket
from larspark.spark.plan import Plan, Span
from larspark.spark.profile import Profile, Sample
from larspark.spark.skew import FEWEST, Division, divide


class Balance:
    """The divisions that have been made."""

    def __init__(self, plan: Plan, seen: Profile, span: Span, buckets: int) -> None:
        self._plan = plan
        self._seen = seen
        self._span = span
        self._buckets = buckets
        self._divisions: dict[int, Division] = {}

    def division(self, number: int, delivered: Sequence[DataFrame]) -> Division:
        """Of a stage that reads these conclusions of earlier ones."""
        sample = self._seen.of_stage(number)
        if self._worth_a_look:
            sample = np.concatenate((sample, *(self._sampled(number, rows) for rows in delivered)))
        found = self._divisions[number] = divide(self._plan, number, sample, self._span, self._buckets)
        return found

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(one.note for one in self._divisions.values() if one.note)

    @property
    def cut(self) -> frozenset[Signature]:
        """The predicates whose conclusions were drawn for spans of time apart."""
        divided = (self._plan.stages[number].stage for number, one in self._divisions.items() if one.divided)
        return frozenset().union(*(stage.predicates for stage in divided))

    @property
    def _worth_a_look(self) -> bool:
        """A look evaluates the earlier stages right away; small data has no heavy partitions."""
        return self._buckets > 1 and self._seen.arrivals * profile.SAMPLED >= FEWEST

    def _sampled(self, number: int, rows: DataFrame) -> Sample:
        """A sample of conclusions: when they begin, and the partition they go to."""
        place = target_bucket(self._plan, self._plan.stages[number], self._buckets)
        chosen = rows.select("time", place.cast("bigint").alias("place")).where(sf.col("place").isNotNull())
        found = chosen.sample(fraction=profile.SAMPLED, seed=1).collect()
        return np.array([tuple(row) for row in found], np.int64).reshape(-1, 2)
