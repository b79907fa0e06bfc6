"""Runs that cannot go on say why in a sentence, and leave the results of earlier ones as they were."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from larspark.cli.main import main
from larspark.spark.session.failures import rejected

LAZILY = 2
"""How a file system is unmounted that may still be in use."""

PROGRAM = "#input e(x).\nwarm(X) :- e(X) [1].\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.lars").write_text(PROGRAM)
    (tmp_path / "e").mkdir()
    (tmp_path / "e" / "e.csv").write_text("time,x\n1,a\n4,b\n")
    return tmp_path


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own that is soon full."""
    place = tmp_path / "disk"
    place.mkdir()
    system = ctypes.CDLL(None)  # the command of this name is not on every PATH
    if sys.platform != "linux" or system.mount(b"tmpfs", bytes(place), b"tmpfs", 0, b"size=256k"):
        pytest.skip("a small file system cannot be mounted without rights")
    yield place
    system.umount2(bytes(place), LAZILY)


def run(*words: object) -> int:
    return main(["run", *map(str, words)])


@pytest.mark.parametrize("follow", [[], pytest.param(["--follow", "--once"], marks=pytest.mark.thorough)])
def test_a_full_disk(
    spark: SparkSession, folder: Path, small_disk: Path, follow: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    output = small_disk / "out"
    assert run(folder / "p.lars", "--input", folder / "e", "--output", output) == 0
    before = {path: path.read_bytes() for path in output.rglob("*") if path.is_file()}
    filler = small_disk / "filler"
    room = os.statvfs(small_disk)
    filler.write_bytes(b"x" * (room.f_bavail * room.f_frsize))
    place = small_disk / "stream" if follow else output
    assert run(folder / "p.lars", "--input", folder / "e", "--output", place, *follow) == 1
    assert "No space left" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in before} == before
    filler.unlink()
    assert run(folder / "p.lars", "--input", folder / "e", "--output", place, *follow) == 0


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("e.parquet", b"no parquet at all", "E406"),
        ("e.csv", b"time,y\n1,a\n", "E407"),
        ("e.csv", b"x,y\n1,a\n", "E407"),
        ("e.csv", b"time,predicate\n", "E407"),
        ("warm.csv", b"time,x\n1,a\n", "E409"),
        ("nothing.jsonl", None, "E406"),
    ],
)
@pytest.mark.parametrize("follow", [[], ["--follow", "--once"]])
def test_data_that_cannot_be_read(
    spark: SparkSession,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    content: bytes | None,
    code: str,
    follow: list[str],
) -> None:
    source = folder / "in" / Path(name).stem
    if content is not None:
        source.mkdir(parents=True)
        (source / name).write_bytes(content)
    assert run(folder / "p.lars", "--input", source, "--output", folder / "out", *follow) == 1
    assert code in capsys.readouterr().err
    assert not (folder / "out").exists()


@pytest.mark.parametrize("follow", [[], ["--follow"]])
def test_an_output_folder_of_someone_else(
    spark: SparkSession, folder: Path, capsys: pytest.CaptureFixture[str], follow: list[str]
) -> None:
    (folder / "mine").mkdir()
    (folder / "mine" / "thesis.txt").write_text("years of work")
    assert run(folder / "p.lars", "--input", folder / "e", "--output", folder / "mine", *follow) == 1
    assert "E603" in capsys.readouterr().err
    assert [path.name for path in (folder / "mine").iterdir()] == ["thesis.txt"]


def test_a_bad_record_stops_a_stream_if_asked(
    spark: SparkSession, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "in").mkdir()
    (folder / "in" / "1.jsonl").write_text('{"time": 1, "atom": "e(a)"}\nbroken\n')
    words = (folder / "p.lars", "--input", folder / "in", "--output", folder / "out", "--follow", "--once")
    assert run(*words, "--on-error", "stop") == 1
    told = capsys.readouterr().err
    assert "E401" in told
    assert "in the record broken" in told
    assert run(*words) == 0


def test_bad_records_are_counted_by_reason(
    spark: SparkSession, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "s.jsonl").write_text('{"time": 1, "atom": "e(a)"}\nbroken\n[]\n{"time": -1, "atom": "e(a)"}\n')
    words = (folder / "p.lars", "--input", folder / "s.jsonl", "--output", folder / "out", "--on-error", "skip")
    assert run(*words) == 0
    assert "3  _dead_letters" in (told := capsys.readouterr().out)
    assert "(E401 2, E404 1)" in told


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        (
            "[STREAM_FAILED] Query [id = 1] terminated with exception: [X] Failed: Traceback (most recent call last):\n"
            '  File "a.py", line 1, in f\nOSError: [Errno 28] No space left on device\n SQLSTATE: 38000\n'
            "=== Streaming Query ===\nIdentifier: 1",
            "E609",
            "The run broke down: [Errno 28] No space left on device.",
        ),
        (
            "[STREAM_FAILED] Query [id = 1] terminated with exception: java.io.IOException: it is gone SQLSTATE: XXKST",
            "E609",
            "The run broke down: it is gone.",
        ),
        ("x\nConnectionError: mqtt://h:1/t does not answer: refused", "E608", "mqtt://h:1/t does not answer: refused."),
        (
            "[USER_RAISED_EXCEPTION] E401: It is bad. Record: broken SQLSTATE: P0001",
            "E401",
            "It is bad, in the record broken.",
        ),
        (
            "An exception was thrown from the Python worker:\nTraceback (most recent call last):\n"
            '  File "a.py", line 1, in f\nlarspark.diagnostics.diagnostic.Rejected: error E411: It lies too far ahead; '
            "times end at 2^60. Check the values.\n\nDriver stacktrace:",
            "E411",
            "It lies too far ahead; times end at 2^60.",
        ),
        (
            "x\nlarspark.diagnostics.diagnostic.Rejected: p.lars:1:3: error E502: It has no end. Bound it.",
            "E502",
            "It has no end.",
        ),
    ],
)
def test_what_spark_says_is_said_in_a_sentence(text: str, code: str, message: str) -> None:
    (finding,) = rejected(PySparkException(text)).diagnostics
    assert (finding.code, finding.message) == (code, message)
