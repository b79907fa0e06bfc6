"""Spans of time points, against sets of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from larspark.explain.evaluations.history import Span, joined, without

SPANS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 8)).map(lambda one: (one[0], one[0] + one[1])))


def points(spans: list[Span]) -> set[int]:
    return {time for first, last in spans for time in range(first, last + 1)}


@given(SPANS, SPANS)
def test_what_is_left_of_spans(spans: list[Span], gone: list[Span]) -> None:
    left = without(spans, gone)
    assert points(left) == points(spans) - points(gone)
    assert left == joined(left)
