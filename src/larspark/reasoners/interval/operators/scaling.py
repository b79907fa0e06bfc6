"""Numbers as integers of one small unit: what is added up in compiled code."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from larspark.intervals.rules import scaling
from larspark.intervals.rules.decimals import POWERS
from larspark.intervals.rules.spelling import LARGEST_DIVISOR
from larspark.intervals.tables.storage import Column, Rows
from larspark.language.values import SIGNIFICANT_DIGITS, calculate
from larspark.reasoners.interval.state.decimals import Units, spelled_quotients
from larspark.reasoners.interval.state.tables import Tables

MOST_DIGITS = 9
"""Behind the point; sums of numbers with more are left to exact computation, there is little room for them."""

SMALLEST_MEMO, LARGEST_MEMO = 1 << 10, 1 << 17
"""How many units may be known with their codes: at most about half as many."""


class Scale:
    """Values in units of 10 to the power of −digits."""

    def __init__(self, tables: Tables, digits: int = 0) -> None:
        self._tables = tables
        self.digits = digits
        self._memo = np.zeros((SMALLEST_MEMO, 2), np.int64)
        self._known = 0

    def scaled(self, rows: Rows, column: int, part: int, needs: Column) -> Rows | None:
        """The rows with the values of a column in units, where their parts need them.

        None when there are others than numbers of ordinary size, or finer ones. `part` is the column with the number of
        the part, negative if there is one part only.
        """
        result = np.empty(rows.shape, np.int64)
        given = np.ascontiguousarray(rows)
        found = scaling.scale_rows(given, column, part, needs, self.digits, self._tables.decimals, result)
        if found == scaling.UNKNOWN:
            self._tables.units_of(rows[:, column])
            found = scaling.scale_rows(given, column, part, needs, self.digits, self._tables.decimals, result)
        return result if found == scaling.FITS else None

    def put_codes(self, rows: Rows, column: int) -> None:
        """Replace numbers of units by the codes of what they mean."""
        missing = scaling.known_codes(rows, column, self.digits, self._memo)
        if not len(missing):
            return
        units = rows[missing, column] >> 1
        codes = self._tables.codes_of(Units(units, np.full(len(units), self.digits)))
        rows[missing, column] = codes
        if 2 * (self._known + len(units)) > len(self._memo):
            self._make_room(len(units))
        self._known += len(units)
        scaling.memorize_codes(self._memo, units, codes)

    def _make_room(self, more: int) -> None:
        """A larger memo; one that is too large is begun anew."""
        old = self._memo[self._memo[:, 1] != 0] if len(self._memo) < LARGEST_MEMO else self._memo[:0]
        size = len(self._memo) if len(self._memo) < LARGEST_MEMO else SMALLEST_MEMO
        while size < 4 * (len(old) + more):
            size *= 2
        self._memo, self._known = np.zeros((size, 2), np.int64), len(old)
        scaling.memorize_codes(self._memo, *np.ascontiguousarray(old.T))

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
