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

import pytest
from pyspark.sql import SparkSession

from larspark.cli.main import main
from larspark.language.facts import Fact
from larspark.spark.batch import run_bounded
from larspark.spark.sources import intake_of_frame
from larspark.spark.streaming.stream import Stream
from support.partitions import decoded
from support.spark_corpus import KINDS, NOT_ON_SPARK, Together, obstacle, together
from support.spark_streams import cut, streamed
from support.streams import as_text
from support.vectors import cases

EXHAUSTIVE = bool(os.environ.get("LARSPARK_EXHAUSTIVE"))
EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("transport", "cooling", "machines", "network", "caching")
BATCH = [
    pytest.param(group, partitions, id=f"{group}-{partitions}")
    for group in together()
    for partitions in (1, 2, 7)
    if EXHAUSTIVE or len(group.parts) > 1 or partitions == 2
]
STREAMED = [
    pytest.param(group, id=str(group))
    for group in together()
    if group.streamed and (EXHAUSTIVE or len(group.parts) > 1)
]


def test_which_cases_run() -> None:
    found = Counter(obstacle(case) for kind in KINDS for case in cases(kind))
    assert found.keys() == {None, *NOT_ON_SPARK}
    assert found[None] == sum(len(group.parts) for group in together()) == 60


@pytest.mark.parametrize(("group", "partitions"), BATCH)
def test_cases_in_a_bounded_run(spark: SparkSession, group: Together, partitions: int) -> None:
    piece = group.piece
    plan = piece.plan
    frame = spark.createDataFrame([(time, str(fact)) for time, fact in piece.arrivals], "time long, atom string")
    intake = intake_of_frame(frame, "atoms", plan.vocabulary)
    run = run_bounded(plan, intake, timeline=(group.start, group.end), partitions=partitions)
    group.check(as_text(decoded(plan, run.conclusions.toArrow())))
    run.close()


@pytest.mark.parametrize("group", STREAMED)
def test_cases_as_a_stream(spark: SparkSession, tmp_path: Path, group: Together) -> None:
    assert group.streamed is not None
    stream = Stream(group.piece.plan, tmp_path / "out", buckets=2)
    group.check(streamed(spark, tmp_path, stream, cut(group.streamed, Random(1), 4)))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("partitions", [1, 2, 7] if EXHAUSTIVE else [7])
def test_examples_in_a_bounded_run(
    spark: SparkSession, tmp_path: Path, name: str, partitions: int, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--input", str(EXAMPLES / f"{name}.jsonl"), "--output", str(tmp_path / "out")]
    assert main(["run", str(EXAMPLES / f"{name}.lars"), *words, "--partitions", str(partitions)]) == 0
    capsys.readouterr()
    check_example(spark, tmp_path / "out", name, capsys)


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
    check_example(spark, tmp_path / "out", name, capsys)


def check_example(spark: SparkSession, output: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The tables show at every time point one of the answer streams that there are."""
    program, stream = EXAMPLES / f"{name}.lars", EXAMPLES / f"{name}.jsonl"
    assert main(["eval", str(program), "--stream", str(stream), "--models", "all", "--format", "json"]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    rows = [
        (str(Fact(table.name, tuple(args))), first, last, at)
        for table in output.iterdir()
        if table.is_dir() and not table.name.startswith("_")
        for *args, first, last, at in spark.read.parquet(str(table)).collect()
    ]
    assert rows
    for answer in answers:
        time = answer["time"]
        found = {(text, at) for text, first, last, at in rows if first <= time <= last}
        assert found in [said(one) for one in answer["answer_streams"]], time


def said(answer: dict[str, Any]) -> set[tuple[str, int | None]]:
    pinned = {(text, int(at)) for at, texts in answer["at"].items() for text in texts}
    return {(text, None) for text in answer["now"]} | pinned
