"""A command that ends, whatever happens in it: with a limit, and with nothing of it left running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

MARK = "LARSPARK_TEST_RUN"
"""In the environment of everything that a run starts, however far down: Java, servers, workers of workers."""


def run_whole(command: Sequence[str], folder: Path, limit: float) -> int:
    """Run a command, for at most so many seconds; its exit code. What it has begun and left behind is killed."""
    mark = f"{os.getpid()}.{id(command)}"
    process = subprocess.Popen(command, cwd=folder, env={**os.environ, MARK: mark})
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        print(f"not done after {limit:.0f} seconds; it is stopped, and was here:", file=sys.stderr, flush=True)
        _show_stacks(process)
        return 1
    finally:
        if left := _kill_all(mark, process):
            print(f"left running, and killed now: {', '.join(left)}", file=sys.stderr, flush=True)
        process.wait()


def _show_stacks(process: subprocess.Popen[bytes]) -> None:
    """pytest's workers write their stacks when they are aborted."""
    workers = _children(process.pid)
    for pid in workers:
        with suppress(OSError):
            os.kill(pid, signal.SIGABRT)
    with suppress(subprocess.TimeoutExpired):
        process.wait(10 if workers else 0)


def _kill_all(mark: str, process: subprocess.Popen[bytes]) -> list[str]:
    """Kill what carries the mark, until nothing does; the names of what had to be killed."""
    if process.poll() is None:
        process.kill()
    killed: dict[int, str] = {}
    while found := [pid for pid in _marked(mark) if pid not in killed]:
        for pid in found:
            killed[pid] = _name(pid)
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
    return sorted(killed.values())


def _marked(mark: str) -> Iterator[int]:
    wanted = f"{MARK}={mark}".encode()
    for path in _processes():
        with suppress(OSError):  # gone, or of someone else
            if wanted in (path / "environ").read_bytes().split(b"\0"):
                yield int(path.name)


def _children(parent: int) -> list[int]:
    found = []
    for path in _processes():
        with suppress(OSError):
            fields = (path / "stat").read_text().rpartition(")")[2].split()
            if int(fields[1]) == parent:
                found.append(int(path.name))
    return found


def _name(pid: int) -> str:
    with suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
        return " ".join(words)[:100]
    return str(pid)


def _processes() -> list[Path]:
    place = Path("/proc")
    return [path for path in place.iterdir() if path.name.isdigit()] if place.is_dir() else []
