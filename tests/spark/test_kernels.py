"""Compiled kernels on executors that have none: the driver's come with the work, and nothing is compiled there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from larspark.cache import CACHE_VARIABLE
from larspark.kernels import build, store

pytestmark = pytest.mark.thorough

RUN = """
import sys
from pathlib import Path
from larspark.spark.bounded.start import RunOptions
from larspark.spark.bounded.to_folder import run_to_folder
from larspark.spark.interface import plan_of
from larspark.spark.session.session import spark_session

folder = Path(sys.argv[1])
session = spark_session("local-cluster[1,1,1024]", {"spark.executorEnv.CACHE": str(folder / "executor")})
done = run_to_folder(session, plan_of(folder / "p.lars"), [str(folder / "in.jsonl")], folder / "out", RunOptions())
print(done.rows)
session.stop()
""".replace("CACHE", CACHE_VARIABLE)


def test_executors_get_the_kernels_of_the_driver(tmp_path: Path) -> None:
    build.provide_kernels()
    (tmp_path / "p.lars").write_text("b(X) :- a(X) [2].")
    (tmp_path / "in.jsonl").write_text('{"time": 1, "atom": "a(1)"}\n{"time": 3, "atom": "a(2)"}\n')
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(tmp_path)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "'b': 2" in done.stdout
    (there,) = (tmp_path / "executor").glob("kernels-*")
    here = store.complete_folder()
    assert here is not None
    # What a worker had compiled would be there under a name of its own.
    assert _names(there) == _names(here)


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {store.BUILDING}
