"""A database table as a stream: rows that are added are copied into files, in the order of a column that grows.

A file holds the rows up to the number in its name and is put in place as a whole; Spark follows the folder. What has
been copied is told by the names, so that a copy that was broken off is made again, and no row twice. Files that no
micro-batch can need any more are removed, but for the last one, whose name tells how far the copies go.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from urllib.parse import unquote, urlparse

from pyspark.sql import SparkSession

from larspark.diagnostics import Diagnostic, Rejected
from larspark.spark.read.rules import InputSource
from larspark.spark.read.tables import read_table_address, table_frame
from larspark.spark.session.failures import SparkError
from larspark.spark.stream.checkpoint import KEPT
from larspark.write.places import replace_table

MOST_ROWS = 100_000
"""Rows of one file."""
MANY = 8
"""So many files are worth a look at the logs of Spark."""
EVERY = 2.0
"""Seconds between two looks at the table."""
_FINISHED = "age(xmin) > age(pg_snapshot_xmin(pg_current_snapshot())::xid)"
"""PostgreSQL: no transaction that began before that of the row is still open, so no smaller number follows."""


@dataclass(frozen=True)
class GrowingTable:
    session: SparkSession
    source: InputSource
    folder: Path

    def __post_init__(self) -> None:
        if "order" not in self.source.options:
            message = f"To follow `{read_table_address(self.source.path)}`, a column must tell which rows are new."
            hint = "Say `options: {order: id}` in a pipeline file: whole numbers that grow with every row added."
            raise Rejected([Diagnostic("E606", message, hint)])
        self.folder.mkdir(parents=True, exist_ok=True)

    @property
    def last(self) -> int:
        """The number of the last row that has been copied."""
        return max((int(one.stem.rpartition("-")[2]) for one in self.folder.glob("rows-*.parquet")), default=-1)

    def copy(self) -> int:
        """Copy what is new; how many rows that were."""
        address = read_table_address(self.source.path)
        order = self.source.options["order"]
        new = f"{order} > {self.last}"
        if (address.url or "").startswith("jdbc:postgresql:"):
            new = f"{new} AND {_FINISHED}"
        query = f"(SELECT * FROM {address.table} WHERE {new} ORDER BY {order} LIMIT {MOST_ROWS}) AS new_rows"
        rows = table_frame(self.session, self.source, query).toArrow()
        if len(rows):
            replace_table(self.folder / f"rows-{int(rows.column(order)[-1].as_py()):020d}.parquet", rows)
        return len(rows)

    def copy_all(self) -> None:
        while self.copy() == MOST_ROWS:
            pass

    def remove_finished(self, logs: Path) -> None:
        """Remove what has been read; `logs` are those of Spark."""
        own = sorted(self.folder.resolve().glob("rows-*.parquet"))[:-1]
        if len(own) >= MANY:
            for path in {*own}.intersection(finished_files(logs)):
                path.unlink()


@contextmanager
def copied(tables: list[GrowingTable], logs: Path, *, once: bool) -> Iterator[None]:
    """What is there is copied; unless `once`, what is added goes on being copied. What has been read is removed."""
    for table in tables:
        table.copy_all()
        table.remove_finished(logs)
    ended = Event()

    def copy_on(table: GrowingTable) -> None:
        pause = float(table.source.options.get("every", EVERY))
        while not ended.wait(pause):
            try:
                table.copy_all()
                table.remove_finished(logs)
            except (Rejected, OSError, *SparkError):
                continue  # the database may come back, Spark may just be writing its logs; nothing is lost

    watchers = [] if once else [Thread(target=copy_on, args=(one,), daemon=True) for one in tables]
    for watcher in watchers:
        watcher.start()
    try:
        yield
    finally:
        ended.set()
        for watcher in watchers:
            watcher.join()


def finished_files(logs: Path) -> Iterator[Path]:
    """The files of micro-batches that are done and that no repetition starts from; `logs` is Spark's checkpoint.

    There `offsets/7` says up to which entry of its log each source was read in micro-batch 7, `commits/7` that this is
    done, and `sources/0/3` lists the files of an entry; from time to time all entries so far go into one,
    `sources/0/9.compact`.
    """
    done = max((int(one.name) for one in (logs / "commits").glob("[0-9]*")), default=-1) - KEPT
    offsets = logs / "offsets" / str(done)
    if not offsets.exists():
        return
    _version, _settings, *ends = offsets.read_text(encoding="utf-8").splitlines()
    for source, end in enumerate(ends):
        last = json.loads(end).get("logOffset") if end.startswith("{") else None
        if last is not None:
            for path, entry in _listed(logs / "sources" / str(source)):
                if entry <= last:
                    yield path


def _listed(log: Path) -> Iterator[tuple[Path, int]]:
    """Every file with the number of its entry."""
    for one in log.glob("[0-9]*"):
        for line in one.read_text(encoding="utf-8").splitlines()[1:]:
            found = json.loads(line)
            yield Path(unquote(urlparse(found["path"]).path)), found["batchId"]
