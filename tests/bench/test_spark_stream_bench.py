"""What the experiment on streams makes of the micro-batches it has seen."""

from __future__ import annotations

from larspark.bench.experiments.spark_stream import BatchMoment, _summary


def test_the_course_of_a_stream_that_falls_behind() -> None:
    moments = [BatchMoment(number, 100.0 + number, 1000 * number, (number - 1) // 10) for number in range(61)]
    progress = {
        number: {"batchDuration": 500 if number <= 30 else 1500, "stateOperators": [{"memoryUsedBytes": 7}] * 2}
        for number in range(61)
    }
    found = _summary(moments, progress)
    assert (found["atoms_per_second"], found["seconds"], found["micro_batches"]) == (1000, 60.0, 61)
    assert [span["batch_seconds"] for span in found["halves"]] == [0.5, 1.5]
    assert [span["backlog_seconds"] for span in found["course"]] == [0, 1, 2, 3, 4, 5]
    assert [span["at"] for span in found["course"]] == [10, 20, 30, 40, 50, 60]
    assert {span["state_bytes"] for span in found["course"]} == {14}
    assert {span["atoms_per_second"] for span in found["course"]} == {1000}
