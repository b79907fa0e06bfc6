"""The test command ends, and nothing that it has begun goes on."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from support.whole_run import run_whole

STARTS_ANOTHER = """
import subprocess, sys
other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
open("other", "w").write(str(other.pid))
"""


def gone(pid: int) -> bool:
    """Or dead, and not yet fetched by its new parent."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_what_is_left_running_is_named_and_killed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run_whole([sys.executable, "-W", "ignore", "-c", STARTS_ANOTHER], tmp_path, 60) == 0
    assert "left running, and killed now" in capfd.readouterr().err
    pid = int((tmp_path / "other").read_text())
    while not gone(pid):
        os.sched_yield()


def test_what_does_not_end_is_stopped(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run_whole([sys.executable, "-c", "import time; time.sleep(600)"], tmp_path, 0.5) == 1
    assert "it is stopped" in capfd.readouterr().err
