"""Whoever measures is killed, gives up or is done: what was measured has ended, with all that it has started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from larspark.bench.measuring.children import in_session, said_by
from larspark.bench.measuring.tree import processes

Found = TypeVar("Found")

LEADER = """
import os, pathlib, subprocess, sys, time
subprocess.Popen([sys.executable, "-c", sys.argv[2], sys.argv[3]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
while not pathlib.Path(sys.argv[3]).exists():
    time.sleep(0.01)
print(os.getpid(), flush=True)
time.sleep(float(sys.argv[1]))
"""
WORKER = "import os, pathlib, sys, time; os.setpgid(0, 0); pathlib.Path(sys.argv[1]).touch(); time.sleep(600)"
"""It has a group of its own, as the workers of Spark have."""

BENCH = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from larspark.cli.main import main
sys.exit(main())
"""
"""The command as at a terminal, also where a test runs in the background and would not hear Ctrl-C."""


def _command(seconds: float, begun: Path) -> list[str]:
    return [sys.executable, "-c", LEADER, str(seconds), WORKER, str(begun)]


def _awaited(look: Callable[[], Found], seconds: float = 100) -> Found:
    until = time.monotonic() + seconds
    while not (found := look()) and time.monotonic() < until:
        time.sleep(0.01)
    assert found
    return found


def test_who_takes_too_long_ends_with_what_it_has_started(tmp_path: Path) -> None:
    with pytest.raises(subprocess.TimeoutExpired) as stopped:
        said_by(_command(600, tmp_path / "begun"), 5)
    assert in_session(int(stopped.value.stdout or b"")) == []


def test_what_is_left_of_who_is_done_is_ended(tmp_path: Path) -> None:
    said, _ = said_by(_command(0, tmp_path / "begun"), 100)
    assert in_session(int(said)) == []


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 143), pytest.param(signal.SIGINT, 130, marks=pytest.mark.thorough)]
)
def test_a_killed_benchmark_leaves_nobody(tmp_path: Path, number: int, status: int) -> None:
    words = ("bench", "nexmark", "q0", "--quick", "--engines", "larspark")
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", BENCH, *words], env=environment) as bench:
        (engine,) = _awaited(lambda: _children_of(bench.pid))
        bench.send_signal(number)
        assert bench.wait(60) == status
    assert in_session(engine) == []
    assert not [*tmp_path.iterdir()]


def _children_of(parent: int) -> list[int]:
    """Those with a session of their own: an engine."""
    return [one for one, told in processes().items() if int(told[1]) == parent and int(told[3]) == one]
