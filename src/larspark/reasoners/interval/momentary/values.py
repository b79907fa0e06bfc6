"""Columns of values that rules compute with: numbers, decimals as units, and texts by their place in a dictionary.

What these cannot do is done by codes, as in the rest of the engine: exact, and each question answered once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from larspark.blocks import Argument, Numbers
from larspark.blocks.arguments import argument_of, compact, read_spellings, taken, values_of
from larspark.blocks.spelling import spelled
from larspark.intervals.rules.arithmetic import COMPARISONS, UNDEFINED
from larspark.intervals.tables.storage import Column, Rows
from larspark.language.evaluate import call_for_each
from larspark.language.values import Value
from larspark.reasoners.interval.engine.engine import IntervalEngine
from larspark.reasoners.interval.state.coding import Coder
from larspark.reasoners.interval.state.decimals import Units, added, argument_of_units, decimal_units, multiplied

Which: TypeAlias = npt.NDArray[np.bool_]
Values: TypeAlias = Argument | Units
"""A value for each row."""

_REPEATING = 2
"""Texts of which each stands at least so often in a column are expected to come again."""
_KEPT = 1 << 16
"""So many answers of a function are kept."""
_ROOM = 2**62
"""Results of numbers that are smaller in size are exact."""
_ORDERS: Mapping[str, Callable[[Any, Any], Any]] = {
    "=": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


def rows_of(values: Values, rows: Numbers) -> Values:
    """The values of these rows."""
    return Units(values.units[rows], values.digits[rows]) if isinstance(values, Units) else taken(values, rows)


def as_argument(values: Values) -> Argument:
    return argument_of_units(values) if isinstance(values, Units) else values


class ColumnCalculator:
    """Computes with columns, as an engine does with codes."""

    def __init__(self, engine: IntervalEngine) -> None:
        self._tables = engine.tables
        self.coder = Coder(engine.dictionary)
        self._dictionary = engine.dictionary
        self._known: dict[tuple[Value, ...], TextAnswers] = {}
        """What functions said, by their other arguments."""

    def constant(self, code: int, count: int) -> Values:
        """The same value in all rows."""
        value = self._dictionary.decode(code)
        if isinstance(value, int) and abs(value) < _ROOM:
            return np.full(count, value, np.int64)
        if isinstance(value, Decimal) and (units := decimal_units(value)) is not None:
            return Units(*(np.full(count, number, np.int64) for number in units))
        return pa.DictionaryArray.from_arrays(np.zeros(count, np.int32), pa.array([spelled(value)], pa.string()))

    def codes(self, values: Values) -> Column:
        return self.coder.column(as_argument(values))

    def compared(self, operator: str, left: Values, right: Values) -> Which:
        """In which rows a comparison holds."""
        one, other = _units(left), _units(right)
        if one is not None and other is not None:
            if not (one.digits.any() or other.digits.any()):
                return np.asarray(_ORDERS[operator](one.units, other.units), np.bool_)
            difference = added(one, other, -1)
            if (difference.digits >= 0).all():
                return np.asarray(_ORDERS[operator](difference.units, 0), np.bool_)
        codes = np.column_stack((self.codes(left), self.codes(right)))
        if operator in ("=", "!="):
            return np.asarray(_ORDERS[operator](codes[:, 0], codes[:, 1]), np.bool_)
        distinct, places = _distinct_rows(codes, range(2))
        return np.equal(self._tables.calculated(COMPARISONS[operator], distinct), 1)[places]

    def computed(
        self, function: str, given: Sequence[Values], constants: Sequence[bool]
    ) -> tuple[Values, Which | None]:
        """The values of a function, and in which rows it has one; None: in all of them.

        `constants` tells which arguments are the same in all rows.
        """
        if len(given) == 2 and function in ("+", "-", "*", "/", "%", "min", "max"):
            found = _calculated(function, *given)
            if found is not None:
                return found, None
        varying = [place for place, constant in enumerate(constants) if not constant]
        if (
            function in self._tables.imported
            and len(varying) == 1
            and isinstance(given[varying[0]], pa.DictionaryArray)
        ):
            return self._called(function, given, varying[0])
        codes = np.column_stack([self.codes(one) for one in given])
        distinct, places = _distinct_rows(codes, varying)
        answers = self._tables.calculated(self._tables.functions.number(function, len(given)), distinct)
        defined = answers != UNDEFINED
        argument = self.coder.argument(np.where(defined, answers, 0))
        found = taken(argument, places)
        return found, None if defined.all() else defined[places]

    def _called(self, function: str, given: Sequence[Values], varying: int) -> tuple[Values, Which | None]:
        """A function of texts, asked once for each that there is; of texts that repeat its answers are kept."""
        texts = compact(given[varying])
        before, after = map(_first_values, (given[:varying], given[varying + 1 :]))
        repeating = _REPEATING * len(texts.dictionary) <= len(texts)
        key = (function, varying, *before, *after)
        known = self._known.get(key) if repeating else None
        if known is None or len(known.texts) > _KEPT:
            known = TextAnswers(_NO_TEXTS, [])
        places = pc.index_in(texts.dictionary, known.texts)
        if places.null_count:
            new = texts.dictionary.filter(places.is_null()).unique()
            rows = ((*before, one, *after) for one in read_spellings(new))
            answers = call_for_each(function, self._tables.imported[function], rows)
            known = TextAnswers(pa.concat_arrays([known.texts, new]), [*known.values, *answers])
            places = pc.index_in(texts.dictionary, known.texts)
        if repeating:
            self._known[key] = known
        chosen = places.to_numpy()[texts.indices.to_numpy()]
        return taken(known.argument, chosen), None if known.defined.all() else known.defined[chosen]


@dataclass(frozen=True)
class TextAnswers:
    """What a function says of texts; None where it has no value."""

    texts: pa.StringArray
    values: list[Value | None]

    @cached_property
    def argument(self) -> Argument:
        some = next((one for one in self.values if one is not None), 0)
        return argument_of([some if one is None else one for one in self.values])

    @cached_property
    def defined(self) -> Which:
        return np.array([one is not None for one in self.values], np.bool_)


_NO_TEXTS = pa.array([], pa.string())


def _first_values(given: Sequence[Values]) -> list[Value]:
    return [values_of(as_argument(rows_of(one, np.zeros(1, np.int64))))[0] for one in given]


def _units(values: Values) -> Units | None:
    """Numbers as units of decimals; None for what has none."""
    if isinstance(values, np.ndarray):
        return Units(values, np.zeros(len(values), np.int64)) if _largest(values) < _ROOM else None
    return values if isinstance(values, Units) else None


def _largest(numbers: Numbers) -> int:
    return max(abs(int(numbers.min())), abs(int(numbers.max()))) if len(numbers) else 0


def _calculated(function: str, left: Values, right: Values) -> Values | None:
    """Numbers of ordinary size; None: another way is needed."""
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
        return _numbers(function, left, right)
    one, other = _units(left), _units(right)
    if one is None or other is None or function not in ("+", "-", "*"):
        return None
    found = multiplied(one, other) if function == "*" else added(one, other, 1 if function == "+" else -1)
    return found if (found.digits >= 0).all() else None


def _numbers(function: str, left: Numbers, right: Numbers) -> Numbers | None:
    most, other = _largest(left), _largest(right)
    if most >= _ROOM or other >= _ROOM:
        return None
    match function:
        case "+" | "-" if most + other < _ROOM:
            return left + right if function == "+" else left - right
        case "*" if most * other < _ROOM:
            return left * right
        case "/" | "%" if right.all():
            size = np.abs(left) // np.abs(right)
            quotient: Numbers = np.where((left < 0) == (right < 0), size, -size)
            return quotient if function == "/" else left - quotient * right
        case "min":
            return np.minimum(left, right)
        case "max":
            return np.maximum(left, right)
    return None


def _distinct_rows(codes: Rows, varying: Sequence[int]) -> tuple[Rows, Numbers]:
    """Each row once, or a few times, and the place of every row among them."""
    if not varying or not len(codes):
        return codes[:1], np.zeros(len(codes), np.int64)
    changes = (codes[1:] != codes[:-1]).any(axis=1)
    begins = np.concatenate(([True], changes))
    runs = np.cumsum(begins) - 1
    rows = codes[begins]
    if len(varying) == 1:
        _, first, places = np.unique(rows[:, varying[0]], return_index=True, return_inverse=True)
        return rows[first], places.reshape(-1)[runs]
    return rows, runs
