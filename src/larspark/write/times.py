"""Times as they leave: time points, or timestamps in the form in which they came.

A time point is a stretch of time, from its start up to the start of the next one. Where a time stands for the end of
an interval, both ends of which are included, its timestamp is the last microsecond of the time point; so a moment lies
in the interval exactly if it is BETWEEN `from` AND `to`.

Inside atoms, the arguments that are times are written the same way, as texts: `late(m1,"2026-03-10T08:15:00Z")`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, timedelta

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from larspark.blocks import Numbers
from larspark.blocks.zones import from_utc
from larspark.language.calendar import Calendar, TimeForm
from larspark.language.facts import Fact, Signature
from larspark.language.printing.terms import show_term
from larspark.language.values import Value, show_value
from larspark.write.json_texts import json_texts

_MICROSECOND = timedelta(microseconds=1)
_SECOND = 1_000_000
"""In microseconds."""
_FIRST, _LAST = -62_135_596_800_000_000 + 86_400_000_000, 253_402_300_799_999_999 - 86_400_000_000
"""The microseconds of the calendar, from the year 1 to the year 9999, counted from 1970, less a day for any zone."""


@dataclass(frozen=True)
class TimeWriter:
    calendar: Calendar = field(default_factory=Calendar)
    form: TimeForm = TimeForm.POINTS
    places: Mapping[Signature, frozenset[int]] = field(default_factory=dict, compare=False)
    """The arguments that are times, of the predicates that have such."""

    @property
    def stamped(self) -> bool:
        """Whether times leave as timestamps."""
        return self.form is not TimeForm.POINTS

    @property
    def kind(self) -> pa.DataType:
        """The type of a column of times."""
        match self.form:
            case TimeForm.LOCAL:
                return pa.timestamp("us")
            case TimeForm.ZONED:
                return pa.timestamp("us", "UTC")
        return pa.int64()

    @property
    def described(self) -> dict[str, str]:
        """What has to be known to read the times again."""
        calendar = self.calendar
        return {
            "clock": show_term(calendar.clock),
            "epoch": calendar.epoch.isoformat(),
            "timezone": zone_name(calendar),
            "times": {TimeForm.POINTS: "points", TimeForm.LOCAL: "local", TimeForm.ZONED: "zoned"}[self.form],
            "intervals": "both ends are included",
        }

    @property
    def metadata(self) -> dict[str, str]:
        """What a Parquet file says about its times."""
        return {"larspark": json.dumps(self.described)}

    def column(self, points: Numbers | None, rows: int = 0) -> pa.Array:
        """The moments at which time points start; without points, as many gaps."""
        if points is None:
            return pa.nulls(rows, self.kind)
        return self._written(self._micros(points)) if self.stamped else pa.array(points)

    def ends(self, points: Numbers) -> pa.Array:
        """The last moments of time points."""
        return self._written(self._last(points)) if self.stamped else pa.array(points)

    def texts(self, points: Numbers) -> pa.Array:
        """As people read them: `36`, or `2026-03-10T08:15:00Z`."""
        return self._spelled(self._micros(points)) if self.stamped else pa.array(points).cast(pa.string())

    def json(self, points: Numbers) -> pa.Array:
        """As JSON has them."""
        texts = self.texts(points)
        return json_texts(texts) if self.stamped else texts

    def json_ends(self, points: Numbers) -> pa.Array:
        return json_texts(self._spelled(self._last(points))) if self.stamped else self.texts(points)

    def text(self, point: int) -> str:
        """One time, as people read it."""
        return str(self.texts(np.array([point], np.int64))[0].as_py())

    # -- inside atoms ------------------------------------------------------------------------------

    def places_in(self, signature: Signature) -> frozenset[int]:
        """The arguments that are written as timestamps."""
        return self.places.get(signature, frozenset()) if self.stamped else frozenset()

    def atom(self, fact: Fact) -> str:
        """An atom, as people and programs read it."""
        places = self.places_in(fact.signature)
        if not places:
            return str(fact)
        args = (self.value(one) if place in places else one for place, one in enumerate(fact.args))
        return str(fact._replace(args=tuple(args)))

    def value(self, value: Value) -> Value:
        """The timestamp of a time point, if it is one inside the calendar."""
        if not self.stamped or not isinstance(value, int):
            return value
        text = self.calendar.text(value, self.form)
        return value if text == str(value) else text

    def arguments(self, points: Numbers) -> pa.Array:
        """A column of arguments that are times. Each is spelled the same wherever it stands, so that atoms are."""
        step, zero = self.calendar.clock.milliseconds * 1000, self.calendar.since_1970 // _MICROSECOND
        micros = self._micros(points)
        if step % _SECOND == zero % _SECOND == 0 and (micros == points * step + zero).all():
            return pc.binary_join_element_wise('"', self._spelled(micros), '"', "")
        distinct, places = np.unique(points, return_inverse=True)
        shown = pa.array([show_value(self.value(one)) for one in distinct.tolist()], pa.string())
        return shown.take(pa.array(places.reshape(-1)))

    # -- moments -----------------------------------------------------------------------------------

    def _micros(self, points: Numbers) -> Numbers:
        """Counted from 1970; what lies outside the calendar is at its edge."""
        step = self.calendar.clock.milliseconds * 1000
        zero = self.calendar.since_1970 // _MICROSECOND
        inside = np.clip(points, -((zero - _FIRST) // step), (_LAST - zero) // step)
        return np.asarray(inside * step + zero, np.int64)

    def _last(self, points: Numbers) -> Numbers:
        step = self.calendar.clock.milliseconds * 1000
        return np.asarray(np.minimum(self._micros(points) + (step - 1), _LAST), np.int64)

    def _written(self, micros: Numbers) -> pa.Array:
        shown = from_utc(micros, _SECOND, self.calendar.zone) if self.form is TimeForm.LOCAL else micros
        return pa.array(shown).cast(self.kind)

    def _spelled(self, micros: Numbers) -> pa.Array:
        """ISO 8601, with as many digits as are needed."""
        unit, size = next(
            (unit, size) for unit, size in (("s", _SECOND), ("ms", 1000), ("us", 1)) if not (micros % size).any()
        )
        shown = from_utc(micros, _SECOND, self.calendar.zone)
        texts = pc.strftime(pa.array(shown // size).cast(pa.timestamp(unit)), "%Y-%m-%dT%H:%M:%S")
        if self.form is TimeForm.LOCAL:
            return texts
        if self.calendar.zone is UTC:
            return pc.binary_join_element_wise(texts, "Z", "")
        distinct, places = np.unique((shown - micros) // _SECOND, return_inverse=True)
        zones = pa.array([_offset_text(seconds) for seconds in distinct.tolist()], pa.string())
        return pc.binary_join_element_wise(texts, zones.take(pa.array(places.reshape(-1))), "")


def _offset_text(seconds: int) -> str:
    """How far a zone is before UTC, as ISO 8601 has it; long ago, seconds were counted, too."""
    minutes, rest = divmod(abs(seconds), 60)
    text = f"{'-' if seconds < 0 else '+'}{minutes // 60:02}:{minutes % 60:02}"
    return f"{text}:{rest:02}" if rest else text


def zone_name(calendar: Calendar) -> str:
    """The zone as Arrow calls it."""
    zone = calendar.zone
    if zone is UTC:
        return "UTC"
    key = getattr(zone, "key", None)
    if key is not None:
        return str(key)
    return _offset_text((calendar.zone.utcoffset(None) or timedelta()) // timedelta(seconds=1))


POINTS = TimeWriter()
