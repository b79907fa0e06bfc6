"""Times as a tick run writes them: as they came so far, or as the calendar tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from larspark.language.calendar import Calendar, TimeForm
from larspark.language.facts import Fact, Signature
from larspark.tick.intake import SignalBatch
from larspark.write.times import TimeWriter

TimePlaces: TypeAlias = Mapping[Signature, frozenset[int]]


class TickTimes:
    """Knows how times are written once the first of them has come."""

    def __init__(self, calendar: Calendar, places: TimePlaces | None = None, *, points: bool = False) -> None:
        """The places of arguments that are times; with `points` they are time points, however they came."""
        self._points = points
        self.came = calendar.form
        """The form in which times came, or which the calendar tells."""
        self.writer = TimeWriter(calendar, TimeForm.POINTS if points else calendar.form, places or {})

    def note(self, batch: SignalBatch) -> None:
        if batch.form > self.came:
            self.came = batch.form
            if not self._points:
                self.writer = replace(self.writer, form=batch.form)

    def atom(self, fact: Fact) -> str:
        """An atom as it is written by now."""
        return self.writer.atom(fact)
