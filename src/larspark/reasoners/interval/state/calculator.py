"""Arithmetic that the machine cannot do on codes: decimals, large numbers, functions; each question answered once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, TypeAlias

import numpy as np

from larspark.diagnostics import Diagnostic, Rejected
from larspark.intervals.rules import arithmetic
from larspark.intervals.sets import LATEST
from larspark.intervals.tables.storage import Column, Rows
from larspark.language.calendar import CALENDAR_FUNCTIONS, Calendar
from larspark.language.evaluate import apply_function
from larspark.language.values import NotANumber, Value, calculate, compare
from larspark.reasoners.interval import whole_numbers
from larspark.reasoners.interval.planning.plan import Functions
from larspark.reasoners.interval.state.decimals import Decimals, Units, added, multiplied
from larspark.reasoners.interval.state.dictionary import FILLER, Dictionary
from larspark.reasoners.interval.whole_numbers import integer, ordinary, rounded

Way: TypeAlias = Callable[[Rows], Column]
"""From codes of arguments, a row for each question, to the codes of the values."""

_RELATIONS = {number: operator for operator, number in arithmetic.COMPARISONS.items()}


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
        self.decimals = Decimals(dictionary)
        self._ways: dict[int, Way] = {}

    def answers(self, questions: Rows) -> tuple[Rows, Column]:
        """The questions, each once, and their answers; in the first column stands what is asked about the others."""
        functions = np.unique(questions[:, 0]).tolist()
        asked = [_distinct(questions[questions[:, 0] == function]) for function in functions]
        answers = [self._way(function)(rows[:, 1:]) for function, rows in zip(functions, asked, strict=True)]
        return np.concatenate(asked), np.concatenate(answers)

    def values(self, function: int, codes: Rows) -> Column:
        """What a function says of rows of arguments."""
        return self._way(function)(codes)

    def _way(self, function: int) -> Way:
        way = self._ways.get(function)
        if way is None:
            way = self._ways[function] = self._made(function)
        return way

    def _made(self, function: int) -> Way:
        if function in (arithmetic.TIME_POINT, arithmetic.PIN):
            return lambda codes: self._later_than_all(codes[:, 0], pinned=function == arithmetic.PIN)
        if function in _RELATIONS:
            operator = _RELATIONS[function]
            return lambda codes: self._compared(operator, codes)
        name, arity = self._functions.named(function)
        if name in ("+", "-", "*"):
            return lambda codes: self._arithmetic(name, codes[:, :2])
        if name in CALENDAR_FUNCTIONS and name not in self._imported and self._calendar is not None:
            return _by_second(self._calendar, name, self._each)
        calculated = self._calculation(name)
        return lambda codes: self._each(calculated, codes[:, :arity])

    def _calculation(self, name: str) -> Callable[..., Value]:
        match name:
            case whole_numbers.INTEGER:
                return integer
            case whole_numbers.ORDINARY:
                return ordinary
            case whole_numbers.FLOOR | whole_numbers.CEILING:
                return lambda number: rounded(number, down=name == whole_numbers.FLOOR)
        if name in arithmetic.OPERATIONS:
            return lambda left, right: calculate(name, left, right)
        return lambda *values: apply_function(name, list(values), self._imported, self._calendar)

    # -- many at once ------------------------------------------------------------------------------

    def _each(self, calculated: Callable[..., Value], codes: Rows) -> Column:
        """One value after the other; of no value there is none."""
        answers = np.full(len(codes), arithmetic.UNDEFINED)
        found, defined = list[Value](), list[int]()
        for place, values in self._values(codes):
            with suppress(NotANumber):
                found.append(calculated(*values))
                defined.append(place)
        answers[defined] = self._dictionary.encode_all(found)
        return answers

    def _values(self, codes: Rows) -> Iterator[tuple[int, tuple[Value, ...]]]:
        """The places of rows in which all codes stand for values, and these.

        A row that is to be found again may have none, where tuples of other elements are longer.
        """
        places = np.flatnonzero((codes != FILLER).all(axis=1))
        columns = [self._dictionary.decode_all(codes[places, place]) for place in range(codes.shape[1])]
        return zip(places.tolist(), zip(*columns, strict=True), strict=True)

    def _arithmetic(self, operator: str, codes: Rows) -> Column:
        left, right = self.decimals.units(codes[:, 0]), self.decimals.units(codes[:, 1])
        result = multiplied(left, right) if operator == "*" else added(left, right, 1 if operator == "+" else -1)
        known = result.digits >= 0
        answers = np.empty(len(codes), np.int64)
        answers[known] = self.decimals.codes(Units(result.units[known], result.digits[known]))
        answers[~known] = self._each(lambda one, other: calculate(operator, one, other), codes[~known])
        return answers

    def _compared(self, operator: str, codes: Rows) -> Column:
        difference = added(self.decimals.units(codes[:, 0]), self.decimals.units(codes[:, 1]), -1)
        answers: Column = _ORDERS[operator](difference.units, 0).astype(np.int64)
        unknown = np.flatnonzero(difference.digits < 0)
        answers[unknown] = 0
        for place, (left, right) in self._values(codes[unknown, :2]):
            answers[unknown[place]] = compare(operator, left, right)
        return answers

    def _later_than_all(self, codes: Column, *, pinned: bool) -> Column:
        """Whether values that are no ordinary time points are some nevertheless, too far ahead to hold anything."""
        answers = np.zeros(len(codes), np.int64)
        for place, (value,) in self._values(codes[:, np.newaxis]):
            if isinstance(value, int) and value >= LATEST:
                if pinned:
                    raise Rejected([_too_far_ahead(value)])
                answers[place] = 1
        return answers


_ORDERS: Mapping[str, Callable[[Column, int], Any]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


def _distinct(rows: Rows) -> Rows:
    """Each row once."""
    varying = [column for column in rows.T if (column != column[0]).any()]
    keys = varying[0] if varying else rows[:1, 0]
    for column in varying[1:]:
        _, ranks = np.unique(column, return_inverse=True)
        _, before = np.unique(keys, return_inverse=True)
        keys = before * len(rows) + ranks
    _, first = np.unique(keys, return_index=True)
    return rows[first]


def _by_second(calendar: Calendar, name: str, each: Callable[[Callable[..., Value], Rows], Column]) -> Way:
    """A part of times, which is the same throughout a second."""
    points, rest = divmod(1000, calendar.clock.milliseconds)

    def way(codes: Rows) -> Column:
        times = codes[:, 0]
        if rest or points == 1 or calendar.since_1970.microseconds or (times & 1).any():
            return each(lambda time: calendar.read(name, time), codes[:, :1])
        seconds, places = np.unique((times >> 1) // points, return_inverse=True)
        return each(lambda time: calendar.read(name, time), (seconds * points << 1)[:, np.newaxis])[places]

    return way


def _too_far_ahead(time: Value) -> Diagnostic:
    return Diagnostic(
        "E411",
        f"A rule concludes something for time point {time}; time points are counted up to 2^60.",
        "Check the values that become times, or use a coarser clock.",
    )
