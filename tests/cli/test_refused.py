"""`--refused`: what was refused, as lines that are read again when they have been corrected."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from larspark.cli.main import main

PROGRAM = "#input readings(machine: text, celsius: number). #show hot/1. hot(M) :- readings(M, C), C > 80.\n"
ROWS = 'time,machine,celsius\n1,press,81\n2,press,\n3,saw,"61,5"\n4,saw,82,9\nx,saw,99\n'


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "p.lars"
    path.write_text(PROGRAM)
    (tmp_path / "readings.csv").write_text(ROWS)
    return path


def refused(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_rows_of_a_table_become_lines(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "refused.jsonl"
    words = ["eval", str(program), "--stream", str(tmp_path / "readings.csv"), "--refused", str(file)]
    assert main([*words, "--as", "intervals"]) == 0
    assert capsys.readouterr().out.split() == ["1:", "hot(press)"]
    found = refused(file)
    assert [str(one["reason"])[:4] for one in found] == ["E403", "E413", "E401", "E404"]
    assert {str(one["source"]) for one in found} == {str(tmp_path / "readings.csv")}
    assert (found[0]["predicate"], found[0]["args"], found[0]["time"]) == ("readings", ["press", None], 2)
    assert found[1]["args"] == ["saw", "61,5"]
    assert found[2]["record"] == "4,saw,82,9"
    # Corrected, they are read.
    found[0]["args"], found[1]["args"], found[3]["time"] = ["press", 84.5], ["saw", 61.5], 5
    good = [found[0], found[1], found[3]]
    file.write_text("".join(json.dumps(one) + "\n" for one in good))
    assert main(["eval", str(program), "--stream", str(file), "--as", "intervals"]) == 0
    assert capsys.readouterr().out.splitlines() == ["2: hot(press)", "5: hot(saw)"]


def test_as_they_are_they_are_refused_again(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    for stream, file in ((tmp_path / "readings.csv", first), (first, second)):
        assert main(["eval", str(program), "--stream", str(stream), "--refused", str(file)]) == 0
    assert len(refused(first)) == len(refused(second)) == 4
    capsys.readouterr()


def test_signals(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = ["@3 readings(press, 81)", "@1 readings(saw, 99)", "@4 readings(saw", "@5 nothing(1)", "@6 hot(press)"]
    (tmp_path / "in.txt").write_text("".join(f"{line}\n" for line in lines))
    file = tmp_path / "refused.jsonl"
    words = ["-p", str(program), "-i", str(tmp_path / "in.txt"), "--refused", str(file), "-l", "none"]
    assert main(["tick", *words]) == 0
    capsys.readouterr()
    told = [(str(one["reason"])[:4], one.get("atom") or one.get("record"), one.get("time")) for one in refused(file)]
    assert told == [
        ("E403", "@4 readings(saw", None),
        ("E409", "hot(press)", 6),
        ("E405", "readings(saw,99)", 1),
    ]


def test_a_place_that_cannot_be_written(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "no" / "refused.jsonl"
    words = ["--stream", str(tmp_path / "readings.csv"), "--refused", str(place)]
    assert main(["eval", str(program), *words]) == 1
    assert "E603" in capsys.readouterr().err
