"""Polars over the Parquet files of a folder, one thread: lazy queries written by hand, in `in_polars`.

`python -m larspark.bench.nexmark.run_polars FOLDER WARM QUERY EVENTS RATE` prints the CPU seconds as JSON, after a run
over the folder WARM. A query about a time is computed anew at every end of a window, others once. Every row of the
answers is made and dropped.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from larspark.bench.measuring.tree import peak_of_tree
from larspark.bench.nexmark.catalogue import QUERIES, SIDE, NexmarkQuery
from larspark.bench.nexmark.generator import GeneratedEvents

if TYPE_CHECKING:
    import polars as pl


def answers(query: NexmarkQuery, folder: Path, ends: Iterable[int]) -> Iterator[pl.DataFrame]:
    """The answer about all events, or one for each of the times."""
    from larspark.bench.nexmark.polars_parts import asked_of  # noqa: PLC0415 - polars looks at its settings then

    answer = import_module(f"larspark.bench.nexmark.in_polars.{query}").answer
    asked = asked_of(folder, SIDE)
    for now in [0] if query.by_event else ends:
        yield answer(replace(asked, now=now)).collect()


def measured(query: NexmarkQuery, folder: Path, warm: Path, stream: GeneratedEvents) -> dict[str, Any]:
    """What a query costs."""
    little = stream.little
    compared = sum(map(len, answers(query, warm, query.compared_at(little.begin, little.end))))
    began, before = time.monotonic(), time.process_time()
    rows = sum(map(len, answers(query, folder, query.ends(stream.begin, stream.end))))
    seconds, wall = time.process_time() - before, time.monotonic() - began
    return {"cpu": seconds, "wall": wall, "resident": peak_of_tree(), "rows": rows, "compared": compared}


if __name__ == "__main__":
    os.environ["POLARS_MAX_THREADS"] = "1"
    _, place, warm, name, events, rate = sys.argv
    stream = GeneratedEvents(int(events), int(rate))
    print(json.dumps({"query": name, **measured(QUERIES[name], Path(place), Path(warm), stream)}))
