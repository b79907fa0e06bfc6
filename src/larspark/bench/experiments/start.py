"""Start-up: from the start of a process to its first answer, with compiled kernels at hand and without.

`python -m larspark.bench.experiments.start SECONDS` is such a process; it prints how long ago SECONDS was,
and its own CPU time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping

from larspark.bench.measuring.figures import Experiment, Figure
from larspark.cache import CACHE_VARIABLE
from larspark.language.facts import Fact
from larspark.runtime.prepared import prepare

PROGRAM = """
hot(S) :- reading(S,V) [10], V > 30, not off(S) [5].
near(X,Z) :- link(X,Y) [5], link(Y,Z) [5], X != Z.
alarm(S) :- always hot(S) [3].
"""
WARM = 0.5
"""Seconds that a start may take when the kernels are compiled."""


def first_answer() -> None:
    """What a user waits for."""
    reasoner = prepare(PROGRAM).reasoner("interval")
    reasoner.advance(0, [Fact("reading", ("a", 31)), Fact("link", ("a", "b")), Fact("link", ("b", "c"))])
    (stream,) = reasoner.answer().answer_streams
    assert Fact("near", ("a", "c")) in stream.now


def _started(environment: Mapping[str, str]) -> dict[str, float]:
    command = [sys.executable, "-m", __name__, repr(time.time())]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=dict(environment))
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _measure(quick: bool) -> Iterator[Figure]:
    # Byte code is there in an installation; here it is written by the first start.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    _started(environment)
    warm = [_started(environment) for _ in range(1 if quick else 7)]
    fastest = min(warm, key=lambda start: start["seconds"])
    yield Figure("warm", round(fastest["seconds"], 3), "s", WARM, details={"cpu_seconds": fastest["cpu_seconds"]})
    if not quick:
        with tempfile.TemporaryDirectory() as folder:
            cold = _started(environment | {CACHE_VARIABLE: folder})
        yield Figure("cold, compiling", round(cold["seconds"], 1), "s", details={"cpu_seconds": cold["cpu_seconds"]})


EXPERIMENTS = (Experiment("start", "from the start of a process to its first answer", _measure, seconds=60),)


if __name__ == "__main__":
    first_answer()
    print(json.dumps({"seconds": time.time() - float(sys.argv[1]), "cpu_seconds": round(time.process_time(), 3)}))
