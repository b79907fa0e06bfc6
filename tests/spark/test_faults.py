"""Real processes, killed with -9: the output is that of an undisturbed run, no row lost and none twice."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from larspark.read.live.addresses import read_address
from larspark.read.live.journal import Journal
from larspark.read.live.mqtt import MqttSubscriber
from support.bounded_runs import write_arrivals
from support.brokers import Broker
from support.spark_runs import arrival_lines, arrivals, check, executors, finish, kill, prepare, start, wait_for

pytestmark = pytest.mark.thorough


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    prepare(tmp_path)
    return tmp_path


def test_driver_and_java_killed_in_a_stream(folder: Path) -> None:
    checkpoint = folder / "out" / "_checkpoint"
    moments: list[Callable[[], bool]] = [
        (checkpoint / "spark" / "offsets" / "0").exists,  # inside the first micro-batch
        (checkpoint / "state" / "batch-000001" / "progress.json").exists,  # before Spark knows that it is done
        (folder / "out" / "hot" / "batch-000002.parquet").exists,  # between two files of a batch
    ]
    for moment in moments:
        process = start(folder / "run.yml")
        wait_for(moment, process)
        kill(process)
    told = finish(start(folder / "run.yml"))
    check(folder / "out")
    assert "TransformWithState" not in told  # what Spark says about its own workers


@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_a_polite_kill_end_a_stream_in_peace(folder: Path, asked: signal.Signals) -> None:
    """Ctrl-C reaches Java too, as a terminal sends it to the whole group."""
    endless = (folder / "run.yml").read_text().replace("once: true\n", "")
    (folder / "endless.yml").write_text(endless)
    process = start(folder / "endless.yml")
    wait_for((folder / "out" / "_checkpoint" / "state" / "batch-000001" / "progress.json").exists, process)
    if asked is signal.SIGINT:
        os.killpg(process.pid, asked)
    else:
        process.send_signal(asked)
    assert "Traceback" not in finish(process)
    finish(start(folder / "run.yml"))
    check(folder / "out")


def test_driver_and_java_killed_while_messages_come(folder: Path) -> None:
    """What the broker or the journal has is neither lost nor doubled."""
    broker = Broker(folder / "broker")
    address = f"mqtt://127.0.0.1:{broker.port}/temperatures"
    with Journal(folder / "unused", 1 << 20) as journal:
        subscriber = MqttSubscriber(read_address(address), {"clientid": "larspark-test"}, journal)
        subscriber.start()  # makes the session that the broker keeps
        subscriber.stop()
    (folder / "live.yml").write_text(
        "program: p.lars\noutput: out\nfollow: true\npartitions: 2\nmaster: 'local[2]'\n"
        f"input:\n  - path: {address}\n    options: {{clientId: larspark-test, maxRowsPerTrigger: 100}}\n"
    )
    given = arrival_lines()
    broker.publish("temperatures", given[:250])
    process = start(folder / "live.yml")
    wait_for((folder / "out" / "_checkpoint" / "state" / "batch-000000" / "progress.json").exists, process)
    kill(process)
    broker.publish("temperatures", given[250:])
    finish(start(folder / "live.yml", "--once"))
    broker.stop()
    check(folder / "out")


def test_an_executor_killed_in_a_stream(folder: Path) -> None:
    """Its buckets are built again from their logs, in another process."""
    process = start(folder / "run.yml", "--master", "local-cluster[2,1,1024]")
    wait_for((folder / "out" / "_checkpoint" / "state" / "batch-000000" / "progress.json").exists, process)
    assert not (folder / "out" / "_checkpoint" / "state" / "batch-000003" / "progress.json").exists()
    os.kill(executors(process.pid)[0], signal.SIGKILL)
    finish(process)
    check(folder / "out")


def test_an_executor_killed_in_a_bounded_run(folder: Path) -> None:
    output = folder / "bounded"
    process = start(
        folder / "p.lars", "--input", folder / "in", "--output", output, "--master", "local-cluster[2,1,1024]"
    )
    wait_for(lambda: len(executors(process.pid)) == 2, process)
    time.sleep(2)  # into the first jobs
    os.kill(executors(process.pid)[0], signal.SIGKILL)
    finish(process)
    check(output)


def test_an_executor_killed_while_workers_read_and_write_files(folder: Path) -> None:
    write_arrivals(folder / "tables", arrivals(), group=20, files=5)
    output = folder / "bounded"
    words = ("--input", folder / "tables", "--output", output, "--master", "local-cluster[2,1,1024]")
    process = start(folder / "p.lars", *words)
    wait_for(lambda: len(executors(process.pid)) == 2 and (folder / ".bounded.new").exists(), process)
    os.kill(executors(process.pid)[0], signal.SIGKILL)
    finish(process)
    check(output)
    assert not (folder / ".bounded.new").exists()
