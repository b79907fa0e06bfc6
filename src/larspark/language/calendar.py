"""Time points and the wall calendar: an epoch (when time point 0 starts) and a clock (how long a time point is)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from enum import IntEnum
from functools import cached_property
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from larspark.language.terms import Duration
from larspark.language.values import NotANumber, Value

SECOND = Duration(1, "s")
"""The clock of a program that names none."""

CALENDAR_FUNCTIONS = ("hour", "minute", "weekday", "date")


class TimeForm(IntEnum):
    """How times are written; of several forms, the greatest is that of all."""

    POINTS = 0
    """Time points."""
    LOCAL = 1
    """Timestamps that name no zone."""
    ZONED = 2
    """Timestamps that name one, which are moments."""


@dataclass(frozen=True)
class Calendar:
    """Turns timestamps into time points and back; a timestamp without zone is read in `zone`."""

    epoch: datetime = datetime(1970, 1, 1, tzinfo=UTC)
    clock: Duration = SECOND
    timezone: tzinfo | None = None
    """What `#timezone` says."""
    given: bool = False
    """Whether an epoch was given: then time points mean moments even where no timestamp arrives."""

    @property
    def _step(self) -> timedelta:
        return timedelta(milliseconds=self.clock.milliseconds)

    def point(self, timestamp: datetime) -> int:
        """The time point a timestamp falls into; negative before the epoch."""
        return (_since_1970(timestamp, self.zone) - self.since_1970) // self._step

    @property
    def zone(self) -> tzinfo:
        """The zone of timestamps that name none, and of the calendar functions."""
        return self.timezone or self.epoch.tzinfo or UTC

    @property
    def form(self) -> TimeForm:
        """How times are written when nothing but the calendar tells."""
        if not self.given:
            return TimeForm.POINTS
        return TimeForm.ZONED if self.epoch.tzinfo else TimeForm.LOCAL

    @cached_property
    def since_1970(self) -> timedelta:
        """When time point 0 starts, counted from the beginning of 1970 in UTC."""
        return _since_1970(self.epoch, self.zone)

    def timestamp(self, point: int) -> datetime:
        """The moment a time point starts, in the zone; OverflowError outside the calendar."""
        return (_FIRST_MOMENT + self.since_1970 + point * self._step).astimezone(self.zone)

    def text(self, point: int, form: TimeForm) -> str:
        """A time point as people read it: `36`, or `2026-03-10T08:15:00Z`, with as many digits as are needed."""
        if form is TimeForm.POINTS:
            return str(point)
        try:
            moment = self.timestamp(point)
        except OverflowError:
            return str(point)
        micros = moment.microsecond
        unit = "seconds" if not micros else "microseconds" if micros % 1000 else "milliseconds"
        if form is TimeForm.LOCAL:
            return moment.replace(tzinfo=None).isoformat(timespec=unit)
        text = moment.isoformat(timespec=unit)
        return text.removesuffix("+00:00") + "Z" if self.zone is UTC else text

    def read(self, function: str, time: Value) -> Value:
        """`hour`, `minute`, `weekday` (Monday is 1) or `date` (a symbol such as "2024-02-29") of a time point."""
        if not isinstance(time, int):
            raise NotANumber(f"{function} wants a time point, not {time}")
        try:
            moment = self.timestamp(time)
        except OverflowError as error:
            raise NotANumber(f"time point {time} is outside the calendar") from error
        match function:
            case "hour":
                return moment.hour
            case "minute":
                return moment.minute
            case "weekday":
                return moment.isoweekday()
            case "date":
                return moment.date().isoformat()
        raise ValueError(f"unknown calendar function {function}")


_FIRST_MOMENT = datetime(1970, 1, 1, tzinfo=UTC)
_OFFSET = re.compile(r"[+-][0-9]{2}:[0-9]{2}\Z", re.ASCII)


def zone_called(name: str) -> tzinfo | None:
    """The time zone of this name, `Europe/Vienna`, `UTC` or `+02:00`; None when there is none."""
    if name in ("UTC", "Z"):
        return UTC
    if _OFFSET.match(name):
        try:
            return datetime.fromisoformat(f"1970-01-01T00:00:00{name}").tzinfo
        except ValueError:
            return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _since_1970(timestamp: datetime, zone: tzinfo) -> timedelta:
    """The difference of the moments themselves; Python takes that of the wall clocks when both name the same zone."""
    moment = timestamp if timestamp.tzinfo else timestamp.replace(tzinfo=zone)
    return moment.replace(tzinfo=None) - datetime(1970, 1, 1) - (moment.utcoffset() or timedelta())
