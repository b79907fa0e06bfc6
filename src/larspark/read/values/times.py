"""What a time of a record means: the rules, for one time."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal

from larspark.diagnostics import Diagnostic
from larspark.language.calendar import Calendar, TimeForm

_WHOLE = re.compile(r"[+-]?[0-9]{1,30}\Z", re.ASCII)

NEVER = 1 << 60
"""Times of data are smaller; windows reach beyond, and 64 bits hold both."""


def time_point(raw: object, calendar: Calendar | None) -> int | Diagnostic:
    """The time point that a record names, or what is wrong with it (without its place)."""
    match raw:
        case None:
            return Diagnostic("E402", "The record has no time.", "Add a field `time`.")
        case bool():
            return _malformed("The time is neither a number nor a timestamp.", _SHAPE)
        case int():
            return _natural(raw)
        case Decimal() | float():
            return _whole(Decimal(repr(raw)) if isinstance(raw, float) else raw)
        case datetime():
            return _stamped(raw, calendar)
        case date():
            return _stamped(datetime(raw.year, raw.month, raw.day), calendar)
        case str():
            return _written(raw, calendar)
    return _malformed("The time is neither a number nor a timestamp.", _SHAPE)


def form_of(raw: object) -> TimeForm:
    """How the time of a record is written; what is no time is taken for a time point."""
    match raw:
        case datetime():
            return TimeForm.ZONED if raw.tzinfo else TimeForm.LOCAL
        case date():
            return TimeForm.LOCAL
        case str() if not _WHOLE.match(raw.strip()):
            try:
                return form_of(datetime.fromisoformat(raw.strip()))
            except ValueError:
                return TimeForm.POINTS
    return TimeForm.POINTS


_SHAPE = "Write a time point such as 36, or a timestamp such as 2024-02-29T08:15:00Z."


def _written(text: str, calendar: Calendar | None) -> int | Diagnostic:
    bare = text.strip()
    if _WHOLE.match(bare):
        return _natural(int(bare))
    try:
        moment = datetime.fromisoformat(bare)
    except ValueError:
        return _malformed(f"`{text[:60]}` is not a time.", _SHAPE)
    return _stamped(moment, calendar)


def _natural(time: int) -> int | Diagnostic:
    if 0 <= time < NEVER:
        return time
    if time >= NEVER:
        return _malformed("The time is too large.", f"Time points are smaller than {NEVER}.")
    return _malformed(f"The time {time} is negative.", "Time points are the natural numbers, from 0.")


def _whole(time: Decimal) -> int | Diagnostic:
    """A decimal is a time point if its value is whole, however it is written."""
    if time.is_finite() and time.adjusted() > 30:  # before its digits are written out
        return _natural(NEVER if time > 0 else -NEVER)
    if time.is_finite() and time == time.to_integral_value():
        return _natural(int(time))
    return _malformed(f"The time {time} is not a whole number.", "Time points are whole numbers; choose a finer clock.")


def _stamped(moment: datetime, calendar: Calendar | None) -> int | Diagnostic:
    if calendar is None:
        hint = "Give an epoch, the timestamp of time point 0, and a `#clock`."
        return _malformed("The time is a timestamp, but nothing says which time point it is.", hint)
    point = calendar.point(moment)
    if point >= 0:
        return point
    message = f"The time {moment.isoformat()} lies before the epoch, {calendar.epoch.isoformat()}."
    return _malformed(message, "Choose an earlier epoch.")


def _malformed(message: str, hint: str) -> Diagnostic:
    return Diagnostic("E404", message, hint)
