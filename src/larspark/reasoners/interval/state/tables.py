"""The tables of a running engine, one per relation, and the ghosts of what this step has removed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from larspark.intervals.rules import arithmetic
from larspark.intervals.rules.machine import ALL_UNDEFINED, DECIMALS, DECIMALS_SIZE, MISSES
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables import addresses, storage
from larspark.intervals.tables.addresses import address_of
from larspark.intervals.tables.lists import column, list_of_tables
from larspark.intervals.tables.storage import SIZE, STRIDE, Column, Rows
from larspark.language.calendar import Calendar
from larspark.reasoners.interval.network import Compute, CoreRule, Relation
from larspark.reasoners.interval.planning.plan import Functions
from larspark.reasoners.interval.planning.statistics import Size, size_of
from larspark.reasoners.interval.state.calculator import Calculator
from larspark.reasoners.interval.state.decimals import Units
from larspark.reasoners.interval.state.dictionary import Dictionary
from larspark.reasoners.interval.state.profile import Profile

MEMO_LIMIT = 1 << 16
QUESTIONS = 1 << 15
"""How many operations that the memo lacks are collected before they are answered."""


class Tables:
    """Storage and the machine that runs over it."""

    def __init__(
        self,
        relations: Sequence[Relation],
        dictionary: Dictionary,
        functions: Functions,
        imported: Mapping[str, Callable[..., Any]],
        calendar: Calendar | None,
        arity: int,
    ) -> None:
        self.dictionary = dictionary
        self.functions = functions
        self.imported = imported
        """What `#function` names."""
        self._calculator = Calculator(dictionary, functions, imported, calendar)
        self.profile: Profile | None = None
        """What rules cost, where that is asked for."""
        self.horizon = 0
        """Validity before this time no longer matters."""
        self._kept = [relation.kept for relation in relations]
        self.limits = np.full(len(relations), FOREVER, np.int64)
        self._main = [storage.new_table(r.width, list(r.indexes)) for r in relations]
        self._ghost = [storage.new_table(r.width, list(r.indexes)) for r in relations]
        self._tables, self._ghosts = list_of_tables(self._main), list_of_tables(self._ghost)
        self._places = [address_of(main) for main in self._main]
        # These arrays are the ones the tables hold, and are never replaced.
        self._sizes = [column(main, storage.META) for main in self._main]
        self.watchers: dict[int, Callable[[Column], None]] = {}
        """Called with the new places of entries when a table has been compacted."""
        width = max(3, arity + 1)
        self._memo = storage.new_table(width, [])
        self.crowded = False
        """Whether there are more results of arithmetic than should be kept."""
        self._memo_size = column(self._memo, storage.META)
        held = (address_of(one) for one in (self._tables, self._ghosts, self._memo))
        self.memory = np.array([*held, 0, 0], np.int64)
        self._show_decimals()
        self.tally = np.zeros(3, np.int64)
        self.questions = np.empty((QUESTIONS, width), np.int64)

    def uncovered(self, relation: Relation, rows: Rows) -> Rows:
        return addresses.uncovered_at(self._places[relation.number], rows)

    def content(self, relation: Relation) -> Rows:
        return storage.content(self._main[relation.number])

    def raw(self, relation: Relation) -> storage.Table:
        return self._main[relation.number]

    def place(self, relation: Relation) -> int:
        """The address of the table."""
        return self._places[relation.number]

    def size(self, relation: Relation) -> int:
        """The number of entries in use, dead ones included."""
        return int(self._sizes[relation.number][SIZE])

    def sizes(self, relations: Iterable[Relation]) -> dict[str, Size]:
        """How large stored relations are now."""
        return {relation.name: size_of(self.raw(relation), self.horizon) for relation in relations if relation.stored}

    def reindex(self, relations: Iterable[Relation]) -> None:
        """Give the tables the indexes that their relations name now; entries stay where they are."""
        for relation in relations:
            for tables in (self._main, self._ghost):
                storage.reindex(tables[relation.number], list(relation.indexes))

    def capacity(self, relation: Relation) -> int:
        """The number of entries for which there is room."""
        entries = column(self._main[relation.number], storage.ENTRIES)
        return len(entries) // int(self._sizes[relation.number][STRIDE])

    def ghost(self, relation: Relation) -> int:
        """The address of the table of what a step has removed."""
        return address_of(self._ghost[relation.number])

    def compact(self, numbers: Iterable[int]) -> None:
        """Give back the room of what has expired in these tables, and of results when there are too many."""
        for number in numbers:
            moved = storage.compact(self._main[number], self.horizon - self._kept[number])
            if number in self.watchers:
                self.watchers[number](moved)
        if self.crowded:
            storage.clear(self._memo)
            self.crowded = False

    # -- arithmetic that the machine cannot do on codes --------------------------------------------

    @property
    def undefined(self) -> int:
        """Rule instances that did not fire because their arithmetic has no value."""
        return int(self.tally[ALL_UNDEFINED])

    def answer(self) -> None:
        """Find the results that the machine has asked for, and put them where it looks."""
        arithmetic.memorize(self._memo, *self._calculator.answers(self.questions[: self.tally[MISSES]]))
        self.crowded = bool(self._memo_size[SIZE] > MEMO_LIMIT)
        self._show_decimals()

    def calculated(self, function: int, codes: Rows) -> Column:
        """The codes of results, or whether relations hold, for rows of arguments."""
        found = self._calculator.values(function, codes)
        self._show_decimals()
        return found

    def units_of(self, codes: Column) -> Units:
        """The numbers that are meant by codes."""
        found = self._calculator.decimals.units(codes)
        self._show_decimals()
        return found

    @property
    def decimals(self) -> Column:
        """What is known of the decimals in the dictionary, for compiled code."""
        return self._calculator.decimals.known

    def codes_of(self, numbers: Units) -> Column:
        """The codes of numbers, all of which have units."""
        found = self._calculator.decimals.codes(numbers)
        self._show_decimals()
        return found

    def _show_decimals(self) -> None:
        """Let the machine see what is known of decimals, which may have moved."""
        known = self._calculator.decimals.known
        self.memory[DECIMALS], self.memory[DECIMALS_SIZE] = known.ctypes.data, len(known)


def widest_call(rules: Sequence[CoreRule]) -> int:
    """The largest number of arguments of a function in the rules."""
    return max((len(part.args) for rule in rules for part in rule.body if isinstance(part, Compute)), default=0)


def as_rows(rows: Sequence[Sequence[int]], width: int) -> Rows:
    """Rows from Python numbers; `width` key columns and an interval."""
    return np.array(rows, np.int64).reshape(len(rows), width + 2)
