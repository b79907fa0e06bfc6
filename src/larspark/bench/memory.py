"""Memory of the interval reasoner: bytes per live fact, and whether a long run keeps what it should drop.

Measured as the resident size of a process of its own: `python -m larspark.bench.memory facts 200000` prints JSON.
"""

from __future__ import annotations

import gc
import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from larspark.bench.catalogue import WORKLOADS
from larspark.bench.task import Parameters, Task
from larspark.language.facts import Signature
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.arrivals import Arrivals

INPUT = Signature("p", 2)
RATE = 1000
SOAK_WINDOW = 1000


def facts(count: int) -> dict[str, Any]:
    """Bytes per live binary atom for a program that keeps it as it is, and for one that joins it with itself."""
    found: dict[str, Any] = {"workload": "memory", "live_atoms": count, "bytes_per_live_atom": {}}
    for name in ("diamond", "join-chain"):
        _fill(name, 20_000)  # compiled code and buffers are there before the first reading
        before = _resident()
        kept = _fill(name, count)
        found["bytes_per_live_atom"][name] = round((_resident() - before) / count)
        del kept
    return found


def soak(atoms: int) -> dict[str, Any]:
    """Resident bytes after a tenth of the atoms, at the end, and their ratio; the window holds 1,000 time points."""
    rate = max(1, atoms // 50_000)
    points = atoms // rate
    reasoner = _reasoner("diamond", Parameters(window=SOAK_WINDOW, rate=rate))
    readings = []
    for until, arrivals in _chain(points, rate, chunk=10):
        reasoner.engine.advance(until, arrivals)
        if until + 1 in (points // 10, points):
            gc.collect()
            readings.append(_resident())
    early, late = readings
    return {
        "workload": "soak",
        "atoms": atoms,
        "window": SOAK_WINDOW,
        "resident_bytes": {"tenth": early, "end": late},
        "ratio": round(late / early, 4),
    }


def measured(what: str, count: int) -> dict[str, Any]:
    """Run one of the measurements in a process of its own."""
    command = [sys.executable, "-m", "larspark.bench.memory", what, str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _fill(name: str, count: int) -> IntervalReasoner:
    points = count // RATE
    reasoner = _reasoner(name, Parameters(window=points, rate=RATE))
    for until, arrivals in _chain(points, RATE, chunk=1):
        reasoner.engine.advance(until, arrivals)
    gc.collect()
    return reasoner


def _reasoner(name: str, parameters: Parameters) -> IntervalReasoner:
    return IntervalReasoner(Task(WORKLOADS[name], replace(parameters, points=0)).analysis)


def _chain(points: int, rate: int, chunk: int) -> Iterator[tuple[int, Arrivals]]:
    """The stream of `join-chain` as columns, a chunk of time points at a time; small integers are coded as 2·n."""
    for first in range(0, points, chunk):
        last = min(first + chunk, points) - 1
        numbers = np.arange(first * rate, (last + 1) * rate)
        codes = np.column_stack((numbers, numbers + 1)) << 1
        yield last, Arrivals.single(INPUT, codes, numbers // rate)


def _resident() -> int:
    """The resident size of this process in bytes."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:  # not Linux: the largest size so far, in kilobytes
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return pages * resource.getpagesize()


if __name__ == "__main__":
    print(json.dumps({"facts": facts, "soak": soak}[sys.argv[1]](int(sys.argv[2]))))
