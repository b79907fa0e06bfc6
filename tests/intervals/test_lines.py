"""Rows with intervals as lines, beside the words that define them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from larspark.blocks import Block
from larspark.intervals.tables.lines import rows_at_points
from larspark.language.facts import Signature
from larspark.write.points import Span, joined_texts

POINTS = 6
intervals = st.lists(st.tuples(st.integers(0, POINTS - 1), st.integers(0, POINTS - 1)).map(sorted), max_size=8)


@given(intervals)
def test_each_point_has_the_rows_that_hold_there_in_their_order(held: list[list[int]]) -> None:
    first, last = (np.array([one[side] for one in held], np.int64) for side in (0, 1))
    rows, offsets = rows_at_points(first, last, POINTS)
    found = [rows[begin:end].tolist() for begin, end in pairwise(offsets)]
    assert found == [[row for row, (one, other) in enumerate(held) if one <= t <= other] for t in range(POINTS)]


@given(intervals, st.lists(st.sampled_from(["", "p", "äöü", "q(1,2)"]), min_size=8, max_size=8), st.booleans())
def test_lines_have_the_texts_of_the_rows_that_hold(held: list[list[int]], texts: list[str], sliced: bool) -> None:
    times, until = (np.array([one[side] for one in held], np.int64) for side in (0, 1))
    block = Block(Signature("a", 1), times, (np.arange(len(held)),), until)
    known = pa.array(["behind", *texts[: len(held)]]).slice(1) if sliced else pa.array(texts[: len(held)], pa.string())
    lines = joined_texts(Span(0, POINTS - 1, (block,), np.empty(0, np.int64)), (block,), [known])
    expected = [
        ", ".join(text for text, (one, other) in zip(texts, held, strict=False) if one <= point <= other)
        for point in range(POINTS)
    ]
    assert lines.to_pylist() == expected
