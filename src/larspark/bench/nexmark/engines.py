"""Who runs the queries: each engine in a process of its own for each query, on the same files."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from larspark.bench.measuring.store import code_version
from larspark.bench.nexmark.catalogue import NexmarkQuery
from larspark.bench.nexmark.environment import PACKAGES, jars_of_siddhi
from larspark.bench.nexmark.generator import GeneratedEvents

HERE = Path(__file__).parent
LARSPARK = "larspark"

NO_TEXTS = "no functions for parts of texts in its jars"
NOT_IN_SIDDHI = {
    "q5": "no hopping window in its jars",
    "q6": "no ranks",
    "q10": "no calendar in its jars",
    "q14": NO_TEXTS,
    "q19": "no ranks",
    "q21": NO_TEXTS,
    "q22": NO_TEXTS,
}


@dataclass(frozen=True)
class EngineSetting:
    """What is measured on."""

    stream: GeneratedEvents
    folder: Path
    warm: Path
    """A folder with little data."""
    peers: Path | None
    """The folder of the peers."""

    @property
    def output(self) -> Path:
        """A folder for what engines write, which is emptied after every run."""
        return self.folder / "output"


@dataclass(frozen=True)
class NexmarkEngine:
    """An engine."""

    name: str
    title: str
    """As the head of a column."""
    command: Callable[[NexmarkQuery, EngineSetting], list[str]]
    text: Callable[[NexmarkQuery], Path]
    """What it runs; a file that is not there is a query that it cannot run."""
    runner: Path | None = None
    """What runs it, if it is no part of larspark."""
    beside: tuple[Path, ...] = ()
    """What its texts have in common."""
    cannot: Callable[[NexmarkQuery], str] = lambda _: "not written"
    of_peers: bool = False
    """Whether it lives in the environment of the peers."""
    as_text: bool = False
    """Whether it reads CSV."""

    def obstacle(self, query: NexmarkQuery) -> str:
        """Why it does not run a query; empty: it does."""
        return "" if self.text(query).exists() else self.cannot(query)

    def mark(self, query: NexmarkQuery) -> str:
        """Names what is measured: a figure of other sources is measured anew."""
        made = [HERE / "generator.py", HERE / "texts.py", self.text(query)]
        if self.runner is None:
            return digest(code_version(), made)
        return digest(" ".join(PACKAGES if self.of_peers else ()), [*made, self.runner, *self.beside])


def digest(word: str, places: Iterable[Path]) -> str:
    found = hashlib.sha256(word.encode())
    for place in places:
        if place.exists():
            found.update(place.read_bytes())
    return found.hexdigest()[:12]


def _module(name: str, *more: str) -> Callable[[NexmarkQuery, EngineSetting], list[str]]:
    def command(query: NexmarkQuery, setting: EngineSetting) -> list[str]:
        stream = setting.stream
        arguments = [str(setting.folder), str(setting.warm), query.name, str(stream.events), str(stream.rate), *more]
        return [sys.executable, "-m", f"larspark.bench.nexmark.{name}", *arguments]

    return command


def _on_spark(way: str) -> Callable[[NexmarkQuery, EngineSetting], list[str]]:
    return lambda query, setting: _module("run_spark", way, str(setting.output / query.name))(query, setting)


def _larspark_to_file(query: NexmarkQuery, setting: EngineSetting) -> list[str]:
    return _module("run_larspark", str(setting.output / f"{query.name}.parquet"))(query, setting)


def _flink(query: NexmarkQuery, setting: EngineSetting) -> list[str]:
    return [
        _python(setting),
        str(HERE / "run_flink.py"),
        str(setting.folder),
        str(setting.warm),
        str(_flink_text(query)),
    ]


def _siddhi(query: NexmarkQuery, setting: EngineSetting) -> list[str]:
    from larspark.spark.session.java import java_home  # noqa: PLC0415 - Spark is an optional installation

    assert setting.peers is not None
    java, jars = java_home() / "bin" / "java", ":".join(map(str, jars_of_siddhi(setting.peers)))
    runner = str(HERE / "siddhi" / "RunSiddhi.java")
    return [str(java), "-cp", jars, runner, str(setting.folder), str(setting.warm), str(_siddhi_text(query))]


def _duckdb(query: NexmarkQuery, setting: EngineSetting) -> list[str]:
    stream, little = setting.stream, setting.stream.little
    ends = query.ends(stream.begin, stream.end), query.compared_at(little.begin, little.end)
    spans = [f"{one.start}:{one.stop}:{one.step}" for one in ends]
    folders = [str(setting.folder), str(setting.warm)]
    return [_python(setting), str(HERE / "run_duckdb.py"), *folders, str(_sql_text(query)), *spans]


def _python(setting: EngineSetting) -> str:
    assert setting.peers is not None
    return str(setting.peers / "bin" / "python")


def _flink_text(query: NexmarkQuery) -> Path:
    return HERE / "flink" / f"{query}.sql"


def _siddhi_text(query: NexmarkQuery) -> Path:
    return HERE / "siddhi" / f"{query}.siddhi"


def _polars_text(query: NexmarkQuery) -> Path:
    return HERE / "in_polars" / f"{query}.py"


def _sql_text(query: NexmarkQuery) -> Path:
    return query.program.with_suffix(".sql")


def _spark_sql_text(query: NexmarkQuery) -> Path:
    own = HERE / "spark_sql" / f"{query}.sql"
    return own if own.exists() else _sql_text(query)


def _rules(query: NexmarkQuery) -> Path:
    return query.program


_ALL = (
    NexmarkEngine(LARSPARK, "larspark", _module("run_larspark"), _rules),
    NexmarkEngine("file", "to a file", _larspark_to_file, _rules),
    NexmarkEngine("spark", "on Spark", _on_spark("run"), _rules),
    NexmarkEngine("stream", "stream on Spark", _on_spark("follow"), _rules),
    NexmarkEngine("spark-sql", "Spark SQL", _module("run_spark_sql"), _spark_sql_text, HERE / "run_spark_sql.py"),
    NexmarkEngine(
        "flink",
        "Flink",
        _flink,
        _flink_text,
        HERE / "run_flink.py",
        cannot=lambda _: "Flink SQL cannot say it",
        of_peers=True,
        as_text=True,
    ),
    NexmarkEngine(
        "siddhi",
        "Siddhi",
        _siddhi,
        _siddhi_text,
        HERE / "siddhi" / "RunSiddhi.java",
        cannot=lambda query: NOT_IN_SIDDHI[query.name],
        of_peers=True,
        as_text=True,
    ),
    NexmarkEngine("duckdb", "DuckDB", _duckdb, _sql_text, HERE / "run_duckdb.py", of_peers=True),
    NexmarkEngine(
        "polars",
        "polars",
        _module("run_polars"),
        _polars_text,
        HERE / "run_polars.py",
        beside=(HERE / "in_polars" / "parts.py",),
    ),
)
ENGINES = {one.name: one for one in _ALL}
USUAL = (LARSPARK, "file")
"""Those that are measured unless others are asked for."""
