"""A step of an engine under way: what `intervals.step` knows, and the calls that take it further."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct

import numpy as np

from larspark.intervals.compiled import direct
from larspark.intervals.sets import FOREVER
from larspark.intervals.step import network, step, telling
from larspark.intervals.step.network import (
    FLAG,
    HEADS_LENGTH,
    LAST_MADE,
    MADE,
    PLACE,
    PRODUCED,
    RAN,
    RAN_MODE,
    RAN_ROWS,
    TASK,
    TASKS,
)
from larspark.intervals.step.rounds import finish_rounds
from larspark.intervals.step.rows import add_rows, put_rows, rows_of
from larspark.intervals.step.tasks import BY_PLAN, MADE_LENGTH, T_KIND, T_WHAT, TASK_LENGTH
from larspark.intervals.tables.addresses import address_of
from larspark.intervals.tables.lists import column, list_of_columns, list_of_rows, list_of_tables
from larspark.intervals.tables.storage import NONE, SLACK, Column, Rows, passing_table
from larspark.intervals.tables.table import outside
from larspark.reasoners.interval.engine.changes import RelationChanges, Told
from larspark.reasoners.interval.engine.gates import Gates
from larspark.reasoners.interval.engine.layout import NetworkLayout
from larspark.reasoners.interval.network import CoreRule, Relation
from larspark.reasoners.interval.planning.plan import Plan
from larspark.reasoners.interval.state.arrivals import Coded
from larspark.reasoners.interval.state.tables import Tables

ARENA_SIZE = 4096
"""How many numbers the rows of a small step may have together."""
FEW_NUMBERS, TOLD = 64, 512
"""How many numbers can be handed to a step, and told by it, without further ado."""


class StepState:
    """The state of one step after the other over the tables of an engine."""

    def __init__(
        self,
        layout: NetworkLayout,
        gates: Gates,
        relations: Sequence[Relation],
        tables: Tables,
        most_waves: int,
    ) -> None:
        """A recursion that is followed more often than `most_waves` counts as endless."""
        self._layout, self._relations = layout, relations
        self._pool = list_of_rows([np.empty((0, 0), np.int64)])
        self._graves = list_of_tables([passing_table(0)])
        self.head = np.zeros(HEADS_LENGTH, np.int64)
        self.head[PLACE], self.head[network.MOST_WAVES], self.head[network.SPARE] = NONE, most_waves, SLACK
        self.head[network.POOL_AT], self.head[network.GRAVES_AT] = address_of(self._pool), address_of(self._graves)
        flags = np.full((len(relations) + 1, FLAG), NONE, np.int64)
        flags[:, network.F_SINCE] = FOREVER
        bench = [np.zeros(layout.scratch, np.int64), tables.questions.reshape(-1)]
        bench.append(np.zeros(tables.questions.shape[1], np.int64))
        growing = [np.full(64, NONE, np.int64) for _ in range(network.DIRECTORY, network.ARENA)]
        arena = np.empty(ARENA_SIZE, np.int64)
        own = [self.head, flags.reshape(-1), *growing, arena]
        arrays = [*layout.arrays, *gates.arrays, tables.memory, tables.limits, tables.tally, *bench, *own]
        self._held = list_of_columns(arrays)
        places = [number for array in arrays for number in (array.ctypes.data, len(array))]
        self._state = np.array([*places, address_of(self._held)], np.int64)
        self.at: int = self._state.ctypes.data
        """Where the state lives, for compiled code."""
        self.words: memoryview = self.head.data
        """The head, for looks at single numbers."""
        self._make_room(FEW_NUMBERS)
        self._told = bytearray(8 * TOLD)
        self.head[network.TOLD_AT] = np.frombuffer(self._told, np.int64).ctypes.data
        self.head[network.TOLD_ROOM] = TOLD
        self._gate_of, self._other_gate = gates.numbers.get, gates.others
        self._advance = direct(step.advance_few, *["int64"] * 6)

    def advance(self, few: Sequence[Coded], time: int, after: int, until: int, horizon: int) -> Told | int:
        """A whole step with a few arrivals of one time, in order: what it tells, or why it cannot go on."""
        gate = self._gate_of(few[0][0]) if len(few) == 1 else None
        if gate is None:
            count = self._hand_over(few)
        else:
            codes = few[0][1]
            count = len(codes) + 1
            if count > self._room:
                self._make_room(2 * count)
            self._packing[count](self._given, 0, gate, *codes)
        size = self._advance(self.at, count, time, after, until, horizon)
        if size <= 0:
            return -size
        return self._told[: 8 * size] if size <= TOLD else telling.long_told(self.at, size)

    def _hand_over(self, few: Sequence[Coded]) -> int:
        """Put arrivals where the step looks for them; how many numbers they are."""
        given: list[int] = []
        for signature, codes in few:
            gate = self._gate_of(signature, self._other_gate)
            if gate != NONE:
                given.append(gate)
                given += () if gate == self._other_gate else codes
        count = len(given)
        if count > self._room:
            self._make_room(2 * count)
        self._packing[count](self._given, 0, *given)
        return count

    def _make_room(self, size: int) -> None:
        """For the numbers of arrivals."""
        self._room, self._given = size, bytearray(8 * size)
        self._packing = [Struct(f"{count}q").pack_into for count in range(size + 1)]
        self.head[network.GIVEN_AT] = np.frombuffer(self._given, np.int64).ctypes.data

    @property
    def place(self) -> int:
        """The part where the step is."""
        return int(self.head[PLACE])

    def gain_everywhere(self, start: int) -> None:
        """Let rules without a positive literal begin."""
        add_rows(self.at, self._pool, len(self._relations), 0, np.array([[start, FOREVER]], np.int64))
        network.await_readers(self.at, len(self._relations))

    def apply(self, relation: Relation, gained: Rows, lost: Rows) -> None:
        """An exact change of a relation."""
        if len(gained) or len(lost):
            step.apply(self.at, relation.number, np.ascontiguousarray(gained), np.ascontiguousarray(lost))

    def gained(self, relation: Relation) -> Rows | None:
        return self._rows(relation, 0)

    def lost(self, relation: Relation) -> Rows | None:
        return self._rows(relation, 1)

    def _rows(self, relation: Relation, lost: int) -> Rows | None:
        rows = rows_of(self.at, self._pool, relation.number, lost)
        return rows if len(rows) else None

    def add(self, later: RelationChanges) -> None:
        """Add what changed afterwards; what has only come back has not changed."""
        for relation, rows in later.gained.items():
            lost, gained = self.lost(relation), rows
            if lost is not None:
                put_rows(self.at, self._pool, relation.number, 1, outside(lost, rows))
                gained = outside(rows, lost)
            add_rows(self.at, self._pool, relation.number, 0, gained)
            network.await_readers(self.at, relation.number)
        for relation, rows in later.lost.items():
            add_rows(self.at, self._pool, relation.number, 1, rows)
            network.await_readers(self.at, relation.number)

    def wake(self, place: int) -> None:
        """Have a part looked at though nothing has changed for it."""
        network.await_read(self.at, self._layout.reads[place])

    def finish(self, *, in_rounds: bool = False) -> RelationChanges:
        return RelationChanges(finish_rounds(self.at) if in_rounds else telling.finish(self.at), self._relations)

    def stop_watching(self) -> None:
        """Follow no longer what is valid."""
        self._layout.arrays[network.RELATIONS][network.R_WATCH :: network.RELATION] = NONE
        self.head[[network.WATCHED, network.DUES]] = 0

    def full(self) -> list[int]:
        """The numbers of relations whose tables may have much expired content."""
        count = int(self.head[network.FILLED])
        return list(dict.fromkeys(column(self._held, network.FULL)[:count].tolist())) if count else []

    # -- what has been done ------------------------------------------------------------------------

    def ran(self) -> tuple[Plan, int, int]:
        """The plan that was run last, its mode, and how many conclusions it found."""
        number, mode, rows = self.head[[RAN, RAN_MODE, RAN_ROWS]].tolist()
        return self._layout.plans[number], mode, rows

    def asking(self) -> CoreRule | None:
        """The rule whose arithmetic waits for an answer."""
        at = int(self.head[TASK]) * TASK_LENGTH
        tasks: Column = column(self._held, TASKS)
        return self._layout.plans[int(tasks[at + T_WHAT])].rule if tasks[at + T_KIND] == BY_PLAN else None

    def following(self) -> list[Relation]:
        """The relations that wait for conclusions."""
        made: Column = column(self._held, PRODUCED)
        numbers = made[self.head[MADE] * MADE_LENGTH : self.head[LAST_MADE] * MADE_LENGTH : MADE_LENGTH]
        return [self._relations[number] for number in dict.fromkeys(numbers.tolist())]
