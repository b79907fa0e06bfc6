"""Columns of times as time points: what is plainly right in one go, the rest by the rules for one time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from larspark.blocks import Numbers
from larspark.blocks.zones import to_utc
from larspark.diagnostics import Diagnostic
from larspark.language.calendar import Calendar, TimeForm
from larspark.read.chunk import UNTIMED
from larspark.read.columns.arrays import (
    Rows,
    floats_of,
    given_rows,
    is_text,
    numbers_of,
    plain_array,
    true_rows,
    whole_numbers,
)
from larspark.read.columns.distinct import judge_distinct
from larspark.read.columns.layout import RowLayout
from larspark.read.rules import Rules
from larspark.read.values.times import NEVER, form_of, time_point

_WHOLE = r"^[0-9]{1,18}$"
_MOMENT = r"^([1-9][0-9]{3}|0[1-9][0-9]{2})-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?"
_ZONED, _LOCAL = _MOMENT + r"(Z|[+-][0-9]{2}:[0-9]{2})$", _MOMENT + "$"

_SHORTEST, _LONGEST_LOCAL, _LONGEST = 19, 26, 32
"""The lengths of timestamps to the second, with millionths, and with a zone behind them."""

_PER_SECOND = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
_FIRST, _LAST = -62_135_596_800, 253_402_300_799
"""The seconds of the calendar, from the year 1 to the year 9999, counted from 1970."""
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True)
class Times:
    """The time points of some rows, and what is wrong with those that have none."""

    points: Numbers
    faults: Mapping[int, Diagnostic] = field(default_factory=dict)
    form: TimeForm = TimeForm.POINTS


def times_of(column: pa.Array, calendar: Calendar | None, *, live: bool = False) -> Times:
    """The time points of a column; if live, a row without a time is `UNTIMED`."""
    column = plain_array(column)
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_timestamp(column.type) and column.type.unit == "ns":
        column = _in_microseconds(column)
    points, good, form = _plain(column, calendar)
    good &= (points >= 0) & (points < NEVER)
    if good.all():
        return Times(points, form=form)
    rest = np.flatnonzero(~good)
    found, codes = judge_distinct(column.take(pa.array(rest)), lambda raw: _judged(raw, calendar, live))
    points[rest] = np.array([0 if isinstance(one, Diagnostic) else one for one, _ in found], np.int64)[codes]
    judged = (found[code][0] for code in codes)
    faults = {int(row): one for row, one in zip(rest, judged, strict=True) if isinstance(one, Diagnostic)}
    return Times(points, faults, max([form, *(other for _, other in found)]))


def _judged(raw: object, calendar: Calendar | None, live: bool) -> tuple[int | Diagnostic, TimeForm]:
    return UNTIMED if raw is None and live else time_point(raw, calendar), form_of(raw)


def _plain(column: pa.Array, calendar: Calendar | None) -> tuple[Numbers, Rows, TimeForm]:
    """The time points of the rows that are plainly right, which these are, and how they are written."""
    if is_text(column.type):
        return _written(column.cast(pa.string()), calendar)
    form = form_of_type(column.type)
    return *_counted(column, calendar), form


def form_of_type(kind: pa.DataType) -> TimeForm:
    """How the times of a column are written, as far as its type tells."""
    if not pa.types.is_timestamp(kind):
        return TimeForm.POINTS
    return TimeForm.LOCAL if kind.tz is None else TimeForm.ZONED


def form_of_table(table: pa.Table, predicate: str, rules: Rules) -> TimeForm:
    """How its times are written, as far as their type tells: also where there are none."""
    place = RowLayout.of(table.schema.names, predicate, rules, None).time
    return TimeForm.POINTS if place is None else form_of_type(table.schema.field(place).type)


def _counted(column: pa.Array, calendar: Calendar | None) -> tuple[Numbers, Rows]:
    kind, valid = column.type, given_rows(column)
    if pa.types.is_signed_integer(kind) or (pa.types.is_unsigned_integer(kind) and kind.bit_width < 64):
        return whole_numbers(column), valid
    if pa.types.is_uint64(kind):
        bits = np.asarray(column.fill_null(0).to_numpy(), np.uint64)
        return bits.astype(np.int64), valid & (bits < 2**63)
    if pa.types.is_float64(kind) or pa.types.is_float32(kind):
        floats, whole = floats_of(column)
        return np.where(whole, floats, 0).astype(np.int64), whole
    if pa.types.is_decimal(kind):
        try:
            return whole_numbers(column), valid
        except pa.ArrowInvalid:  # a fraction, or too large
            return _nothing(column)
    if pa.types.is_timestamp(kind) and calendar is not None:
        return _stamped(column, calendar)
    return _nothing(column)


def _nothing(column: pa.Array) -> tuple[Numbers, Rows]:
    return np.zeros(len(column), np.int64), np.zeros(len(column), np.bool_)


def _stamped(column: pa.Array, calendar: Calendar) -> tuple[Numbers, Rows]:
    shift, sure = calendar.since_1970, given_rows(column)
    per_second = _PER_SECOND[column.type.unit]
    stamps = _numbers_in(column)
    sure = sure & (stamps >= _FIRST * per_second) & (stamps < (_LAST + 1) * per_second)
    if column.type.tz is None:
        offset = calendar.zone.utcoffset(None)
        if offset is not None:
            shift += offset
        elif isinstance(calendar.zone, ZoneInfo) and sure.any():
            stamps, plain = to_utc(np.where(sure, stamps, 0), per_second, calendar.zone)
            sure &= plain
        else:
            return _nothing(column)
    micros = np.where(sure, stamps, 0) * (1_000_000 // per_second) - shift // _MICROSECOND
    return micros // (calendar.clock.milliseconds * 1000), sure


def _numbers_in(column: pa.Array) -> Numbers:
    return np.asarray(column.cast(pa.int64()).fill_null(0).to_numpy(), np.int64)


def _written(column: pa.Array, calendar: Calendar | None) -> tuple[Numbers, Rows, TimeForm]:
    """Texts: digits, or timestamps as ISO 8601 has them."""
    if calendar is not None and (stamps := _all_moments(column)) is not None:
        return *_stamped(stamps, calendar), form_of_type(stamps.type)
    points, good = _nothing(column)
    form = TimeForm.POINTS
    digits = true_rows(pc.match_substring_regex(column, _WHOLE))
    if digits.any():
        points[digits] = numbers_of(column.filter(pa.array(digits)).cast(pa.int64()))
        good |= digits
    if calendar is None or digits.all():
        return points, good, form
    for pattern, kind in ((_ZONED, pa.timestamp("us", "UTC")), (_LOCAL, pa.timestamp("us"))):
        moments = true_rows(pc.match_substring_regex(column, pattern))
        if not moments.any():
            continue
        try:
            stamps = column.filter(pa.array(moments)).cast(kind)
        except pa.ArrowInvalid:  # one of them is not in the calendar
            continue
        points[moments], good[moments] = _stamped(stamps, calendar)
        form = max(form, form_of_type(kind))
    return points, good, form


def _all_moments(column: pa.Array) -> pa.Array | None:
    """The timestamps of texts that are all of one form, which needs no look at each by itself; None: they are not.

    Of texts as long as these, Arrow takes a day with a time to the second or to parts of it, and nothing else.
    """
    least, most = pc.min_max(pc.binary_length(column)).values()
    if not least.is_valid or least.as_py() < _SHORTEST or most.as_py() > _LONGEST:
        return None
    zoned = most.as_py() > _LONGEST_LOCAL or not column.drop_null()[0].as_py()[-1].isdigit()
    zoned = zoned or column.drop_null()[0].as_py()[-6] in "+-"
    try:
        return column.cast(pa.timestamp("us", "UTC") if zoned else pa.timestamp("us"))
    except pa.ArrowInvalid:
        return None


def _in_microseconds(column: pa.Array) -> pa.Array:
    stamps = column.cast(pa.int64()).fill_null(0).to_numpy() // 1000
    kind = pa.timestamp("us", column.type.tz)
    return pa.array(stamps, mask=~given_rows(column)).cast(kind)
