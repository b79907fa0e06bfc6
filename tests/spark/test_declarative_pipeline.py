"""The example as a declarative pipeline of Spark: a real `spark-pipelines run`, whose view has the alarms of `eval`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pyspark
import pytest

import larspark
from larspark.spark.session.java import java_home

pytestmark = pytest.mark.thorough

EXAMPLE = Path(__file__).parents[2] / "examples" / "machines-csv"


def test_alarms_as_a_materialised_view(tmp_path: Path) -> None:
    place = shutil.copytree(EXAMPLE, tmp_path / "machines") / "pipeline"
    specification = place / "spark-pipeline.yml"
    text = specification.read_text()
    specification.write_text(text.replace("file:///tmp/larspark-machines", (tmp_path / "storage").as_uri()))
    home = Path(pyspark.__file__).parent
    environment = {
        **os.environ,
        "SPARK_HOME": str(home),
        "JAVA_HOME": str(java_home()),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "PYTHONPATH": str(Path(larspark.__file__).parents[1]),
    }
    command = [str(home / "bin" / "spark-pipelines"), "run"]
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found = pq.read_table(place / "spark-warehouse" / "alarm").to_pylist()
    told = {(row["machine"], row["from"].isoformat(), row["to"].isoformat()) for row in found}
    assert told == {
        ("press", "2026-03-10T08:01:00", "2026-03-10T08:06:59.999999"),
    }
