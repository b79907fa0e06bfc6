"""Measurements that need a process of their own: memory and start-up."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any


def measured_alone(module: str, *arguments: str) -> dict[str, Any]:
    """What `python -m module arguments…` prints as JSON."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def resident_bytes() -> int:
    """The resident size of this process, without what is free in it: holes that arrays left when they grew."""
    with suppress(OSError, AttributeError):  # only the GNU library can give them back
        ctypes.CDLL(None).malloc_trim(0)
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:  # not Linux: the largest size so far, in kilobytes
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return pages * resource.getpagesize()


def peak_bytes(process: int | None = None) -> int:
    """The largest resident size so far of a process, by default this one; 0 if it has ended.

    What `getrusage` tells is no less than the size of the process that has started it.
    """
    try:
        lines = Path(f"/proc/{process or 'self'}/status").read_text("ascii", "replace").splitlines()
    except OSError:
        if process is None and sys.platform != "linux":
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))


def peak_of_workers(command: str) -> int:
    """The largest resident size so far of a process below this one whose command line holds `command`."""
    parents, peaks = {}, {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            status = dict(line.split(":", 1) for line in (place / "status").read_text("ascii", "replace").splitlines())
            line = (place / "cmdline").read_bytes().decode("ascii", "replace")
        except (OSError, ValueError):  # it has ended in the meantime
            continue
        parents[int(place.name)] = int(status["PPid"])
        if command in line and "VmHWM" in status:
            peaks[int(place.name)] = int(status["VmHWM"].split()[0]) * 1024
    return max((size for number, size in peaks.items() if _below(number, parents)), default=0)


def _below(number: int, parents: dict[int, int]) -> bool:
    while number in parents:
        number = parents[number]
        if number == os.getpid():
            return True
    return False
