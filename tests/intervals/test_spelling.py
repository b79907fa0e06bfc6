"""Numbers that compiled code spells are spelled as everywhere."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from larspark.blocks.arguments import values_of
from larspark.blocks.spelling import spelled
from larspark.intervals.rules.decimals import LARGEST_UNITS
from larspark.intervals.rules.spelling import LARGEST_DIVISOR
from larspark.language.values import SIGNIFICANT_DIGITS, calculate, normal
from larspark.reasoners.interval.state.decimals import Units, argument_of_units, spelled_quotients

units = st.integers(1 - LARGEST_UNITS, LARGEST_UNITS - 1)


@given(st.lists(st.tuples(units | st.integers(-1000, 1000), st.integers(0, 18)), max_size=20))
@example([(0, 5), (-5, 18), (LARGEST_UNITS - 1, 18), (1 - LARGEST_UNITS, 0), (1000, 3)])
def test_units(drawn: list[tuple[int, int]]) -> None:
    numbers = Units(*(np.array([one[place] for one in drawn], np.int64) for place in range(2)))
    expected = [normal(Decimal(one).scaleb(-digits)) for one, digits in drawn]
    assert values_of(argument_of_units(numbers)) == expected


divisors = st.integers(2, 1000) | st.integers(2, LARGEST_DIVISOR - 1)


@given(st.lists(st.tuples(units | st.integers(-1000, 1000), divisors), max_size=20))
@example([(1, 3), (2, 3), (-1, 7), (1, LARGEST_DIVISOR - 1), (LARGEST_UNITS - 1, 2), (10**18 - 1, 8), (5, 4)])
def test_quotients(drawn: list[tuple[int, int]]) -> None:
    fractions = [(total, divisor) for total, divisor in drawn if total % divisor]
    columns = (np.array([one[place] for one in fractions], np.int64) for place in range(2))
    found = spelled_quotients(*columns, SIGNIFICANT_DIGITS).to_pylist()
    assert found == [spelled(calculate("/", Decimal(total), Decimal(divisor))) for total, divisor in fractions]
