"""Explanations measured: a question to a running engine, to a large recording, and the comparison of two programs.

`python -m larspark.bench.experiments.explain FILE POINTS` prints seconds and memory of questions about a recording.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from larspark.bench.measuring.figures import Experiment, Figure
from larspark.bench.measuring.measure import cpu_seconds
from larspark.bench.measuring.process import measured_alone, peak_bytes, resident_bytes
from larspark.explain.evaluations.history import Sourced
from larspark.language.facts import Fact
from larspark.python.session import Engine
from larspark.questions.explaining import Case, compare_programs
from larspark.runtime.prepared import prepare

MACHINES = """
    alarm(M) :- always hot(M) [10], not technician(_) [10].
    siren(M) :- alarm(M) [3], not acknowledged(M) [5].
"""
NETWORK = """
    reach(X,Y) :- edge(X,Y) [100].
    reach(X,Z) :- reach(X,Y), edge(Y,Z) [100].
"""
READINGS = """
    hot(M)   :- reading(M,C) [3000], C > 100.
    alarm(M) :- hot(M), not reading(M,0) [1000].
"""
LIVE_SECONDS, RECORDING_SECONDS, RECORDING_BYTES = 0.010, 2.0, 200e6
REPEATED = 15
KEYS = 10_000


def _measure_live(quick: bool) -> Iterator[Figure]:
    machines, hops = (20, 5) if quick else (1000, 30)
    engine = Engine(MACHINES)
    for point in range(30):
        engine.advance(point, [Fact("hot", (f"m{number}",)) for number in range(machines)])
    yield _live(f"why, {machines:,} machines", engine, Fact("siren", ("m7",)), LIVE_SECONDS)
    chain = Engine(NETWORK)
    for point in range(hops):
        chain.advance(point, [Fact("edge", (point, point + 1))])
    yield _live(f"why, a path of {hops} edges by recursion", chain, Fact("reach", (0, hops)), LIVE_SECONDS)


def _live(what: str, engine: Engine, fact: Fact, limit: float) -> Figure:
    nodes = len(engine.why(fact, depth=None).json["nodes"])
    seconds = median(cpu_seconds(lambda: engine.why(fact, depth=None)) for _ in range(REPEATED))
    return Figure(what, round(seconds, 4), "s", limit, details={"nodes": nodes, "repetitions": REPEATED})


def _measure_recording(quick: bool) -> Iterator[Figure]:
    atoms = 200_000 if quick else 10_000_000
    with TemporaryDirectory() as folder:
        path = Path(folder) / "reading.parquet"
        make_recording(path, atoms // 10)
        found = measured_alone(__name__, str(path), str(atoms // 10))
    for ask in ("why", "why-not"):
        yield Figure(f"{ask}, {atoms:,} atoms in Parquet", found[ask], "s", RECORDING_SECONDS, details=found)
    yield Figure("memory on top of the program", found["bytes"], "bytes", RECORDING_BYTES, details=found)


def recording(path: str, points: int) -> dict[str, float]:
    """CPU seconds of the second of two equal questions, and how much the process grew by them at most."""
    from larspark.questions.large import LargeCase  # noqa: PLC0415

    prepared, at = prepare(READINGS), points * 6 // 10
    _warm()
    before = resident_bytes()
    found: dict[str, float] = {}
    for ask in ("why", "why-not"):
        atom = _atom(LargeCase.of(prepared, path), ask, at)
        for _ in range(2):
            began = time.process_time()
            case = LargeCase.of(prepared, path)
            assert case is not None
            _ = case.why(atom, at) if ask == "why" else case.why_not(atom, at)
            found[ask] = round(time.process_time() - began, 3)
    peak = peak_bytes()
    return {**found, "bytes": peak - before, "peak": peak}


def make_recording(path: Path, points: int) -> None:
    """Ten readings of random machines per time point."""
    import numpy as np  # noqa: PLC0415 - only this measurement makes a file
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    chance, part = np.random.default_rng(1), points // 20
    columns = {"time": pa.int64(), "machine": pa.string(), "celsius": pa.int64()}
    with pq.ParquetWriter(path, pa.schema(columns)) as writer:
        for first in range(0, points, part):
            times = np.sort(chance.integers(first, first + part, 10 * part))
            machines = [f"m{key}" for key in chance.integers(0, KEYS, 10 * part).tolist()]
            celsius = chance.integers(0, 120, 10 * part)
            writer.write_table(pa.table({"time": times, "machine": machines, "celsius": celsius}), 250_000)


def _atom(case: object, ask: str, at: int) -> str:
    from larspark.diagnostics import Rejected  # noqa: PLC0415
    from larspark.questions.large import LargeCase  # noqa: PLC0415

    assert isinstance(case, LargeCase)
    for number in range(KEYS):
        try:
            case.why(f"alarm(m{number})", at)
        except Rejected:
            if ask == "why-not":
                return f"alarm(m{number})"
        else:
            if ask == "why":
                return f"alarm(m{number})"
    raise AssertionError("no atom to ask about")


def _warm() -> None:
    """What is loaded on the first question."""
    Case.of(prepare(READINGS), [Sourced(0, Fact("reading", ("m1", 110)))]).why("alarm(m1)", 0)


def _measure_diff(quick: bool) -> Iterator[Figure]:
    points = 300 if quick else 5_000
    arrivals = [
        Sourced(point, Fact("hot", (f"m{number}",)))
        for point in range(points)
        for number in range(5)
        if (point + 7 * number) % 23 > number
    ]
    old, new = (Case.of(prepare(MACHINES.replace("[10]", f"[{window}]")), arrivals) for window in (10, 9))
    evaluating = sum(_seconds(lambda: case.side) for case in (old, new))  # noqa: B023 - called here
    comparing = _seconds(lambda: compare_programs(old, new))
    details = {"atoms": len(arrivals), "two evaluations": round(evaluating, 3), "diff": round(comparing, 3)}
    yield Figure("diff / the two evaluations", round(comparing / evaluating, 2), "", 1, details=details)


def _seconds(run: Callable[[], object]) -> float:
    return min(cpu_seconds(run) for _ in range(3))


EXPERIMENTS = (
    Experiment("explain", "why in a running engine", _measure_live, seconds=5),
    Experiment("explain-recording", "questions about 10 million atoms in Parquet", _measure_recording, seconds=60),
    Experiment("explain-diff", "diff of two programs against evaluating both", _measure_diff, seconds=20),
)

if __name__ == "__main__":
    print(json.dumps(recording(sys.argv[1], int(sys.argv[2]))))
