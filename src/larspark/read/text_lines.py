"""Lines of live sources: `a(1); b(x)`, `@36 a(1); b(x)`, or JSON objects as in recorded streams."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from larspark.diagnostics import Diagnostic, Origin
from larspark.language.facts import Fact
from larspark.read.atoms import read_atom
from larspark.read.batch import Judge
from larspark.read.chunk import Chunk, at_line
from larspark.read.json_records import read_json
from larspark.read.records import Record, batch_of_records, record
from larspark.read.rules import Rules

_TIME = re.compile(r"@\s*(\S+)\s+(.*)\Z", re.DOTALL)
_ATOM = re.compile(r'(?:[^;"]|"(?:[^"\\]|\\.)*")+')

LONGEST = 1 << 20
"""Bytes of a line; a longer one is malformed."""


@dataclass(frozen=True)
class AtomPlaces:
    """Atoms by the lines they stand in."""

    lines: Sequence[bytes]
    rows: Sequence[int]
    """The line of each atom."""
    file: str
    first: int

    def origin(self, row: int) -> Origin:
        return at_line(self.file, self.first + self.rows[row])

    def text(self, row: int) -> str:
        return self.lines[self.rows[row]].decode("utf-8", "backslashreplace").strip()


def chunk_of_lines(lines: Sequence[bytes], first: int, rules: Rules, file: str, order: int = 0) -> Chunk:
    """The atoms of some lines, of which the first has the number `first`; `order` is the place of the first atom."""
    records: list[Record | Diagnostic] = []
    rows: list[int] = []
    for place, line in enumerate(lines):
        found = read_line(line, at_line(file, first + place), rules)
        more = [found] if isinstance(found, Diagnostic) else found
        records += more
        rows += [place] * len(more)
    return Judge(rules, order).chunk(batch_of_records(records, AtomPlaces(lines, rows, file, first)))


def read_line(line: bytes, origin: Origin, rules: Rules) -> list[Record] | Diagnostic:
    """The atoms of a line, none of an empty one or a comment; or what is wrong with it."""
    if len(line) > LONGEST:
        return Diagnostic("E401", "The line is too long.", f"Keep lines under {LONGEST} bytes.")
    bare = line.strip()
    if not bare or bare.startswith((b"%", b"//")):
        return []
    if bare.startswith(b"{"):
        found = read_json(line, origin, rules)
        return [found] if isinstance(found, Record) else found
    try:
        text = bare.decode("utf-8")
    except UnicodeDecodeError:
        return Diagnostic("E403", "The line is not UTF-8 text.", "Send atoms as UTF-8 text.")
    time: str | None = None
    if text.startswith("@") and (timed := _TIME.match(text)):
        time, text = timed[1], timed[2]
    records: list[Record] = []
    for part in _ATOM.findall(text) if '"' in text else text.split(";"):
        fact = read_atom(part.strip())
        one = record(fact, time, rules) if isinstance(fact, Fact) else fact
        if isinstance(one, Diagnostic):
            return one
        records.append(one)
    return records
