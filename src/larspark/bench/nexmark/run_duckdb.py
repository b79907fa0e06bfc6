"""DuckDB over the Parquet files of a folder, one thread: run by the Python of the environment of the peers.

`python run_duckdb.py FOLDER WARM QUERY.sql BEGIN:STOP:STEP BEGIN:STOP:STEP` prints the CPU seconds as JSON. A query
about `$now` is computed anew at every end of a window, which the first range gives; others once. Every row of the
answers is made. The second range is for the folder WARM, where rows are only counted. This file imports nothing of
larspark: it lives in another environment.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

FUNCTIONS = (
    "CREATE MACRO day_of(t) AS strftime(make_timestamp(t * 1000), '%Y-%m-%d')",
    "CREATE MACRO hour_of(t) AS hour(make_timestamp(t * 1000))",
    "CREATE MACRO minute_of(t) AS minute(make_timestamp(t * 1000))",
)


def main(folder: str, warm: str, place: str, ends: str, ends_of_warm: str) -> None:
    """Run the query and tell what it cost."""
    query = Path(place).read_text("utf-8")
    compared = _rows(query, Path(warm), _times(query, ends_of_warm))
    began, before = time.monotonic(), time.process_time()
    rows = _rows(query, Path(folder), _times(query, ends))
    seconds, wall = time.process_time() - before, time.monotonic() - began
    print(json.dumps({"cpu": seconds, "wall": wall, "resident": _peak(), "rows": rows, "compared": compared}))


def _peak() -> int:
    """The largest resident size; what `getrusage` tells may be that of the process which has started this one."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024


def _times(query: str, span: str) -> range:
    return range(*map(int, span.split(":"))) if "$now" in query else range(1)


def _rows(query: str, folder: Path, times: range) -> int:
    import duckdb  # noqa: PLC0415

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
    database.close()
    return rows


if __name__ == "__main__":
    main(*sys.argv[1:])
