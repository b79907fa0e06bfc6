"""Partitions note how far they are, in files beside the results: whoever waits for a long run can read them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from time import monotonic
from typing import NamedTuple

PAUSE = 1.0
"""Seconds between two notes of a partition."""


class Note(NamedTuple):
    """What a partition has done."""

    time: int
    """Up to here everything is evaluated."""
    end: int
    atoms: int
    """Read so far."""


@dataclass(frozen=True)
class ProgressNotes:
    """The notes of all partitions of a run; one is written over the one before."""

    folder: Path | None
    """None: nobody reads them."""

    def page(self, stage: int, part: int) -> Page:
        return Page(None if self.folder is None else self.folder / f"{stage}-{part}")

    def close(self) -> None:
        """The run is over."""
        if self.folder is not None:
            rmtree(self.folder, ignore_errors=True)

    def latest(self) -> tuple[int, list[Note]] | None:
        """The last stage that has begun, and what its partitions have noted."""
        found: dict[int, list[Note]] = {}
        with suppress(FileNotFoundError):  # no run, or none that takes notes
            for path in self.folder.iterdir() if self.folder else ():
                found.setdefault(int(path.name.partition("-")[0]), []).extend(_noted(path))
        return max(found.items(), default=None)


NO_PROGRESS = ProgressNotes(None)


def progress_in(folder: Path) -> ProgressNotes:
    """Of the run that writes its results into a folder."""
    return ProgressNotes(folder / "_progress")


class Page:
    """The note of one partition."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._next = 0.0

    def write(self, note: Note) -> None:
        """Now and then; a note that cannot be written is no reason to stop."""
        if self._path is not None and monotonic() >= self._next:
            self._next = monotonic() + PAUSE
            with suppress(OSError):
                self._path.parent.mkdir(exist_ok=True)
                self._path.write_text(" ".join(map(str, note)), encoding="ascii")


def _noted(path: Path) -> Iterator[Note]:
    """The note, unless it is just being written."""
    with suppress(OSError, ValueError, TypeError):
        yield Note(*map(int, path.read_text(encoding="ascii").split()))
