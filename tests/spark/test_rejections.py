"""What is wrong with data and places is said before anything runs, and nothing is overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Rejected
from larspark.language.parser import parse_program
from larspark.spark import reason
from larspark.spark.bounded import to_folder
from larspark.spark.bounded.start import RunOptions
from larspark.spark.bounded.to_folder import run_to_folder
from larspark.spark.bounded.to_frames import run_to_frames
from larspark.spark.plan.plan import make_plan
from larspark.spark.read.inputs import inputs_of_sources

PROGRAM = "#input e(x, y). p(X) :- e(X, Y) [3]."


def code(caught: pytest.ExceptionInfo[Rejected]) -> str:
    return caught.value.diagnostics[0].code


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ("time int, x int", "E407"),
        ("x int, y int", "E407"),
        ("time int, x int, y array<int>", "E407"),
        ("time boolean, x int, y int", "E407"),
    ],
)
def test_columns_that_do_not_fit(spark: SparkSession, columns: str, expected: str) -> None:
    with pytest.raises(Rejected) as caught:
        reason(PROGRAM, {"e": spark.createDataFrame([], columns)})
    assert code(caught) == expected


def test_derived_predicates_do_not_arrive(spark: SparkSession) -> None:
    with pytest.raises(Rejected) as caught:
        reason(PROGRAM, {"p": spark.createDataFrame([], "time int, x int")})
    assert code(caught) == "E409"


def test_an_unreadable_path(spark: SparkSession, tmp_path: Path) -> None:
    plan = make_plan(analyse(parse_program(PROGRAM)))
    with pytest.raises(Rejected) as caught:
        inputs_of_sources(spark, [str(tmp_path / "nothing.parquet")], plan.vocabulary)
    assert code(caught) == "E406"


LINES = """\
{"time": 1, "atom": "e(1,2)"}
not json
{"time": "yesterday", "atom": "e(1,2)"}
{"time": 2, "atom": "e(X,2)"}
{"time": 2, "atom": "e(1)"}
{"time": 3, "atom": "e(5,6)"}
"""


def test_bad_records_stop_the_run_or_are_set_aside(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text(LINES)
    plan = make_plan(analyse(parse_program(PROGRAM)))
    inputs = inputs_of_sources(spark, [str(tmp_path / "s.jsonl")], plan.vocabulary)
    with pytest.raises(Rejected) as caught:
        run_to_frames(spark, plan, inputs, RunOptions())
    assert {finding.code for finding in caught.value.diagnostics} == {"E401", "E404", "E403", "E410"}
    done = run_to_frames(spark, plan, inputs, RunOptions(on_error="skip"))
    assert (done.arrivals, done.refused) == (2, {"E401": 1, "E403": 1, "E404": 1, "E410": 1})
    assert sorted(row["record"] for row in done.dead_letters.collect()) == sorted(LINES.splitlines()[1:5])
    assert {row["x"] for row in done.tables["p"].collect()} == {1, 5}


def test_missing_cells_are_bad_records(spark: SparkSession) -> None:
    plan = make_plan(analyse(parse_program(PROGRAM)))
    frame = spark.createDataFrame([(1, None, 2), (None, 1, 2), (-1, 1, 2), (2, 1, 2)], "time int, x int, y int")
    with pytest.raises(Rejected) as caught:
        reason(PROGRAM, {"e": frame})
    assert {finding.code for finding in caught.value.diagnostics} == {"E402", "E403", "E404"}
    assert plan.shown


def test_dead_letters_are_written_as_the_tables_are(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text(LINES)
    plan = make_plan(analyse(parse_program(PROGRAM)))
    for table_format in ("parquet", "csv", "json"):
        options = RunOptions(on_error="skip", table_format=table_format)
        done = run_to_folder(spark, plan, [str(tmp_path / "s.jsonl")], tmp_path / "out", options)
        place = str(done.places["_dead_letters"])
        reader = spark.read.format(table_format).option("header", True).option("escape", '"')
        letters = reader.load(place).collect()
        assert sorted(row["record"] for row in letters) == sorted(LINES.splitlines()[1:5])
        assert {row["objection"][:4] for row in letters} == {"E401", "E403", "E404", "E410"}


@pytest.fixture
def written(spark: SparkSession, tmp_path: Path) -> Path:
    """A source with one atom, and the results of a run over it."""
    (tmp_path / "e.csv").write_text("time,x,y\n1,1,1\n")
    plan = make_plan(analyse(parse_program(PROGRAM)))
    run_to_folder(spark, plan, [str(tmp_path / "e.csv")], tmp_path / "out", RunOptions())
    return tmp_path


def test_results_do_not_replace_other_data(spark: SparkSession, written: Path) -> None:
    (written / "e.csv").write_text("time,x,y\n1,1,1\n9,2,2\n")
    plan = make_plan(analyse(parse_program(PROGRAM)))
    run_to_folder(spark, plan, [str(written / "e.csv")], written / "out", RunOptions())
    assert spark.read.parquet(str(written / "out" / "p")).count() == 2
    (written / "mine").mkdir()
    (written / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(Rejected) as caught:
        run_to_folder(spark, plan, [str(written / "e.csv")], written / "mine", RunOptions())
    assert code(caught) == "E603"
    assert (written / "mine" / "thesis.txt").exists()


def test_a_run_that_fails_leaves_what_was_there(
    spark: SparkSession, written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> int:
        raise OSError("boom")

    monkeypatch.setattr(to_folder, "_finished", broken)
    plan = make_plan(analyse(parse_program(PROGRAM)))
    with pytest.raises(OSError, match="boom"):
        run_to_folder(spark, plan, [str(written / "e.csv")], written / "out", RunOptions())
    assert spark.read.parquet(str(written / "out" / "p")).count() == 1
    assert {path.name for path in written.iterdir()} == {"e.csv", "out"}
