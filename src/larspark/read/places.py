"""Where records stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from larspark.diagnostics import Origin


def at_line(file: str, line: int, column: int = 1) -> Origin:
    """The place of a record."""
    return Origin(file, line, column, line, column + 1)


class Places(Protocol):
    """Where records stand, asked for only when something is wrong with one."""

    def origin(self, row: int) -> Origin | None: ...

    def text(self, row: int) -> str:
        """The record as its source has it."""
        ...


@dataclass(frozen=True)
class Located:
    """Where the records of a chunk stand, by their places among all of the source."""

    places: Places
    first: int

    def origin(self, order: int) -> Origin | None:
        return self.places.origin(order - self.first)
