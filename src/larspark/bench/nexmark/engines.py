"""Who runs the queries: each engine in processes of its own, on the same files."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from larspark.bench.nexmark.catalogue import NexmarkQuery
from larspark.bench.nexmark.generator import GeneratedEvents

HERE = Path(__file__).parent
LIMIT, LEAST_RATE = 120.0, 5_000
"""Seconds for one query of larspark, and what it must do in a further second."""


@dataclass(frozen=True)
class EngineSetting:
    """What is measured on."""

    stream: GeneratedEvents
    folder: Path
    warm: Path
    """A folder with little data."""
    peers: Path | None
    """The Python of the peers."""


@dataclass(frozen=True)
class Cost:
    """What a query cost an engine, or why it has no answer."""

    engine: str
    query: str
    cpu: float = 0
    """Seconds."""
    resident: int = 0
    """Bytes, the most so far."""
    rows: int | None = None
    error: str = ""

    def as_json(self, stream: GeneratedEvents) -> dict[str, Any]:
        if self.error:
            return {"engine": self.engine, "query": self.query, "error": self.error}
        return {
            "engine": self.engine,
            "query": self.query,
            "events": stream.events,
            "rate": stream.rate,
            "cpu_seconds": round(self.cpu, 3),
            "events_per_second": round(stream.events / self.cpu),
            "megabytes": self.resident >> 20,
            "rows": self.rows,
        }


def _larspark(queries: Sequence[NexmarkQuery], setting: EngineSetting) -> Iterator[Cost]:
    for query in queries:
        stream = setting.stream
        arguments = [str(setting.folder), str(setting.warm), query.name, str(stream.events), str(stream.rate)]
        command = [sys.executable, "-m", "larspark.bench.nexmark.run_larspark", *arguments]
        yield from _costs("larspark", command, [query], LIMIT + stream.events / LEAST_RATE)


def _larspark_to_file(queries: Sequence[NexmarkQuery], setting: EngineSetting) -> Iterator[Cost]:
    for query in queries:
        stream, written = setting.stream, setting.folder / f"{query.name}-answer.parquet"
        arguments = [str(setting.folder), str(setting.warm), query.name, str(stream.events), str(stream.rate)]
        command = [sys.executable, "-m", "larspark.bench.nexmark.run_larspark", *arguments, str(written)]
        yield from _costs("larspark to a file", command, [query], LIMIT + stream.events / LEAST_RATE)
        written.unlink(missing_ok=True)


def _flink(queries: Sequence[NexmarkQuery], setting: EngineSetting) -> Iterator[Cost]:
    places = {query: HERE / "flink" / f"{query}.sql" for query in queries}
    written = [query for query, place in places.items() if place.exists()]
    command = [str(setting.peers), str(HERE / "run_flink.py"), str(setting.folder), str(setting.warm)]
    for query in written:  # a Java for each: its memory is that of the query
        yield from _costs("flink", [*command, str(places[query])], [query])
    yield from (Cost("flink", one.name, error="Flink SQL cannot say it") for one in queries if one not in written)


def _duckdb(queries: Sequence[NexmarkQuery], setting: EngineSetting) -> Iterator[Cost]:
    stream = setting.stream
    asked = [f"{one.program.with_suffix('.sql')}={one.step}:{stream.begin}:{stream.end}" for one in queries]
    command = [str(setting.peers), str(HERE / "run_duckdb.py"), str(setting.folder), *asked]
    yield from _costs("duckdb", command, queries)


ENGINES: dict[str, Callable[[Sequence[NexmarkQuery], EngineSetting], Iterator[Cost]]] = {
    "larspark": _larspark,
    "larspark to a file": _larspark_to_file,
    "flink": _flink,
    "duckdb": _duckdb,
}


def _costs(
    engine: str, command: Sequence[str], queries: Iterable[NexmarkQuery], limit: float | None = None
) -> Iterator[Cost]:
    """The lines of a process, one for each query."""
    missing = {query.name for query in queries}
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit)
        lines, error = done.stdout.splitlines(), (done.stderr.strip().splitlines() or ["no answer"])[-1]
    except subprocess.TimeoutExpired:
        lines, error = [], f"given up after {limit:.0f} s"
    for line in lines:
        told = json.loads(line)
        missing.discard(told["query"])
        known = {name: told[name] for name in ("query", "cpu", "resident", "rows", "error") if name in told}
        yield Cost(engine, **known)
    for name in sorted(missing):
        yield Cost(engine, name, error=error)
