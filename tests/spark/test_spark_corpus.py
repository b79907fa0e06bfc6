"""The published cases and the examples on a real Spark, with 1, 2 and 7 partitions and as streams.

Cases that do not disturb each other share a run; the others and more partitions are tried with `LARSPARK_EXHAUSTIVE`.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from larspark.cli.main import main
from larspark.language.parser import parse_fact
from larspark.spark.bounded.start import RunOptions
from larspark.spark.bounded.to_frames import run_to_frames
from larspark.spark.read.inputs import inputs_of_frames
from larspark.spark.stream.stream import TableStream
from support.bounded_runs import concluded
from support.spark_corpus import NOT_ON_SPARK, Together, obstacle, together
from support.spark_streams import cut, streamed
from support.streams import as_text, text
from support.vectors import cases

EXHAUSTIVE = bool(os.environ.get("LARSPARK_EXHAUSTIVE"))
EXAMPLES = Path(__file__).parents[2] / "examples"
CASES = [*cases("answer_stream"), *cases("answer_streams"), *cases("output_stream")]
GROUPS = together(CASES)
NAMES = ("transport", "cooling", "machines", "network", "caching") if EXHAUSTIVE else ("transport", "caching")
REASONERS = {"caching": "clingo"}
BATCH = [
    pytest.param(group, partitions, id=f"{group}-{partitions}")
    for group in GROUPS
    for partitions in (1, 2, 7)
    if EXHAUSTIVE or len(group.parts) > 1 or partitions == 2
]
STREAMED = [
    pytest.param(group, id=str(group)) for group in GROUPS if group.streamed and (EXHAUSTIVE or len(group.parts) > 1)
]


def test_which_cases_run() -> None:
    found = Counter(map(obstacle, CASES))
    assert found.keys() == {None, *NOT_ON_SPARK}
    assert found[None] == sum(len(group.parts) for group in GROUPS) == 60


@pytest.mark.parametrize(("group", "partitions"), BATCH)
def test_cases_in_a_bounded_run(spark: SparkSession, group: Together, partitions: int) -> None:
    piece = group.piece
    plan = piece.plan
    frame = spark.createDataFrame([(time, str(fact)) for time, fact in piece.arrivals], "time long, atom string")
    inputs = inputs_of_frames({"atoms": frame}, plan.vocabulary)
    run = run_to_frames(spark, plan, inputs, RunOptions((group.start, group.end), partitions))
    group.check(as_text(concluded(run, plan)))
    run.close()


@pytest.mark.parametrize("group", STREAMED)
def test_cases_as_a_stream(spark: SparkSession, tmp_path: Path, group: Together) -> None:
    assert group.streamed is not None
    stream = TableStream(group.piece.plan, tmp_path / "out", buckets=2)
    group.check(streamed(spark, tmp_path, stream, cut(group.streamed, Random(1), 4)))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("partitions", [1, 2, 7] if EXHAUSTIVE else [7])
def test_examples_in_a_bounded_run(
    spark: SparkSession, tmp_path: Path, name: str, partitions: int, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--input", str(EXAMPLES / f"{name}.jsonl"), "--output", str(tmp_path / "out")]
    assert main(["run", str(EXAMPLES / f"{name}.lars"), *words, "--partitions", str(partitions)]) == 0
    capsys.readouterr()
    check_example(tmp_path / "out", name, capsys)


@pytest.mark.parametrize("name", NAMES)
def test_examples_as_a_stream(
    spark: SparkSession, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (EXAMPLES / f"{name}.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "in").mkdir()
    for number, part in enumerate((lines[: len(lines) // 3], lines[len(lines) // 3 :])):
        path = tmp_path / "in" / f"{number}.jsonl"
        path.write_text("".join(part))
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
    (tmp_path / "run.yml").write_text(
        f"program: {EXAMPLES / name}.lars\noutput: out\nfollow: true\nonce: true\npartitions: 2\n"
        "input:\n  - path: in\n    options: {maxFilesPerTrigger: 1}\n"
    )
    assert main(["run", str(tmp_path / "run.yml")]) == 0
    capsys.readouterr()
    check_example(tmp_path / "out", name, capsys)


def check_example(output: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The tables show at every time point one of the answer streams that there are."""
    words = [str(EXAMPLES / f"{name}.lars"), "--stream", str(EXAMPLES / f"{name}.jsonl"), "--format", "json"]
    assert main(["eval", *words, "--models", "all", "--reasoner", REASONERS.get(name, "interval")]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    rows = [
        (table.name, tuple(map(text, args)), first, last, at)
        for table in output.iterdir()
        for path in table.glob("*.parquet")
        for *args, first, last, at in (row.values() for row in pq.read_table(path).to_pylist())
    ]
    assert rows
    for answer in answers:
        time = answer["time"]
        found = {(name, args, at) for name, args, first, last, at in rows if first <= time <= last}
        assert found in [said(one) for one in answer["answer_streams"]], time


def said(answer: dict[str, Any]) -> set[tuple[str, tuple[str, ...], int | None]]:
    pinned = [(spelled, int(at)) for at, atoms in answer["at"].items() for spelled in atoms]
    facts = [(parse_fact(spelled), at) for spelled, at in [*((one, None) for one in answer["now"]), *pinned]]
    return {(fact.predicate, tuple(map(text, fact.args)), at) for fact, at in facts}
