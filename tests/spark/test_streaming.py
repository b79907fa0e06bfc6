"""Streams end with the rows of a bounded run, however the data is cut into micro-batches, and whatever is repeated."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.values import show_value
from larspark.spark.parsing import intake_of_lines
from larspark.spark.plan import Plan, make_plan
from larspark.spark.sources import follow_source
from larspark.spark.streaming import Stream
from support.interval_rows import Row, rows_of

PROGRAM = """
hot(M) :- temp(M, V) [2], V > 100.
calm(M) :- temp(M, _) [6], not hot(M).
@(T + 2) soon(M) :- @T temp(M, V) [1], V > 105.
count(N) :- N = #count{ M : hot(M) }.
last(M) :- temp(M, _) [2 #].
lasting(M) :- always hot(M) [3].
latest(M, V) :- temp(M, V) [1 # per M].
"""

Arrivals = list[tuple[int, Fact]]


def arrivals(random: Random, count: int = 40) -> Arrivals:
    times = sorted(random.randint(3, 30) for _ in range(count))
    return [(time, Fact("temp", (f"m{random.randint(0, 3)}", random.randint(95, 110)))) for time in times]


def stream_of(plan: Plan, output: Path, lateness: int = 0) -> Stream:
    return Stream(plan, lambda records: intake_of_lines(records, plan.vocabulary), output, lateness)


def feed(spark: SparkSession, stream: Stream, batch: int, part: Iterable[tuple[int, Fact]]) -> None:
    lines = [(json.dumps({"time": time, "atom": str(fact)}), "", 0, n) for n, (time, fact) in enumerate(part)]
    stream.step(spark.createDataFrame(lines, "value string, source string, block long, place long"), batch)


def rows_in(plan: Plan, output: Path) -> set[Row]:
    found = set()
    for one in plan.shown:
        folder = output / one.predicate
        for path in folder.glob("*.parquet") if folder.exists() else ():
            for row in pq.read_table(path).to_pylist():
                *args, first, last, at = row.values()
                assert (one.predicate, tuple(args), first, last, at) not in found
                found.add((one.predicate, tuple(args), first, last, at))
    return found


def expected(plan: Plan, given: Arrivals, end: int) -> set[Row]:
    rows = rows_of(plan.analysis, [one for one in given if one[0] <= end], min(given)[0], end)
    return {(name, tuple(map(_text, args)), first, last, at) for name, args, first, last, at in rows}


def _text(value: object) -> str:
    return value if isinstance(value, str) else show_value(value)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [1, 2])
def test_any_cut_gives_the_rows_of_a_bounded_run(spark: SparkSession, tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    plan = make_plan(analyse(parse_program(PROGRAM)).require())
    given = arrivals(random)
    stream = stream_of(plan, tmp_path)
    cuts = sorted(random.sample(range(1, len(given)), 3))
    for batch, (first, last) in enumerate(zip([0, *cuts], [*cuts, len(given)], strict=True)):
        feed(spark, stream, batch, given[first:last])
        if batch == 2:
            # A crash after everything was written but before Spark knew: the batch comes again.
            feed(spark, stream, batch, given[first:last])
        watermark = given[last - 1][0] - 1
        assert rows_in(plan, tmp_path) == expected(plan, given[:last], watermark)
    stream.finish(spark)
    assert rows_in(plan, tmp_path) == expected(plan, given, given[-1][0])


def test_late_atoms_are_waited_for_and_then_set_aside(spark: SparkSession, tmp_path: Path) -> None:
    plan = make_plan(analyse(parse_program("p(X) :- a(X) [1].")))
    stream = stream_of(plan, tmp_path, lateness=2)
    feed(spark, stream, 0, [(5, Fact("a", ("x",)))])
    feed(spark, stream, 1, [(4, Fact("a", ("y",))), (9, Fact("a", ("z",)))])
    feed(spark, stream, 2, [(6, Fact("a", ("too late",))), (7, Fact("a", ("w",)))])
    stream.finish(spark)
    assert rows_in(plan, tmp_path) == {
        ("p", ("y",), 4, 5, None),
        ("p", ("x",), 5, 6, None),
        ("p", ("w",), 7, 8, None),
        ("p", ("z",), 9, 9, None),
    }
    (path,) = (tmp_path / "_dead_letters").glob("*.parquet")
    (row,) = pq.read_table(path).to_pylist()
    assert row["objection"].startswith("E412")
    assert stream.checkpoint.last().late == 1


def test_a_folder_is_followed_and_gone_on_with(spark: SparkSession, tmp_path: Path) -> None:
    plan = make_plan(analyse(parse_program("p(X) :- a(X) [3], not b(X) [3].")))
    source, output = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    (source / "1.jsonl").write_text('{"time": 1, "atom": "a(x)"}\nbroken\n{"time": 3, "atom": "b(x)"}\n')
    for number, more in enumerate(['{"time": 6, "atom": "a(y)"}\n', '{"time": 9, "atom": "a(z)"}\n'], 2):
        following = follow_source(spark, str(source), plan.vocabulary)
        stream = Stream(plan, following.intake, output)
        assert stream.start(following.records, once=True).awaitTermination(120)
        (source / f"{number}.jsonl").write_text(more)
    stream.finish(spark)
    assert rows_in(plan, output) == {("p", ("x",), 1, 2, None), ("p", ("y",), 6, 6, None)}
    assert (stream.checkpoint.last().arrivals, stream.checkpoint.last().refused) == (3, 1)
    other = make_plan(analyse(parse_program("p(X) :- a(X) [4], not b(X) [3].")))
    with pytest.raises(Rejected) as caught:
        Stream(other, following.intake, output).start(following.records)
    assert caught.value.diagnostics[0].code == "E605"


def test_programs_whose_evaluations_depend_on_earlier_ones_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    for text in ("a :- not b. b :- not a.", "#record p/0. p :- a [3]."):
        plan = make_plan(analyse(parse_program(text)))
        with pytest.raises(Rejected) as caught:
            stream_of(plan, tmp_path).start(spark.readStream.format("rate").load())
        assert caught.value.diagnostics[0].code == "E604"
