"""Queries of other languages on the Spark pipeline, as they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from larspark.cli.main import main
from larspark.language.facts import Fact

EXAMPLES = Path(__file__).parents[2] / "examples" / "translations"


@pytest.mark.parametrize(("name", "predicate"), [("trams.cql", "q"), ("jams.csparql", "jammed")])
def test_the_pipeline_gives_the_answers_of_every_time_point(
    spark: SparkSession, tmp_path: Path, name: str, predicate: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = EXAMPLES / name
    words = ["run", str(path), "--input", str(path.with_suffix(".jsonl")), "--output", str(tmp_path / "out")]
    background = path.with_suffix(".facts")
    words += ["--background", str(background)] if background.exists() else []
    assert main(words) == 0
    capsys.readouterr()
    rows = spark.read.parquet(str(tmp_path / "out" / predicate)).collect()
    found: dict[int, set[str]] = {}
    for row in rows:
        for time in range(row["from"], row["to"] + 1):
            found.setdefault(time, set()).add(str(Fact(predicate, tuple(row)[:-3])))
    lines = (line.partition(": ") for line in path.with_suffix(".expected").read_text(encoding="utf-8").splitlines())
    assert found == {int(time): set(atoms.split()) for time, _, atoms in lines if atoms}
