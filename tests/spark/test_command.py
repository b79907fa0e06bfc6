"""`larspark run`, in this process and on the session of the tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from larspark.cli.main import main
from larspark.spark.stream.checkpoint import Checkpoint
from larspark.spark.stream.stream import CHECKPOINT

PROGRAM = "#input e(x).\nwarm(X) :- e(X) [1].\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.lars").write_text(PROGRAM)
    (tmp_path / "e.csv").write_text("time,x\n1,a\n4,b\n5,c\n")
    return tmp_path


def test_a_run_from_a_table_to_tables(spark: SparkSession, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(folder / "p.lars"), "--input", str(folder / "e.csv"), "--output", str(folder / "out")]
    assert main(["run", *words, "--table-format", "csv", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["atoms"], told["from"], told["to"], told["tables"]["warm"]["rows"]) == (3, 1, 5, 3)
    (table,) = (folder / "out" / "warm").glob("*.csv")
    lines = table.read_text().splitlines()
    assert lines[0] == "x,from,to,at"
    assert {"a,1,2,", "b,4,5,"} < set(lines)


def test_a_run_is_reported_as_a_page(spark: SparkSession, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(folder / "p.lars"), "--input", str(folder / "e.csv"), "--html", str(folder / "report.html")]
    assert main(["run", *words, "--output", str(folder / "out"), "--on-error", "skip"]) == 0
    page = (folder / "report.html").read_text()
    data = json.loads(page.split('id="larspark-data">')[1].split("</script>")[0])
    assert {"e(a)", "warm(a)", "warm(b)"} <= set(data["lanes"]["atoms"])
    assert main(["run", *words, "--output", str(folder / "other"), "--changes"]) == 1
    assert "Parquet tables of intervals" in capsys.readouterr().err


def test_a_pipeline_file_and_changes(spark: SparkSession, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "run.yml").write_text("program: p.lars\ninput: e.csv\noutput: out\nchanges: true\ntimeline: [0, 9]\n")
    assert main(["run", str(folder / "run.yml")]) == 0
    capsys.readouterr()
    rows = spark.read.parquet(str(folder / "out" / "warm")).where("x = 'a'").collect()
    assert {(row["change"], row["time"]) for row in rows} == {("+", 1), ("-", 3)}


def test_following_once(spark: SparkSession, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "in").mkdir()
    (folder / "in" / "1.jsonl").write_text('{"time": 1, "atom": "e(a)"}\n')
    words = [str(folder / "p.lars"), "--input", str(folder / "in"), "--output", str(folder / "out")]
    assert main(["run", *words, "--follow", "--once", "--format", "json", "--page", "0"]) == 0
    printed = capsys.readouterr()
    assert "the page is at http://127.0.0.1:" in printed.err
    told = [json.loads(line) for line in printed.out.splitlines()]
    assert (told[-1]["watermark"], told[-1]["seen"]) == (1, 1)
    (row,) = spark.read.parquet(str(folder / "out" / "warm")).collect()
    assert tuple(row) == ("a", 1, 1, None)
    counts = Checkpoint(folder / "out" / CHECKPOINT).last().rules
    assert list(counts.values()) == [[1, 0, -1]], "the rule of the page's margin has given one stretch, which goes on"


def test_an_empty_folder_says_what_it_is_taken_for(
    spark: SparkSession, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "in").mkdir()
    words = [str(folder / "p.lars"), "--input", str(folder / "in"), "--output", str(folder / "out")]
    assert main(["run", *words, "--follow", "--once"]) == 0
    assert f"`{folder / 'in'}` is empty, and is taken to get JSON lines" in capsys.readouterr().err


def test_the_plan_is_explained_without_data(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(folder / "p.lars"), "--explain"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "stage 1  warm/1",
        "    split by X, evaluated by the interval reasoner",
        "    reads e/1 from the input by argument 1",
        "    time can be divided in a bounded run, windows reach back 1",
    ]


@pytest.mark.parametrize("words", [["--input", "x"], ["--output", "x"]])
def test_wrong_usage(folder: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(folder / "p.lars"), *words]) == 2
    assert "--input and --output" in capsys.readouterr().err
