"""Signals as the runner takes them, one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from larspark.diagnostics import Diagnostic, Origin
from larspark.language.facts import Fact
from larspark.read import UNTIMED, Chunk
from larspark.read.json_lines import FEW
from larspark.read.lines import Lines
from larspark.read.places import Located
from larspark.read.text_lines import LiveLines, read_line


class Event(NamedTuple):
    """A signal, with its time point if its line gives one, and its place in its source."""

    fact: Fact
    time: int | None
    order: int = 0
    located: Located | None = None

    @property
    def origin(self) -> Origin | None:
        return None if self.located is None else self.located.origin(self.order)


def read_events(reader: LiveLines, lines: Lines) -> tuple[list[Event], tuple[Diagnostic, ...]]:
    """The signals of some lines in their order, and what is wrong with the lines that have none."""
    if len(lines) >= FEW:
        chunk = reader.chunk(lines)
        return events_of(chunk), tuple(one.diagnostic for one in chunk.refused)
    events: list[Event] = []
    faults: list[Diagnostic] = []
    for place, line in enumerate(lines.content.split(b"\n")):
        found = read_line(line, lines.origin(place), reader.rules)
        if isinstance(found, Diagnostic):
            faults.append(found if found.origin else replace(found, origin=lines.origin(place)))
        else:
            located = Located(lines, 0)
            events += [Event(fact, None if time == UNTIMED else time, place, located) for fact, time, _ in found]
    return events, tuple(faults)


def events_of(chunk: Chunk) -> list[Event]:
    """The signals of a chunk in their order."""
    located = chunk.located
    return [Event(fact, None if time == UNTIMED else time, order, located) for order, time, fact in chunk.rows()]
