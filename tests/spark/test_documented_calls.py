"""Python about Spark in the documentation runs; a stream is begun and stopped."""

from __future__ import annotations

import contextlib
import io
import re
from datetime import datetime
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

ROOT = Path(__file__).parents[2]
EXAMPLES = [
    code
    for page in (ROOT / "README.md", ROOT / "docs" / "spark.md")
    for code in re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    if "reason(" in code
]


def test_the_calls_run(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(EXAMPLES) >= 3
    monkeypatch.chdir(tmp_path)
    incoming = tmp_path / "incoming"
    frame = spark.createDataFrame(
        [(datetime(2026, 1, 1, 0, 0, n), "press") for n in range(3)], "time timestamp, m string"
    )
    frame.write.parquet(str(incoming))
    stream = spark.readStream.schema(frame.schema).parquet(str(incoming))
    known = {"spark": spark, "frame": frame, "stream": stream}
    for code in EXAMPLES:
        text = code.replace('"incoming"', repr(str(incoming))).replace('"state"', repr(str(tmp_path / "state")))
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(text, "documentation", "exec"), known)
    for query in spark.streams.active:
        query.stop()
    spark.sql("DROP TABLE IF EXISTS alarms")
