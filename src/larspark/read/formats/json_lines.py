"""JSON lines: plain ones are found in their bytes, many at once; of the others each is one object of Python."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from larspark.blocks import Numbers
from larspark.diagnostics import Diagnostic
from larspark.kernels.build import provide_kernels
from larspark.language.calendar import TimeForm
from larspark.read.batch import PredicateColumns, RecordColumns, parts_of_facts
from larspark.read.columns.arrays import Rows, texts_between
from larspark.read.columns.atoms import atoms_between, unite_parts
from larspark.read.columns.time_columns import Times, times_of
from larspark.read.formats.json_objects import Objects
from larspark.read.formats.json_records import read_json
from larspark.read.formats.lines import LinePlaces, Lines
from larspark.read.rules import Rules
from larspark.read.values.records import InputRecord

FEW = 32
"""Lines that are sooner read one by one."""


@dataclass
class JsonLines:
    """Reads the lines of one source."""

    rules: Rules

    def batch(self, lines: Lines) -> RecordColumns:
        """The records of some lines; blank ones are none."""
        rows = np.flatnonzero(_written(lines))
        found = _Found(np.zeros(len(rows), np.int64))
        left = np.arange(len(rows))
        if len(rows) >= FEW and lines.is_text:
            left = self._read_plain(lines, rows, found)
        if len(left) >= FEW:
            left = self._read_objects(lines, rows, left, found)
        self._read_singly(lines, rows, left, found)
        return RecordColumns(
            found.times, tuple(unite_parts(found.parts)), LinePlaces(lines, rows), found.faults, found.form
        )

    def _read_plain(self, lines: Lines, rows: Numbers, found: _Found) -> Numbers:
        """Take the records that can be found in their bytes; the places of the others."""
        from larspark.read.scanning import json_scan as scan  # noqa: PLC0415 - numba takes its time

        provide_kernels()
        spans = np.empty((len(rows), scan.FOUND), np.int64)
        scan.find_records(np.frombuffer(lines.content, np.uint8), lines.starts[rows], lines.ends[rows], spans)
        times, time_begins, time_ends, begins, ends = spans.T
        plain = begins >= 0
        written = plain & (times < 0)
        if self.rules.timed:
            counted = np.flatnonzero(plain & ~written)
            found.add_times(counted, times_of(pa.array(times[counted]), self.rules.calendar))
            if written.any():
                texts = texts_between(lines.content, time_begins[written], time_ends[written])
                found.add_times(np.flatnonzero(written), times_of(texts, self.rules.calendar))
        inside = np.flatnonzero(plain)
        atoms = atoms_between(lines.content, begins[inside], ends[inside])
        found.add(atoms.parts, inside)
        found.faults |= {int(inside[row]): fault for row, fault in atoms.faults.items()}
        return np.flatnonzero(~plain)

    def _read_objects(self, lines: Lines, rows: Numbers, places: Numbers, found: _Found) -> Numbers:
        """Take lines that are objects of Python; the places of those that are left."""
        objects = Objects(lines, rows, places, self.rules)
        found.parts += objects.parts
        for inside, times in objects.times:
            found.add_times(inside, times)
        found.faults |= objects.faults
        return np.array(objects.left, np.int64)

    def _read_singly(self, lines: Lines, rows: Numbers, places: Numbers, found: _Found) -> None:
        facts = []
        for place in np.sort(places).tolist():
            line = int(rows[place])
            one = read_json(lines.line(line), lines.origin(line), self.rules)
            if isinstance(one, InputRecord):
                found.times[place] = one.time
                found.form = max(found.form, one.form)
                facts.append((place, one.fact))
            else:
                found.faults[place] = one
        found.parts += parts_of_facts(facts)


@dataclass
class _Found:
    """The records of some lines as they become known."""

    times: Numbers
    parts: list[PredicateColumns] = field(default_factory=list)
    faults: dict[int, Diagnostic] = field(default_factory=dict)
    form: TimeForm = TimeForm.POINTS

    def add_times(self, places: Numbers, times: Times) -> None:
        self.times[places] = times.points
        self.faults |= {int(places[row]): fault for row, fault in times.faults.items()}
        self.form = max(self.form, times.form)

    def add(self, parts: tuple[PredicateColumns, ...], places: Numbers) -> None:
        if len(places) == len(self.times):
            self.parts += parts
            return
        for part in parts:
            self.parts.append(
                PredicateColumns(part.signature, part.arguments, places if part.rows is None else places[part.rows])
            )


def _written(lines: Lines) -> Rows:
    """Which lines are not blank; only those that seem to be are looked at one by one."""
    begins = np.frombuffer(lines.content, np.uint8)[np.minimum(lines.starts, max(len(lines.content) - 1, 0))]
    found: Rows = begins == ord("{")
    for place in np.flatnonzero(~found).tolist():
        found[place] = bool(lines.line(place).strip())
    return found
