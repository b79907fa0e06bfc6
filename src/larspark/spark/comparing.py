"""What a changed program would have done on a large history: both run on Spark, and only differences come back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pyspark.sql import DataFrame, SparkSession

from larspark.diagnostics import Rejected
from larspark.explain.differences import Difference, only_in_one
from larspark.explain.history import History, Stretch
from larspark.language.facts import Fact, Signature
from larspark.read.values.values import from_object
from larspark.runtime.large import LargeCase
from larspark.runtime.prepared import Prepared
from larspark.spark.bounded.start import RunOptions
from larspark.spark.bounded.to_frames import Results, run_to_frames
from larspark.spark.interface import plan_of
from larspark.spark.read.inputs import inputs_of_sources
from larspark.spark.write.names import table_names

EXPLAINED = 20
"""Differences that are explained, where that takes little of the history."""


def compare_on_spark(
    session: SparkSession, old: Prepared, new: Prepared, source: str, options: RunOptions
) -> list[Difference]:
    """In the order of time."""
    sides = [_ran(session, prepared, source, options) for prepared in (old, new)]
    (before, was), (after, becomes) = sides
    try:
        start, end = after.start, after.end
        lost, gained = (
            History(start, end, tuple(_stretches(one, other))) for one, other in ((was, becomes), (becomes, was))
        )
        found = only_in_one(lost, gained, {*was, *becomes})
    finally:
        before.close()
        after.close()
    asked = {sign: LargeCase.of(prepared, source) for sign, prepared in (("-", old), ("+", new))}
    return [_explained(one, asked[one.sign]) if place < EXPLAINED else one for place, one in enumerate(found)]


def _ran(
    session: SparkSession, prepared: Prepared, source: str, options: RunOptions
) -> tuple[Results, Mapping[Signature, DataFrame]]:
    plan = plan_of(prepared)
    found = run_to_frames(session, plan, inputs_of_sources(session, [source], plan.vocabulary), options)
    return found, {signature: found.tables[name] for name, signature in table_names(plan).items()}


def _stretches(own: Mapping[Signature, DataFrame], other: Mapping[Signature, DataFrame]) -> Iterator[Stretch]:
    """The rows that the other side does not have; rows that both have touch none of them."""
    for signature, table in own.items():
        beside = other.get(signature)
        alike = beside is not None and [one.dataType for one in beside.schema] == [one.dataType for one in table.schema]
        rows = table.exceptAll(beside.toDF(*table.columns)) if beside is not None and alike else table
        for row in rows.toArrow().to_pylist():
            *args, first, last, at = row.values()
            yield Stretch(Fact(signature.predicate, tuple(map(from_object, args))), at, first, last)


def _explained(one: Difference, case: LargeCase | None) -> Difference:
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
