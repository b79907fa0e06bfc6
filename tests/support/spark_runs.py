"""Runs of `larspark run` in processes of their own, which tests disturb, and what they must write all the same."""

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

from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.values import show_value
from support.interval_rows import Row, rows_of

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


def arrival_lines() -> list[str]:
    return [json.dumps({"time": at, "atom": str(fact)}) for at, fact in arrivals()]


def prepare(folder: Path) -> None:
    """A program, its data in several files, and a pipeline file that streams them one by one."""
    (folder / "p.lars").write_text(PROGRAM)
    (folder / "in").mkdir()
    given = arrival_lines()
    size = -(-len(given) // FILES)
    for number in range(FILES):
        path = folder / "in" / f"{number}.jsonl"
        path.write_text("\n".join(given[number * size : (number + 1) * size]) + "\n")
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))  # files are read in the order of their age
    (folder / "run.yml").write_text(
        "program: p.lars\noutput: out\nfollow: true\nonce: true\npartitions: 2\nmaster: 'local[2]'\n"
        "input:\n  - path: in\n    options: {maxFilesPerTrigger: 1}\n"
    )


def start(*words: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "larspark", "run", *map(str, words)]
    return subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def wait_for(happened: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert process.poll() is None, process.communicate()[1].decode()
        assert time.monotonic() < deadline
        time.sleep(0.05)


def finish(process: subprocess.Popen[bytes]) -> str:
    """What was said on the way."""
    _, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, told.decode()
    return told.decode()


def kill(process: subprocess.Popen[bytes]) -> None:
    """The driver and its Java: everything in the session that the test began."""
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def expected() -> set[Row]:
    rows = rows_of(analyse(parse_program(PROGRAM)), arrivals(), 0, arrivals()[-1][0])
    return {(name, tuple(map(_spell, args)), *rest) for name, args, *rest in rows}  # type: ignore[misc]


def check(output: Path) -> None:
    """The rows of an undisturbed run, none lost and none twice."""
    found = _rows_in(output)
    assert len(found) == len(set(found))
    assert set(found) == expected()


def _spell(value: object) -> str:
    return value if isinstance(value, str) else show_value(value)  # type: ignore[arg-type]


def _rows_in(output: Path) -> list[Row]:
    found = []
    for name in ("hot", "calm", "count"):
        for path in (output / name).glob("*.parquet"):
            for row in pq.read_table(path).to_pylist():
                first, *_, start_, end, at = row.values()
                found.append((name, (_spell(first),), start_, end, at))
    return found


def executors(session: int) -> list[int]:
    """The executor processes in a session of processes."""
    return sorted(pid for pid, words in _processes(session) if b"CoarseGrainedExecutorBackend" in words)


def _processes(session: int) -> Iterator[tuple[int, bytes]]:
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                if os.getsid(int(path.name)) == session:
                    yield int(path.name), (path / "cmdline").read_bytes()
            except OSError:
                continue  # gone in the meantime
