"""Numbers as integers of one small unit: what is added up in compiled code."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from larspark.intervals.rules.arithmetic import INLINE
from larspark.intervals.rules.decimals import POWERS
from larspark.intervals.tables.storage import Column
from larspark.language.values import calculate, normal
from larspark.reasoners.interval.state.decimals import Units
from larspark.reasoners.interval.state.tables import Tables

MOST_DIGITS = 9
"""Behind the point; sums of numbers with more are left to exact computation, there is little room for them."""


class Scale:
    """Values in units of 10 to the power of −digits."""

    def __init__(self, tables: Tables, digits: int = 0) -> None:
        self._tables = tables
        self.digits = digits

    def scaled(self, codes: Column) -> Column | None:
        """The codes of the values in units; None when there are others than numbers of ordinary size, or finer ones."""
        units, digits = self._tables.units_of(codes)
        if (digits < 0).any() or (digits > self.digits).any():
            return None
        factors = POWERS[self.digits - digits]
        return units * factors << 1 if (np.abs(units) < INLINE // factors).all() else None

    def codes(self, scaled: Column) -> Column:
        """The codes of values from those in units."""
        return self._tables.codes_of(Units(scaled >> 1, np.full(len(scaled), self.digits)))

    def code(self, units: int, divisor: int) -> int:
        """The code of a number of units by a divisor, rounded as divisions are."""
        value = Decimal(units).scaleb(-self.digits)
        if divisor != 1:
            return self._tables.dictionary.encode(calculate("/", value, Decimal(divisor)))
        return self._tables.dictionary.encode(normal(value))

    def finer(self, codes: Column) -> Scale | None:
        """A scale for these values, too; None when there is none."""
        found = self._tables.units_of(codes).digits
        most = int(found.max(initial=0))
        if (found < 0).any() or not self.digits < most <= MOST_DIGITS:
            return None
        return Scale(self._tables, most)
