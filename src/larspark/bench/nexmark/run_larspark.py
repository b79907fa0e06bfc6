"""One query by larspark in a process of its own: Parquet files in, the history of the answer out, piece by piece.

`python -m larspark.bench.nexmark.run_larspark FOLDER WARM QUERY EVENTS RATE [FILE.parquet]` prints the CPU seconds as
JSON, after a run over the folder WARM: loading compiled code is not counted, reading files is, and so is making tables
of the answer, which are dropped, or writing the file as `larspark eval --as intervals --output` does.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from larspark.analysis.typing.sorts import argument_sorts, declared_sorts, sorts_of_facts
from larspark.bench.measuring.tree import peak_of_tree
from larspark.bench.nexmark.answers import intervals, rows_to_compare, side_facts
from larspark.bench.nexmark.catalogue import QUERIES, NexmarkQuery
from larspark.bench.nexmark.generator import GeneratedEvents
from larspark.blocks import Block
from larspark.python.answers import Intervals
from larspark.read import CheckedChunks
from larspark.read.merging import merged
from larspark.read.sources import read_chunks
from larspark.reasoners.interval import IntervalReasoner
from larspark.runtime.naming import column_names, table_names
from larspark.runtime.prepared import Prepared, prepare
from larspark.runtime.recording import OpenRecording
from larspark.runtime.replay import Replay
from larspark.write.files import write_file
from larspark.write.shapes import shape_of


def measured(
    query: NexmarkQuery, folder: Path, warm: Path, stream: GeneratedEvents, file: Path | None
) -> dict[str, Any]:
    """What a query costs."""
    answered(query, warm, stream.little, file)
    began, before = time.monotonic(), time.process_time()
    rows = answered(query, folder, stream, file)
    seconds, wall = time.process_time() - before, time.monotonic() - began
    told = {"cpu": seconds, "wall": wall, "resident": peak_of_tree()}
    return {**told, "rows": rows, "compared": None if file else _compared(query, warm, stream.little)}


def _compared(query: NexmarkQuery, folder: Path, stream: GeneratedEvents) -> int:
    tables = {
        name: pq.read_table(folder / f"{name}.parquet", columns=columns) for name, columns in query.inputs.items()
    }
    return rows_to_compare(query, intervals(query, tables, stream), stream)


def answered(query: NexmarkQuery, folder: Path, stream: GeneratedEvents, file: Path | None = None) -> int:
    """How many rows the answer has; they go to the file, or each piece of it is a table that is dropped."""
    prepared = prepare(query.program, background=side_facts(query), allow_functions=True)
    if file is not None:
        return write_file(shape_of("intervals"), _history(prepared, query, folder, stream), file)
    analysis = prepared.analysis
    sorts = argument_sorts(prepared.program, {**declared_sorts(analysis), **sorts_of_facts(prepared.background)})
    names, columns = table_names(analysis.shown), column_names(analysis)
    pieces = (Intervals((one,), names, columns, sorts=sorts) for one in _history(prepared, query, folder, stream))
    return sum(len(piece[name]) for piece in pieces for name in piece)


def _history(prepared: Prepared, query: NexmarkQuery, folder: Path, stream: GeneratedEvents) -> Iterator[Block]:
    files = [read_chunks(folder / f"{name}.parquet", prepared.rules) for name in query.inputs]
    chunks = CheckedChunks(files[0] if len(files) == 1 else merged(files))
    recording = OpenRecording.on_timeline(chunks, (stream.begin, stream.end))
    reasoner = prepared.reasoner("interval", recording.start)
    assert isinstance(reasoner, IntervalReasoner)
    return Replay(reasoner, prepared.analysis.shown).intervals(recording.chunks(), recording.end, used_up=True)


if __name__ == "__main__":
    _, place, warm, name, events, rate, *written = sys.argv
    target = Path(written[0]) if written else None
    told = measured(QUERIES[name], Path(place), Path(warm), GeneratedEvents(int(events), int(rate)), target)
    print(json.dumps({"query": name, **told}))
