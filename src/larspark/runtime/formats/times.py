"""From a time as a file has it to a time point."""

from __future__ import annotations

import re
from datetime import datetime

from larspark.diagnostics import Diagnostic, Origin
from larspark.language.calendar import Calendar
from larspark.runtime.formats.arrivals import RawTime

_WHOLE = re.compile(r"[+-]?[0-9]{1,30}\Z", re.ASCII)

NEVER = 1 << 60
"""Times of data are smaller; windows reach beyond, and 64 bits hold both."""


def time_point(raw: RawTime, calendar: Calendar | None, origin: Origin) -> int | Diagnostic:
    """The time point, or what is wrong with it."""
    match raw:
        case None:
            return _malformed("The record has no time.", "Add a field `time`.", origin, "E402")
        case int():
            return _natural(raw, origin)
        case datetime():
            return _stamped(raw, calendar, origin)
        case str():
            if _WHOLE.match(raw.strip()):
                return _natural(int(raw), origin)
            try:
                moment = datetime.fromisoformat(raw.strip())
            except ValueError:
                hint = "Write a time point such as 36, or a timestamp such as 2024-02-29T08:15:00Z."
                return _malformed(f"`{raw[:60]}` is not a time.", hint, origin)
            return _stamped(moment, calendar, origin)
        case _:
            hint = "Time points are whole numbers; choose a finer clock."
            return _malformed(f"The time {raw} is not a whole number.", hint, origin)


def _natural(time: int, origin: Origin) -> int | Diagnostic:
    if 0 <= time < NEVER:
        return time
    if time >= NEVER:
        return _malformed("The time is too large.", f"Time points are smaller than {NEVER}.", origin)
    return _malformed(f"The time {time} is negative.", "Time points are the natural numbers, from 0.", origin)


def _stamped(moment: datetime, calendar: Calendar | None, origin: Origin) -> int | Diagnostic:
    if calendar is None:
        hint = "Give an epoch, the timestamp of time point 0, and a `#clock`."
        return _malformed("The time is a timestamp, but nothing says which time point it is.", hint, origin)
    point = calendar.point(moment)
    if point >= 0:
        return point
    message = f"The time {moment.isoformat()} lies before the epoch, {calendar.epoch.isoformat()}."
    return _malformed(message, "Choose an earlier epoch.", origin)


def _malformed(message: str, hint: str, origin: Origin, code: str = "E404") -> Diagnostic:
    return Diagnostic(code, message, hint, origin)
