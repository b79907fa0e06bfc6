"""CONTRIBUTING.md tells the truth: the files that it names for each task are those in which the example stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import larspark

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "larspark"
TEXT = (ROOT / "CONTRIBUTING.md").read_text()

ROWS = re.findall(
    r"^\| ([a-z]+) \| `([^`]+)` \| (`.*`) \|$", TEXT.split("## To add")[1].split("## Words")[0], re.MULTILINE
)

NAMED = ("window", "source", "reasoner", "command", "translation", "diagnostic", "workload", "door", "format", "screen")


def test_every_named_task_has_a_row() -> None:
    assert {*NAMED} <= {task for task, _, _ in ROWS}


@pytest.mark.parametrize(("task", "example", "files"), ROWS, ids=[row[0] for row in ROWS])
def test_the_files_are_those_in_which_the_example_stands(task: str, example: str, files: str) -> None:
    listed = [_path(name) for name in re.findall(r"`([^`]+)`", files)]
    missing = [path for path in listed if not path.exists()]
    assert not missing, f"to add a {task}: {missing} is not there"
    mentions = [path for folder in (SOURCES, ROOT / "tests" / "support") for path in _mentioning(folder, example)]
    unlisted = [path for path in mentions if not any(path == one or one in path.parents for one in listed)]
    assert mentions
    assert not unlisted, f"to add a {task} one also touches {unlisted}"


def test_the_version_is_everywhere_the_same() -> None:
    said = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert said is not None
    assert said.group(1) == larspark.__version__


def _path(name: str) -> Path:
    return ROOT / name if name.startswith("tests/") else SOURCES / name


def _mentioning(folder: Path, example: str) -> list[Path]:
    word = re.compile(rf"(?<![A-Za-z0-9_]){re.escape(example)}(?![A-Za-z0-9_])")
    ends = {".py", ".js", ".lark"}
    return [path for path in folder.rglob("*") if path.suffix in ends and word.search(path.read_text("utf-8"))]
