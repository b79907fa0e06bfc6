"""Tables of Spark's catalog as input and output of a run."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from larspark.cli.main import main


def test_a_run_between_tables(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "(1, 'press', 91.5D), (3, 'saw', 60D), (4, 'saw', CAST('nan' AS DOUBLE))"
    spark.sql(f"SELECT * FROM VALUES {rows} AS t(time, m, c)").createOrReplaceTempView("readings")
    program, refused = tmp_path / "p.lars", tmp_path / "refused.jsonl"
    program.write_text("#input readings(m: text, c: number). hot(M, C) :- readings(M, C) [2], C > 80.\n")
    words = ["run", str(program), "--input", "table:readings", "--output", "table:found", "--timeline", "0", "9"]
    try:
        assert main([*words, "--refused", str(refused)]) == 0
        assert [tuple(row) for row in spark.table("found.hot").collect()] == [("press", 91.5, 1, 3, None)]
        assert '"args": ["saw", null], "reason": "E403' in refused.read_text()
        assert "found#hot" in capsys.readouterr().out
        assert main([*words[:-3], "--from", "1", "--until", "3"]) == 1
        assert main([*words[:-3], "--follow"]) == 1
        told = capsys.readouterr().err
        assert "E615" in told
        assert "toTable" in told
    finally:
        spark.sql("DROP SCHEMA IF EXISTS found CASCADE")
