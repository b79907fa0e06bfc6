"""Decimals as integers of a small unit: what is compared and added up in compiled code."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from larspark.intervals.arithmetic import INLINE
from larspark.intervals.storage import Column
from larspark.language.values import Value, calculate, normal
from larspark.reasoners.interval.state.dictionary import FILLER, Dictionary

MOST_DIGITS = 9
"""Behind the point; numbers with more are left to exact computation."""


class Scale:
    """Values in units of 10 to the power of −digits."""

    def __init__(self, dictionary: Dictionary, digits: int = 0) -> None:
        self._dictionary = dictionary
        self.digits = digits
        self._unit = 10**digits
        self._known: dict[int, int] = {}

    def scaled(self, codes: Column) -> Column | None:
        """The codes of the values in units; None when there are others than numbers of ordinary size, or finer ones."""
        odd = (codes & 1).astype(np.bool_)
        if not odd.any():
            return codes if not self.digits else self._integers(codes)
        if not self.digits:
            return None
        result = codes.copy()
        known = self._known
        found = codes[odd].tolist()
        for code in set(found) - known.keys():
            units = self._in_units(code)
            if units is None:
                return None
            known[code] = units << 1
        whole = self._integers(codes[~odd])
        if whole is None:
            return None
        result[~odd], result[odd] = whole, [known[code] for code in found]
        return result

    def _integers(self, codes: Column) -> Column | None:
        limit = 2 * (INLINE // self._unit)
        return codes * self._unit if ((codes > -limit) & (codes < limit)).all() else None

    def _in_units(self, code: int) -> int | None:
        if code == FILLER:
            return None
        match self._dictionary.decode(code):
            case Decimal() as value if digits_of(value) <= self.digits:
                units = int(value.scaleb(self.digits))
                return units if -INLINE < units < INLINE else None
        return None

    def codes(self, scaled: Column) -> Column:
        """The codes of values from those in units."""
        if not self.digits:
            return scaled
        units = scaled >> 1
        result: Column = (units // self._unit) << 1
        fractions = units % self._unit != 0
        if fractions.any():
            result[fractions] = [self.code(number, 1) for number in units[fractions].tolist()]
        return result

    def code(self, units: int, divisor: int) -> int:
        """The code of a number of units by a divisor, rounded as divisions are."""
        value = Decimal(units).scaleb(-self.digits)
        if divisor != 1:
            return self._dictionary.encode(calculate("/", value, Decimal(divisor)))
        return self._dictionary.encode(normal(value))

    def finer(self, codes: Column) -> Scale | None:
        """A scale for these values, too; None when there is none."""
        digits = self.digits
        for code in set(codes[(codes & 1).astype(np.bool_)].tolist()):
            value: Value = "" if code == FILLER else self._dictionary.decode(code)
            if not isinstance(value, Decimal) or digits_of(value) > MOST_DIGITS:
                return None
            digits = max(digits, digits_of(value))
        return Scale(self._dictionary, digits) if digits > self.digits else None


def digits_of(value: Decimal) -> int:
    """Digits behind the point."""
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else MOST_DIGITS + 1
