"""The Java that Spark is given: arguments that it would warn of do not reach it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from larspark.spark.session.java import _linked

OPENED = "--add-opens=java.base/sun.security.action=ALL-UNNAMED"
VECTOR = "--add-modules=jdk.incubator.vector"


@pytest.mark.parametrize(("version", "kept"), [("17.0.9", [OPENED, "-Xmx1g"]), ("25.0.2", ["-Xmx1g"])])
def test_arguments_that_a_java_warns_of_are_dropped(version: str, kept: list[str], tmp_path: Path) -> None:
    runtime = tmp_path / "runtime"
    (runtime / "bin").mkdir(parents=True)
    (runtime / "release").write_text(f'IMPLEMENTOR="somebody"\nJAVA_VERSION="{version}"\n')
    java = runtime / "bin" / "java"
    java.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    java.chmod(0o755)
    _linked(runtime, tmp_path / "home")
    words = [tmp_path / "home" / "bin" / "java", VECTOR, OPENED, "-Xmx1g"]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert told.split() == kept
