"""The contestants of the bounded benchmark compute the same rows."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from larspark.bench.experiments.spark_batch import compare, contestant
from larspark.bench.measuring.measure import AnswersDiffer
from larspark.bench.workloads.spark_data import BOX, JOIN, SparkWorkload, generate


@pytest.mark.parametrize("workload", [JOIN, BOX], ids=lambda one: one.name)
def test_all_contestants_agree(spark: SparkSession, tmp_path: Path, workload: SparkWorkload) -> None:
    generate(tmp_path / "data", 30_000)
    names = ("larspark", "sql", "alone", "frames")
    for name in names:
        contestant(spark, workload, name)(tmp_path / "data" / workload.name, tmp_path / "out" / workload.name / name)
    for name in names[1:]:
        compare(workload, tmp_path / "out", "larspark", name)
    table = next(iter(workload.tables))
    (place,) = (tmp_path / "out" / workload.name / "alone" / table).iterdir()
    rows = pq.read_table(place)
    assert len(rows) > 100
    pq.write_table(rows.slice(1), place)
    with pytest.raises(AnswersDiffer, match=table):
        compare(workload, tmp_path / "out", "larspark", "alone")
