"""Durations as options say them: the one reader, and what a span of time is in time points."""

from __future__ import annotations

from datetime import timedelta
from typing import TypeAlias

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import Calendar
from larspark.language.parser import parse_duration
from larspark.language.tree import Duration

Span: TypeAlias = int | str | timedelta | Duration
"""Time points, a text such as `5 min`, or a length of time."""


def positive_duration(text: str) -> Duration:
    """`250ms`, `3 min`, `1d`: the length of a time point; `Rejected` for anything else."""
    if text.strip().isdecimal():
        message = f"`{text.strip()}` has no unit."
        raise Rejected([Diagnostic("E302", message, f"Write `{text.strip()}s`, or another of ms, s, min, h, d.")])
    duration = parse_duration(text.strip())
    if duration.milliseconds == 0:
        raise Rejected([Diagnostic("E302", "A time point has a positive length.", "Write a length such as `1 s`.")])
    return duration


def in_time_points(span: Span, calendar: Calendar) -> int:
    """How many time points a span takes; one that has begun counts."""
    match span:
        case int():
            return span
        case str():
            return in_time_points(int(span) if span.strip().isdecimal() else parse_duration(span.strip()), calendar)
        case timedelta():
            milliseconds = -(-span // timedelta(milliseconds=1))
        case Duration():
            milliseconds = span.milliseconds
    return -(-milliseconds // calendar.clock.milliseconds)


def lateness_in_time_points(lateness: Span, calendar: Calendar) -> int:
    """How late an atom may arrive, in time points; `Rejected` when that is not said."""
    try:
        points = in_time_points(lateness, calendar)
    except Rejected as rejected:
        raise Rejected([_not_a_lateness(lateness)]) from rejected
    if points < 0:
        raise Rejected([_not_a_lateness(lateness)])
    return points


def _not_a_lateness(lateness: Span) -> Diagnostic:
    message = f"`{lateness}` does not say how late atoms may arrive."
    return Diagnostic("E611", message, "Say time points, `lateness=5`, or a duration, `'5 min'`.")
