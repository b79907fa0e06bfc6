"""A recorded stream with the place of every record, and the records that were not taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

from larspark.diagnostics import Origin, Rejected
from larspark.explain.history import Place, Refusal, Sourced
from larspark.read import Chunk, OnError, Refused, read_chunks
from larspark.read.sources import STDIN, data_files
from larspark.runtime.prepared import Prepared


@dataclass(frozen=True)
class SourcedStream:
    arrivals: tuple[Sourced, ...]
    """In the order of arrival."""
    refused: tuple[Refusal, ...]


def read_sourced(source: str | Path, prepared: Prepared, on_error: OnError = "stop") -> SourcedStream:
    """All of a file, a folder of files, or standard input, as the program takes it."""
    files = [source] if source == STDIN or not Path(source).is_dir() else data_files(Path(source))
    rules = prepared.located_rules
    arrivals: list[Sourced] = []
    refused: list[Refusal] = []
    for file in files:
        for chunk in read_chunks(file, rules):
            if chunk.refused and on_error == "stop":
                raise Rejected([chunk.refused[0].diagnostic])
            arrivals.extend(sourced(chunk))
            refused.extend(map(refusal_of, chunk.refused))
    return SourcedStream(tuple(sorted(arrivals, key=attrgetter("time"))), tuple(refused))


def sourced(chunk: Chunk) -> Iterator[Sourced]:
    """The arrivals of a chunk with their places."""
    for order, time, fact in chunk.rows():
        origin = chunk.located.origin(order) if chunk.located else None
        yield Sourced(time, fact, _place(origin))


def refusal_of(refused: Refused) -> Refusal:
    """A record that was not taken, as explanations tell it."""
    finding = refused.diagnostic
    time, fact = refused.arrival or (None, None)
    return Refusal(_place(finding.origin), finding.message, finding.code, time, fact)


def _place(origin: Origin | None) -> Place | None:
    return None if origin is None else Place(origin.file, origin.line)
