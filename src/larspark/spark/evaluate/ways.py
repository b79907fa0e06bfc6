"""Which way arrivals and conclusions go through the stages of a plan, in bounded runs and in streams."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from larspark.language.facts import Signature
from larspark.spark.evaluate.messages import OTHERS
from larspark.spark.evaluate.routing import KeyPlaces, Route
from larspark.spark.plan.plan import SparkPlan


@dataclass(frozen=True)
class Ways:
    plan: SparkPlan
    buckets: int

    @property
    def last(self) -> int:
        """The number of what comes after all stages: conclusions about one atom are in one place there."""
        return len(self.plan.stages)

    def arriving(self, stage: int) -> Route:
        """The way of arrivals to a stage."""
        program = self.plan.stages[stage].program
        return self.route(stage, program.inputs | ({OTHERS} if program.counts_everything else frozenset()))

    def delivered(self, stage: int) -> Route:
        """The way of conclusions of earlier stages to a stage."""
        return self.route(stage, self.plan.stages[stage].program.delivered)

    def route(self, stage: int, signatures: frozenset[Signature]) -> Route:
        return Route(stage, self._keys(stage, signatures), self.plan.vocabulary.numbers, self.buckets_of(stage))

    def buckets_of(self, stage: int) -> int:
        return self.buckets if stage == self.last or self.plan.stages[stage].stage.keyed else 1

    def _keys(self, stage: int, signatures: frozenset[Signature]) -> dict[Signature, KeyPlaces]:
        if stage == self.last:
            return {one: range(one.arity) for one in signatures}
        reads: Mapping[Signature, int | None] = self.plan.stages[stage].reads
        places = {one: reads.get(one) for one in signatures}
        return {one: () if place is None else (place,) for one, place in places.items()}
