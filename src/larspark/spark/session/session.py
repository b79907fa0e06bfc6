"""A Spark session: the one that is given, the one that is there, or our own with quiet local defaults."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as sf

import larspark
from larspark.diagnostics import Diagnostic, Rejected
from larspark.spark.session.class_archive import reading
from larspark.spark.session.java import java_home, quiet_python
from larspark.spark.session.reaching import require_answer

LOCAL, REMOTE = "local[*]", "sc://"
DEFAULTS = {
    "spark.app.name": "larspark",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",
    "spark.sql.execution.arrow.maxBytesPerBatch": "8m",  # a message is a row
    "spark.driver.memory": "2g",
    "spark.python.sql.dataFrameDebugging.enabled": "false",  # looks at the stack, and imports IPython, for every column
}

ONE_COMPILER = "-XX:TieredStopAtLevel=1"
"""Java compiles its code once and not again for speed: what works long here is Python.

The second compiler takes a third of the CPU time of a first run, and ten million atoms do not bring it in again.
"""


def spark_session(master: str | None = None, settings: Mapping[str, str] | None = None) -> SparkSession:
    """The active session if there is one, else a new one on `master` (default: all cores of this machine)."""
    active = SparkSession.getActiveSession()
    if active is not None:
        return active
    require_answer(master or LOCAL)
    _prepare_environment(master or LOCAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            session = _connect(master) if master and master.startswith(REMOTE) else _start(master, settings or {})
    except Exception as error:  # Spark raises whatever its launcher, its gateway or the master says
        message = f"Spark does not start on {master or LOCAL}: {_first_line(error)}."
        raise Rejected([Diagnostic("E602", message, "Check the master's address and the Java in use.")]) from error
    return session


def _start(master: str | None, settings: Mapping[str, str]) -> SparkSession:
    builder = SparkSession.builder.master(master or LOCAL)
    java = java_settings(reading(), *([ONE_COMPILER] if _is_here(master) else []))
    for name, value in {**DEFAULTS, **_for_the_master(master), **java, **settings}.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def _connect(master: str) -> SparkSession:
    """A session on a Connect server, which has been started with settings of its own."""
    session = SparkSession.builder.remote(master).getOrCreate()
    for name in ("spark.sql.session.timeZone", "spark.sql.execution.arrow.maxRecordsPerBatch"):
        session.conf.set(name, DEFAULTS[name])
    return session


def is_remote(session: SparkSession) -> bool:
    """Whether this is a session of Spark Connect: DataFrames only, without a context."""
    return type(session).__module__.startswith("pyspark.sql.connect")


def _is_here(master: str | None) -> bool:
    """Whether driver and workers are on this machine, and Java is one process."""
    return (master or LOCAL).startswith("local[")


def _for_the_master(master: str | None) -> dict[str, str]:
    """On one machine: not the 200 partitions per exchange that are meant for a cluster. On a cluster: where to look."""
    if _is_here(master):
        return {"spark.sql.shuffle.partitions": str(os.cpu_count() or 2)}
    # Executors that see the same files find larspark where the driver has it; others have it installed.
    paths = [str(Path(larspark.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    return {"spark.executorEnv.PYTHONPATH": os.pathsep.join(filter(None, paths))}


def cores(session: SparkSession) -> int:
    """How many tasks run at the same time."""
    if is_remote(session):  # a range has as many parts, unless it is told otherwise
        return session.range(1 << 10).select(sf.spark_partition_id()).distinct().count()
    return max(1, session.sparkContext.defaultParallelism)


def told(session: SparkSession) -> str:
    """A line about the session, for whoever watches the run."""
    if is_remote(session):
        return f"Spark {session.version} through Spark Connect"
    return f"Spark {session.version} on {session.sparkContext.master}, {session.sparkContext.uiWebUrl or 'no UI'}"


def _prepare_environment(master: str = LOCAL) -> None:
    os.environ["JAVA_HOME"] = str(java_home())
    python = quiet_python() if master.startswith("local") else sys.executable
    os.environ.setdefault("PYSPARK_PYTHON", str(python))
    _require_python(os.environ["PYSPARK_PYTHON"], master)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("SPARK_LAUNCHER_OPTS", ONE_COMPILER)


def _require_python(command: str, master: str) -> None:
    """`Rejected` when workers on this machine would look for a Python that is not there."""
    if master.startswith("local") and shutil.which(command) is None:
        message = f"Workers cannot be started: PYSPARK_PYTHON names `{command}`, which is not there."
        raise Rejected([Diagnostic("E602", message, f"Unset it, or let it name this Python: `{sys.executable}`.")])


def java_settings(*options: str) -> dict[str, str]:
    """Warnings of Spark's start come before any log level can be set; a file keeps them quiet.

    When a stream is stopped, Spark looks through what Python said with a pattern that takes two frames per character.
    """
    quiet = Path(__file__).with_name("log4j2.properties")
    told = " ".join((f"-Dlog4j2.configurationFile={quiet.as_uri()} -Xss16m", *options))
    return {"spark.driver.extraJavaOptions": told}


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
