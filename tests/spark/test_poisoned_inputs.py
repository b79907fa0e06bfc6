"""Inputs with poisoned cells and lines among the others: the conclusions are those of a run without them."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest
from pyspark.sql import SparkSession

from larspark.diagnostics import Rejected
from larspark.spark.bounded.start import RunOptions
from larspark.spark.bounded.to_frames import Results, run_to_frames
from larspark.spark.interface import plan_of
from larspark.spark.read.inputs import inputs_of_frames
from larspark.spark.stream.stream import TableStream
from support.interval_rows import Row, rows_of
from support.notation import fact
from support.spark_streams import followed, run
from support.streams import as_text, rows_in
from support.tables import as_rows

PROGRAM = """
alarm(M) :- hot(M, V) [3], V > 100, not calm(M) [1].
last(M) :- hot(M, _) [2 # of hot/2].
level(N) :- N = #sum{ V,M : hot(M, V) [2] }.
@(T+2) due(M) :- @T calm(M) [4].
"""
Item = TypeVar("Item")
Cells = tuple[object, ...]
NAN, INFINITE = float("nan"), float("inf")
POISONED: list[Cells] = [
    (None, "a", 101.5),
    (3, None, 101.5),
    (3, "a", None),
    (4, "a", NAN),
    (5, "a", INFINITE),
    (5, "b", -INFINITE),
    (-1, "a", 101.5),
    (10**18 * 9, "a", 101.5),
    (99, "a", None),
    (0, None, None),
]
POISONED_NAMES: list[Cells] = [(None, "b"), (3, None), (-5, "a")]
LINES = [
    '{"time": 2, "atom": "hot(a,',
    '{"time": 2, "predicate": "hot", "args": ["a", null]}',
    '{"time": 2, "predicate": "hot", "args": ["a", NaN]}',
    '{"time": 2, "predicate": "hot", "args": ["a", 1E+999999999]}',
    '{"time": 2, "predicate": "hot", "args": ["a"]}',
    '{"time": 2, "atom": "alarm(a)"}',
    '{"time": null, "atom": "calm(a)"}',
    '{"time": 99999999999999999999999, "atom": "calm(a)"}',
    '{"time": 50, "atom": "hot(X, 1)"}',
    '{"atom": "calm(a)"}',
    "\0",
    "[" * 5000,
]


def among(good: list[Item], bad: list[Item], random: Random) -> list[Item]:
    """All of them, the good ones in their order."""
    places = Counter(random.randint(0, len(good)) for _ in bad)
    left = iter(random.sample(bad, len(bad)))
    return [
        one
        for place in range(len(good) + 1)
        for one in (*(next(left) for _ in range(places[place])), *good[place : place + 1])
    ]


@pytest.mark.quick
def test_poisoned_cells_of_tables(spark: SparkSession) -> None:
    random, plan = Random(7), plan_of(PROGRAM)
    times = sorted(random.randint(0, 9) for _ in range(12))
    hot: list[Cells] = [(time, random.choice("abc"), random.choice([99.5, 100.25, 101.5, 104.0])) for time in times]
    calm: list[Cells] = [(2, "b"), (6, "a")]

    def done(rows: list[Cells], others: list[Cells], on_error: str) -> tuple[Results, set[Row]]:
        frames = {
            "hot": spark.createDataFrame(rows, "time long, machine string, value double").coalesce(1),
            "calm": spark.createDataFrame(others, "time long, machine string").coalesce(1),
        }
        results = run_to_frames(spark, plan, inputs_of_frames(frames, plan.vocabulary), RunOptions(on_error=on_error))
        found = as_rows(results.tables)
        results.close()
        return results, found

    clean, expected = done(hot, calm, "stop")
    poisoned, others = among(hot, POISONED, random), among(calm, POISONED_NAMES, random)
    with pytest.raises(Rejected) as caught:
        done(poisoned, others, "stop")
    assert {one.code for one in caught.value.diagnostics} <= {"E402", "E403", "E404"}
    dirty, found = done(poisoned, others, "skip")
    assert sum(dirty.refused.values()) == len(POISONED) + len(POISONED_NAMES)
    assert (dirty.start, dirty.end, dirty.arrivals) == (clean.start, clean.end, clean.arrivals)
    assert found == expected
    assert {name for name, *_ in found} == {"alarm", "last", "level", "due"}


def test_poisoned_lines_of_a_stream(spark: SparkSession, tmp_path: Path) -> None:
    """A stream that ends and goes on in between has lost nothing and kept nothing of them."""
    random, plan = Random(8), plan_of(PROGRAM)
    times = sorted(random.randint(1, 20) for _ in range(24))
    facts = ["hot(a,101.5)", "hot(b,99)", "hot(c,104)", "calm(a)", "calm(b)", "strange"]
    good = [json.dumps({"time": time, "atom": random.choice(facts)}) for time in times]
    given = [(json.loads(line)["time"], fact(json.loads(line)["atom"])) for line in good]
    lines = among(good, LINES, random)
    source, stream = tmp_path / "in", TableStream(plan, tmp_path / "out")
    source.mkdir()
    for number, part in enumerate((lines[:12], lines[12:20], lines[20:])):
        path = source / f"{number}.jsonl"
        path.write_text("\n".join(part) + "\n")
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))  # files are read in the order of their age
        if number:
            run(spark, stream, followed(spark, plan, source))
    stream.finish(spark)
    told = stream.checkpoint.last()
    assert (told.arrivals, told.refused) == (len(good), len(LINES))
    assert rows_in(plan, tmp_path / "out") == as_text(rows_of(plan.analysis, given, times[0], times[-1]))
