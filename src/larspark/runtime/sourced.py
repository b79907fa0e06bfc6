"""A recorded stream with the place of every record, and the records that were not taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path

from larspark.diagnostics import Origin, Rejected
from larspark.explain.evaluations.history import RecordPlace, Refusal, Sourced
from larspark.language.calendar import TimeForm
from larspark.read import Chunk, OnError, Refused, Rules, read_chunks
from larspark.read.sources import STDIN, data_files
from larspark.runtime.manifest import InputFile
from larspark.runtime.prepared import Prepared


@dataclass(frozen=True)
class SourcedStream:
    arrivals: tuple[Sourced, ...]
    """In the order of arrival."""
    refused: tuple[Refusal, ...]
    form: TimeForm = TimeForm.POINTS
    """How its times are written."""


def read_sourced(
    source: str | Path | Sequence[InputFile], prepared: Prepared, on_error: OnError = "stop"
) -> SourcedStream:
    """All of a file, a folder of files, standard input, or the inputs of a run, as the program takes it."""
    arrivals: list[Sourced] = []
    refused: list[Refusal] = []
    form = TimeForm.POINTS
    for file, predicate, rules in tables_of(source, prepared):
        for chunk in read_chunks(file, rules, predicate):
            if chunk.refused and on_error == "stop":
                raise Rejected([chunk.refused[0].diagnostic])
            arrivals.extend(sourced(chunk))
            refused.extend(map(refusal_of, chunk.refused))
            form = max(form, chunk.form)
    return SourcedStream(tuple(sorted(arrivals, key=attrgetter("time"))), tuple(refused), form)


def tables_of(
    source: str | Path | Sequence[InputFile], prepared: Prepared
) -> Iterator[tuple[str | Path, str | None, Rules]]:
    """The files, the predicates that they are named after, and the rules by which they are read."""
    rules = prepared.located_rules
    if isinstance(source, str | Path):
        files = [source] if source == STDIN or not Path(source).is_dir() else data_files(Path(source))
        yield from ((file, None, rules) for file in files)
        return
    for one in source:
        for file, predicate in one.tables():
            columns = {**rules.columns, predicate: one.columns} if one.columns else rules.columns
            yield file, predicate, replace(rules, columns=columns, time=one.time)


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


def _place(origin: Origin | None) -> RecordPlace | None:
    return None if origin is None else RecordPlace(origin.file, origin.line)
