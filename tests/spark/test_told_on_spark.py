"""What is odd about data is told on Spark as well, and what was set aside can be had."""

from __future__ import annotations

import json
import logging
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from larspark.cli.main import main
from larspark.runtime.prepared import prepare
from larspark.spark import reason
from larspark.spark.interface import plan_of
from larspark.spark.read.following import AS_NUMBERS, follow_sources
from larspark.spark.read.rules import InputSource
from larspark.spark.stream.stream import TableStream


def test_a_frame_with_an_unknown_name(spark: SparkSession, caplog: pytest.LogCaptureFixture) -> None:
    frame = spark.sql("SELECT * FROM VALUES (1, 'x'), (50, 'y'), (NULL, 'z') AS t(time, m)")
    with caplog.at_level(logging.WARNING, "larspark"):
        tables = reason("a(M) :- always hot(M) [2].", {"hott": frame}, on_error="skip")
    told = [record.message for record in caplog.records]
    assert any("W410: 2 atoms of hott/1 arrived, but no rule reads it. Did you mean hot/1?" in one for one in told)
    assert any("W411: No atom of hot/1 arrived" in one for one in told)
    assert tables["a"].count() == 0
    (letter,) = tables["_dead_letters"].collect()
    assert letter["objection"].startswith("E402")
    assert '"z"' in letter["record"]


def test_the_command_tells(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.lars").write_text("a(M) :- always hot(M) [2].\n")
    (tmp_path / "hot.csv").write_text("time,m\n1,x\n50,x\n")
    (tmp_path / "cold.csv").write_text("time,m\n1,x\n")
    words = ["--input", str(tmp_path / "hot.csv"), "--input", str(tmp_path / "cold.csv")]
    assert main(["run", str(tmp_path / "p.lars"), *words, "--output", str(tmp_path / "out")]) == 0
    told = capsys.readouterr().err
    assert "W410: 1 atoms of cold/1 arrived" in told
    assert "W413: `always hot(M) [2]` asks for hot/1 at every time point, but it arrived at 2 of 50" in told


def test_nanoseconds_are_followed(spark: SparkSession, tmp_path: Path) -> None:
    """The default of pandas; and what the files of the tables tell about their times."""
    (tmp_path / "hot").mkdir()
    moments = [1_773_129_600_000_000_000, 1_773_129_720_500_000_001]
    columns = {"time": pa.array(moments, pa.timestamp("ns")), "m": ["x", "x"]}
    pq.write_table(pa.table(columns), tmp_path / "hot" / "1.parquet", version="2.6")
    plan = plan_of(prepare("#clock 1 min. a(M) :- hot(M) [1 min]."))
    source = InputSource(str(tmp_path / "hot"), predicate="hot")
    stream = TableStream(plan, tmp_path / "out", sources=(source,))
    inputs = follow_sources(spark, [source], plan.vocabulary, stream.checkpoint.journals)
    try:
        assert stream.start(spark, inputs, once=True).awaitTermination(120)
    finally:
        spark.conf.unset(AS_NUMBERS)
    (file,) = (tmp_path / "out" / "a").glob("*.parquet")
    assert pq.read_table(file).to_pylist() == [
        {
            "arg1": "x",
            "from": datetime(2026, 3, 10, 8),
            "to": datetime(2026, 3, 10, 8, 1, 59, 999999),
            "at": None,
        }
    ]
    told = json.loads(pq.read_schema(file).metadata[b"larspark"])
    assert (told["clock"], told["epoch"], told["times"]) == ("1 min", "1970-01-01T00:00:00+00:00", "local")


def test_what_tasks_notice(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of files whose footers tell all: samples, texts among numbers, rules that never fired."""
    text = """@T hot(M) :- @T r(M,C) [9], C > 80. alarm(M) :- always hot(M) [9].
never(M) :- r(M, C), C < 0.
after(M) :- never(M), r(M, _).
never(M) :- r(M, "91 C")."""
    (tmp_path / "p.lars").write_text(text)
    columns = {"time": [*range(200)], "m": [f"m{time % 10}" for time in range(200)], "c": ["90.5"] + ["91 C"] * 199}
    pq.write_table(pa.table(columns), tmp_path / "r.parquet")
    words = ["run", str(tmp_path / "p.lars"), "--input", str(tmp_path / "r.parquet"), "--output", str(tmp_path / "out")]
    assert main([*words, "--partitions", "2", "--format", "json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith("{")]
    told = {one["code"]: one["message"] for one in found if one["code"] in ("W412", "W413", "W415")}
    assert told["W412"].startswith("200 of 200 values of argument 2 of r/2 are texts, and `C > 80`")
    assert "each of 10 different ones arrived at 10 % of its time points, on average" in told["W413"]
    assert told["W415"] == "This rule never fired, though r/2 was there."
    assert [one["line"] for one in found if one["code"] == "W415"] == [2]
    before = sorted((tmp_path / "out").rglob("*"))
    assert main([*words, "--strict"]) == 1
    assert sorted((tmp_path / "out").rglob("*")) == before
    assert main([*words[:-1], str(tmp_path / "other"), "--strict"]) == 1
    assert not (tmp_path / "other").exists()


def test_texts_that_are_added_up(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.lars").write_text("s(S) :- S = #sum{ D,X : a(X,D) [5] }.\np(X,D+1) :- b(X,D).\n")
    (tmp_path / "a.csv").write_text("time,x,d\n0,x,5\n1,y,z\n2,w,7\n")
    (tmp_path / "b.csv").write_text("time,x,d\n0,x,5\n1,y,z\n2,w,z\n")
    words = ["--input", str(tmp_path / "a.csv"), "--input", str(tmp_path / "b.csv")]
    assert main(["run", str(tmp_path / "p.lars"), *words, "--output", str(tmp_path / "out")]) == 0
    told = capsys.readouterr().err
    assert "W412: 1 of 3 values of argument 2 of a/2 are texts, and `S = #sum{ D,X : a(X,D) [5] }` adds them" in told
    assert "W412: 2 of 3 values of argument 2 of b/2 are texts, and `D+1` computes with them" in told


def test_a_stream_tells_at_its_end(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.lars").write_text("a(M) :- hot(M) [2].\n")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "1.jsonl").write_text('{"time": 1, "atom": "hott(x)"}\n{"time": 5, "atom": "hott(y)"}\n')
    words = ["--input", str(tmp_path / "in"), "--output", str(tmp_path / "out"), "--follow", "--once"]
    assert main(["run", str(tmp_path / "p.lars"), *words]) == 0
    told = capsys.readouterr().err
    assert "W410: 2 atoms of hott/1 arrived, but no rule reads it." in told
    assert "W411: No atom of hot/1 arrived" in told
