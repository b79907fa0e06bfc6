from __future__ import annotations

from pathlib import Path

import pytest

from larspark.cli.pipeline.pipeline_file import read_pipeline
from larspark.diagnostics import Rejected
from larspark.spark.read.rules import InputSource


def test_yaml_and_toml_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "p.yml").write_text(
        "program: a.lars\ninput:\n  - path: x.csv\n    columns: [a, b]\n  - socket://h:1\noutput: out\npartitions: 4\n"
    )
    (tmp_path / "p.toml").write_text(
        'program = "a.lars"\ninput = [{path = "x.csv", columns = ["a", "b"]}, "socket://h:1"]\n'
        'output = "out"\npartitions = 4\n'
    )
    entries = read_pipeline(tmp_path / "p.yml")
    assert entries == read_pipeline(tmp_path / "p.toml")
    assert entries["input"] == [InputSource(str(tmp_path / "x.csv"), columns=("a", "b")), InputSource("socket://h:1")]
    assert entries["output"] == str(tmp_path / "out")


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("input: x.csv", "names a program", 1),
        ("program: [", "not YAML", 1),
        ("program: a.lars\ninput:\n  - path: a\n output: o\n", "not YAML", 4),
        ("program: a.lars\npartition: 4", "no entry `partition`", 2),
        ("program: a.lars\npartitions: many", "cannot be 'many'", 2),
        ("program: a.lars\nclock: 5", "cannot be 5", 2),
        ("program: a.lars\ninput: [{colums: [a]}]", "is not one", 1),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, message: str, line: int) -> None:
    (tmp_path / "p.yml").write_text(text)
    with pytest.raises(Rejected) as caught:
        read_pipeline(tmp_path / "p.yml")
    assert caught.value.diagnostics[0].code == "E606"
    assert message in caught.value.diagnostics[0].message
    assert caught.value.diagnostics[0].origin is not None
    assert caught.value.diagnostics[0].origin.line == line
