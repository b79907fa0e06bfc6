"""Signals as the runner takes them, one by one."""

from __future__ import annotations

from typing import NamedTuple

from larspark.diagnostics import Origin
from larspark.language.facts import Fact
from larspark.read import UNTIMED, Chunk
from larspark.read.chunk import Located


class Event(NamedTuple):
    """A signal, with its time point if its line gives one, and its place in its source."""

    fact: Fact
    time: int | None
    order: int = 0
    located: Located | None = None

    @property
    def origin(self) -> Origin | None:
        return None if self.located is None else self.located.origin(self.order)


def events_of(chunk: Chunk) -> list[Event]:
    """The signals of a chunk in their order."""
    located = chunk.located
    return [Event(fact, None if time == UNTIMED else time, order, located) for order, time, fact in chunk.rows()]
