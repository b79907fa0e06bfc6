"""Signals as the runner takes them, one by one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from larspark.diagnostics import Diagnostic, Origin
from larspark.language.calendar import TimeForm
from larspark.language.facts import Fact
from larspark.read import UNTIMED, Chunk, Rules
from larspark.read.batch import ChunkMaker, RecordColumns, parts_of_facts
from larspark.read.chunk import Refused
from larspark.read.formats.json_lines import FEW
from larspark.read.formats.lines import Lines
from larspark.read.formats.text_lines import LiveLines, read_line
from larspark.read.places import Located


class Signal(NamedTuple):
    """A signal, with its time point if its line gives one, and its place in its source."""

    fact: Fact
    time: int | None
    order: int = 0
    located: Located | None = None
    form: TimeForm = TimeForm.POINTS
    """How its time is written."""

    @property
    def origin(self) -> Origin | None:
        return None if self.located is None else self.located.origin(self.order)


def read_signals(reader: LiveLines, lines: Lines) -> tuple[list[Signal] | Chunk, tuple[Refused, ...]]:
    """The signals of some lines in their order, and what is wrong with the lines that have none."""
    if len(lines) >= FEW:
        chunk = reader.chunk(lines)
        return chunk, chunk.refused
    events: list[Signal] = []
    faults: list[Refused] = []
    for place, line in enumerate(lines.content.split(b"\n")):
        found = read_line(line, lines.origin(place), reader.rules)
        if isinstance(found, Diagnostic):
            placed = found if found.origin else replace(found, origin=lines.origin(place))
            faults.append(Refused(placed, line.decode("utf-8", "backslashreplace"), place))
        else:
            located = Located(lines, 0)
            events += [
                Signal(fact, None if time == UNTIMED else time, place, located, form) for fact, time, form in found
            ]
    return events, tuple(faults)


def record_of(fact: Fact, time: int | None) -> str:
    """A signal as a line of input."""
    said = {} if time is None or time == UNTIMED else {"time": time}
    return json.dumps({**said, "atom": str(fact)}, ensure_ascii=False)


def signals_of(chunk: Chunk) -> list[Signal]:
    """The signals of a chunk in their order."""
    located, form = chunk.located, chunk.form
    return [Signal(fact, None if time == UNTIMED else time, order, located, form) for order, time, fact in chunk.rows()]


def chunk_of_signals(events: Sequence[Signal]) -> Chunk:
    """Signals in columns."""
    times = np.array([UNTIMED if event.time is None else event.time for event in events], np.int64)
    parts = tuple(parts_of_facts((row, event.fact) for row, event in enumerate(events)))
    form = max((event.form for event in events), default=TimeForm.POINTS)
    columns = RecordColumns(times, parts, SignalPlaces(events), form=form)
    return ChunkMaker(Rules(located=True, ordered=False)).chunk(columns)


@dataclass(frozen=True)
class SignalPlaces:
    """Signals say themselves where they stand."""

    events: Sequence[Signal]

    def origin(self, row: int) -> Origin | None:
        return self.events[row].origin

    def text(self, row: int) -> str:
        return str(self.events[row].fact)
