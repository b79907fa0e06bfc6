"""What has been measured, kept in a folder: a run that was interrupted goes on, and runs are put together."""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import larspark
from larspark.bench.measuring.suite import Job, Record, RunRequest
from larspark.cache import write_whole

FILE = "measurements.jsonl"
LIBRARIES = ("numpy", "numba", "clingo", "polars", "pyarrow", "pyspark")


class Store:
    """Records by job, in the order in which jobs were first done; without a folder they are forgotten at the end."""

    def __init__(self, folder: Path | None = None) -> None:
        self._path = folder / FILE if folder else None
        self._records: dict[str, list[Record]] = {}
        if self._path and self._path.exists():
            for line in self._path.read_text(encoding="utf-8").splitlines():
                record = json.loads(line)
                if "job" in record:  # reports of earlier versions have none
                    self._records.setdefault(record["job"], []).append(record)

    def __iter__(self) -> Iterator[Record]:
        return (record for records in self._records.values() for record in records)

    def has(self, job: Job, run: RunRequest) -> bool:
        """Was this measured already, by the same code and in the same way?"""
        known = self._records.get(job.name, [])
        wanted = _marks(run)
        return bool(known) and all(record["settings"] == wanted for record in known)

    def put(self, job: Job, run: RunRequest, records: Iterable[Record], seconds: float) -> None:
        """Keep the outcome of a job in place of an earlier one, and write everything down."""
        marks = {"job": job.name, "seconds": round(seconds, 1), "settings": _marks(run)}
        self._records[job.name] = [marks | record for record in records]
        if self._path:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, "".join(json.dumps(record) + "\n" for record in self).encode())

    def seconds(self, job: Job) -> float:
        """How long the job takes: as last time, or as it says itself."""
        known = self._records.get(job.name)
        return float(known[0]["seconds"]) if known else job.seconds


def _marks(run: RunRequest) -> dict[str, Any]:
    return run.settings() | {"code": code_version(), "machine": machine()}


@cache
def code_version() -> str:
    """Names the content of all sources: measurements of other code are no part of the same run."""
    digest = hashlib.sha256()
    for path in sorted(Path(larspark.__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


@cache
def machine() -> dict[str, str]:
    """What the numbers were taken on."""
    found = {"python": platform.python_version(), "system": f"{sys.platform} {platform.machine()}", "cpu": _cpu()}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{len(names)} × {names[0]}" if names else platform.processor()
