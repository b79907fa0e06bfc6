"""Figures of a stream on Spark: of its progress, and of what Spark tells."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import SparkSession

from larspark.language.calendar import TimeForm
from larspark.monitoring.metrics import Metrics
from larspark.spark.interface import plan_of
from larspark.spark.read.following import follow_sources
from larspark.spark.read.rules import InputSource
from larspark.spark.stream.checkpoint import Progress
from larspark.spark.stream.metrics import MetricsListener, StreamMetrics
from larspark.spark.stream.stream import TableStream
from larspark.write.times import TimeWriter

KEPT: dict[str, list[int | None]] = {"0:0": [4, 4], "0:1": [5, 3], "1:0": [2, None]}


def test_progress() -> None:
    metrics, plan = Metrics(), plan_of("p(X) :- a(X) [3], not b(X).")
    sources = (InputSource("a"), InputSource("b"), InputSource("c", awaited=False))
    told = StreamMetrics(metrics, plan, sources, 2)
    assert metrics.status == "no output yet: nothing has come from a, b, c"
    told.take(Progress(0, 1, [5, None, None], -1, 3))
    assert "b is silent" in metrics.status
    assert 'larspark_held_back_by{input="b"} 1' in metrics.text()
    told.take(Progress(1, 1, [9, 7, None], 4, 8, came={"b/1": 8}))
    assert metrics.status == "no output yet: no atom of a/1 has come; everything up to 4 is final"
    told.take(Progress(1, 1, [9, 7, None], 4, 8, 2, 1, 3, reasons={"E404": 2}, answers={"p": 3}, kept=KEPT))
    text = metrics.text()
    for line in (
        "larspark_atoms_read_total 11",
        'larspark_records_refused_total{reason="E404"} 2',
        'larspark_answers_total{predicate="p"} 3',
        'larspark_held_back_by{input="b"} 1',
        'larspark_input_time_seen{input="a"} 9',
        "larspark_time_behind 5",
        'larspark_retention{predicate="a/1"} 3',
        'larspark_facts_kept{stage="1"} 9',
        'larspark_facts_bound{stage="1"} 7',
        'larspark_facts_kept{stage="2"} 2',
    ):
        assert line in text.splitlines()
    assert 'larspark_facts_bound{stage="2"}' not in text
    assert metrics.status == "3 answers; everything up to 4 is final"


def test_times_leave_as_they_came() -> None:
    metrics, plan = Metrics(), plan_of("#clock 1 min. p(X) :- a(X) [3].")
    told = StreamMetrics(metrics, plan, [InputSource("a")], 2, lambda: TimeWriter(plan.calendar, TimeForm.LOCAL))
    begin = 29552100
    told.take(Progress(0, begin, [begin + 5], begin + 2, 8, came={"a/1": 8}))
    assert "everything up to 2026-03-10T07:02:00 is final" in metrics.status
    told.take(Progress(0, begin, [begin + 5], -1, 8))
    assert "the latest atom is of 2026-03-10T07:05:00" in metrics.status
    assert "larspark_time_behind 6" in metrics.text().splitlines()


def test_a_stream_tells(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "1.csv").write_text("time,x\n1,u\n2,v\n9,w\nno,w\n")
    plan, metrics = plan_of("p(X) :- a(X) [3]."), Metrics()
    source = InputSource(str(tmp_path / "a"), predicate="a")
    told = StreamMetrics(metrics, plan, [source], 0)
    listener = MetricsListener(metrics)
    spark.streams.addListener(listener)
    try:
        stream = TableStream(plan, tmp_path / "out", sources=(source,), report=told.take)
        inputs = follow_sources(spark, [source], plan.vocabulary, stream.checkpoint.journals)
        assert stream.start(spark, inputs, once=True).awaitTermination(120)
        spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()  # type: ignore[union-attr]
    finally:
        spark.streams.removeListener(listener)
    text = metrics.text()
    assert 'larspark_answers_total{predicate="p"} 2' in text
    assert 'larspark_records_refused_total{reason="E404"} 1' in text
    assert 'larspark_facts_kept{stage="1"} 3' in text
    assert 'larspark_facts_bound{stage="1"} 1' in text
    assert 'stage="operator 1"' in text
    assert "larspark_source_rows_total{" in text
    assert "larspark_atoms_read_total{" not in text  # a sum over labels counts nothing twice
    assert 'stage="triggerExecution"' in text
