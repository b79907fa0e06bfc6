"""Results on disk: whole or not at all, and safe to run again.

Tables are written beside their place and moved there when all are complete; a run that fails leaves what was there.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from larspark.diagnostics import Diagnostic, Rejected


def check_output(folder: Path) -> None:
    """Reject a place that holds something else than results, before anything runs."""
    if folder.exists() and not folder.is_dir():
        message = f"`{folder}` is a file; results are a folder with a table per predicate."
        raise Rejected([Diagnostic("E603", message, "Name another folder.")])
    if folder.is_dir() and any(folder.iterdir()) and not _mark(folder).exists():
        message = f"The folder `{folder}` holds other data than results of larspark."
        raise Rejected([Diagnostic("E603", message, "Name an empty folder, or one of an earlier run.")])


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


def mark_output(folder: Path) -> None:
    """Make the folder one of results."""
    folder.mkdir(parents=True, exist_ok=True)
    _mark(folder).write_text("results of larspark\n")


def _mark(folder: Path) -> Path:
    return folder / "_larspark"


def replace_file(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    beside.write_bytes(data)
    os.replace(beside, path)


def replace_text(path: Path, text: str) -> None:
    replace_file(path, text.encode())


def replace_table(path: Path, table: pa.Table) -> None:
    """Put a whole Parquet file in its place, or remove it when there are no rows."""
    if not len(table):
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    pq.write_table(table, beside)
    os.replace(beside, path)
