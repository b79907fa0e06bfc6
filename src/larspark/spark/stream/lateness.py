"""How late an atom of a stream may arrive: in time points, as a duration, or as the watermark of its DataFrame says."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from pyspark.sql import DataFrame

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import Calendar
from larspark.runtime.durations import Span, in_time_points, lateness_in_time_points

_DELAY = "spark.watermarkDelayMs"
"""Where `withWatermark` notes its delay: in the metadata of the column."""


def lateness_of(lateness: Span | None, frames: Mapping[str, DataFrame], calendar: Calendar) -> int:
    """The lateness that is given, or else the longest that the DataFrames say themselves."""
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
