"""Streaming DataFrames of conclusions, which the user writes where they like.

A DataFrame that is started is a query of its own, with a checkpoint of its own, and evaluates the stages it needs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pyspark.sql import DataFrame

from larspark.analysis.sorts import ANYTHING, Sorts
from larspark.language.facts import Signature
from larspark.spark.plan import Plan
from larspark.spark.rows import OTHER
from larspark.spark.streaming.chain import Chain, bucket_labels, latest_time, session_settings
from larspark.spark.streaming.checkpoint import fingerprint
from larspark.spark.streaming.delivery import FINAL, Style
from larspark.spark.streaming.letters import LETTERS, Letters, opened_letters
from larspark.spark.streaming.opening import Opening
from larspark.spark.streaming.packing import Packing
from larspark.spark.streaming.parcels import PARCEL
from larspark.spark.streaming.processor import Processor
from larspark.spark.streaming.routing import Route
from larspark.spark.streaming.tabling import TABLED, Tabling
from larspark.spark.streaming.timeline import Patience
from larspark.spark.write.dead_letters import DEAD_LETTERS
from larspark.spark.write.names import argument_names, table_names


@dataclass(frozen=True)
class Frames:
    """A program over a streaming intake, as DataFrames."""

    plan: Plan
    intake: DataFrame
    patience: Patience
    inputs: int
    buckets: int
    sorts: Sorts
    """Of the arguments of all predicates that can have atoms."""
    style: Style = FINAL

    def tables(self) -> dict[str, DataFrame]:
        """One for each shown predicate; the session is set to what their queries need."""
        for name, value in session_settings(self.buckets).items():
            self.intake.sparkSession.conf.set(name, value)
        found = {name: self._table(name, signature) for name, signature in table_names(self.plan).items()}
        return {**found, DEAD_LETTERS: self._dead_letters()}

    def _table(self, name: str, signature: Signature) -> DataFrame:
        plan = _for_one(self.plan, signature)
        chain = Chain(plan, self.buckets, self.patience, self.inputs, self.style.early, self.buckets)
        stream = fingerprint(plan, self.patience, self.buckets, self.style)
        tabling = Tabling(plan.vocabulary.width, self.patience, self.style, stream)
        parcels = chain.parcels(self.intake).groupBy("bucket")
        packed = parcels.transformWithState(Processor(tabling), TABLED, "Append", "None")
        sorts = self.sorts.get(signature, (ANYTHING,) * signature.arity)
        opening = Opening(name, dict(zip(argument_names(plan, signature), sorts, strict=True)), self.style.changes)
        return packed.mapInArrow(opening, opening.schema)

    def _dead_letters(self) -> DataFrame:
        """Bad and late records, with the reason; nothing is evaluated for it."""
        letters = Letters.of(self.plan, self.patience, fingerprint(self.plan, self.patience, self.inputs))
        route = Route(1, dict.fromkeys([OTHER, *self.plan.vocabulary.numbers.values()]), {})
        labels = bucket_labels(self.intake.sparkSession, self.buckets)
        packing = Packing((route,), labels, self.plan.vocabulary.width, self.inputs, latest_time(self.plan))
        parcels = self.intake.mapInArrow(packing, PARCEL).groupBy("bucket")
        packed = parcels.transformWithState(Processor(letters), TABLED, "Append", "None")
        return packed.mapInArrow(opened_letters, LETTERS)


def _for_one(plan: Plan, signature: Signature) -> Plan:
    """The part of a plan that concludes about one predicate; where there may be no answer stream, all of it."""
    wanted, needed = {signature}, []
    for planned in reversed(plan.stages):
        if plan.may_be_void or wanted & planned.program.concludes:
            needed.append(planned)
            wanted |= planned.program.delivered
    analysis = replace(plan.analysis, shown=frozenset({signature}))
    return replace(plan, analysis=analysis, stages=tuple(reversed(needed)))
