"""Streams on Spark end with the rows of a bounded run, in micro-batches of any size, and go on where they were."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.spark.bounded.start import RunOptions
from larspark.spark.bounded.to_folder import run_to_folder
from larspark.spark.plan.plan import make_plan
from larspark.spark.stream.results.tables import Style
from larspark.spark.stream.stream import TableStream
from support.interval_rows import rows_of
from support.spark_streams import followed, put, run
from support.streams import Arrival, as_text, rows_in

PROGRAM = """
hot(M) :- temp(M, V) [2], V > 100.
calm(M) :- temp(M, _) [6], not hot(M).
@(T + 2) soon(M) :- @T temp(M, V) [1], V > 105.
count(N) :- N = #count{ M : hot(M) }.
last(M) :- temp(M, _) [2 #].
lasting(M) :- always hot(M) [3].
latest(M, V) :- temp(M, V) [1 # per M].
"""


def arrivals(random: Random, count: int = 40) -> list[Arrival]:
    times = sorted(random.randint(3, 30) for _ in range(count))
    return [(time, Fact("temp", (f"m{random.randint(0, 3)}", random.randint(95, 110)))) for time in times]


@pytest.mark.parametrize("seed", [1])
def test_any_cut_gives_the_rows_of_a_bounded_run(spark: SparkSession, tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    plan = make_plan(analyse(parse_program(PROGRAM)).require())
    given = arrivals(random)
    cuts = sorted(random.sample(range(1, len(given)), 3))
    source, output = tmp_path / "in", tmp_path / "out"
    put(source, [given[first:last] for first, last in zip([0, *cuts], [*cuts, len(given)], strict=True)])
    stream = TableStream(plan, output)
    run(spark, stream, followed(spark, plan, source))
    watermark = given[-1][0] - 1
    assert stream.checkpoint.last().batch == 3
    expected = rows_of(plan.analysis, [one for one in given if one[0] <= watermark], given[0][0], watermark)
    assert rows_in(plan, output) == as_text(expected)
    stream.finish(spark)
    assert rows_in(plan, output) == as_text(rows_of(plan.analysis, given, given[0][0], given[-1][0]))


@pytest.mark.quick
def test_late_atoms_are_waited_for_and_then_set_aside(spark: SparkSession, tmp_path: Path) -> None:
    plan = make_plan(analyse(parse_program("p(X) :- a(X) [1].")))
    source, output = tmp_path / "in", tmp_path / "out"
    stream = TableStream(plan, output, lateness=2)
    put(
        source,
        [
            [(5, Fact("a", ("x",)))],
            [(4, Fact("a", ("y",))), (9, Fact("a", ("z",)))],
            [(6, Fact("a", ("too late",))), (7, Fact("a", ("w",))), (6, Fact("unread", ()))],
        ],
    )
    run(spark, stream, followed(spark, plan, source))
    stream.finish(spark)
    assert rows_in(plan, output) == {
        ("p", ("y",), 4, 5, None),
        ("p", ("x",), 5, 6, None),
        ("p", ("w",), 7, 8, None),
        ("p", ("z",), 9, 9, None),
    }
    (path,) = (output / "_dead_letters").glob("*.parquet")
    rows = pq.read_table(path).to_pylist()
    assert all(row["objection"].startswith("E412") and row["source"].endswith("002.jsonl") for row in rows)
    assert {row["record"] for row in rows} == {'{"time": 6, "atom": "a(\\"too late\\")"}', '{"time": 6}'}
    assert stream.checkpoint.last().late == 2


def test_a_folder_is_followed_and_gone_on_with(spark: SparkSession, tmp_path: Path) -> None:
    plan = make_plan(analyse(parse_program("p(X) :- a(X) [3], not b(X) [3].")))
    source, output = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    (source / "1.jsonl").write_text('{"time": 1, "atom": "a(x)"}\nbroken\n{"time": 3, "atom": "b(x)"}\n')
    stream = TableStream(plan, output)
    run(spark, stream, followed(spark, plan, source))
    (source / "2.jsonl").write_text('{"time": 6, "atom": "a(y)"}\n')
    run(spark, stream, followed(spark, plan, source))
    stream.finish(spark)
    assert rows_in(plan, output) == {("p", ("x",), 1, 2, None), ("p", ("y",), 6, 6, None)}
    assert (stream.checkpoint.last().arrivals, stream.checkpoint.last().refused) == (3, 1)
    other = make_plan(analyse(parse_program("p(X) :- a(X) [4], not b(X) [3].")))
    others = (TableStream(other, output), TableStream(plan, output, lateness=1), TableStream(plan, output, buckets=3))
    for changed in (*others, TableStream(plan, output, style=Style(changes=True))):
        with pytest.raises(Rejected) as caught:
            changed.start(spark, followed(spark, plan, source))
        assert caught.value.diagnostics[0].code == "E605"


def test_evaluations_that_depend_on_earlier_ones(spark: SparkSession, tmp_path: Path) -> None:
    """Recorded conclusions and the choice between answer streams are part of the state."""
    text = (
        "#record seen/1. seen(X) :- a(X). seen(X) :- seen(X) [1]. l(X) :- seen(X), not r(X). r(X) :- seen(X), not l(X)."
    )
    plan = make_plan(analyse(parse_program(text)))
    source, output = tmp_path / "in", tmp_path / "out"
    given = [(2, Fact("a", ("x",))), (4, Fact("a", ("y",))), (9, Fact("a", ("z",)))]
    put(source, [given[:1], given[1:2], given[2:]])
    stream = TableStream(plan, output)
    run(spark, stream, followed(spark, plan, source))
    stream.finish(spark)
    assert rows_in(plan, output) == as_text(rows_of(plan.analysis, given, 2, 9, reasoner="clingo"))


def test_an_average_has_one_type(spark: SparkSession, tmp_path: Path) -> None:
    """In a bounded run and in a stream: what holds all values."""
    plan = make_plan(analyse(parse_program("mean(V) :- V = #avg{ X : r(X) [5] }, r(_) [5].")))
    given = [(1, Fact("r", (1,))), (2, Fact("r", (2,))), (3, Fact("r", (5,))), (9, Fact("r", (7,)))]
    put(tmp_path / "in", [given[:2], given[2:]])
    stream = TableStream(plan, tmp_path / "stream")
    run(spark, stream, followed(spark, plan, tmp_path / "in"))
    stream.finish(spark)
    run_to_folder(spark, plan, [str(tmp_path / "in")], tmp_path / "bounded", RunOptions())
    kinds = {
        str(pq.read_schema(path).field("arg1").type)
        for folder in ("stream", "bounded")
        for path in (tmp_path / folder / "mean").glob("*.parquet")
    }
    assert kinds == {"decimal128(38, 33)"}
