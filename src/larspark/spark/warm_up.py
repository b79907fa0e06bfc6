"""Runs Spark once so that Java can write down its classes: `python -m larspark.spark.warm_up FILE`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from larspark.spark.bounded.start import RunOptions
from larspark.spark.bounded.to_folder import run_to_folder
from larspark.spark.interface import plan_of
from larspark.spark.session.class_archive import archive_folder, class_archive, put_archive, writing
from larspark.spark.session.session import java_settings, spark_session

PROGRAM = "both(X) :- a(X) [1], b(X) [1]."
LINES = '{"time": 0, "atom": "a(1)"}\n{"time": 1, "atom": "b(1)"}\n'
SECONDS = 300.0


def make_class_archive() -> Path | None:
    """The file with the classes of Spark, made if it is not there; None where Java cannot make one."""
    if class_archive() is None:
        made = archive_folder() / f"{os.getpid()}.tmp"
        try:
            subprocess.run(
                [sys.executable, "-m", __name__, str(made)], capture_output=True, check=True, timeout=SECONDS
            )
            put_archive(made)
        except (OSError, subprocess.SubprocessError):
            made.unlink(missing_ok=True)
    return class_archive()


def _fill(place: Path) -> None:
    """A small run, and the end of Java, which is waited for."""
    session = spark_session("local[2]", java_settings(writing(place)))
    with TemporaryDirectory() as folder:
        inputs = Path(folder) / "inputs.jsonl"
        inputs.write_text(LINES)
        run_to_folder(session, plan_of(PROGRAM), [str(inputs)], Path(folder) / "results", RunOptions())
        session.read.parquet(str(Path(folder) / "results" / "both")).orderBy("from").collect()
    gateway: Any = session.sparkContext._gateway  # nothing else knows the process
    session.stop()
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait()


if __name__ == "__main__":
    _fill(Path(sys.argv[1]))
