"""Where records stand."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Protocol

from larspark.diagnostics import Diagnostic, Origin
from larspark.read.formats.endings import ENDINGS


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


def not_there(path: Path) -> Diagnostic:
    """A file or folder that does not exist, with those beside it whose names are like it."""
    beside = sorted(one.name for one in path.parent.iterdir()) if path.parent.is_dir() else []
    near = get_close_matches(path.name, beside, 3)
    if near:
        hint = f"Did you mean {', '.join(f'`{path.parent / one}`' for one in near)}?"
    elif path.parent.is_dir():
        data = [one for one in beside if Path(one).suffix.lower() in ENDINGS]
        hint = f"Data in `{path.parent}`: {', '.join(data[:8]) or 'none'}."
    else:
        hint = f"There is no folder `{path.parent}` either."
    return Diagnostic("E406", f"There is no file or folder `{path}`.", hint, at_line(str(path), 1))
