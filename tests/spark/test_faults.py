"""Real processes, killed with -9: the output is that of an undisturbed run, no row lost and none twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pyarrow.parquet as pq
import pytest

from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.values import show_value
from support.interval_rows import Row, rows_of

pytestmark = pytest.mark.cluster

PROGRAM = """
hot(M) :- temp(M, V) [4], V > 100.
calm(M) :- temp(M, _) [6], not hot(M).
count(N) :- N = #count{ M : hot(M) }.
"""
FILES, PATIENCE = 4, 300


def arrivals() -> list[tuple[int, Fact]]:
    random = Random(5)
    times = sorted(random.randint(0, 60) for _ in range(400))
    return [(now, Fact("temp", (f"m{random.randint(0, 9)}", random.randint(90, 104)))) for now in times]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.lars").write_text(PROGRAM)
    (tmp_path / "in").mkdir()
    given = arrivals()
    size = -(-len(given) // FILES)
    for number in range(FILES):
        lines = [json.dumps({"time": at, "atom": str(fact)}) for at, fact in given[number * size : (number + 1) * size]]
        path = tmp_path / "in" / f"{number}.jsonl"
        path.write_text("\n".join(lines) + "\n")
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))  # files are read in the order of their age
    (tmp_path / "run.yml").write_text(
        "program: p.lars\noutput: out\nfollow: true\nonce: true\npartitions: 2\nmaster: 'local[2]'\n"
        "input:\n  - path: in\n    options: {maxFilesPerTrigger: 1}\n"
    )
    return tmp_path


def start(*words: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "larspark", "run", *map(str, words)]
    return subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def wait_for(happened: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert process.poll() is None, process.communicate()[1].decode()
        assert time.monotonic() < deadline
        time.sleep(0.05)


def kill(process: subprocess.Popen[bytes]) -> None:
    """The driver and its Java: everything in the session that the test began."""
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def expected() -> set[Row]:
    rows = rows_of(analyse(parse_program(PROGRAM)), arrivals(), 0, arrivals()[-1][0])
    return {(name, tuple(map(spell, args)), *rest) for name, args, *rest in rows}  # type: ignore[misc]


def spell(value: object) -> str:
    return value if isinstance(value, str) else show_value(value)  # type: ignore[arg-type]


def rows_in(output: Path) -> list[Row]:
    found = []
    for name in ("hot", "calm", "count"):
        for path in (output / name).glob("*.parquet"):
            for row in pq.read_table(path).to_pylist():
                first, *_, start_, end, at = row.values()
                found.append((name, (spell(first),), start_, end, at))
    return found


def test_driver_and_java_killed_in_a_stream(folder: Path) -> None:
    states = folder / "out" / "_checkpoint" / "state"
    moments: list[Callable[[], bool]] = [
        (states / "batch-000000" / "history").exists,  # before the batch is declared done
        (folder / "out" / "hot" / "batch-000002.parquet").exists,  # between two files of a batch
    ]
    for moment in moments:
        process = start(folder / "run.yml")
        wait_for(moment, process)
        kill(process)
    process = start(folder / "run.yml")
    _, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, told.decode()
    found = rows_in(folder / "out")
    assert len(found) == len(set(found))
    assert set(found) == expected()


def test_an_executor_killed_in_a_bounded_run(folder: Path) -> None:
    output = folder / "bounded"
    process = start(
        folder / "p.lars", "--input", folder / "in", "--output", output, "--master", "local-cluster[2,1,1024]"
    )
    wait_for(lambda: len(executors(process.pid)) == 2, process)
    time.sleep(2)  # into the first jobs
    os.kill(executors(process.pid)[0], signal.SIGKILL)
    _, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, told.decode()
    found = rows_in(output)
    assert len(found) == len(set(found))
    assert set(found) == expected()


def executors(session: int) -> list[int]:
    """The executor processes in the session that the test began."""
    return sorted(pid for pid, words in _processes(session) if b"CoarseGrainedExecutorBackend" in words)


def _processes(session: int) -> Iterator[tuple[int, bytes]]:
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                if os.getsid(int(path.name)) == session:
                    yield int(path.name), (path / "cmdline").read_bytes()
            except OSError:
                continue  # gone in the meantime
