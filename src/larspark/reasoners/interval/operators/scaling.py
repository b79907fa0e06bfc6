"""Numbers as integers of one small unit: what is added up in compiled code."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from larspark.intervals.rules.arithmetic import INLINE
from larspark.intervals.rules.decimals import POWERS
from larspark.intervals.rules.spelling import LARGEST_DIVISOR
from larspark.intervals.tables.storage import Column
from larspark.language.values import SIGNIFICANT_DIGITS, calculate
from larspark.reasoners.interval.state.decimals import Units, spelled_quotients
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

    def quotients(self, units: Column, divisors: Column) -> Column:
        """The codes of numbers of units by divisors, rounded as divisions are."""
        divisors = np.ascontiguousarray(divisors)
        if int(divisors.max(initial=1)) >= LARGEST_DIVISOR // POWERS[self.digits]:
            fractions = zip(units.tolist(), divisors.tolist(), strict=True)
            return np.array([self._quotient(one, divisor) for one, divisor in fractions], np.int64)
        divisors = divisors * POWERS[self.digits]
        codes: Column = (units // divisors) << 1
        fractional = units % divisors != 0
        if fractional.any():
            texts = spelled_quotients(units[fractional], divisors[fractional], SIGNIFICANT_DIGITS)
            codes[fractional] = self._tables.dictionary.encode_canonical(texts)
        return codes

    def _quotient(self, units: int, divisor: int) -> int:
        value = Decimal(units).scaleb(-self.digits)
        return self._tables.dictionary.encode(calculate("/", value, Decimal(divisor)))

    def finer(self, codes: Column) -> Scale | None:
        """A scale for these values, too; None when there is none."""
        found = self._tables.units_of(codes).digits
        most = int(found.max(initial=0))
        if (found < 0).any() or not self.digits < most <= MOST_DIGITS:
            return None
        return Scale(self._tables, most)
