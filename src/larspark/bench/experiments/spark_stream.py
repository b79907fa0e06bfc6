"""A stream on Spark under a steady load: does it keep up, and do its micro-batches and its state stay as they are?

A thread adds a Parquet file per second to the folder that the stream follows, so that a stream which is too slow falls
behind. `python -m larspark.bench.experiments.spark_stream sustain 40 150000` prints what was seen.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from larspark.bench.measuring.figures import Experiment, Figure
from larspark.bench.measuring.process import measured_alone

PROGRAM = """
#input reading(machine, value).
hot(M) :- reading(M, V) [5], V > 990.
calm(M) :- reading(M, _) [10], not hot(M).
lasting(M) :- always hot(M) [3].
crowd(N) :- N = #count{ M : lasting(M) }.
"""
"""Keyed by machine; the last rule looks at all of them, so it is a stage of its own in one partition."""

MACHINES = 2_000
RATE = 150_000
WARM_UP = 12
"""Micro-batches before the engine's code is compiled and Java is warm."""
FEWEST = 4
"""Micro-batches that are measured at least."""
CALMING = 60
"""Seconds that the stream may take for what is left when the load has ended."""
KEEPING_UP, STEADY = 0.98, 1.25
SPANS = 6
"""Points of the curves over time."""
SEEN = (
    ("atoms taken", "atoms_per_second", "atoms/s"),
    ("micro-batch", "batch_seconds", "s"),
    ("backlog", "backlog_seconds", "s"),
    ("state", "state_bytes", "bytes"),
)
"""What is seen of a stream over time."""


class FolderLoad(threading.Thread):
    """Adds a second's atoms to the folder every second, from time point 1 on."""

    def __init__(self, folder: Path, rate: int) -> None:
        super().__init__(daemon=True)
        self._folder, self._rate = folder, rate
        self._ended = threading.Event()
        self._random = np.random.default_rng(7)
        self.written = 0
        self.add()  # the stream looks at the folder to learn its columns

    def add(self) -> None:
        self.written += 1
        columns = {
            "time": np.full(self._rate, self.written),
            "machine": self._random.integers(0, MACHINES, self._rate),
            "value": self._random.integers(0, 1000, self._rate),
        }
        beside = self._folder / f".{self.written:06d}"
        pq.write_table(pa.table(columns), beside)
        beside.rename(self._folder / f"{self.written:06d}.parquet")

    def run(self) -> None:
        began, number = time.monotonic(), 0
        while not self._ended.wait(max(0.0, began + number - time.monotonic())):
            self.add()
            number += 1

    def end(self) -> None:
        self._ended.set()
        self.join()


@dataclass(frozen=True)
class BatchMoment:
    """What was known when a micro-batch was done."""

    batch: int
    at: float
    arrivals: int
    backlog: int
    """Seconds of load that had been written and not been read."""


def sustain(seconds: int, rate: int) -> dict[str, Any]:
    """Run for so long, after the warm-up."""
    from larspark.spark.interface import plan_of  # noqa: PLC0415 - Spark is an optional installation
    from larspark.spark.read.following import follow_sources  # noqa: PLC0415
    from larspark.spark.read.rules import InputSource  # noqa: PLC0415
    from larspark.spark.session.session import spark_session  # noqa: PLC0415
    from larspark.spark.stream.checkpoint import Progress  # noqa: PLC0415
    from larspark.spark.stream.stream import TableStream  # noqa: PLC0415

    settings = {"spark.ui.enabled": "false", "spark.sql.streaming.numRecentProgressUpdates": "5000"}
    session = spark_session("local[2]", settings)
    plan = plan_of(PROGRAM)
    moments: list[BatchMoment] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "reading"
        folder.mkdir()
        load = FolderLoad(folder, rate)

        def note(now: Progress) -> None:
            moments.append(BatchMoment(now.batch, time.monotonic(), now.arrivals, load.written - now.arrivals // rate))

        source = InputSource(str(folder), predicate="reading")
        inputs = follow_sources(session, [source], plan.vocabulary, Path(name) / "journals")
        stream = TableStream(plan, Path(name) / "out", buckets=2, sources=(source,), report=note)
        query = stream.start(session, inputs)
        while not moments and query.isActive:
            time.sleep(0.1)
        load.start()
        while len(moments) < WARM_UP and query.isActive:
            time.sleep(0.1)
        began = time.monotonic()
        while (time.monotonic() < began + seconds or len(moments) < WARM_UP + FEWEST) and query.isActive:
            time.sleep(0.1)
        if query.exception() is not None:
            raise RuntimeError(str(query.exception()))
        last = moments[-1].batch
        load.end()
        until = time.monotonic() + CALMING
        while query.status["isTriggerActive"] and time.monotonic() < until:  # or it complains
            time.sleep(0.1)
        progress = [json.loads(one.json) for one in query.recentProgress]
        query.stop()
    seen = [one for one in moments if began <= one.at and one.batch <= last]
    return _summary(seen, {one["batchId"]: one for one in progress})


def _summary(moments: Sequence[BatchMoment], progress: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
    """Averages of the two halves, and the course in some more spans."""
    first, last = moments[0], moments[-1]
    return {
        "atoms_per_second": round((last.arrivals - first.arrivals) / (last.at - first.at)),
        "seconds": round(last.at - first.at, 1),
        "micro_batches": len(moments),
        "halves": list(_spans(moments, progress, 2)),
        "course": list(_spans(moments, progress, SPANS)),
    }


def _spans(
    moments: Sequence[BatchMoment], progress: Mapping[int, dict[str, Any]], count: int
) -> Iterator[dict[str, float]]:
    """What was seen, in spans with as many micro-batches each; the first moment is where they begin."""
    later = len(moments) - 1
    for number in range(count):
        before, inside = (
            moments[number * later // count],
            moments[1:][number * later // count : (number + 1) * later // count],
        )
        done = [progress[one.batch] for one in inside if one.batch in progress]
        if done:
            states = [sum(part["memoryUsedBytes"] for part in one["stateOperators"]) for one in done]
            yield {
                "at": round(inside[-1].at - moments[0].at, 1),
                "atoms_per_second": round((inside[-1].arrivals - before.arrivals) / (inside[-1].at - before.at)),
                "batch_seconds": round(mean(one["batchDuration"] for one in done) / 1000, 3),
                "backlog_seconds": round(mean(one.backlog for one in inside), 2),
                "state_bytes": round(mean(states)),
            }


def _measure(quick: bool) -> Iterator[Figure]:
    rate, seconds = (2_000, 10) if quick else (RATE, 300)
    found = measured_alone(__name__, "sustain", str(seconds), str(rate))
    yield Figure("atoms taken", found["atoms_per_second"], "atoms/s", rate * KEEPING_UP, at_least=True, details=found)
    early, late = found["halves"]
    for what, key, unit in SEEN[1:]:
        yield Figure(f"{what}, second half", late[key], unit)
        yield Figure(f"{what}, second half / first half", round(late[key] / max(early[key], 1e-9), 3), "", STEADY)
    for span in found["course"]:
        for what, key, unit in SEEN:
            yield Figure(what, span[key], unit, axis="seconds since the start", at=span["at"])


EXPERIMENTS = (
    Experiment(
        "spark-stream",
        "150,000 atoms/s for 5 minutes on local[2], two stages",
        _measure,
        seconds=340,
        needs=("pyspark",),
    ),
)


if __name__ == "__main__":
    assert sys.argv[1] == "sustain"
    print(json.dumps(sustain(int(sys.argv[2]), int(sys.argv[3]))))
