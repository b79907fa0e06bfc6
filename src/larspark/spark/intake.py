"""From DataFrames to arrivals: which columns make time, predicate and arguments, and what is wrong with a record.

An intake has the columns of rows, the place of the record in its source (`source`, `block`, `place`), and for a bad
record its text and the objection to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf
from pyspark.sql.types import (
    BooleanType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    IntegralType,
    LongType,
    NullType,
    StringType,
    StructField,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import Calendar
from larspark.language.facts import Signature
from larspark.read.times import NEVER
from larspark.spark.rows import ESCAPE, OTHER, Kind, row_columns, row_schema
from larspark.spark.vocabulary import Vocabulary

PLACE = ("source", "block", "place")
REFUSED = ("objection", "record")
INPUT = "input"
"""Of an intake of several inputs: the number of the one a record comes from."""


def argument_columns(frame: DataFrame, time: str = "time") -> tuple[str, ...]:
    return tuple(name for name in frame.columns if name not in (time, *PLACE))


def intake_of_predicate(frame: DataFrame, predicate: str, vocabulary: Vocabulary, time: str = "time") -> DataFrame:
    """A DataFrame that holds one predicate, an argument per column."""
    chosen = vocabulary.columns_of(predicate) or argument_columns(frame, time)
    for name in (time, *chosen):
        if name not in frame.columns:
            hint = f"The columns are {', '.join(frame.columns)}; name others with `#input` or in the pipeline file."
            raise Rejected([Diagnostic("E407", f"The table of {predicate} has no column `{name}`.", hint)])
    signature = Signature(predicate, len(chosen))
    refused = vocabulary.objection(signature)
    if refused is not None:
        raise Rejected([refused])
    number = sf.lit(vocabulary.numbers.get(signature, OTHER))
    return _intake(frame, time, number, sf.lit(None).cast("string"), chosen, vocabulary)


def intake_of_atoms(frame: DataFrame, vocabulary: Vocabulary, time: str = "time") -> DataFrame:
    """A DataFrame with a column `predicate`, and an argument per further column (the last may be empty)."""
    chosen = [name for name in argument_columns(frame, time) if name != "predicate"]
    arity = sf.lit(0)
    for place, name in enumerate(chosen):
        arity = sf.when(sf.col(name).isNotNull(), sf.lit(place + 1)).otherwise(arity)
    number, objection = sf.lit(OTHER), sf.lit(None).cast("string")
    names = {signature.predicate for signature in vocabulary.signatures}
    for signature in sorted(vocabulary.signatures):
        known = (sf.col("predicate") == signature.predicate) & (arity == signature.arity)
        number = sf.when(known, sf.lit(vocabulary.numbers[signature])).otherwise(number)
        refused = vocabulary.objection(signature)
        if refused is not None:
            objection = sf.when(known, sf.lit(f"{refused.code}: {refused.message}")).otherwise(objection)
    strange = sf.col("predicate").isin(sorted(names)) & (number == OTHER)
    other_arity = sf.lit("E410: The program uses this predicate with another number of arguments.")
    objection = sf.coalesce(objection, sf.when(strange, other_arity))
    return _intake(frame, time, number, objection, chosen, vocabulary, shorter=arity)


def _intake(
    frame: DataFrame,
    time: str,
    number: Column,
    objection: Column,
    chosen: Sequence[str],
    vocabulary: Vocabulary,
    shorter: Column | None = None,
) -> DataFrame:
    schema, width = frame.schema, vocabulary.width
    point = _time_point(time, schema, vocabulary.calendar)
    objection = sf.coalesce(
        objection,
        sf.when(point.isNull(), sf.lit("E404: The record has no time that can be read.")),
        sf.when(point < 0, sf.lit("E404: The time is negative.")),
        sf.when(point >= NEVER, sf.lit("E404: The time is too large.")),
    )
    cells: list[Column] = []
    for place, name in enumerate(chosen):
        whole, text, missing = _cells(name, schema[name].dataType)
        needed = sf.lit(True) if shorter is None else shorter > place
        wrong = sf.when(missing & needed, sf.lit(f"E403: The column `{name}` holds no number or text."))
        objection = sf.coalesce(objection, wrong)
        if place < width:
            cells += [whole.alias(f"n{place}"), text.alias(f"s{place}")]
    for place in range(len(chosen), width):
        cells += [sf.lit(None).cast("bigint").alias(f"n{place}"), sf.lit(None).cast("string").alias(f"s{place}")]
    return frame.select(
        sf.lit(int(Kind.ARRIVAL)).alias("kind"),
        number.cast("int").alias("predicate"),
        point.alias("time"),
        *(sf.lit(None).cast("bigint").alias(name) for name in ("until", "at")),
        *cells,
        *(_placed(name, frame) for name in PLACE),
        objection.alias("objection"),
        sf.when(objection.isNotNull(), sf.to_json(sf.struct(*map(sf.col, frame.columns)))).alias("record"),
    )


def _placed(name: str, frame: DataFrame) -> Column:
    if name in frame.columns:
        return sf.col(name)
    kind = "string" if name == "source" else "bigint"
    return (unplaced(frame) if name == "place" else sf.lit(None).cast(kind)).alias(name)


def unplaced(frame: DataFrame) -> Column:
    """The place of rows that do not tell it; those of a stream are counted in their micro-batch."""
    return sf.lit(None).cast("bigint") if frame.isStreaming else sf.monotonically_increasing_id()


def _time_point(name: str, schema: StructType, calendar: Calendar) -> Column:
    """The time point of a record, null when there is none."""
    column, kind = sf.col(name), schema[name].dataType
    match kind:
        case IntegralType():
            return column.cast("bigint")
        case DecimalType() | DoubleType() | FloatType():
            return sf.when(column == sf.floor(column), column.cast("bigint"))
        case TimestampType() | TimestampNTZType():
            return _stamped(column.cast("timestamp"), calendar)
        case StringType():
            whole = sf.when(column.rlike(r"^\s*[+-]?[0-9]{1,18}\s*$"), sf.trim(column).cast("bigint"))
            return sf.coalesce(whole, _stamped(sf.try_to_timestamp(column), calendar))
    message = f"The column `{name}` has the type {kind.simpleString()}, which is no time."
    raise Rejected([Diagnostic("E407", message, "Times are whole numbers or timestamps.")])


def _stamped(column: Column, calendar: Calendar) -> Column:
    zone = calendar.epoch.tzinfo or UTC
    epoch = int(calendar.epoch.replace(tzinfo=zone).timestamp() * 1_000_000)
    clock = calendar.clock.milliseconds * 1000
    micros = sf.unix_micros(column) - sf.lit(epoch)
    return ((micros - sf.pmod(micros, sf.lit(clock))) / sf.lit(clock)).cast("bigint")


def _cells(name: str, kind: DataType) -> tuple[Column, Column, Column]:
    """The number, the text, and whether there is neither."""
    column = sf.col(name)
    no_number, no_text = sf.lit(None).cast("bigint"), sf.lit(None).cast("string")
    match kind:
        case IntegralType():
            return column.cast("bigint"), no_text, column.isNull()
        case StringType():
            escaped = sf.when(column.startswith(ESCAPE), sf.concat(sf.lit(ESCAPE), column)).otherwise(column)
            return no_number, escaped, column.isNull()
        case BooleanType() | DateType():
            return no_number, column.cast("string"), column.isNull()
        case DecimalType():
            return _number_cells(column, column.cast("string"))
        case DoubleType() | FloatType():
            return _number_cells(column, _plain(column))
        case NullType():
            return no_number, no_text, sf.lit(True)
    message = f"The column `{name}` has the type {kind.simpleString()}, which no value of the language has."
    raise Rejected([Diagnostic("E407", message, "Arguments are numbers, texts, truth values and dates.")])


def check_arguments(frame: DataFrame, names: Sequence[str]) -> None:
    """`Rejected` when a column has a type that no value of the language has."""
    for name in names:
        _cells(name, frame.schema[name].dataType)


def _number_cells(column: Column, spelled: Column) -> tuple[Column, Column, Column]:
    integral = (column == sf.floor(column)) & (sf.abs(column) < sf.lit(2.0**62))
    digits = sf.when(spelled.contains("."), sf.regexp_replace(spelled, r"\.?0+$", "")).otherwise(spelled)
    whole = sf.when(integral, column.cast("bigint"))
    text = sf.when(~integral, sf.concat(sf.lit(ESCAPE), digits))
    return whole, text, whole.isNull() & text.isNull()


def _plain(column: Column) -> Column:
    """The shortest digits that mean this floating-point number, without an exponent; null where there are none."""
    shortest = column.cast("string")
    small, large = shortest.try_cast("decimal(38,37)"), shortest.try_cast("decimal(38,18)")
    exact = sf.when(sf.abs(column) < 1, small.cast("string")).otherwise(large.cast("string"))
    return sf.when(exact.cast("double") == column.cast("double"), exact)


def intake_columns(width: int) -> list[str]:
    return [*row_columns(width), *PLACE, *REFUSED]


def intake_schema(width: int) -> StructType:
    """The schema of an intake of several inputs."""
    places = [StructField(name, StringType() if name == "source" else LongType()) for name in PLACE]
    refused = [StructField(name, StringType()) for name in REFUSED]
    return StructType([*row_schema(width).fields, *places, *refused, StructField(INPUT, IntegerType())])
