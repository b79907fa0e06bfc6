"""`reason` over streaming DataFrames."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pyspark.sql import DataFrame
from pyspark.sql.types import StructType

from larspark.analysis.typing.sorts import ANYTHING, OF_TYPE, Sort, argument_sorts, sorts_of_facts
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import Signature
from larspark.runtime.durations import Span
from larspark.spark.plan.plan import SparkPlan
from larspark.spark.read.inputs import inputs_of_frames
from larspark.spark.read.sorts import input_sorts, sort_of_type
from larspark.spark.session.session import cores
from larspark.spark.stream.frames import Frames
from larspark.spark.stream.lateness import lateness_of
from larspark.spark.stream.style import Style
from larspark.spark.stream.watermark import Waiting
from larspark.spark.write.named_columns import with_columns
from larspark.spark.write.names import table_names


def reason_stream(  # noqa: PLR0913, PLR0917 - what `reason` has been asked for
    plan: SparkPlan,
    frames: Mapping[str, DataFrame],
    lateness: Span | None,
    awaited: Collection[str] | None,
    partitions: int | None,
    on_error: str,
    style: Style,
    columns: Mapping[str, StructType],
    points: bool = False,
) -> dict[str, DataFrame]:
    """The conclusions as streaming DataFrames; see `reason`."""
    if style.early and not style.changes:
        message = "Rows of a stream are never taken back, so early intervals cannot be told."
        raise Rejected([Diagnostic("E604", message, "Add `changes=True`: a change is taken back by the opposite one.")])
    session = next(iter(frames.values())).sparkSession
    found = Frames(
        session,
        plan,
        inputs_of_frames(frames, plan.vocabulary).frames,
        Waiting(lateness_of(lateness, frames, plan.calendar), _numbers(frames, awaited)),
        partitions or cores(session),
        {**_sorts(plan, frames), **_chosen(plan, columns)},
        style,
        on_error == "stop",
        points,
    )
    return {name: with_columns(table, columns.get(name)) for name, table in found.tables().items()}


def _numbers(frames: Mapping[str, DataFrame], awaited: Collection[str] | None) -> tuple[int, ...]:
    for name in awaited or ():
        if name not in frames:
            message = f"`awaited` names {name}, which is no input."
            raise Rejected([Diagnostic("E612", message, f"The inputs are {', '.join(frames)}.")])
    return tuple(number for number, name in enumerate(frames) if awaited is None or name in awaited)


def _sorts(plan: SparkPlan, frames: Mapping[str, DataFrame]) -> Mapping[Signature, tuple[Sort, ...]]:
    """Of the arguments of all predicates, as they follow from the columns of the input and from the background."""
    declared = {one.signature: one for one in plan.vocabulary.inputs if one.types}
    given = dict(input_sorts(frames, plan.vocabulary))
    for signature, said in declared.items():
        own = given.get(signature, (ANYTHING,) * signature.arity)
        given[signature] = tuple(OF_TYPE[kind] if kind else sort for kind, sort in zip(said.types, own, strict=True))
    return argument_sorts(plan.analysis.program, {**given, **sorts_of_facts(plan.background)})


def _chosen(plan: SparkPlan, columns: Mapping[str, StructType]) -> dict[Signature, tuple[Sort, ...]]:
    """Those that the user chooses."""
    names = table_names(plan)
    return {names[name]: tuple(sort_of_type(field.dataType) for field in fields) for name, fields in columns.items()}
