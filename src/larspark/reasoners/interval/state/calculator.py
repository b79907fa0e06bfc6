"""Arithmetic that the machine cannot do on codes: decimals, large numbers, functions; each question answered once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from larspark.diagnostics import Diagnostic, Rejected
from larspark.intervals import arithmetic
from larspark.intervals.sets import LATEST
from larspark.intervals.storage import Column, Rows
from larspark.language.calendar import CALENDAR_FUNCTIONS, Calendar
from larspark.language.evaluate import apply_function
from larspark.language.values import NotANumber, Value, calculate, compare
from larspark.reasoners.interval import whole_numbers
from larspark.reasoners.interval.planning.plan import Functions
from larspark.reasoners.interval.state.dictionary import Dictionary
from larspark.reasoners.interval.whole_numbers import integer, rounded

Way: TypeAlias = Callable[[Sequence[int]], int]
"""From codes of arguments to the code of the value."""

_RELATIONS = {number: operator for operator, number in arithmetic.COMPARISONS.items()}
_SECONDS = 1 << 12
"""Seconds whose parts are remembered."""


class Calculator:
    """Answers what the machine asks."""

    def __init__(
        self,
        dictionary: Dictionary,
        functions: Functions,
        imported: Mapping[str, Callable[..., Any]],
        calendar: Calendar | None,
    ) -> None:
        self._dictionary, self._functions = dictionary, functions
        self._imported, self._calendar = imported, calendar
        self._ways: dict[int, Way] = {}

    def answers(self, questions: Rows) -> tuple[Rows, Column]:
        """The questions, each once, and their answers; in the first column stands what is asked about the others."""
        asked = list(dict.fromkeys(map(tuple, questions.tolist())))
        answers = [self._way(function)(codes) for function, *codes in asked]
        return np.array(asked, np.int64), np.array(answers, np.int64)

    def _way(self, function: int) -> Way:
        way = self._ways.get(function)
        if way is None:
            way = self._ways[function] = self._made(function)
        return way

    def _made(self, function: int) -> Way:
        decode = self._dictionary.decode
        if function in (arithmetic.TIME_POINT, arithmetic.PIN):
            return lambda codes: int(self._later_than_all(codes[0], pinned=function == arithmetic.PIN))
        if function in _RELATIONS:
            operator = _RELATIONS[function]
            return lambda codes: int(compare(operator, decode(codes[0]), decode(codes[1])))
        name, arity = self._functions.named(function)
        calculated, encode = self._calculation(name), self._dictionary.encode

        def way(codes: Sequence[int]) -> int:
            try:
                return encode(calculated(*map(decode, codes[:arity])))
            except NotANumber:
                return arithmetic.UNDEFINED

        return way

    def _calculation(self, name: str) -> Callable[..., Value]:
        match name:
            case whole_numbers.INTEGER:
                return integer
            case whole_numbers.FLOOR | whole_numbers.CEILING:
                return lambda number: rounded(number, down=name == whole_numbers.FLOOR)
        if name in arithmetic.OPERATIONS:
            return lambda left, right: calculate(name, left, right)
        if name in CALENDAR_FUNCTIONS and name not in self._imported and self._calendar is not None:
            return _by_second(self._calendar, name)
        return lambda *values: apply_function(name, list(values), self._imported, self._calendar)

    def _later_than_all(self, code: int, *, pinned: bool) -> bool:
        """Whether a value that is no ordinary time point is one nevertheless, too far ahead to hold anything."""
        value = self._dictionary.decode(code)
        later = isinstance(value, int) and value >= LATEST
        if later and pinned:
            raise Rejected([_too_far_ahead(value)])
        return later


def _by_second(calendar: Calendar, name: str) -> Callable[[Value], Value]:
    """A part of a time, which is the same throughout a second."""
    points, rest = divmod(1000, calendar.clock.milliseconds)
    if rest or points == 1 or calendar.since_1970.microseconds:
        return lambda time: calendar.read(name, time)

    @lru_cache(_SECONDS)
    def of_second(second: int) -> Value:
        return calendar.read(name, second * points)

    return lambda time: of_second(time // points) if isinstance(time, int) else calendar.read(name, time)


def _too_far_ahead(time: Value) -> Diagnostic:
    return Diagnostic(
        "E411",
        f"A rule concludes something for time point {time}; time points are counted up to 2^60.",
        "Check the values that become times, or use a coarser clock.",
    )
