"""Spark Connect: bounded runs and streaming DataFrames give the same tables; streams into folders are refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pyspark
import pytest

import larspark
from larspark.spark.session.java import java_home
from support.brokers import free_port
from support.spark_runs import PATIENCE

pytestmark = pytest.mark.thorough

SCRIPT = """
import json
from larspark.diagnostics import Rejected
from larspark.spark import reason
from larspark.spark.read.rules import InputSource
from larspark.spark.interface import plan_of
from larspark.spark.session.session import _prepare_environment, cores, told
from larspark.spark.read.following import follow_sources
from pathlib import Path
from pyspark.sql import SparkSession

_prepare_environment()
session = SparkSession.builder.remote("local[2]").getOrCreate()
frame = session.createDataFrame([(0, "m"), (1, "m"), (2, "m"), (1, "k")], "time int, x string")
program = "p(X) :- always e(X) [1]. q(N) :- N = #count{ X : p(X) }."
tables = reason(program, {"e": frame})
rows = {name: sorted(map(list, table.collect())) for name, table in tables.items()}
try:
    follow_sources(session, [InputSource("in")], plan_of(program, ()).vocabulary, Path("journals"))
except Rejected as rejected:
    code = rejected.diagnostics[0].code
print(json.dumps({"rows": rows, "cores": cores(session), "told": told(session), "code": code}))
session.stop()
"""


def test_bounded_runs_through_connect() -> None:
    found = json.loads(_python("-c", SCRIPT).splitlines()[-1])  # which starts the server, too
    assert found["rows"] == {"p": [["m", 0, 2, None]], "q": [[1, 0, 2, None]]}
    assert found["cores"] == 2
    assert "Connect" in found["told"]
    assert found["code"] == "E604"


STREAM = """
import json, sys
from larspark.spark import reason, spark_session

session = spark_session(sys.argv[1])
folder = sys.argv[2]
frame = session.readStream.schema("time long, x string").option("maxFilesPerTrigger", 1).json(f"{folder}/in")
table = reason("p(X) :- always e(X) [1]. q(N) :- N = #count{ X : p(X) }.", {"e": frame}, lateness=0, partitions=2)["q"]
options = {"path": f"{folder}/q", "checkpointLocation": f"{folder}/checkpoint"}
query = table.writeStream.format("parquet").options(**options).trigger(availableNow=True).start()
assert query.awaitTermination(240)
print(json.dumps(sorted(map(list, session.read.parquet(f"{folder}/q").collect()))))
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """A server that was started elsewhere, with the script that comes with Spark."""
    home, port = Path(pyspark.__file__).parent, free_port()
    environment = {**os.environ, "SPARK_HOME": str(home), "JAVA_HOME": str(java_home()), "SPARK_LOCAL_IP": "127.0.0.1"}
    environment |= {"PYSPARK_PYTHON": sys.executable, "PYTHONPATH": str(Path(larspark.__file__).parents[1])}
    environment |= {"SPARK_PID_DIR": str(tmp_path), "SPARK_LOG_DIR": str(tmp_path)}  # not those of other servers
    settings = [f"spark.connect.grpc.binding.port={port}", "spark.ui.enabled=false", "spark.sql.shuffle.partitions=2"]
    words = ["--wait", "--master", "local[2]", *(word for one in settings for word in ("--conf", one))]
    with (tmp_path / "server.log").open("wb") as log:
        command = [home / "sbin" / "start-connect-server.sh", *words]
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)
    try:
        deadline = time.monotonic() + PATIENCE
        while "Spark Connect server started at" not in (tmp_path / "server.log").read_text():
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.2)
        yield f"sc://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_a_server_that_was_started_elsewhere(server: str, tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text("p(X) :- always e(X) [1].\n")
    (tmp_path / "in").mkdir()
    for number, times in enumerate(((0, 1, 2), (5, 6), (9,))):
        path = tmp_path / "in" / f"{number}.json"
        path.write_text("".join(json.dumps({"time": at, "x": "m"}) + "\n" for at in times))
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
    (tmp_path / "e.csv").write_text("time,x\n0,m\n1,m\n4,k\n")
    words = [
        "run",
        tmp_path / "p.lars",
        "--input",
        tmp_path / "e.csv",
        "--output",
        tmp_path / "out",
        "--master",
        server,
    ]
    bounded = _python("-m", "larspark", *map(str, words))
    assert "p  " in bounded
    assert pq.read_table(tmp_path / "out" / "p").to_pylist() == [{"arg1": "m", "from": 0, "to": 1, "at": None}]
    told = _python("-c", STREAM, server, str(tmp_path))
    assert json.loads(told.splitlines()[-1]) == [[0, 3, 5, None], [1, 0, 2, None], [1, 6, 6, None]]


def _python(*words: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(Path(larspark.__file__).parents[1])}
    command = [sys.executable, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout
