"""Input lines: `a(1); b(x)`, `@36 a(1); b(x)`, or JSON objects as in recorded streams."""

from __future__ import annotations

import re
from typing import NamedTuple

from larspark.diagnostics import Diagnostic, Origin
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact
from larspark.runtime.formats.arrivals import at_line
from larspark.runtime.formats.json_lines import read_atom, read_record
from larspark.runtime.formats.times import time_point

_TIME = re.compile(r"@\s*(\S+)\s+(.*)\Z", re.DOTALL)
_ATOM = re.compile(r'(?:[^;"]|"(?:[^"\\]|\\.)*")+')

LONGEST = 1 << 20
"""Bytes of a line; a longer one is malformed."""


class Event(NamedTuple):
    """A signal, with its time point if the line gives one, and where it stands."""

    fact: Fact
    time: int | None
    origin: Origin | None = None


class LineReader:
    """Reads the lines of one source; the calendar turns timestamps into time points."""

    def __init__(self, source: str, calendar: Calendar | None = None) -> None:
        self._source = source
        self._calendar = calendar

    def read(self, number: int, raw: bytes) -> list[Event] | Diagnostic:
        """The signals of a line, none for an empty line or a comment; or what is wrong with it."""
        origin = at_line(self._source, number)
        if len(raw) > LONGEST:
            return Diagnostic("E401", "The line is too long.", f"Keep lines under {LONGEST} bytes.", origin)
        raw = raw.strip()
        if not raw or raw.startswith((b"%", b"//")):
            return []
        if raw.startswith(b"{"):
            return self._json(raw, number)
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            return Diagnostic("E403", "The line is not UTF-8 text.", "Send atoms as UTF-8 text.", origin)
        time: int | Diagnostic | None = None
        if text.startswith("@") and (timed := _TIME.match(text)):
            time, text = time_point(timed[1], self._calendar, origin), timed[2]
        if isinstance(time, Diagnostic):
            return time
        events = []
        for part in _ATOM.findall(text) if '"' in text else text.split(";"):
            fact = read_atom(part.strip(), origin)
            if isinstance(fact, Diagnostic):
                return fact
            events.append(Event(fact, time, origin))
        return events

    def _json(self, raw: bytes, number: int) -> list[Event] | Diagnostic:
        record = read_record(raw, at_line(self._source, number))
        if isinstance(record, Diagnostic):
            return record
        if record.time is None:
            return [Event(record.fact, None, record.origin)]
        time = time_point(record.time, self._calendar, record.origin)
        return time if isinstance(time, Diagnostic) else [Event(record.fact, time, record.origin)]
