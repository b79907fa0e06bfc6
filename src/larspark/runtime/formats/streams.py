"""Recorded streams: arrivals in arrival order, whatever the format."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path
from typing import TypeAlias

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact
from larspark.language.tree import Input
from larspark.runtime.formats.arrivals import Arrival, OnError, Record, at_line
from larspark.runtime.formats.files import ENDINGS, STDIN, read_records
from larspark.runtime.formats.tables import Layout
from larspark.runtime.formats.times import time_point

_MOST_KEPT = 1000
"""How many findings about skipped records are kept; all are counted."""


Objection: TypeAlias = Callable[[Fact, int], Diagnostic | None]


def no_objection(_fact: Fact, _time: int) -> None:
    return None


@dataclass(frozen=True)
class RecordedStream:
    """A whole recorded stream in memory."""

    arrivals: tuple[Arrival, ...]
    skipped: int = 0
    diagnostics: tuple[Diagnostic, ...] = ()
    """What was wrong with the skipped records (the first ones, if there are very many)."""


def read_stream(
    source: str | Path,
    *,
    calendar: Calendar | None = None,
    on_error: OnError = "stop",
    inputs: Iterable[Input] = (),
    objection: Objection = no_objection,
) -> RecordedStream:
    """All arrivals of a recorded stream; see `StreamReader`."""
    reader = StreamReader(source, calendar=calendar, on_error=on_error, inputs=inputs, objection=objection)
    arrivals = tuple(reader)
    return RecordedStream(arrivals, reader.skipped, tuple(reader.diagnostics))


class StreamReader:
    """Iterates over the arrivals of a recorded stream without holding it in memory.

    The source is a file (JSON lines, CSV, Parquet), `-` for JSON lines on standard input, or a folder of such files,
    which are merged by time. A table without the columns `predicate` or `atom` holds the predicate it is named after;
    `inputs` with column names say which columns are its arguments. A calendar is needed where times are timestamps.
    `objection` says of an atom why the program cannot take it at its time; the finding is placed at the atom's record.
    """

    def __init__(
        self,
        source: str | Path,
        *,
        calendar: Calendar | None = None,
        on_error: OnError = "stop",
        inputs: Iterable[Input] = (),
        objection: Objection = no_objection,
    ) -> None:
        self._source = source
        self._calendar = calendar
        self._on_error = on_error
        self._objection = objection
        self._columns: Mapping[str, tuple[str, ...]] = {i.signature.predicate: i.columns for i in inputs if i.columns}
        self.skipped = 0
        self.diagnostics: list[Diagnostic] = []

    def __iter__(self) -> Iterator[Arrival]:
        self.skipped = 0
        self.diagnostics.clear()
        if self._source != STDIN and Path(self._source).is_dir():
            return self._folder(Path(self._source))
        return self._file(self._source)

    def _folder(self, folder: Path) -> Iterator[Arrival]:
        files = sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)
        if not files:
            hint = f"Files that can be read end in {', '.join(ENDINGS)}."
            message = f"The folder `{folder}` holds no data."
            raise Rejected([Diagnostic("E406", message, hint, at_line(str(folder), 1))])
        return heapq.merge(*map(self._file, files), key=itemgetter(0))

    def _file(self, source: str | Path) -> Iterator[Arrival]:
        last = 0
        for record in read_records(source, self._layout):
            time = self._time(record, last)
            if isinstance(time, int) and isinstance(record, Record):
                last = time
                yield Arrival(time, record.fact)
            elif isinstance(time, Diagnostic):
                self._fault(time)

    def _time(self, record: Record | Diagnostic, last: int) -> int | Diagnostic:
        if isinstance(record, Diagnostic):
            return record
        time = time_point(record.time, self._calendar, record.origin)
        if isinstance(time, Diagnostic):
            return time
        if time < last:
            message = f"Time goes backwards, from {last} to {time}."
            return Diagnostic("E405", message, "Order the records by time.", record.origin)
        refused = self._objection(record.fact, time)
        return time if refused is None else replace(refused, origin=record.origin)

    def _fault(self, finding: Diagnostic) -> None:
        if self._on_error == "stop":
            raise Rejected([finding])
        self.skipped += 1
        if len(self.diagnostics) < _MOST_KEPT:
            self.diagnostics.append(finding)

    def _layout(self, path: Path) -> Layout:
        columns = self._columns.get(path.stem, ())
        return Layout(path.stem, columns)
