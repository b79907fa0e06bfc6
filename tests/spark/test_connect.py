"""Spark Connect: bounded runs give the same tables; streams are refused with a reason."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import larspark

pytestmark = pytest.mark.cluster

SCRIPT = """
import json
from larspark.diagnostics import Rejected
from larspark.spark import reason
from larspark.spark.pipeline_file import Source
from larspark.spark.reason import plan_of
from larspark.spark.session import _prepare_environment, cores, told
from larspark.spark.sources import follow_sources
from pathlib import Path
from pyspark.sql import SparkSession

_prepare_environment()
session = SparkSession.builder.remote("local[2]").getOrCreate()
frame = session.createDataFrame([(0, "m"), (1, "m"), (2, "m"), (1, "k")], "time int, x string")
program = "p(X) :- always e(X) [1]. q(N) :- N = #count{ X : p(X) }."
tables = reason(program, {"e": frame})
rows = {name: sorted(map(list, table.collect())) for name, table in tables.items()}
try:
    follow_sources(session, [Source("in")], plan_of(program, ()).vocabulary, Path("journals"))
except Rejected as rejected:
    code = rejected.diagnostics[0].code
print(json.dumps({"rows": rows, "cores": cores(session), "told": told(session), "code": code}))
session.stop()
"""


def test_bounded_runs_through_connect() -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(larspark.__file__).parents[1])}  # for the server, too
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=300, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["rows"] == {"p": [["m", 0, 2, None]], "q": [[1, 0, 2, None]]}
    assert found["cores"] == 2
    assert "Connect" in found["told"]
    assert found["code"] == "E604"
