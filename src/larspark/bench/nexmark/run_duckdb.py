"""DuckDB over the Parquet files of a folder, one thread: run by the Python of the environment of the peers.

`python run_duckdb.py FOLDER QUERY.sql=STEP:BEGIN:END …` prints the CPU seconds for each query as JSON. A query about
`$now` is computed anew at every end of a window (every STEP milliseconds); others once. Every row of the answers is
made. This file imports nothing of larspark: it lives in another environment.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

LIMIT = 120.0
"""Seconds after which a query is given up."""

FUNCTIONS = (
    "CREATE MACRO day_of(t) AS strftime(make_timestamp(t * 1000), '%Y-%m-%d')",
    "CREATE MACRO hour_of(t) AS hour(make_timestamp(t * 1000))",
    "CREATE MACRO minute_of(t) AS minute(make_timestamp(t * 1000))",
)


def main(folder: str, *asked: str) -> None:
    """Run the queries one after the other and tell what each cost."""
    for one in asked:
        place, _, span = one.partition("=")
        step, begin, end = map(int, span.split(":"))
        query = Path(place).read_text("utf-8")
        times = range(-(-begin // step) * step, end + 1, step) if "$now" in query else range(1)
        print(json.dumps({"query": Path(place).stem, **_measured(query, Path(folder), times)}), flush=True)


def _measured(query: str, folder: Path, times: range) -> dict[str, Any]:
    import duckdb  # noqa: PLC0415

    began, before = time.monotonic(), time.process_time()
    database = duckdb.connect(config={"threads": 1})
    for function in FUNCTIONS:
        database.execute(function)
    for name in ("person", "auction", "bid"):
        source = f"read_parquet('{folder / name}.parquet')"
        database.execute(f"CREATE VIEW {name} AS SELECT * REPLACE (epoch_ms(time) AS time) FROM {source}")
    database.execute("CREATE TABLE side AS SELECT range AS key, range AS value FROM range(10000)")
    rows = 0
    for now in times:
        rows += database.sql(query.replace("$now", str(now))).to_arrow_table().num_rows
        if time.monotonic() - began > LIMIT:
            return {"error": f"given up after {LIMIT:.0f} s"}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    seconds = time.process_time() - before
    return {"cpu": seconds, "wall": time.monotonic() - began, "resident": peak, "rows": rows}


if __name__ == "__main__":
    main(*sys.argv[1:])
