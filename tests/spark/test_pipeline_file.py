from __future__ import annotations

from pathlib import Path

import pytest

from larspark.diagnostics import Rejected
from larspark.spark.pipeline_file import InputSource, read_pipeline


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
    ("text", "message"),
    [
        ("input: x.csv", "names a program"),
        ("program: [", "not well formed"),
        ("program: a.lars\npartition: 4", "no entry `partition`"),
        ("program: a.lars\npartitions: many", "cannot be 'many'"),
        ("program: a.lars\ninput: [{colums: [a]}]", "is not one"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "p.yml").write_text(text)
    with pytest.raises(Rejected) as caught:
        read_pipeline(tmp_path / "p.yml")
    assert caught.value.diagnostics[0].code == "E606"
    assert message in caught.value.diagnostics[0].message
