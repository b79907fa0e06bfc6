"""Flink SQL over the CSV files of a folder, one slot: run by the Python of the environment of the peers.

`python run_flink.py FOLDER WARM QUERY.sql` prints the CPU seconds of its Java as JSON, after runs over the folder WARM;
the rows of the answer go to a sink that drops them. Those over the folder WARM are counted in a run of their own. This
file imports nothing of larspark: it lives in another environment.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

TABLES = {
    "person": "n BIGINT, id BIGINT, name STRING, email STRING, card STRING, city STRING, state STRING, extra STRING",
    "auction": "n BIGINT, id BIGINT, item STRING, description STRING, initial BIGINT, reserve BIGINT, expires BIGINT, "
    "seller BIGINT, category BIGINT, extra STRING",
    "bid": "n BIGINT, auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, extra STRING",
}
WARM = 2
"""Runs over a little data, so that Java has compiled what runs often."""


def main(folder: str, warm: str, place: str) -> None:
    """Run the query and tell what it cost, or why it cannot be run."""
    from pyflink.java_gateway import get_gateway  # noqa: PLC0415

    java = int(get_gateway().jvm.java.lang.ProcessHandle.current().pid())
    query = Path(place).read_text("utf-8")
    try:
        for _ in range(WARM):
            _run(query, warm)
        before, began = _cpu(java), time.monotonic()
        _run(query, folder)
        told: dict[str, object] = {"cpu": _cpu(java) - before, "wall": time.monotonic() - began}
        told = {**told, "resident": _peak(java), "compared": _counted(query, warm)}
    except Exception as error:  # whatever Flink says about a query is what is reported
        told = {"error": _reason(error)}
    print(json.dumps(told), flush=True)


def _reason(error: Exception) -> str:
    causes = [line for line in str(error).splitlines() if line.startswith(("Caused by", ":"))]
    return (causes or [str(error)])[-1][:300]


def _run(query: str, folder: str) -> None:
    tables = _opened(folder)
    tables.execute_sql(f"CREATE TABLE answer WITH ('connector' = 'blackhole') AS {query}").wait()


def _counted(query: str, folder: str) -> int:
    """How many rows the answer has in the end; COUNT(*) counts a row again whenever it is replaced by a better one."""
    from pyflink.table.expressions import col  # noqa: PLC0415
    from pyflink.table.types import DataTypes, LocalZonedTimestampType  # noqa: PLC0415

    table = _opened(folder).sql_query(query)
    schema = table.get_schema()
    # Moments of time cannot be handed to Python.
    columns = [
        col(name).cast(DataTypes.STRING()) if isinstance(kind, LocalZonedTimestampType) else col(name)
        for name, kind in zip(schema.get_field_names(), schema.get_field_data_types(), strict=True)
    ]
    with table.select(*columns).execute().collect() as changes:
        kinds = Counter(row.get_row_kind().name for row in changes)
    return kinds["INSERT"] - kinds["DELETE"]


def _opened(folder: str) -> Any:
    from pyflink.table import EnvironmentSettings, TableEnvironment  # noqa: PLC0415

    tables = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    settings = {"parallelism.default": "1", "table.local-time-zone": "UTC", "table.exec.state.ttl": "0"}
    for name, value in settings.items():
        tables.get_config().set(name, value)
    for name, columns in TABLES.items():
        quoted = re.sub(r"(\w+) (BIGINT|STRING)", r"`\1` \2", columns)
        tables.execute_sql(
            f"CREATE TABLE {name} ({quoted}, `time` BIGINT, ts AS TO_TIMESTAMP_LTZ(`time`, 3), "
            f"WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'format' = 'csv', "
            f"'path' = 'file://{folder}/{name}.csv')"
        )
    tables.execute_sql(
        "CREATE TABLE side (k BIGINT, v BIGINT) WITH ('connector' = 'filesystem', 'format' = 'csv', "
        f"'path' = 'file://{folder}/side.csv')"
    )
    return tables


def _cpu(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text("ascii")
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) * 1024  # type: ignore[index]


if __name__ == "__main__":
    main(*sys.argv[1:])
