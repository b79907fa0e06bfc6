"""Values to 64-bit codes and back; see `larspark.intervals.arithmetic` for what codes mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import chain

import numpy as np

from larspark.intervals.arithmetic import INLINE
from larspark.intervals.storage import Column, Rows
from larspark.language.values import Value

FILLER = 1
"""The code of no value: it fills up tuples of different length."""


_FEW = 8
"""So many codes are decoded one by one faster than looked at together."""


class Dictionary:
    """A growing numbering of the values that are not small integers. Codes are never reused."""

    def __init__(self, values: Iterable[Value] = ()) -> None:
        self._values: list[Value | None] = [None]  # place 0 belongs to FILLER
        self._codes: dict[Value, int] = {}
        for value in values:
            self.encode(value)

    def encode(self, value: Value) -> int:
        if type(value) is int and -INLINE < value < INLINE:
            return value << 1
        code = self._codes.get(value)
        if code is None:
            code = len(self._values) << 1 | 1
            self._codes[value] = code
            self._values.append(value)
        return code

    def encode_all(self, values: Sequence[Value]) -> Column:
        """The codes of many values; fast when all are integers, or none is."""
        kinds = set(map(type, values))
        if kinds == {int}:
            with suppress(OverflowError):
                numbers = np.array(values, np.int64)
                if ((numbers > -INLINE) & (numbers < INLINE)).all():
                    return numbers << 1
        elif int not in kinds:
            codes = list(map(self._codes.get, values))
            if None not in codes:
                return np.array(codes, np.int64)
        return np.array(list(map(self.encode, values)), np.int64)

    def encode_symbols(self, texts: Sequence[str]) -> Column:
        """The codes of many symbols."""
        codes = list(map(self._codes.get, texts))
        if None in codes:
            new = list(dict.fromkeys(text for text, code in zip(texts, codes, strict=True) if code is None))
            first = len(self._values)
            self._values += new
            self._codes.update(zip(new, range(first << 1 | 1, len(self._values) << 1 | 1, 2), strict=True))
            codes = list(map(self._codes.get, texts))
        return np.array(codes, np.int64)

    def encode_rows(self, rows: Sequence[tuple[Value, ...]], types: set[type] | None = None) -> Rows:
        """The codes of tuples of one length; `types` are those of their values, if they are known."""
        count, arity = len(rows), len(rows[0])
        if (set(map(type, chain.from_iterable(rows))) if types is None else types) == {int}:
            with suppress(OverflowError):
                numbers = np.fromiter(chain.from_iterable(rows), np.int64, count * arity)
                if numbers.min() > -INLINE and numbers.max() < INLINE:
                    return (numbers << 1).reshape(count, arity)
        codes = np.empty((count, arity), np.int64)
        for column, values in enumerate(zip(*rows, strict=True)):
            codes[:, column] = self.encode_all(values)
        return codes

    def decode_all(self, codes: Column) -> Iterable[Value]:
        """The values of many codes."""
        listed = codes.tolist()
        if len(listed) < _FEW:
            return map(self.decode, listed)
        return map(self.decode, listed) if (codes & 1).any() else (codes >> 1).tolist()

    def decode(self, code: int) -> Value:
        if not code & 1:
            return code >> 1
        value = self._values[code >> 1]
        if value is None:
            raise ValueError("the filler is not a value")
        return value

    def translate(self, codes: Column, other: Dictionary) -> Column:
        """The codes that the same values have in another dictionary, which takes those it lacks."""
        result = codes.copy()
        numbered = (codes & 1).astype(np.bool_)
        distinct, places = np.unique(codes[numbered], return_inverse=True)
        known = [other.encode(self.decode(code)) for code in distinct.tolist()]
        result[numbered] = np.array(known, np.int64)[places]
        return result

    def values(self) -> Sequence[Value]:
        """The numbered values in the order of their codes; `Dictionary(values)` numbers them alike."""
        return [value for value in self._values if value is not None]

    def __len__(self) -> int:
        return len(self._values) - 1
