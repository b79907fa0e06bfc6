"""Values and codes, one by one and many at once."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from larspark.language.values import Value
from larspark.reasoners.interval.state.dictionary import Dictionary


@pytest.mark.parametrize(
    "values",
    [
        [1, -2, 3, 0],
        ["a", "b", "a"],
        ["a", 1, Decimal("1.5")],
        [1, 2**61, -(2**61)],
        [1, 2**80],
        [],
    ],
    ids=str,
)
def test_many_values_are_coded_like_single_ones(values: list[Value]) -> None:
    together, one_by_one = Dictionary(), Dictionary()
    codes = [one_by_one.encode(value) for value in values]
    assert together.encode_all(values).tolist() == codes
    assert together.encode_all(values).tolist() == codes, "known values keep their codes"
    assert list(together.decode_all(np.array(codes, np.int64))) == values
