"""Results on disk: whole or not at all, and safe to run again.

Each table is written beside its place and moved there when it is complete; a run that fails leaves what was there.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pyspark.sql import DataFrame

from larspark.diagnostics import Diagnostic, Rejected

DEAD_LETTERS = "_dead_letters"
ROWS_PER_FILE = 1 << 18
FORMATS = ("parquet", "csv", "json")


def check_output(folder: Path) -> None:
    """Reject a place that holds something else than results, before anything runs."""
    if folder.exists() and not folder.is_dir():
        message = f"`{folder}` is a file; results are a folder with a table per predicate."
        raise Rejected([Diagnostic("E603", message, "Name another folder.")])
    if folder.is_dir() and any(folder.iterdir()) and not _mark(folder).exists():
        message = f"The folder `{folder}` holds other data than results of larspark."
        raise Rejected([Diagnostic("E603", message, "Name an empty folder, or one of an earlier run.")])


def write_tables(
    tables: Mapping[str, DataFrame], folder: Path, kind: str = "parquet", rows: Mapping[str, int] | None = None
) -> dict[str, Path]:
    """Write the tables, then put the whole folder in its place; returns where each table lies.

    `rows` is about how many rows a table has: a large one is written in several files, by several cores.
    """
    with staged(folder) as beside:
        for name, table in tables.items():
            files = 1 + (rows or {}).get(name, 0) // ROWS_PER_FILE
            writer = table.coalesce(files).write.mode("overwrite")
            if kind == "csv":
                writer = writer.option("header", True)
            writer.format(kind).save(str(beside / file_name(name)))
    return {name: folder / file_name(name) for name in tables}


@contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """A folder beside that of the results, in which they are written; it takes their place when all has gone well."""
    check_output(folder)
    beside, replaced = unfinished(folder), folder.with_name(f".{folder.name}.old")
    shutil.rmtree(beside, ignore_errors=True)
    mark_output(beside)
    try:
        yield beside
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    shutil.rmtree(replaced, ignore_errors=True)
    if folder.exists():
        folder.rename(replaced)
    beside.rename(folder)
    shutil.rmtree(replaced, ignore_errors=True)


def unfinished(folder: Path) -> Path:
    """Where results are while they are being written."""
    return folder.with_name(f".{folder.name}.new")


def file_name(name: str) -> str:
    """A predicate as the name of a folder."""
    return "".join(letter if letter.isalnum() or letter in "_-." else f"%{ord(letter):02x}" for letter in name)


def mark_output(folder: Path) -> None:
    """Make the folder one of results."""
    folder.mkdir(parents=True, exist_ok=True)
    _mark(folder).write_text("results of larspark\n")


def _mark(folder: Path) -> Path:
    return folder / "_larspark"
