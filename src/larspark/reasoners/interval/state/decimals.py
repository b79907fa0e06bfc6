"""Decimals of ordinary size as numbers of small units, for many codes at once; exact, or left to exact arithmetic."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from larspark.blocks import Argument
from larspark.intervals.rules.arithmetic import INLINE
from larspark.intervals.rules.decimals import (
    DIGITS,
    ENTRY,
    LARGEST_UNITS,
    MOST_DIGITS,
    NO_DECIMAL,
    POWERS,
    UNITS,
    UNSEEN,
)
from larspark.intervals.rules.scaling import shorten
from larspark.intervals.rules.spelling import MOST_BYTES, MOST_BYTES_OF_QUOTIENT, spell_quotients, spell_units
from larspark.intervals.tables.storage import Column
from larspark.reasoners.interval.state.dictionary import FILLER, Dictionary

SHORT = 18
"""So many characters of digits and a point have units that are not too many."""

Which: TypeAlias = npt.NDArray[np.bool_]


class Units(NamedTuple):
    """Numbers as units of 10 to the power of −digits; where `digits` are negative, it is none that has such units."""

    units: Column
    digits: Column


class Decimals:
    """What is known of the decimals in a dictionary; compiled code looks into `known`, too."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self.known: Column = np.full(ENTRY, NO_DECIMAL, np.int64)
        """By place; the first one belongs to the filler."""

    def units(self, codes: Column) -> Units:
        """The numbers that are meant by codes."""
        odd = (codes & 1).astype(np.bool_)
        found = Units(codes >> 1, np.zeros(len(codes), np.int64))
        if odd.any():
            places = codes[odd] >> 1
            self._make_room()
            entries = self.known.reshape(-1, ENTRY)
            for place in set(places[entries[places, DIGITS] == UNSEEN].tolist()):
                entries[place] = self._looked_at(place)
            found.units[odd], found.digits[odd] = entries[places, UNITS], entries[places, DIGITS]
        return found

    def codes(self, numbers: Units) -> Column:
        """The codes of numbers, all of which have units."""
        units, digits = _normal(*numbers)
        codes = units << 1
        chosen = (digits > 0) | (np.abs(units) >= INLINE)
        if chosen.any():
            units, digits = units[chosen], digits[chosen]
            found = self._dictionary.encode_canonical(spelled_units(units, digits))
            codes[chosen] = found
            self._make_room()
            self.known[UNITS::ENTRY][found >> 1] = units
            self.known[DIGITS::ENTRY][found >> 1] = digits
        return codes

    def _looked_at(self, place: int) -> tuple[int, int]:
        code = place << 1 | 1
        if code != FILLER and isinstance(value := self._dictionary.decode(code), Decimal):
            return decimal_units(value) or (0, NO_DECIMAL)
        return 0, NO_DECIMAL

    def _make_room(self) -> None:
        """Have an entry for every value."""
        size = len(self.known) // ENTRY
        if size <= len(self._dictionary):
            larger = np.full(2 * (len(self._dictionary) + 1) * ENTRY, UNSEEN, np.int64)
            larger[: len(self.known)] = self.known
            self.known = larger


def decimal_units(value: Decimal) -> tuple[int, int] | None:
    """The units of a decimal and the digits that they count; None: there are too many."""
    whole, _, rest = (text := str(value)).partition(".")
    if rest and len(text) <= SHORT and rest.isdigit():  # the usual case: to look at the digits themselves takes longer
        return int(whole + rest), len(rest)
    exponent = value.as_tuple().exponent
    if isinstance(exponent, int) and 0 <= -exponent <= MOST_DIGITS:
        units = int(value.scaleb(-exponent))
        if abs(units) < LARGEST_UNITS:
            return units, -exponent
    return None


def added(left: Units, right: Units, sign: int) -> Units:
    """Sums, or differences."""
    digits = np.maximum(left.digits, right.digits)
    known = (left.digits >= 0) & (right.digits >= 0)
    one, fits = _scaled(left, np.where(known, digits, 0))
    other, also = _scaled(right, np.where(known, digits, 0))
    return Units(one + sign * other, np.where(known & fits & also, digits, NO_DECIMAL))


def multiplied(left: Units, right: Units) -> Units:
    digits = left.digits + right.digits
    known = (left.digits >= 0) & (right.digits >= 0) & (digits <= MOST_DIGITS)
    # A product of floating-point numbers is wrong by far less than half of it.
    fits = np.abs(left.units.astype(np.float64) * right.units) < LARGEST_UNITS / 2
    units = np.where(known & fits, left.units, 0) * np.where(known & fits, right.units, 0)
    return Units(units, np.where(known & fits, digits, NO_DECIMAL))


def _scaled(numbers: Units, digits: Column) -> tuple[Column, Which]:
    """Units of this many digits, and which there is room for."""
    factors = POWERS[np.clip(digits - numbers.digits, 0, MOST_DIGITS)]
    fits = np.abs(numbers.units) < LARGEST_UNITS // 2 // factors
    return np.where(fits, numbers.units, 0) * factors, fits


def _normal(units: Column, digits: Column) -> Units:
    """With as few digits as there can be."""
    units, digits = units.copy(), digits.copy()
    shorten(units, digits)
    return Units(units, digits)


def argument_of_units(numbers: Units) -> Argument:
    """Numbers, all of which have units, as a column: integers where all are, or else spelled row by row."""
    units, digits = _normal(*numbers)
    if not digits.any():
        return units
    places = np.arange(len(units), dtype=np.int32)
    return pa.DictionaryArray.from_arrays(places, spelled_units(units, digits))


def spelled_units(units: Column, digits: Column) -> pa.StringArray:
    """The spellings of numbers with as few digits behind the point as there can be."""
    content = np.empty(MOST_BYTES * len(units), np.uint8)
    ends = np.zeros(len(units) + 1, np.int64)
    return _texts(content[: spell_units(units, digits, content, ends)], ends)


def spelled_quotients(totals: Column, divisors: Column, significant: int) -> pa.StringArray:
    """The spellings of quotients, none of which is an integer, rounded to so many digits."""
    content = np.empty(MOST_BYTES_OF_QUOTIENT * len(totals), np.uint8)
    ends = np.zeros(len(totals) + 1, np.int64)
    return _texts(content[: spell_quotients(totals, divisors, significant, content, ends)], ends)


def _texts(content: npt.NDArray[np.uint8], ends: Column) -> pa.StringArray:
    return pa.StringArray.from_buffers(len(ends) - 1, pa.py_buffer(ends.astype(np.int32)), pa.py_buffer(content))
