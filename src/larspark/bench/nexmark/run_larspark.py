"""One query by larspark in a process of its own, Parquet to a table of intervals.

`python -m larspark.bench.nexmark.run_larspark FOLDER QUERY EVENTS RATE` prints the CPU seconds as JSON, after a run
over the first events: loading compiled code is not counted, reading files and making the answer's table are.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from larspark.bench.nexmark.answers import intervals
from larspark.bench.nexmark.catalogue import QUERIES, NexmarkQuery
from larspark.bench.nexmark.generator import GeneratedEvents, tables

FIRST = 500
"""Events of the run that is not counted."""


def measured(query: NexmarkQuery, folder: Path, stream: GeneratedEvents) -> dict[str, Any]:
    """What a query costs."""
    few = replace(stream, events=min(FIRST, stream.events))
    intervals(query, tables(few), few)
    began, before = time.monotonic(), time.process_time()
    found = intervals(query, _read(query, folder), stream)
    seconds, wall = time.process_time() - before, time.monotonic() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"cpu": seconds, "wall": wall, "resident": peak, "rows": len(found)}


def _read(query: NexmarkQuery, folder: Path) -> dict[str, pa.Table]:
    return {name: pq.read_table(folder / f"{name}.parquet", columns=chosen) for name, chosen in query.inputs.items()}


if __name__ == "__main__":
    _, place, name, events, rate = sys.argv
    told = measured(QUERIES[name], Path(place), GeneratedEvents(int(events), int(rate)))
    print(json.dumps({"query": name, **told}))
