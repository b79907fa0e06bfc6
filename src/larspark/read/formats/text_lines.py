"""Lines of live sources: `a(1); b(x)`, `@36 a(1); b(x)`, or JSON objects as in recorded streams."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from larspark.blocks import Numbers
from larspark.diagnostics import Diagnostic, Origin
from larspark.language.facts import Fact
from larspark.read.batch import ChunkMaker, RecordColumns
from larspark.read.chunk import Chunk
from larspark.read.columns.arrays import Rows, numbers_of, true_rows
from larspark.read.columns.atoms import read_atom, read_atoms, unite_parts
from larspark.read.columns.time_columns import times_of
from larspark.read.formats.json_lines import FEW, JsonLines
from larspark.read.formats.json_records import read_json
from larspark.read.formats.lines import LinePlaces, Lines
from larspark.read.rules import Rules
from larspark.read.values.records import InputRecord, batch_of_records, record

_TIME = re.compile(r"@\s*(\S+)\s+(.*)\Z", re.DOTALL)
_ATOM = re.compile(r'(?:[^;"]|"(?:[^"\\]|\\.)*")+')
_ATOMS = r"[a-z][A-Za-z0-9_.,()\-]*"
_PLAIN = rf"^(?:@[0-9]{{1,18}} )?{_ATOMS}(?:; ?{_ATOMS})*$"
"""Lines that are cut at every semicolon: nothing in them is quoted."""
_TIMED = r"^@(?P<time>[0-9]+) (?P<atoms>.*)$"

LONGEST = 1 << 20
"""Bytes of a line; a longer one is malformed."""

MOST_ATOMS = 10_000
"""In a line; one with more is malformed."""


class LiveLines:
    """Makes chunks of the lines of one source, in their order."""

    def __init__(self, rules: Rules, order: int = 0) -> None:
        self.rules = rules
        self._json = JsonLines(rules)
        self._maker = ChunkMaker(rules, order)

    def chunk(self, lines: Lines) -> Chunk:
        return self._maker.chunk(self._batch(lines))

    def _batch(self, lines: Lines) -> RecordColumns:
        if len(lines) >= FEW and _are_objects(lines) and _short(lines):
            return self._json.batch(lines)
        texts = [lines.line(place).strip() for place in range(len(lines))]
        plain = _plain(texts)
        chosen = np.flatnonzero(plain)
        if len(chosen) < FEW:
            return self._singly(lines, np.arange(len(lines)))
        bulk = _in_bulk(lines, chosen, [texts[place] for place in chosen], self.rules)
        if bulk.faults:  # what is wrong with one atom is wrong with its line
            return self._singly(lines, np.arange(len(lines)))
        return _together(lines, bulk, self._singly(lines, np.flatnonzero(~plain)))

    def _singly(self, lines: Lines, places: Numbers) -> RecordColumns:
        records: list[InputRecord | Diagnostic] = []
        rows: list[int] = []
        for place in places.tolist():
            found = read_line(lines.line(place), lines.origin(place), self.rules)
            more = [found] if isinstance(found, Diagnostic) else found
            records += more
            rows += [place] * len(more)
        return batch_of_records(records, LinePlaces(lines, np.array(rows, np.int64)))


def chunk_of_lines(lines: Sequence[bytes], first: int, rules: Rules, file: str, order: int = 0) -> Chunk:
    """The atoms of some lines, of which the first has the number `first`; `order` is the place of the first atom."""
    return LiveLines(rules, order).chunk(Lines(b"".join(line + b"\n" for line in lines), file, first))


def read_line(line: bytes, origin: Origin, rules: Rules) -> list[InputRecord] | Diagnostic:
    """The atoms of a line, none of an empty one or a comment; or what is wrong with it."""
    if len(line) > LONGEST:
        return Diagnostic("E401", "The line is too long.", f"Keep lines under {LONGEST} bytes.")
    bare = line.strip()
    if not bare or bare.startswith((b"%", b"//")):
        return []
    if bare.startswith(b"{"):
        found = read_json(line, origin, rules)
        return [found] if isinstance(found, InputRecord) else found
    try:
        text = bare.decode("utf-8")
    except UnicodeDecodeError:
        return Diagnostic("E403", "The line is not UTF-8 text.", "Send atoms as UTF-8 text.")
    time: str | None = None
    if text.startswith("@") and (timed := _TIME.match(text)):
        time, text = timed[1], timed[2]
    parts: list[str] = _ATOM.findall(text) if '"' in text else text.split(";")
    if len(parts) > MOST_ATOMS:
        return Diagnostic("E401", "The line has too many atoms.", f"Send at most {MOST_ATOMS} atoms in a line.")
    records: list[InputRecord] = []
    for part in parts:
        fact = read_atom(part.strip())
        one = record(fact, time, rules) if isinstance(fact, Fact) else fact
        if isinstance(one, Diagnostic):
            return one
        records.append(one)
    return records


# -- many lines at once ----------------------------------------------------------------------------


def _are_objects(lines: Lines) -> bool:
    """Whether all lines that are not blank begin like objects; only those that seem not to are looked at one by one."""
    written = np.flatnonzero(lines.ends > lines.starts)
    begins = np.frombuffer(lines.content, np.uint8)[lines.starts[written]]
    return all(lines.line(place).strip()[:1] in b"{" for place in written[begins != ord("{")].tolist())


def _short(lines: Lines) -> bool:
    return bool((lines.ends - lines.starts).max(initial=0) <= LONGEST)


def _plain(texts: Sequence[bytes]) -> Rows:
    """Which lines are plainly spelled atoms, perhaps behind a time point."""
    if len(texts) < FEW or not all(map(bytes.isascii, texts)):
        return np.zeros(len(texts), np.bool_)
    return true_rows(pc.match_substring_regex(pa.array(texts, pa.string()), _PLAIN))


def _in_bulk(lines: Lines, places: Numbers, texts: Sequence[bytes], rules: Rules) -> RecordColumns:
    """The atoms of plain lines, of which the places and the texts are given."""
    column = pa.array(texts, pa.string())
    times = pa.nulls(len(column), pa.string())
    timed = pc.starts_with(column, "@")
    if pc.any(timed).as_py():
        parts = pc.extract_regex(column, _TIMED)
        times = pc.struct_field(parts, "time")
        column = pc.if_else(timed, pc.struct_field(parts, "atoms"), column)
    split = pc.split_pattern(column, ";")
    counts = numbers_of(pc.list_value_length(split))
    found = read_atoms(pc.ascii_trim_whitespace(split.flatten()))
    rows = np.repeat(np.arange(len(counts)), counts)
    where = LinePlaces(lines, places[rows])
    if not rules.timed:
        return RecordColumns(np.zeros(len(rows), np.int64), found.parts, where, found.faults)
    points = times_of(times, rules.calendar, live=rules.live)
    return RecordColumns(points.points[rows], found.parts, where, {**points.faults, **found.faults}, points.form)


def _together(lines: Lines, *batches: RecordColumns) -> RecordColumns:
    """Records of several batches, in the order of their lines."""
    of_line = np.concatenate([_lines_of(batch) for batch in batches])
    order = np.argsort(of_line, kind="stable")
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    everywhere = LinePlaces(lines, of_line[order])
    splits = np.split(places, np.cumsum([len(batch) for batch in batches])[:-1])
    moved = [batch.among(rows, len(order), everywhere, {}) for batch, rows in zip(batches, splits, strict=True)]
    times = np.sum([batch.times for batch in moved], axis=0)
    faults = {row: fault for batch in moved for row, fault in batch.faults.items()}
    form = max(batch.form for batch in moved)
    return RecordColumns(
        times, tuple(unite_parts(part for batch in moved for part in batch.parts)), everywhere, faults, form
    )


def _lines_of(batch: RecordColumns) -> Numbers:
    assert isinstance(batch.places, LinePlaces)
    return batch.places.rows
