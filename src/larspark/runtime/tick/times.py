"""Times as a tick run writes them: as they came so far, or as the calendar tells."""

from __future__ import annotations

from larspark.language.calendar import Calendar
from larspark.runtime.tick.intake import SignalBatch
from larspark.write.times import TimeWriter


class TickTimes:
    """Knows how times are written once the first of them has come."""

    def __init__(self, calendar: Calendar, *, points: bool = False) -> None:
        """With `points` they are time points, however they came."""
        self._points = points
        self.came = calendar.form
        """The form in which times came, or which the calendar tells."""
        self.writer = TimeWriter(calendar) if points else TimeWriter(calendar, calendar.form)

    def note(self, batch: SignalBatch) -> None:
        if batch.form > self.came:
            self.came = batch.form
            if not self._points:
                self.writer = TimeWriter(self.writer.calendar, batch.form)
