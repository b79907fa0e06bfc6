"""The example machines-csv as its page tells it: joined back, day by day, as a stream; databases in `test_databases`.

Every way has the alarms of `larspark eval`, with the timestamps that came in.
"""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

import larspark
from larspark.cli.main import main

EXAMPLE = Path(__file__).parents[2] / "examples" / "machines-csv"
ALARM = ("press", datetime(2026, 3, 10, 8, 1), datetime(2026, 3, 10, 8, 6, 59, 999999))
HOT = [datetime(2026, 3, 10, 8, 1, 5), datetime(2026, 3, 10, 8, 3)]
"""The readings of the machine while it is hot."""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the example, in which commands are typed."""
    copy = shutil.copytree(EXAMPLE, tmp_path / "machines-csv")
    monkeypatch.chdir(copy)
    return copy


def alarms_in(table: Path) -> list[tuple[str, datetime, datetime]]:
    rows = [row for file in sorted(table.glob("*.parquet")) for row in pq.read_table(file).to_pylist()]
    return sorted((row["machine"], row["from"], row["to"]) for row in rows)


def command(page: Path, start: str) -> list[str]:
    """The words of a command of the page behind `larspark`; the session's workers run in another folder than it."""
    (found,) = re.findall(
        rf"(?:^|`)larspark ({re.escape(start)}[^`\n]*)", (page / "README.md").read_text(), re.MULTILINE
    )
    words = str(found).split()
    return [str(page / word) if (page / word).exists() or word in ("alarms", "day") else word for word in words]


def test_joined_back_with_pandas(place: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(larspark.__file__).parents[1])}
    words = [sys.executable, "join_back.py"]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=environment, cwd=place)
    rows = done.stdout.splitlines()
    assert rows[0].split() == ["machine", "from", "to", "at", "time", "celsius"]
    told = " ".join(done.stdout.split())
    assert all(f"{time:%Y-%m-%d %H:%M:%S}" in told for time in HOT)


def test_joined_back_with_spark(spark: SparkSession, place: Path) -> None:
    joined = runpy.run_path(str(place / "join_back_spark.py"))["joined"]
    rows = joined(spark).collect()
    assert {(row["machine"], row["from"], row["to"]) for row in rows} == {ALARM}
    assert sorted(row["time"] for row in rows if row["celsius"] is not None) == HOT


def test_all_at_once(spark: SparkSession, place: Path) -> None:
    assert main(command(place, "run machines.lars --input readings.csv --input service.csv --output alarms")) == 0
    assert alarms_in(place / "alarms" / "alarm") == [ALARM]


def test_a_day_at_a_time(spark: SparkSession, place: Path) -> None:
    words = command(place, "run machines.lars --input readings.csv --input service.csv --output day")
    with (place / "readings.csv").open("a") as file:
        file.write("2026-03-10T23:59:00,press,90.0\n2026-03-11T00:05:00,press,75.0\n")
    assert main(words) == 0
    until_midnight = ("press", datetime(2026, 3, 10, 23, 59), datetime(2026, 3, 10, 23, 59, 59, 999999))
    assert alarms_in(place / "day" / "alarm") == [ALARM, until_midnight]
    moved = {"2026-03-10": "2026-03-11", "2026-03-11": "2026-03-12", str(place / "day"): str(place / "next")}
    assert main([moved.get(word, word) for word in words]) == 0
    after_midnight = ("press", datetime(2026, 3, 11), datetime(2026, 3, 11, 0, 2, 59, 999999))
    assert alarms_in(place / "next" / "alarm") == [after_midnight]


@pytest.mark.thorough
def test_as_a_stream(spark: SparkSession, place: Path) -> None:
    """The pipeline file as it is, but that it ends when everything has been read; what comes later is gone on with."""
    for name in ("readings", "service"):
        (place / "incoming" / name).mkdir(parents=True)
    lines = (place / "readings.csv").read_text().splitlines(keepends=True)
    shutil.copy("service.csv", "incoming/service")
    (place / "incoming" / "readings" / "1.csv").write_text("".join(lines[:6]))
    assert main(["run", str(place / "stream.yml"), "--once"]) == 0
    (place / "incoming" / "readings" / "2.csv").write_text(
        "".join([lines[0], *lines[6:], "2026-03-10T08:30:00,saw,60\n"])
    )
    assert main(["run", str(place / "stream.yml"), "--once"]) == 0
    assert alarms_in(place / "alarms-now" / "alarm") == [ALARM]
    refused = [
        row
        for file in (place / "alarms-now" / "_dead_letters").glob("*.parquet")
        for row in pq.read_table(file).to_pylist()
    ]
    assert sorted(row["objection"][:4] for row in refused) == ["E403", "E413"]
