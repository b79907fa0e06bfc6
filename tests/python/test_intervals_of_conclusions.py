"""The page of patterns: intervals of conclusions."""

from __future__ import annotations

import re
from pathlib import Path

import larspark

PAGE = (Path(__file__).parents[2] / "docs/patterns.md").read_text("utf-8").partition("## Intervals of conclusions")[2]


def test_intervals_are_found() -> None:
    found = re.search(r"```lars\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    engine = larspark.Engine(found[1])
    hot, busy = {2, 3, 6}, {1, 2, 3, 4, 8}
    for time in range(10):
        facts = ["reading(m, 90)"] * (time in hot) + ["load(m, 9)"] * (time in busy)
        engine.advance(time, facts)
    now = set(map(str, engine.answer().answer_streams[0].now))
    spans = {"hot_span(m,2,3)", "hot_span(m,6,6)", "busy_span(m,1,4)", "busy_span(m,8,8)"}
    assert now == {*spans, "hot_during_busy(m)", "hot_before_busy(m)"}
