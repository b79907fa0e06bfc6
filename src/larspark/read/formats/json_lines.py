"""JSON lines: plain ones with Arrow's reader, many at once; odd ones each by the rules for one line.

Arrow reads one object after the other, wherever lines end. Between lines that start with `{` and end with `}` every
line break stands between two objects, or something is wrong; so with as many objects as lines, each line is one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.json

from larspark.blocks import Numbers
from larspark.diagnostics import Diagnostic
from larspark.language.calendar import TimeForm
from larspark.read.batch import Batch, Part, parts_of_facts
from larspark.read.columns.arrays import Rows, true_rows
from larspark.read.columns.atoms import read_atoms, unite_parts
from larspark.read.columns.time_columns import times_of
from larspark.read.formats.json_objects import Objects
from larspark.read.formats.json_records import read_json
from larspark.read.formats.lines import LinePlaces, Lines
from larspark.read.rules import Rules
from larspark.read.values.records import Record

FEW = 256
"""Lines that are sooner read one by one."""
LONGEST = 900
"""Bytes of a plain line: no number in it is too long for Python, and nothing is nested too deep."""

_ODD = re.compile(rb"\\u[dD]|NaN|Inf|\0")
"""What Arrow reads otherwise: halves of characters, numbers that are none, the end of a text."""
_TOKENS = {b"\\": (b"\\ud", b"\\uD"), b"N": (b"NaN",), b"I": (b"Inf",), b"\0": (b"\0",)}
"""By their first letter, whose absence is seen many times as fast."""


@dataclass
class JsonLines:
    """Reads the lines of one source."""

    rules: Rules
    _kinds: list[pa.DataType] = field(default_factory=lambda: [pa.int64(), pa.string()])
    """What times may be, the last that was met first."""

    def batch(self, lines: Lines) -> Batch:
        """The records of some lines; blank ones are none."""
        buffer = np.frombuffer(lines.content, np.uint8)
        plain = self._plain(lines, buffer)
        rows = np.flatnonzero(plain | _written(lines, plain))
        found = _Found(np.zeros(len(rows), np.int64))
        self._read(lines, rows, plain[rows], found)
        return Batch(found.times, tuple(unite_parts(found.parts)), LinePlaces(lines, rows), found.faults, found.form)

    def _plain(self, lines: Lines, buffer: np.ndarray) -> Rows:
        """Which lines Arrow may read."""
        if len(lines) < FEW or not lines.is_text:
            return np.zeros(len(lines), np.bool_)
        starts, lengths = lines.starts, lines.ends - lines.starts
        short = (lengths >= 2) & (lengths <= LONGEST)
        last = lines.ends - 1
        last -= buffer[last] == ord("\r")
        plain: Rows = short & (buffer[np.minimum(starts, len(buffer) - 1)] == ord("{")) & (buffer[last] == ord("}"))
        first_letters = (letter for letter in _TOKENS if letter in lines.content)
        if any(token in lines.content for letter in first_letters for token in _TOKENS[letter]):
            odd = [match.start() for match in _ODD.finditer(lines.content)]
            plain[np.searchsorted(lines.starts, odd, side="right") - 1] = False
        return plain

    def _read(self, lines: Lines, rows: Numbers, plain: Rows, found: _Found) -> None:
        left = [np.flatnonzero(~plain)]
        objects: list[Numbers] = []
        stretches = [np.flatnonzero(plain)]
        while stretches:
            stretch = stretches.pop()
            if len(stretch) < FEW:
                left.append(stretch)
                continue
            table = self._table(lines.content_of(rows[stretch]), len(stretch))
            if table is not None:
                objects.append(found.add(table, stretch, self.rules))
            else:  # something in it is odd: halves, until only a few lines are left around it
                stretches += np.array_split(stretch, 2)
        if objects:
            left.append(self._read_objects(lines, rows, np.sort(np.concatenate(objects)), found))
        self._read_singly(lines, rows, np.concatenate(left), found)

    def _read_objects(self, lines: Lines, rows: Numbers, places: Numbers, found: _Found) -> Numbers:
        """Take lines that are objects without an atom; the places of those that are left."""
        if len(places) < FEW:
            return places
        objects = Objects(lines.content_of(rows[places]), places, self.rules)
        found.parts += objects.parts
        for inside, times in objects.times:
            found.times[inside] = times.points
            found.faults |= {int(inside[row]): fault for row, fault in times.faults.items()}
            found.form = max(found.form, times.form)
        return np.array(objects.left, np.int64)

    def _table(self, content: bytes, count: int) -> pa.Table | None:
        """The columns `time` and `atom` of so many objects, or nothing when it is not as plain as that."""
        for kind in self._kinds:
            schema = pa.schema([("time", kind), ("atom", pa.string())])
            try:
                table = pyarrow.json.read_json(
                    pa.BufferReader(content),
                    pyarrow.json.ReadOptions(use_threads=False, block_size=len(content) + 1),
                    pyarrow.json.ParseOptions(schema, newlines_in_values=False, unexpected_field_behavior="ignore"),
                )
            except pa.ArrowInvalid:
                continue
            self._kinds.sort(key=lambda one, met=kind: one != met)  # type: ignore[misc]
            return table if len(table) == count else None
        return None

    def _read_singly(self, lines: Lines, rows: Numbers, places: Numbers, found: _Found) -> None:
        facts = []
        for place in np.sort(places).tolist():
            line = int(rows[place])
            one = read_json(lines.line(line), lines.origin(line), self.rules)
            if isinstance(one, Record):
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
    parts: list[Part] = field(default_factory=list)
    faults: dict[int, Diagnostic] = field(default_factory=dict)
    form: TimeForm = TimeForm.POINTS

    def add(self, table: pa.Table, places: Numbers, rules: Rules) -> Numbers:
        """Take what Arrow has read; the places of records without a time or an atom are left."""
        times, texts = (table[name].combine_chunks() for name in ("time", "atom"))
        given = true_rows(texts.is_valid())
        if rules.timed:
            given &= true_rows(times.is_valid())
        if not given.all():
            kept = pa.array(given)
            times, texts = times.filter(kept), texts.filter(kept)
        inside = places[given]
        if rules.timed:
            points = times_of(times, rules.calendar)
            self.times[inside] = points.points
            self.faults |= {int(inside[row]): fault for row, fault in points.faults.items()}
            self.form = max(self.form, points.form)
        atoms = read_atoms(texts)
        self.faults |= {int(inside[row]): fault for row, fault in atoms.faults.items()}
        for part in atoms.parts:
            self.parts.append(Part(part.signature, part.arguments, inside if part.rows is None else inside[part.rows]))
        return places[~given]


def _written(lines: Lines, plain: Rows) -> Rows:
    """Which of the lines that are not plain are not blank either."""
    found = np.zeros(len(lines), np.bool_)
    for place in np.flatnonzero(~plain):
        found[place] = bool(lines.line(int(place)).strip())
    return found
