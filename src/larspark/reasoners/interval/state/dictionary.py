"""Values to 64-bit codes and back; see `larspark.intervals.rules.arithmetic` for what codes mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import chain

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from larspark.blocks.arguments import spelled_numbers
from larspark.blocks.spelling import ESCAPE, read_spelling, spelled
from larspark.intervals.rules.arithmetic import INLINE
from larspark.intervals.tables.storage import Column, Rows
from larspark.language.values import Value
from larspark.reasoners.interval.state.texts import Texts

FILLER = 1
"""The code of no value: it fills up tuples of different length."""
_FILLER = ESCAPE
"""What no value is spelled like: nothing stands behind the escape."""

_FEW = 8
"""So many codes are decoded one by one faster than looked at together."""


class Dictionary:
    """A growing numbering of the values that are not small integers. Codes are never reused.

    It has two sides, on which a value has the same place: Python's values, and their spellings in columns. What comes
    in a column is a value of Python only when somebody asks for it.
    """

    def __init__(self, values: Iterable[Value] = ()) -> None:
        self._values: list[Value | None] = [None]  # place 0 belongs to FILLER
        self._codes: dict[Value, int] = {}
        """Of the values that Python has named."""
        self._spellings: Texts | None = None
        """There from the first column on."""
        for value in values:
            self.encode(value)

    # -- values of Python --------------------------------------------------------------------------

    def encode(self, value: Value) -> int:
        if type(value) is int and -INLINE < value < INLINE:
            return value << 1
        code = self._codes.get(value)
        if code is None:
            self._number((value,))
            code = self._codes[value]
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
            if None in codes:
                self._number([value for value, code in zip(values, codes, strict=True) if code is None])
                codes = list(map(self._codes.get, values))
            return np.array(codes, np.int64)
        return np.array(list(map(self.encode, values)), np.int64)

    def _number(self, values: Sequence[Value]) -> None:
        """Give codes to values that Python has not named before."""
        new = list(dict.fromkeys(values))
        if self._spellings is None:
            places: Iterable[int] = range(len(self._values), len(self._values) + len(new))
            self._values += new
        else:
            places = self._places(pa.array(map(spelled, new), pa.string())).tolist()
            for place, value in zip(places, new, strict=True):
                self._values[place] = value
        self._codes.update(zip(new, (place << 1 | 1 for place in places), strict=True))

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
        odd = codes & 1
        if not odd.any():
            numbers: list[Value] = (codes >> 1).tolist()
            return numbers
        if self._spellings is not None:
            places = np.unique(codes[odd.astype(np.bool_)]) >> 1
            unseen = places[[place > 0 and self._values[place] is None for place in places.tolist()]]
            texts = self._spellings.take(unseen)
            values = texts.to_pylist()
            if pc.any(pc.starts_with(texts, ESCAPE)).as_py():
                values = map(read_spelling, values)
            for place, value in zip(unseen.tolist(), values, strict=True):
                self._values[place] = value
        return map(self.decode, listed)

    def decode(self, code: int) -> Value:
        if not code & 1:
            return code >> 1
        value = self._values[code >> 1]
        if value is None:
            if code == FILLER or self._spellings is None:
                raise ValueError("the filler is not a value")
            value = self._values[code >> 1] = read_spelling(self._spellings[code >> 1])
        return value

    # -- columns -----------------------------------------------------------------------------------

    def encode_spellings(self, spellings: pa.StringArray) -> Column:
        """The codes of what is spelled in a column."""
        spellings = spellings.cast(pa.string())
        escaped = pc.starts_with(spellings, ESCAPE)
        if not pc.any(escaped).as_py():
            return self._places(spellings) << 1 | 1
        odd = np.asarray(escaped.to_numpy(zero_copy_only=False), np.bool_)
        codes = np.empty(len(spellings), np.int64)
        codes[~odd] = self._places(spellings.filter(pc.invert(escaped))) << 1 | 1
        codes[odd] = self.encode_all([read_spelling(text) for text in spellings.filter(escaped).to_pylist()])
        return codes

    def encode_canonical(self, spellings: pa.StringArray) -> Column:
        """The codes of values that are no small integers and have the one spelling that values have."""
        return self._places(spellings) << 1 | 1

    def _places(self, texts: pa.StringArray) -> Column:
        spellings = self._columns()
        places = spellings.numbers(texts)
        self._values += [None] * (len(spellings) - len(self._values))
        return places

    def spellings(self, codes: Column) -> pa.StringArray:
        """The spellings of codes."""
        odd = (codes & 1).astype(np.bool_)
        if odd.all():
            return self._columns().take(codes >> 1)
        texts = self._columns().take(codes[odd] >> 1)
        order = np.empty(len(codes), np.int64)
        order[np.concatenate((np.flatnonzero(odd), np.flatnonzero(~odd)))] = np.arange(len(codes))
        return pa.concat_arrays([texts, spelled_numbers(codes[~odd] >> 1)]).take(pa.array(order))

    def _columns(self) -> Texts:
        if self._spellings is None:
            self._spellings = Texts()
            self._spellings.numbers(pa.array([_FILLER, *map(spelled, self.values())], pa.string()))
        return self._spellings

    # -- all of them -------------------------------------------------------------------------------

    def translate(self, codes: Column, other: Dictionary) -> Column:
        """The codes that the same values have in another dictionary, which takes those it lacks."""
        result = codes.copy()
        numbered = (codes & 1).astype(np.bool_)
        distinct, places = np.unique(codes[numbered], return_inverse=True)
        if self._spellings is None:
            known = other.encode_all(list(self.decode_all(distinct)))
        else:
            known = other.encode_spellings(self.spellings(distinct))
        result[numbered] = known[places]
        return result

    def values(self) -> Sequence[Value]:
        """The numbered values in the order of their codes; `Dictionary(values)` numbers them alike."""
        return list(self.decode_all(np.arange(1, len(self._values)) << 1 | 1))

    def __len__(self) -> int:
        return len(self._values) - 1
