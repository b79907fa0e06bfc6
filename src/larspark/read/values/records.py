"""Records read one by one: the way of formats without columns, and of whatever is odd in the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from larspark.diagnostics import Diagnostic
from larspark.language.calendar import TimeForm
from larspark.language.facts import Fact
from larspark.read.batch import RecordColumns, parts_of_facts
from larspark.read.chunk import UNTIMED
from larspark.read.places import Places
from larspark.read.rules import Rules
from larspark.read.values.times import form_of, time_point
from larspark.read.values.types import fitted_fact


class InputRecord(NamedTuple):
    """An input atom and its time point."""

    fact: Fact
    time: int
    form: TimeForm = TimeForm.POINTS
    """How its time is written."""


def record(fact: Fact, time: object, rules: Rules) -> InputRecord | Diagnostic:
    """A record with the time that its source names, or what is wrong with it (without its place)."""
    if rules.typed:
        found = fitted_fact(fact, rules.typed, rules.calendar)
        if isinstance(found, Diagnostic):
            return found
        fact = found
    if not rules.timed:
        return InputRecord(fact, 0)
    if time is None and rules.live:
        return InputRecord(fact, UNTIMED)
    point = time_point(time, rules.calendar)
    return point if isinstance(point, Diagnostic) else InputRecord(fact, point, form_of(time))


def batch_of_records(records: Sequence[InputRecord | Diagnostic], places: Places) -> RecordColumns:
    """The records in columns."""
    rows = list(enumerate(records))
    faults = {row: one for row, one in rows if isinstance(one, Diagnostic)}
    times = np.array([0 if isinstance(one, Diagnostic) else one.time for one in records], np.int64)
    parts = parts_of_facts((row, one.fact) for row, one in rows if isinstance(one, InputRecord))
    form = max((one.form for one in records if isinstance(one, InputRecord)), default=TimeForm.POINTS)
    return RecordColumns(times, tuple(parts), places, faults, form)
