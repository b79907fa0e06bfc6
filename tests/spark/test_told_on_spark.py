"""What is odd about data is told on Spark as well, and what was set aside can be had."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from larspark.cli.main import main
from larspark.spark import reason


def test_a_frame_with_an_unknown_name(spark: SparkSession, caplog: pytest.LogCaptureFixture) -> None:
    frame = spark.sql("SELECT * FROM VALUES (1, 'x'), (50, 'y'), (NULL, 'z') AS t(time, m)")
    with caplog.at_level(logging.WARNING, "larspark"):
        tables = reason("a(M) :- always hot(M) [2].", {"hott": frame}, on_error="skip")
    told = [record.message for record in caplog.records]
    assert any("W410: 2 atoms of hott/1 arrived, but no rule reads it. Did you mean hot/1?" in one for one in told)
    assert any("W411: No atom of hot/1 arrived" in one for one in told)
    assert tables["a"].count() == 0
    (letter,) = tables["_dead_letters"].collect()
    assert letter["objection"].startswith("E404")
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
