"""A column read at once gives what the rules for one value and one time say of each row, with the same words."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.blocks.arguments import values_of
from larspark.diagnostics import Diagnostic
from larspark.language.calendar import Calendar
from larspark.language.parser import parse_duration
from larspark.language.values import Value
from larspark.read.chunk import UNTIMED
from larspark.read.columns.arrays import objects
from larspark.read.columns.time_columns import times_of
from larspark.read.columns.value_columns import text_cells, typed_cells
from larspark.read.values.times import time_point
from larspark.read.values.values import NotAValue, bad_cell, from_cell, from_object

VIENNA = ZoneInfo("Europe/Vienna")
CALENDARS = (
    None,
    Calendar(),
    Calendar(datetime(2024, 2, 29, 8), parse_duration("1 min")),
    Calendar(datetime(1969, 12, 31, 23, tzinfo=timezone(timedelta(hours=-3, minutes=-30))), parse_duration("250 ms")),
    Calendar(datetime(2024, 1, 1, tzinfo=VIENNA), parse_duration("1 h")),
)

INTEGERS = st.integers(-5, 5) | st.integers(-(2**31), 2**31 - 1)
FLOATS = (
    st.floats()
    | st.integers(-9, 9).map(float)
    | st.sampled_from([-0.0, 0.1, 1.5, 1e15, 2.0**53, 2.0**60, 1e22, 1e300, 1e-7, 5e-324])
)
MOMENTS = st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)) | st.sampled_from(
    [
        datetime(1, 1, 1),
        datetime(9999, 12, 31, 23, 59, 59, 999999),
        datetime(2024, 3, 31, 2, 30),
        datetime(1970, 1, 1),
        datetime(2038, 7, 1),
    ]
)
NUMBERS = st.sampled_from(
    ["007", "-0", "-0.0", "+5", "1.50", "00.5", "12345678901234567890", "0.1" + "2" * 40, "1.", ".5"]
)
WORDS = st.sampled_from(
    ["", " 5 ", "true", "\0x", "9" * 1001, "1e5", "٣", "-", "1" * 18, "1" * 19, "2.0", "8.0\n", "5\n"]
)
TEXTS = NUMBERS | WORDS | st.integers().map(str) | st.decimals(-9, 9, places=2).map(str) | st.text(max_size=5)
STAMPS = (
    MOMENTS.map(datetime.isoformat)
    | MOMENTS.map(lambda moment: moment.isoformat(" ") + "Z")
    | MOMENTS.map(lambda moment: moment.isoformat() + "+05:30")
    | st.sampled_from(
        ["2023-02-29T00:00:00", "2024-02-29", "20240229T080000Z", "0000-01-01T00:00:00", "2024-02-29T24:00:00"]
    )
    | st.sampled_from(["2024-02-29T08:00:00.1234567Z", "2024-02-29T08:00:00-0530", "2024-02-29T08:00:60Z", "soon"])
)
UNITS = st.sampled_from(["s", "ms", "us", "ns"])


def columns(values: st.SearchStrategy[Any], kind: Callable[..., pa.DataType], *options: st.SearchStrategy[Any]) -> Any:
    """Arrays of a type that is drawn, with gaps."""
    kinds = st.builds(kind, *options)
    return st.tuples(st.lists(st.none() | values, max_size=8), kinds).map(lambda drawn: pa.array(drawn[0], drawn[1]))


def stamps(raw: st.SearchStrategy[int]) -> Any:
    zones = st.sampled_from([None, "UTC", "Europe/Vienna", "+02:00"])
    return columns(raw, pa.timestamp, UNITS, zones)


ARRAYS = st.one_of(
    columns(st.integers(-128, 127), pa.int8),
    columns(INTEGERS | st.integers(-(2**63), 2**63 - 1), pa.int64),
    columns(st.integers(0, 9) | st.integers(0, 2**64 - 1), pa.uint64),
    columns(st.integers(0, 255), pa.uint8),
    columns(FLOATS, pa.float64),
    columns(st.floats(width=32) | st.sampled_from([0.5, 3.0, 77471848.0]), pa.float32),
    columns(st.floats(width=16).map(np.float16), pa.float16),
    columns(st.decimals(-99, 99, places=2), pa.decimal128, st.just(20), st.just(3)),
    columns(st.integers(-9, 9).map(Decimal) | st.integers(10**37, 10**38 - 1).map(Decimal), pa.decimal128, st.just(38)),
    columns(st.decimals(-1, 1, places=38), pa.decimal256, st.just(60), st.just(40)),
    columns(TEXTS | STAMPS, pa.string),
    columns(TEXTS | STAMPS, pa.large_string),
    columns(TEXTS | STAMPS, pa.dictionary, st.just(pa.int8()), st.just(pa.string())),
    columns(st.integers(0, 9), pa.dictionary, st.just(pa.int8()), st.just(pa.int64())),
    columns(st.booleans(), pa.bool_),
    columns(st.dates(), pa.date32),
    stamps(st.integers(-(10**12), 10**12)),
    stamps(st.integers(-(2**63), 2**63 - 1)),
    columns(st.times(), pa.time64, st.just("us")),
    columns(st.timedeltas(timedelta(-9), timedelta(9)), pa.duration, st.just("us")),
    columns(st.binary(max_size=3), pa.binary),
    columns(st.lists(st.integers(0, 9), max_size=2), pa.list_, st.just(pa.int64())),
    columns(st.none(), pa.null),
)


def judged(rule: Callable[[Any], Value], value: object) -> Value | Diagnostic:
    try:
        return rule(value)
    except NotAValue as reason:
        return bad_cell(reason)


def microseconds(array: pa.Array) -> pa.Array:
    """Finer timestamps fall into the same time point."""
    if not pa.types.is_timestamp(array.type) or array.type.unit != "ns":
        return array
    rounded = [None if one is None else one // 1000 for one in array.cast(pa.int64()).to_pylist()]
    return pa.array(rounded, pa.int64()).cast(pa.timestamp("us", array.type.tz))


@settings(max_examples=400)
@given(ARRAYS)
def test_typed_values(array: pa.Array) -> None:
    cells = typed_cells(array)
    found = [cells.faults.get(row, value) for row, value in enumerate(values_of(cells.column))]
    assert found == [judged(from_object, value) for value in objects(array)]


@settings(max_examples=400)
@given(st.lists(st.none() | TEXTS, max_size=8))
def test_values_of_texts(texts: list[str | None]) -> None:
    cells = text_cells(pa.array(texts, pa.string()))
    found = [cells.faults.get(row, value) for row, value in enumerate(values_of(cells.column))]
    assert found == [judged(from_object if text is None else from_cell, text) for text in texts]


@settings(max_examples=400)
@given(ARRAYS, st.sampled_from(CALENDARS), st.booleans())
def test_times(array: pa.Array, calendar: Calendar | None, live: bool) -> None:
    times = times_of(array, calendar, live=live)
    found = [times.faults.get(row, point) for row, point in enumerate(times.points.tolist())]
    raw = objects(microseconds(array))
    assert found == [UNTIMED if one is None and live else time_point(one, calendar) for one in raw]


@pytest.mark.parametrize(
    ("raw", "point"),
    [
        (3, 3),
        ("3", 3),
        (" +3 ", 3),
        (Decimal("3.00"), 3),
        (3.0, 3),
        ("1970-01-01T00:00:03.9Z", 3),
        (date(1970, 1, 2), 86400),
    ],
)
def test_times_that_mean_a_time_point(raw: object, point: int) -> None:
    assert time_point(raw, Calendar()) == point


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (None, "The record has no time."),
        (True, "The time is neither a number nor a timestamp."),
        ([3], "The time is neither a number nor a timestamp."),
        (time(3), "The time is neither a number nor a timestamp."),
        (1.5, "The time 1.5 is not a whole number."),
        (math.nan, "The time NaN is not a whole number."),
        (Decimal("1E+999999999"), "The time is too large."),
        (-1, "The time -1 is negative."),
        (1 << 60, "The time is too large."),
        ("soon", "`soon` is not a time."),
        (
            datetime(1969, 1, 1, tzinfo=UTC),
            "The time 1969-01-01T00:00:00+00:00 lies before the epoch, 1970-01-01T00:00:00+00:00.",
        ),
    ],
)
def test_times_that_mean_none(raw: object, message: str) -> None:
    found = time_point(raw, Calendar())
    assert isinstance(found, Diagnostic)
    assert found.message == message
    assert found.hint


def test_wall_clocks_of_one_zone_count_the_hours_between_them() -> None:
    calendar = Calendar(datetime(2024, 3, 30, tzinfo=VIENNA), parse_duration("1 h"))
    assert calendar.point(datetime(2024, 4, 1, tzinfo=VIENNA)) == 47
    assert calendar.point(datetime(2024, 4, 1)) == 47
