"""Streaming DataFrames of conclusions, which the user writes where they like.

A DataFrame that is started is a query of its own, with a checkpoint of its own, and evaluates the stages it needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pyspark.sql import DataFrame, SparkSession

from larspark.analysis.typing.sorts import ANYTHING, Sorts
from larspark.language.calendar import TimeForm
from larspark.language.facts import Signature
from larspark.spark.evaluate.messages import OTHERS, SCHEMA
from larspark.spark.evaluate.routing import Route
from larspark.spark.plan.plan import SparkPlan
from larspark.spark.read.inputs import FrameInput
from larspark.spark.stream.chain import StageChain, bucket_labels, session_settings
from larspark.spark.stream.checkpoint import fingerprint
from larspark.spark.stream.operators import Processor
from larspark.spark.stream.reading import Addresses
from larspark.spark.stream.results.final_rows import DeadLetterOperator, ResultsOperator
from larspark.spark.stream.results.tables import FINAL, Style
from larspark.spark.stream.watermark import Waiting
from larspark.spark.write.dead_letters import COLUMNS, DEAD_LETTERS, open_letters
from larspark.spark.write.frames import TableRows
from larspark.spark.write.names import argument_names, table_names
from larspark.write.times import TimeWriter


@dataclass(frozen=True)
class Frames:
    """A program over streaming inputs, as DataFrames."""

    session: SparkSession
    plan: SparkPlan
    inputs: Sequence[FrameInput]
    waiting: Waiting
    buckets: int
    sorts: Sorts
    """Of the arguments of all predicates that can have atoms."""
    style: Style = FINAL
    strict: bool = False
    """Whether a bad record ends the stream."""
    points: bool = False
    """Times leave as time points, however they came."""

    def tables(self) -> dict[str, DataFrame]:
        """One for each shown predicate; the session is set to what their queries need."""
        for name, value in session_settings(self.buckets).items():
            self.session.conf.set(name, value)
        found = {name: self._table(name, signature) for name, signature in table_names(self.plan).items()}
        return {**found, DEAD_LETTERS: self._dead_letters()}

    def _table(self, name: str, signature: Signature) -> DataFrame:
        plan = _for_one(self.plan, signature)
        chain = StageChain(plan, self.buckets, self.waiting, self.style.early, self.buckets, self.strict)
        stream = fingerprint(plan, self.waiting, self.buckets, self.style)
        operator = ResultsOperator(plan.vocabulary.numbers, self.waiting, self.style, stream)
        messages = chain.evaluated(chain.read(self.inputs, chain.addresses(self.session))).groupBy("part")
        packed = messages.transformWithState(Processor(operator), SCHEMA, "Append", "None")
        sorts = self.sorts.get(signature, (ANYTHING,) * signature.arity)
        columns = dict(zip(argument_names(plan, signature), sorts, strict=True))
        form = max([plan.calendar.form, *(one.form for one in self.inputs)])
        times = TimeWriter(plan.calendar, TimeForm.POINTS if self.points else form)
        rows = TableRows(name, signature, columns, self.style.changes, signed=self.style.changes, times=times)
        return packed.mapInArrow(rows, rows.schema)

    def _dead_letters(self) -> DataFrame:
        """Bad and late records, with the reason; nothing is evaluated for it."""
        numbers = self.plan.vocabulary.numbers
        operator = DeadLetterOperator(numbers, self.waiting, fingerprint(self.plan, self.waiting, len(self.inputs)))
        everything = Route(0, dict.fromkeys([OTHERS, *self.plan.vocabulary.signatures], ()), numbers, 1)
        addresses = Addresses((everything,), bucket_labels(self.session, self.buckets), 0, 0)
        chain = StageChain(self.plan, self.buckets, self.waiting, strict=self.strict)
        messages = chain.read(self.inputs, addresses).groupBy("part")
        packed = messages.transformWithState(Processor(operator), "content binary", "Append", "None")
        return packed.mapInArrow(open_letters, COLUMNS)


def _for_one(plan: SparkPlan, signature: Signature) -> SparkPlan:
    """The part of a plan that concludes about one predicate; where there may be no answer stream, all of it."""
    wanted, needed = {signature}, []
    for planned in reversed(plan.stages):
        if plan.may_be_void or wanted & planned.program.concludes:
            needed.append(planned)
            wanted |= planned.program.delivered
    analysis = replace(plan.analysis, shown=frozenset({signature}))
    return replace(plan, analysis=analysis, stages=tuple(reversed(needed)))
