"""The page of patterns: intervals of conclusions, and Allen's relations between them."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import larspark

PAGE = (Path(__file__).parents[2] / "docs/patterns.md").read_text("utf-8").partition("## Intervals of conclusions")[2]


def test_exactly_one_relation_or_mirror_image_holds() -> None:
    relations = dict(re.findall(r"^\| (\w+) \| `(.*)` \|$", PAGE, re.MULTILINE))
    assert len(relations) == 7
    tests = {name: text.replace(" = ", " == ").replace(",", " and") for name, text in relations.items()}
    intervals = [(first, last) for first, last in product(range(6), repeat=2) if first <= last]
    for (a, b), (c, d) in product(intervals, repeat=2):
        straight = {name for name, text in tests.items() if eval(text, {"A": a, "B": b, "C": c, "D": d})}
        mirrored = {name for name, text in tests.items() if eval(text, {"A": c, "B": d, "C": a, "D": b})}
        found = [*straight, *(f"{name} mirrored" for name in mirrored - {"equals"})]
        assert len(found) == 1, ((a, b), (c, d), found)


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
