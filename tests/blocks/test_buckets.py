"""The bucket of a key is the same whoever asks for it."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from larspark.blocks.buckets import LONG, bucket_of, buckets_of, buckets_of_spellings
from larspark.blocks.spelling import ESCAPE, spelled

texts = st.one_of(st.text(max_size=12), st.text("aé\0", min_size=LONG - 4, max_size=LONG + 4))
values = st.one_of(texts, texts.map(ESCAPE.__add__), st.decimals(allow_nan=False, allow_infinity=False, places=3))


@given(st.lists(values), st.integers(1, 9), st.integers(0, 3))
def test_all_at_once_as_one_by_one(keys, buckets, left_out):
    cells = [spelled(key) for key in keys]
    found = buckets_of_spellings(pa.array(cells, pa.string()).slice(left_out), buckets)
    assert found.tolist() == [bucket_of(key, buckets) for key in keys[left_out:]]


@given(st.lists(st.integers(-(2**63), 2**63 - 1)))
def test_numbers_as_they_are_spelled(numbers):
    assert buckets_of(np.array(numbers, np.int64), 7).tolist() == [bucket_of(number, 7) for number in numbers]
