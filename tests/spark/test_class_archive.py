"""The classes of Spark in a file: made once, used by the next start, and no condition for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from larspark.spark.session import class_archive
from larspark.spark.session.session import java_settings

START = """
import sys
from larspark.spark.session.class_archive import reading
from larspark.spark.session.session import java_settings, spark_session

session = spark_session("local[1]", java_settings(reading(), "-Xlog:class+load:file=" + sys.argv[1]))
print(session.range(3).count())
"""


def test_a_file_that_is_not_there_or_not_whole_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_archive, "archive_folder", lambda: tmp_path)
    assert class_archive.reading() == ""
    made = tmp_path / "made.tmp"
    made.write_bytes(b"classes")
    class_archive.put_archive(made)
    place = class_archive.class_archive()
    assert place is not None
    told = java_settings(class_archive.reading())["spark.driver.extraJavaOptions"]
    assert f'"-XX:SharedArchiveFile={place}"' in told
    place.write_bytes(b"class")
    assert class_archive.reading() == ""


@pytest.mark.thorough
def test_the_next_start_takes_classes_from_the_file(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    environment.pop("LARSPARK_CACHE", None)
    command = [sys.executable, "-m", "larspark", "warm-up", "spark", "--format", "json"]
    made = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=300)
    place = json.loads(made.stdout)["classes"]
    if place is None:
        pytest.skip("this Java keeps no classes")
    assert Path(place).is_relative_to(tmp_path)
    log = tmp_path / "classes.log"
    for _ in ("with its file", "with a part of it"):
        command = [sys.executable, "-c", START, str(log)]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120)
        assert ran.stdout.split() == ["3"]
        shared = log.read_text().count("source: shared objects file (top)")
        assert (shared > 1000) == (Path(place).stat().st_size > 1 << 20)
        assert "cds" not in ran.stderr
        Path(place).chmod(0o600)
        os.truncate(place, 1 << 10)
