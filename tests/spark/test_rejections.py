"""What is wrong with data and places is said before anything runs, and nothing is overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Rejected
from larspark.language.parser import parse_program
from larspark.spark import reason
from larspark.spark.batch import run_bounded
from larspark.spark.plan import make_plan
from larspark.spark.sources import read_source
from larspark.spark.writing import write_tables

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
        read_source(spark, str(tmp_path / "nothing.parquet"), plan.vocabulary)
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
    intake = read_source(spark, str(tmp_path / "s.jsonl"), plan.vocabulary)
    with pytest.raises(Rejected) as caught:
        run_bounded(plan, intake)
    assert {finding.code for finding in caught.value.diagnostics} == {"E401", "E404", "E403", "E410"}
    done = run_bounded(plan, intake, on_error="skip")
    assert (done.arrivals, done.refused) == (2, 4)
    assert sorted(row["record"] for row in done.dead_letters.collect()) == sorted(LINES.splitlines()[1:5])
    assert {row["arg1"] for row in done.tables["p"].collect()} == {1, 5}


def test_missing_cells_are_bad_records(spark: SparkSession) -> None:
    plan = make_plan(analyse(parse_program(PROGRAM)))
    frame = spark.createDataFrame([(1, None, 2), (None, 1, 2), (-1, 1, 2), (2, 1, 2)], "time int, x int, y int")
    with pytest.raises(Rejected) as caught:
        reason(PROGRAM, {"e": frame})
    assert {finding.code for finding in caught.value.diagnostics} == {"E403", "E404"}
    assert plan.shown


def test_results_do_not_replace_other_data(spark: SparkSession, tmp_path: Path) -> None:
    table = spark.range(3)
    write_tables({"p": table}, tmp_path / "out")
    write_tables({"p": spark.range(2)}, tmp_path / "out")
    assert spark.read.parquet(str(tmp_path / "out" / "p")).count() == 2
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(Rejected) as caught:
        write_tables({"p": table}, tmp_path / "mine")
    assert code(caught) == "E603"
    assert (tmp_path / "mine" / "thesis.txt").exists()


def test_a_run_that_fails_leaves_what_was_there(spark: SparkSession, tmp_path: Path) -> None:
    write_tables({"p": spark.range(3)}, tmp_path / "out")
    broken = spark.range(1).selectExpr("raise_error('boom') as id")
    with pytest.raises(Exception, match="boom"):
        write_tables({"p": spark.range(1), "q": broken}, tmp_path / "out")
    assert spark.read.parquet(str(tmp_path / "out" / "p")).count() == 3
