"""From a name to records: which format a file has, and whether it can be opened."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from larspark.diagnostics import Diagnostic, Rejected
from larspark.runtime.formats.arrivals import Record, at_line
from larspark.runtime.formats.csv_tables import read_csv
from larspark.runtime.formats.json_lines import read_json_lines
from larspark.runtime.formats.parquet import read_parquet
from larspark.runtime.formats.tables import Layout

STDIN = "-"
"""The name of standard input, which is read as JSON lines."""

JSON_LINES, CSV, PARQUET = (".jsonl", ".ndjson", ".json"), (".csv",), (".parquet", ".pq")
RDF = (".nt", ".ttl", ".nq", ".trig")
ENDINGS = (*JSON_LINES, *CSV, *PARQUET, *RDF)


def read_records(source: str | Path, layout: Callable[[Path], Layout]) -> Iterator[Record | Diagnostic]:
    """The records of a file in file order; `layout` says how to read it if it is a table.

    What is neither CSV, Parquet nor RDF by its name is read as JSON lines: pipes and logs have all sorts of names.
    """
    if source == STDIN:
        yield from read_json_lines(sys.stdin.buffer, "<stdin>")
        return
    path = Path(source)
    ending = path.suffix.lower()
    try:
        if ending in PARQUET:
            yield from read_parquet(path, layout(path))
            return
        if ending in RDF:
            from larspark.runtime.formats.rdf import read_rdf  # noqa: PLC0415 - only RDF pays for its library

            yield from read_rdf(path, layout(path).timed)
            return
        with path.open("rb") as lines:
            if ending in CSV:
                yield from read_csv(lines, str(path), layout(path))
            else:
                yield from read_json_lines(lines, str(path))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise unreadable(path, reason) from error


def unreadable(path: Path, reason: str | None) -> Rejected:
    """The rejection of a file that cannot be opened."""
    message = f"The file `{path}` cannot be read: {reason}."
    return Rejected([Diagnostic("E406", message, "Check the name and the permissions.", at_line(str(path), 1))])
