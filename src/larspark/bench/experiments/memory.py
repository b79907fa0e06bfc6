"""Memory of the interval reasoner: bytes per live fact, and whether a long run keeps what it should drop.

Measured as the resident size of a process of its own:
`python -m larspark.bench.experiments.memory facts 200000` prints it.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from larspark.bench.measuring.figures import Experiment, Figure
from larspark.bench.measuring.process import measured_alone, resident_bytes
from larspark.bench.workloads.catalogue import WORKLOADS
from larspark.bench.workloads.task import Parameters, Task
from larspark.language.facts import Signature
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.state.arrivals import Arrivals

INPUT = Signature("p", 2)
RATE = 1000
SOAK_WINDOW = 1000
BYTES_PER_FACT = 250
SOAK_GROWTH = 1.1


def facts(count: int) -> dict[str, int]:
    """Bytes per live binary atom for a program that keeps it as it is, and for one that joins it with itself."""
    found = {}
    for name in ("diamond", "join-chain"):
        _fill(name, 20_000)  # compiled code and buffers are there before the first reading
        before = resident_bytes()
        kept = _fill(name, count)
        found[name] = round((resident_bytes() - before) / count)
        del kept
    return found


def soak(atoms: int) -> dict[str, int]:
    """Resident bytes after a tenth of the atoms, and at the end; the window holds 1,000 time points."""
    rate = max(1, atoms // 50_000)
    points = atoms // rate
    reasoner = _reasoner("diamond", Parameters(window=SOAK_WINDOW, rate=rate))
    readings = []
    for until, arrivals in _chain(points, rate, chunk=10):
        reasoner.engine.advance(until, arrivals)
        if until + 1 in (points // 10, points):
            gc.collect()
            readings.append(resident_bytes())
    early, late = readings
    return {"tenth": early, "end": late}


def _measure_facts(quick: bool) -> Iterator[Figure]:
    count = 50_000 if quick else 400_000
    for name, size in measured_alone(__name__, "facts", str(count)).items():
        yield Figure(f"per live atom, {name}", size, "bytes", BYTES_PER_FACT, details={"live_atoms": count})


def _measure_soak(quick: bool) -> Iterator[Figure]:
    atoms = 200_000 if quick else 10_000_000
    found = measured_alone(__name__, "soak", str(atoms))
    details = {"atoms": atoms, "window": SOAK_WINDOW, "resident_bytes": found}
    growth = round(found["end"] / found["tenth"], 4)
    yield Figure("at the end / after a tenth", growth, "", SOAK_GROWTH, details=details)


EXPERIMENTS = (
    Experiment("memory", "bytes per live binary atom with its indexes", _measure_facts, seconds=10),
    Experiment("soak", "memory after 10 million atoms through 1,000 time points", _measure_soak, seconds=60),
)


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


if __name__ == "__main__":
    print(json.dumps({"facts": facts, "soak": soak}[sys.argv[1]](int(sys.argv[2]))))
