"""What another program, or other arrivals, would have done to a large history.

Both sides run on Spark, and only differences come back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pyspark.sql import DataFrame, SparkSession

from larspark.diagnostics import Diagnostic, Rejected
from larspark.explain.differences.changed_data import NO_CHANGES, ArrivalChanges
from larspark.explain.differences.differences import EXPLAINED, AnswerDifference, only_in_one
from larspark.explain.evaluations.history import AnswerHistory, Stretch
from larspark.explain.phrasing import Phrasing
from larspark.language.facts import Fact, Signature
from larspark.questions.large import LargeCase
from larspark.read.values.values import from_object
from larspark.runtime.manifest import InputFile
from larspark.runtime.prepared import Prepared
from larspark.spark.bounded.start import RunOptions
from larspark.spark.bounded.to_frames import Results, run_to_frames
from larspark.spark.interface import plan_of
from larspark.spark.read.changed import changed_inputs
from larspark.spark.read.inputs import inputs_of_sources
from larspark.spark.read.rules import InputSource
from larspark.spark.write.names import table_names


@dataclass(frozen=True)
class RunComparison:
    """The differences in the order of time, and how they are said."""

    differences: list[AnswerDifference]
    words: Phrasing


def compare_on_spark(
    session: SparkSession,
    old: Prepared,
    new: Prepared,
    source: str | Sequence[InputFile],
    options: RunOptions,
    changes: ArrivalChanges = NO_CHANGES,
    explained: int | None = None,
) -> RunComparison:
    """Two programs over a history, the second one perhaps over a changed history; so many differences are explained."""
    options = replace(options, points=True)
    before, was = _ran(session, old, source, options, NO_CHANGES if changes else None)
    after, becomes = _ran(session, new, source, options, changes or None)
    try:
        if before.arrivals - after.arrivals + len(changes.added) < len(changes.dropped):
            message = "Not all arrivals that are to be dropped are there."
            raise Rejected([Diagnostic("E565", message, "Say them as they arrived, '@35 technician(ann)'.")])
        start, end = after.start, after.end
        lost, gained = (
            AnswerHistory(start, end, tuple(_stretches(one, other))) for one, other in ((was, becomes), (becomes, was))
        )
        found = only_in_one(lost, gained, {*was, *becomes})
        form = max(new.calendar.form, after.read.form)
    finally:
        before.close()
        after.close()
    asked = {"-": LargeCase.of(old, source), "+": LargeCase.of(new, source, changes=changes)}
    most = EXPLAINED if explained is None else explained
    told = [_explained(one, asked[one.sign]) if place < most else one for place, one in enumerate(found)]
    return RunComparison(told, Phrasing.of(new.analysis, new.calendar, form, new.background))


def _ran(
    session: SparkSession,
    prepared: Prepared,
    source: str | Sequence[InputFile],
    options: RunOptions,
    changes: ArrivalChanges | None,
) -> tuple[Results, Mapping[Signature, DataFrame]]:
    """Both sides of a changed history are read in the same way, so that their columns have the same types."""
    plan = plan_of(prepared)
    inputs = inputs_of_sources(session, sources_of(source), plan.vocabulary)
    if changes is not None:
        inputs = changed_inputs(inputs, changes)
    found = run_to_frames(session, plan, inputs, options)
    return found, {signature: found.tables[name] for name, signature in table_names(plan).items()}


def sources_of(source: str | Sequence[InputFile]) -> list[InputSource | str]:
    """A file or folder, or what a run has read."""
    if isinstance(source, str):
        return [source]
    return [InputSource(one.path, one.predicate, one.columns, one.time) for one in source]


def _stretches(own: Mapping[Signature, DataFrame], other: Mapping[Signature, DataFrame]) -> Iterator[Stretch]:
    """The rows that the other side does not have; rows that both have touch none of them."""
    for signature, table in own.items():
        beside = other.get(signature)
        alike = beside is not None and [one.dataType for one in beside.schema] == [one.dataType for one in table.schema]
        rows = table.exceptAll(beside.toDF(*table.columns)) if beside is not None and alike else table
        for row in rows.toArrow().to_pylist():
            *args, first, last, at = row.values()
            yield Stretch(Fact(signature.predicate, tuple(map(from_object, args))), at, first, last)


def _explained(one: AnswerDifference, case: LargeCase | None) -> AnswerDifference:
    """The rule that gives it, if not all of the history has to be read for that."""
    if case is None:
        return one
    fact, at, first, _ = one.stretch
    try:
        (proof,) = case.why(str(fact) if at is None else f"@{at} {fact}", first, depth=1)
    except Rejected:
        return one
    return replace(one, why=proof)


def options_of(timeline: Sequence[int] | None, on_error: str) -> RunOptions:
    return RunOptions((timeline[0], timeline[1]) if timeline else None, on_error=on_error)
