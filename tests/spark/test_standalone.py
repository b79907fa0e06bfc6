"""A standalone master with two workers on this machine, from the pip-installed Spark; what is killed does not show."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyspark
import pytest

from larspark.spark.session.java import java_home
from support.brokers import free_port
from support.spark_runs import PATIENCE, check, executors, finish, prepare, start, wait_for

pytestmark = pytest.mark.thorough

DEPLOY = "org.apache.spark.deploy"


@dataclass
class Cluster:
    """The processes; each has a session of its own, and executors are in that of their worker."""

    folder: Path
    port: int = field(default_factory=free_port)
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        words = ("--host", "127.0.0.1", "--port", str(self.port), "--webui-port", "0")
        self.master = self._start("master", f"{DEPLOY}.master.Master", *words)

    @property
    def address(self) -> str:
        return f"spark://127.0.0.1:{self.port}"

    def add_worker(self) -> None:
        name = f"worker{len(self.workers)}"
        place = ("--host", "127.0.0.1", "--webui-port", "0", "--work-dir", str(self.folder / f"{name}-work"))
        worker = self._start(name, f"{DEPLOY}.worker.Worker", "--cores", "1", "--memory", "1g", *place, self.address)
        self.workers.append(worker)

    def executors(self, worker: int) -> list[int]:
        return executors(self.workers[worker].pid)

    def stop(self) -> None:
        for process in (*self.workers, self.master):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _start(self, name: str, *words: str) -> subprocess.Popen[bytes]:
        home = Path(pyspark.__file__).parent
        environment = {**os.environ, "SPARK_HOME": str(home), "JAVA_HOME": str(java_home())}
        environment["SPARK_LOCAL_IP"] = "127.0.0.1"
        with (self.folder / f"{name}.log").open("wb") as log:
            return subprocess.Popen(
                [home / "bin" / "spark-class", *words],
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def wait_until_told(self, name: str, text: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while text not in (self.folder / f"{name}.log").read_text():
            assert time.monotonic() < deadline
            time.sleep(0.1)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    prepare(tmp_path)
    cluster = Cluster(tmp_path)
    try:
        cluster.wait_until_told("master", "I have been elected leader")
        cluster.add_worker()
        cluster.add_worker()
        for name in ("worker0", "worker1"):
            cluster.wait_until_told(name, "Successfully registered with master")
        yield cluster
    finally:
        cluster.stop()


def test_executors_and_workers_killed_on_a_standalone_cluster(cluster: Cluster) -> None:
    folder = cluster.folder
    words = ("--input", folder / "in", "--output", folder / "bounded", "--master", cluster.address)
    process = start(folder / "p.lars", *words)
    wait_for(lambda: bool(cluster.executors(0) and cluster.executors(1)), process)
    time.sleep(2)  # into the first jobs
    os.kill(cluster.executors(0)[0], signal.SIGKILL)
    finish(process)
    check(folder / "bounded")

    process = start(folder / "run.yml", "--master", cluster.address)
    states = folder / "out" / "_checkpoint" / "state"
    wait_for((states / "batch-000000" / "progress.json").exists, process)
    os.killpg(cluster.workers[1].pid, signal.SIGKILL)
    finish(process)
    check(folder / "out")
