"""What each rule has given in a stream is what it gives over the recording of the same data."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from larspark.cli.pages.stream_page import counts_by_rule
from larspark.spark.plan.plan import make_plan
from larspark.web.counts import rule_counts
from support.explained import case
from support.streams import PlainStream, rows_in

PROGRAM = """
a(X) :- b(X) [2].
a(X) :- f(X).
c(X) :- a(X), not d(X) [1].
@(T+1) e(X) :- @T d(X) [1].
never(X) :- a(X), b(X), f(X), d(X).
g(1).
"""
STREAM = "0:b(1) 1:b(2) 4:d(1) 5:b(1) 5:b(2) 5:f(1) 9:f(1) 9:d(2) 12:b(3) 30:b(1) 31:b(1)"


@pytest.mark.parametrize("buckets", [1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_a_stream_counts_what_a_recording_counts(tmp_path: Path, seed: int, buckets: int) -> None:
    random = Random(seed)
    asked = case(PROGRAM, STREAM, (0, 31), "interval")
    plan = make_plan(asked.prepared.analysis)
    stream = PlainStream(plan, tmp_path / "counted", 0, buckets, random, counts=True)
    plain = PlainStream(plan, tmp_path / "plain", 0, buckets, random)
    arrivals = [(one.time, one.fact) for one in asked.arrivals]
    cuts = sorted(random.sample(range(1, len(arrivals)), 3))
    for first, last in zip([0, *cuts], [*cuts, len(arrivals)], strict=True):
        stream.feed(arrivals[first:last])
        plain.feed(arrivals[first:last])
    stream.feed([], ended=True)
    plain.feed([], ended=True)
    found = counts_by_rule(asked.prepared, stream.checkpoint.last())
    expected = [one and {"count": one["count"], "last": one["last"]} for one in rule_counts(asked)]
    assert found == expected
    assert [one and one["count"] for one in expected][:5:2] == [6, 7, 0]
    assert rows_in(plan, tmp_path / "counted") == rows_in(plan, tmp_path / "plain")
