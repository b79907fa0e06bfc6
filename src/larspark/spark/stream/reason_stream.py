"""`reason` over streaming DataFrames."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import timedelta

from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import to_arrow_type
from pyspark.sql.types import DataType, DecimalType, StructType

from larspark.analysis.typing.sorts import ANYTHING, Sort, Sorts, argument_sorts, sorts_of_facts, with_declared
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import Calendar
from larspark.language.facts import Signature
from larspark.read.columns.layout import RowLayout
from larspark.runtime.durations import Span, in_time_points, lateness_in_time_points
from larspark.spark.plan.plan import ProgramVocabulary, SparkPlan
from larspark.spark.read.inputs import inputs_of_frames, united_sorts
from larspark.spark.read.rules import InputSource, rules_for
from larspark.spark.session.session import cores
from larspark.spark.stream.frames import Frames
from larspark.spark.stream.results.tables import Style
from larspark.spark.stream.watermark import Waiting
from larspark.spark.write.named_columns import with_columns
from larspark.spark.write.names import table_names
from larspark.write.columns import SURELY_SMALL, sort_of_arrow

_DELAY = "spark.watermarkDelayMs"
"""Where `withWatermark` notes its delay: in the metadata of the column."""


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


def _sorts(plan: SparkPlan, frames: Mapping[str, DataFrame]) -> Sorts:
    """Of the arguments of all predicates, as they follow from the columns of the input and from the background."""
    declared = (one.signature for one in plan.vocabulary.inputs if one.types)
    told = united_sorts(one for name, frame in frames.items() for one in _told_by(frame, name, plan.vocabulary))
    given = {**{one: (ANYTHING,) * one.arity for one in declared}, **told}
    return argument_sorts(
        plan.analysis.program, {**with_declared(given, plan.analysis), **sorts_of_facts(plan.background)}
    )


def _told_by(
    frame: DataFrame, predicate: str, vocabulary: ProgramVocabulary
) -> Iterator[tuple[Signature, tuple[Sort, ...]]]:
    """What the columns of a DataFrame say about the arguments of the atoms in them."""
    layout = RowLayout.of(frame.columns, predicate, rules_for(InputSource(predicate=predicate), vocabulary), None)
    sorts = tuple(_sort_of(frame.schema[place].dataType) for place in layout.arguments)
    if layout.atom is None and layout.named is None:
        yield Signature(predicate, len(sorts)), sorts
        return
    for one in vocabulary.analysis.extensional:
        if layout.atom is not None:
            yield one, (ANYTHING,) * one.arity
        elif one.arity <= len(sorts):
            yield one, sorts[: one.arity]


def _sort_of(kind: DataType) -> Sort:
    """What surely holds all values of a type: the column of a stream has its type before the first one."""
    if isinstance(kind, DecimalType) and not kind.scale and kind.precision > SURELY_SMALL:
        return ANYTHING
    return sort_of_arrow(to_arrow_type(kind))


def _chosen(plan: SparkPlan, columns: Mapping[str, StructType]) -> dict[Signature, tuple[Sort, ...]]:
    """Those that the user chooses."""
    names = table_names(plan)
    return {names[name]: tuple(_sort_of(field.dataType) for field in fields) for name, fields in columns.items()}


def lateness_of(lateness: Span | None, frames: Mapping[str, DataFrame], calendar: Calendar) -> int:
    """How late an atom may arrive: as it is given, or else the longest that the DataFrames say themselves."""
    if lateness is None:
        delays = [delay for frame in frames.values() if (delay := _delay_of(frame)) is not None]
        if len(delays) < len(frames):
            message = "A stream has to know how late atoms may arrive, since answers are final after that."
            hint = "Say `lateness=0`, `lateness='5 min'`, or `withWatermark('time', '5 minutes')` of each DataFrame."
            raise Rejected([Diagnostic("E611", message, hint)])
        return in_time_points(timedelta(milliseconds=max(delays)), calendar)
    return lateness_in_time_points(lateness, calendar)


def _delay_of(frame: DataFrame) -> int | None:
    delay = frame.schema["time"].metadata.get(_DELAY) if "time" in frame.columns else None
    return None if delay is None else int(delay)
