"""How late an atom of a stream may arrive: in time points, as a duration, or as the watermark of its DataFrame says."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TypeAlias

from pyspark.sql import DataFrame

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import Calendar
from larspark.language.parser import parse_duration
from larspark.language.tree import Duration

Lateness: TypeAlias = int | str | timedelta

_DELAY = "spark.watermarkDelayMs"
"""Where `withWatermark` notes its delay: in the metadata of the column."""


def in_time_points(lateness: Lateness | None, frames: Mapping[str, DataFrame], calendar: Calendar) -> int:
    """The lateness that is given, or else the longest that the DataFrames say themselves."""
    if lateness is None:
        delays = [delay for frame in frames.values() if (delay := _delay_of(frame)) is not None]
        if len(delays) < len(frames):
            message = "A stream has to know how late atoms may arrive, since answers are final after that."
            hint = "Say `lateness=0`, `lateness='5 min'`, or `withWatermark('time', '5 minutes')` of each DataFrame."
            raise Rejected([Diagnostic("E611", message, hint)])
        return _points(max(delays), calendar)
    if isinstance(lateness, str):
        return _points(_read(lateness).milliseconds, calendar)
    if isinstance(lateness, timedelta):
        return _points(lateness // timedelta(milliseconds=1), calendar)
    return lateness


def _read(text: str) -> Duration:
    try:
        return parse_duration(text)
    except Rejected as rejected:
        message = f"`{text}` does not say how late atoms may arrive."
        raise Rejected(
            [Diagnostic("E611", message, "Say time points, `lateness=5`, or a duration, `'5 min'`.")]
        ) from rejected


def _delay_of(frame: DataFrame) -> int | None:
    delay = frame.schema["time"].metadata.get(_DELAY) if "time" in frame.columns else None
    return None if delay is None else int(delay)


def _points(milliseconds: int, calendar: Calendar) -> int:
    """A time point that has begun counts."""
    return -(-milliseconds // calendar.clock.milliseconds)
