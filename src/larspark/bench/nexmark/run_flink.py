"""Flink SQL over the CSV files of a folder, one slot: run by the Python of the environment of the peers.

`python run_flink.py FOLDER WARM QUERY.sql` prints the CPU seconds of its Java for one run as JSON, after a run over
the folder WARM; the rows of the answer go to a sink that drops them. This file imports nothing of larspark: it lives
in another environment.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from pathlib import Path

TABLES = {
    "person": "n BIGINT, id BIGINT, name STRING, email STRING, card STRING, city STRING, state STRING, extra STRING",
    "auction": "n BIGINT, id BIGINT, item STRING, description STRING, initial BIGINT, reserve BIGINT, expires BIGINT, "
    "seller BIGINT, category BIGINT, extra STRING",
    "bid": "n BIGINT, auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, extra STRING",
}
MEMORY = "2g"


def main(folder: str, warm: str, place: str) -> None:
    """Run a query and tell what it cost."""
    from pyflink.java_gateway import get_gateway  # noqa: PLC0415

    os.environ["JVM_ARGS"] = f"-Xmx{MEMORY} -Duser.timezone=UTC"
    query = Path(place).read_text("utf-8")
    _run(query, warm)
    java = int(get_gateway().jvm.java.lang.ProcessHandle.current().pid())
    runtime = get_gateway().jvm.java.lang.Runtime.getRuntime()
    before, began = _cpu(java), time.monotonic()
    _run(query, folder)
    seconds = _cpu(java) - before
    wall = time.monotonic() - began
    heap = runtime.totalMemory() - runtime.freeMemory()
    print(json.dumps({"cpu": seconds, "wall": wall, "heap": heap, "resident": _peak(java)}))


def _run(query: str, folder: str) -> None:
    from pyflink.table import EnvironmentSettings, TableEnvironment  # noqa: PLC0415

    tables = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    settings = {"parallelism.default": "1", "table.local-time-zone": "UTC", "table.exec.state.ttl": "0"}
    for name, value in settings.items():
        tables.get_config().set(name, value)
    for name, columns in TABLES.items():
        tables.execute_sql(
            f"CREATE TABLE {name} ({columns}, `time` BIGINT, ts AS TO_TIMESTAMP_LTZ(`time`, 3), "
            f"WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'format' = 'csv', "
            f"'path' = 'file://{folder}/{name}.csv')"
        )
    tables.execute_sql(
        "CREATE TABLE side (k BIGINT, v BIGINT) WITH ('connector' = 'filesystem', 'format' = 'csv', "
        f"'path' = 'file://{folder}/side.csv')"
    )
    tables.execute_sql(f"CREATE TABLE answer WITH ('connector' = 'blackhole') AS {query}").wait()


def _cpu(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text("ascii")
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) * 1024  # type: ignore[index]


if __name__ == "__main__":
    main(*sys.argv[1:])
