"""A recorded stream with the place of every record, and the records that were not taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.explain.history import Place, Refusal, Sourced
from larspark.runtime.formats.arrivals import OnError, Record
from larspark.runtime.formats.files import ENDINGS, STDIN, read_records, unreadable
from larspark.runtime.formats.tables import Layout
from larspark.runtime.formats.times import time_point
from larspark.runtime.prepared import Prepared


@dataclass(frozen=True)
class SourcedStream:
    arrivals: tuple[Sourced, ...]
    """In the order of arrival."""
    refused: tuple[Refusal, ...]


def read_sourced(source: str | Path, prepared: Prepared, on_error: OnError = "stop") -> SourcedStream:
    """All of a file, a folder of files, or standard input, as the program takes it."""
    files = [source] if source == STDIN or not Path(source).is_dir() else _files(Path(source))
    arrivals: list[Sourced] = []
    refused: list[Refusal] = []
    for file in files:
        for one, finding in _read(file, prepared):
            if isinstance(one, Sourced):
                arrivals.append(one)
            elif on_error == "stop":
                assert finding is not None
                raise Rejected([finding])
            else:
                refused.append(one)
    return SourcedStream(tuple(sorted(arrivals, key=attrgetter("time"))), tuple(refused))


def _files(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)
    if not found:
        raise unreadable(folder, "the folder holds no data")
    return found


def _read(source: str | Path, prepared: Prepared) -> Iterator[tuple[Sourced | Refusal, Diagnostic | None]]:
    columns = {one.signature.predicate: one.columns for one in prepared.inputs if one.columns}
    last = 0
    for record in read_records(source, lambda path: Layout(path.stem, columns.get(path.stem, ()))):
        if isinstance(record, Diagnostic):
            yield _refusal(record, record.origin), record
            continue
        time = time_point(record.time, prepared.calendar, record.origin)
        if isinstance(time, Diagnostic):
            yield _refusal(time, record.origin, record), time
            continue
        finding = prepared.admission.objection(record.fact)
        if time < last:
            finding = Diagnostic("E405", f"Time goes backwards, from {last} to {time}.", "Order the records by time.")
        if finding is not None:
            placed = Diagnostic(finding.code, finding.message, finding.hint, record.origin)
            yield _refusal(placed, record.origin, record, time), placed
            continue
        last = time
        yield Sourced(time, record.fact, _place(record.origin)), None


def _refusal(
    finding: Diagnostic, origin: Origin | None, record: Record | None = None, time: int | None = None
) -> Refusal:
    place = _place(origin) if origin else None
    return Refusal(place, finding.message, finding.code, time, record.fact if record else None)


def _place(origin: Origin) -> Place:
    return Place(origin.file, origin.line)
