"""Tables of a real PostgreSQL as input and output: bounded, a day at a time, and as a stream, each row once."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import larspark
from support.databases import Postgres

pytestmark = pytest.mark.thorough

PROGRAM = Path(__file__).parents[2] / "examples" / "machines-csv" / "machines.lars"
TABLES = """
CREATE TABLE readings (id SERIAL, time TIMESTAMP, machine TEXT, celsius DOUBLE PRECISION);
CREATE TABLE service (id SERIAL, time TIMESTAMP, machine TEXT);
INSERT INTO service (time, machine) VALUES ('2026-03-10 08:03', 'saw');
INSERT INTO readings (time, machine, celsius) VALUES
  ('2026-03-10 08:00:10', 'press', 78.5), ('2026-03-10 08:01:05', 'press', 84), ('2026-03-10 08:03', 'press', 85.5),
  ('2026-03-10 08:04', 'saw', 82), ('2026-03-10 08:09', 'press', 79);
"""
PLANT = "jdbc:postgresql://127.0.0.1/plant?user=larspark"
"""The database as the example calls it."""
ALARMS = 'SELECT machine, "from", "to" FROM alarm ORDER BY 2'
FIRST = ("press", "2026-03-10 08:01:00", "2026-03-10 08:06:59.999999")


@pytest.fixture
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    server.sql(TABLES)
    yield server
    server.stop()


def run(*words: str | Path, code: int = 0, folder: Path | None = None) -> str:
    environment = {**os.environ, "PYTHONPATH": str(Path(larspark.__file__).parents[1])}
    command = [sys.executable, "-m", "larspark", "run", *map(str, words)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=400, check=False, env=environment, cwd=folder
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_bounded(postgres: Postgres) -> None:
    tables = [word for name in ("readings", "service") for word in ("--input", f"{postgres.url}#{name}")]
    told = run(PROGRAM, *tables, "--output", postgres.url)
    assert postgres.sql(ALARMS) == [FIRST]
    assert f"jdbc:postgresql://127.0.0.1:{postgres.port}/postgres#alarm" in told
    assert USER_NOT_TOLD not in told
    # Twice the same day, in place of its own rows alone.
    postgres.sql("INSERT INTO readings (time, machine, celsius) VALUES ('2026-03-11 00:01', 'press', 99)")
    for _ in range(2):
        run(PROGRAM, *tables, "--output", postgres.url, "--from", "2026-03-11", "--until", "2026-03-12")
    assert postgres.sql(ALARMS) == [FIRST, ("press", "2026-03-11 00:01:00", "2026-03-11 00:04:59.999999")]
    assert "no table" in run(PROGRAM, "--input", postgres.url, "--output", postgres.url, code=1)
    told = run(PROGRAM, "--input", f"{postgres.url}#nothing", "--output", postgres.url, code=1)
    assert "E406" in told
    assert "nothing" in told


def test_files_into_a_database(postgres: Postgres, tmp_path: Path) -> None:
    """The command as the page of the example has it, typed in its folder."""
    folder = shutil.copytree(PROGRAM.parent, tmp_path / "machines-csv")
    page = (folder / "README.md").read_text()
    (typed,) = re.findall(r"`larspark run ([^`]*--output \"jdbc:[^`]*)`", page)
    words = [word.replace(PLANT, postgres.url) for word in shlex.split(typed)]
    assert postgres.url in words
    told = run(*words, folder=folder)
    assert postgres.sql(ALARMS) == [FIRST]
    assert "2 bad records" in told
    # A join needs no thought: both ends are included.
    postgres.sql("INSERT INTO readings (time, machine, celsius) VALUES ('2026-03-10 08:07', 'press', 60)")
    joined = "SELECT celsius FROM readings JOIN alarm USING (machine) WHERE time BETWEEN alarm.from AND alarm.to"
    assert postgres.sql(f"{joined} ORDER BY 1") == [("84",), ("85.5",)]


USER_NOT_TOLD = "user="


def test_stream(postgres: Postgres, tmp_path: Path) -> None:
    pipeline = tmp_path / "stream.yml"
    shutil.copy(PROGRAM, tmp_path)
    text = PROGRAM.with_name("postgres.yml").read_text()
    text = text.replace(PLANT, postgres.url)
    pipeline.write_text(f"{text}once: true\npartitions: 2\n")
    run(pipeline)
    assert postgres.sql(ALARMS) == [FIRST]
    postgres.sql(
        "INSERT INTO readings (time, machine, celsius) VALUES"
        " ('2026-03-10 08:20', 'press', 95), ('2026-03-10 08:21', 'press', NULL)"
    )
    run(pipeline)
    assert postgres.sql(ALARMS) == [FIRST]
    going_on = ("press", "2026-03-10 08:20:00", "2026-03-10 08:20:59.999999")
    assert postgres.sql('SELECT machine, "from", "to" FROM alarm_open') == [going_on]
    assert [row[0][:4] for row in postgres.sql("SELECT objection FROM _dead_letters")] == ["E403"]
    # The machine stops after the database has taken the last micro-batch, and before the checkpoint knows it.
    checkpoint = tmp_path / "alarms-state" / "_checkpoint"
    last = max((checkpoint / "state").iterdir())
    shutil.rmtree(last)
    number = int(last.name.split("-")[1])
    for name in (str(number), f".{number}.crc"):
        (checkpoint / "spark" / "commits" / name).unlink(missing_ok=True)
    postgres.sql("INSERT INTO readings (time, machine, celsius) VALUES ('2026-03-10 08:30', 'saw', 20)")
    run(pipeline)
    assert postgres.sql(ALARMS) == [FIRST, ("press", "2026-03-10 08:20:00", "2026-03-10 08:23:59.999999")]
    assert len(postgres.sql("SELECT objection FROM _dead_letters")) == 1
    pipeline.write_text(pipeline.read_text().replace("checkpoint: alarms-state", "checkpoint: other"))
    assert "E605" in run(pipeline, code=1)
