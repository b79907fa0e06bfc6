"""Streams and window functions: thesis ch. 3.1, Laser and answer update."""

from __future__ import annotations

from typing import Any

import pytest

from larspark.language.tree import Constant, IntervalWindow, RegisteredWindow, Term, TimeWindow
from larspark.language.values import Value
from larspark.semantics.streams import Stream
from larspark.semantics.windows import apply, mode
from support.vectors import Case, cases, facts_by_time, stream, window


def constant(term: Term) -> Value:
    assert isinstance(term, Constant)
    return term.value


def select(source: Stream, data: dict[str, Any], at: int) -> Stream:
    return apply(window(data), source, at, constant)


def assert_same(found: Stream, expected: dict[str, Any]) -> None:
    wanted = stream(expected)
    assert found.timeline == wanted.timeline
    assert found.facts() == wanted.facts()


@pytest.mark.parametrize("case", cases("substream"), ids=str)
def test_substream(case: Case) -> None:
    assert stream(case["sub"]).substream_of(stream(case["of"])) is case["expect"]


@pytest.mark.parametrize("case", cases("stream_measure"), ids=str)
def test_stream_measure(case: Case) -> None:
    assert {"count": case.stream.count, "size": case.stream.size} == case["expect"]


@pytest.mark.parametrize("case", cases("window", "thesis/windows") + cases("window", "thesis/cql"), ids=str)
def test_window_chain(case: Case) -> None:
    found = case.stream
    for step in case["windows"]:
        found = select(found, step["window"], step["at"])
    assert_same(found, case["expect"])
    if "expect_any_of" in case.data:
        assert any(found.facts() == stream(option).facts() for option in case["expect_any_of"])


@pytest.mark.parametrize("case", cases("window", "papers/laser"), ids=str)
def test_window_at_a_time(case: Case) -> None:
    assert_same(select(case.stream, case["window"], case["t"]), case["expect"])


@pytest.mark.parametrize("case", cases("window", "papers/answer_update"), ids=str)
def test_window_at_several_times(case: Case) -> None:
    for at, expected in case["expect"].items():
        assert_same(select(case.stream, case["window"], at), expected)


@pytest.mark.parametrize("case", cases("window_progression"), ids=str)
def test_window_progression(case: Case) -> None:
    for at, (start, end) in case["expect"].items():
        assert select(case.stream, case["window"], at).timeline == (start, end)


@pytest.mark.parametrize("case", cases("window_variant"), ids=str)
def test_window_variant(case: Case) -> None:
    assert case["variant"] == "at_least_n"
    variant = RegisteredWindow("at_least", (case["window"]["past"],))
    assert_same(apply(variant, case.stream, case["at"], constant), case["expect"])


@pytest.mark.parametrize("case", cases("window_facts"), ids=str)
def test_window_facts(case: Case) -> None:
    found = case.stream
    for step in case["windows"]:
        found = select(found, step["window"], step["at"])
    assert found.facts() == facts_by_time(case["expect"])


@pytest.mark.parametrize("case", cases("window_mode"), ids=str)
def test_window_mode(case: Case) -> None:
    found = window(case["window"])
    assert isinstance(found, TimeWindow)
    assert mode(found) == case["expect"]


@pytest.mark.parametrize("case", cases("monotone_window"), ids=str)
def test_monotone_window(case: Case) -> None:
    small, big = stream(case["small"]), stream(case["big"])
    small_window = select(small, case["window"], case["at"])
    assert small_window.substream_of(select(big, case["window"], case["at"])) is case["expect"]


def test_an_interval_window_without_time_points_selects_nothing() -> None:
    found = apply(IntervalWindow(Constant("soon"), Constant(3)), Stream.of(0, 5), 1, constant)
    assert found.timeline is None
