"""The bucket of a key is the same whoever asks for it."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.spark.checksums import LONG, buckets_of_cells
from larspark.spark.rows import ESCAPE, bucket, to_cells

texts = st.one_of(st.text(max_size=12), st.text("aé\0", min_size=LONG - 4, max_size=LONG + 4))
values = st.one_of(texts, texts.map(ESCAPE.__add__), st.decimals(allow_nan=False, allow_infinity=False, places=3))


@settings(deadline=None)
@given(st.lists(values), st.integers(1, 9), st.integers(0, 3))
def test_all_at_once_as_one_by_one(keys, buckets, left_out):
    cells = [to_cells(key)[1] or "" for key in keys]
    found = buckets_of_cells(pa.array(cells, pa.string()).slice(left_out), buckets)
    assert found.tolist() == [bucket(key, buckets) for key in keys[left_out:]]


@settings(deadline=None)
@given(st.lists(st.integers(-(2**63), 2**63 - 1)))
def test_numbers_as_they_are_spelled(numbers):
    cells = pa.array(numbers, pa.int64()).cast(pa.string())
    assert buckets_of_cells(cells, 7).tolist() == [bucket(number, 7) for number in numbers]
