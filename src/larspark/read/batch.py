"""From what a format finds in its records to a chunk: what the program refuses, and the order of time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from larspark.blocks import Argument, Block, Numbers
from larspark.blocks.arguments import columns_of, taken
from larspark.diagnostics import Diagnostic
from larspark.language.calendar import TimeForm
from larspark.language.facts import Fact, Signature
from larspark.language.values import Value
from larspark.read.chunk import Chunk, Refused
from larspark.read.columns.arrays import Rows
from larspark.read.places import Located, Places
from larspark.read.rules import Rules
from larspark.read.values.types import fit, misfit


@dataclass(frozen=True)
class PredicateColumns:
    """The records of one predicate."""

    signature: Signature
    arguments: tuple[Argument, ...]
    rows: Numbers | None = None
    """Which records of the batch they are, ascending; None: all of them."""


@dataclass(frozen=True)
class RecordColumns:
    """Records that follow each other, in columns."""

    times: Numbers
    parts: tuple[PredicateColumns, ...]
    places: Places
    faults: Mapping[int, Diagnostic] = field(default_factory=dict)
    """What is wrong with some of them; without a place it is about the whole record."""
    form: TimeForm = TimeForm.POINTS
    """How their times are written."""

    def __len__(self) -> int:
        return len(self.times)

    def among(self, rows: Numbers, count: int, places: Places, faults: Mapping[int, Diagnostic]) -> RecordColumns:
        """The same records as these rows of so many; what is wrong with the other ones is in `faults`."""
        times = np.zeros(count, np.int64)
        times[rows] = self.times
        parts = (replace(part, rows=rows if part.rows is None else rows[part.rows]) for part in self.parts)
        moved = {int(rows[row]): fault for row, fault in self.faults.items()}
        return RecordColumns(times, tuple(parts), places, {**moved, **faults}, self.form)


class ChunkMaker:
    """Makes the chunks of a source out of its batches, in their order."""

    def __init__(self, rules: Rules, first: int = 0) -> None:
        self._rules = rules
        self._last = 0
        self._first = first
        """The place of the next record among all of the source."""

    def chunk(self, batch: RecordColumns) -> Chunk:
        batch = _of_declared_types(batch, self._rules) if self._rules.typed else batch
        faults = dict(batch.faults)
        objections = {part.signature: self._rules.objection(part.signature) for part in batch.parts}
        taken_rows = np.ones(len(batch), np.bool_)
        if faults:
            taken_rows[list(faults)] = False
        read = taken_rows.copy()
        for part in batch.parts:
            if objections[part.signature] is not None:
                taken_rows[slice(None) if part.rows is None else part.rows] = False
        if self._rules.fact_objection is not None:
            faults |= self._objected(batch, taken_rows, self._rules.fact_objection)
        if self._rules.ordered:
            faults |= self._late(batch.times, taken_rows, read)
        for part in batch.parts:
            objection = objections[part.signature]
            if objection is not None:
                rows = np.arange(len(batch)) if part.rows is None else part.rows
                faults |= {int(row): objection for row in rows if int(row) not in faults}
        blocks = tuple(
            block for part in batch.parts if (block := self._block(part, batch.times, taken_rows)) is not None
        )
        held = self._held(batch, faults) if self._rules.located else {}
        refused = tuple(
            Refused(_placed(faults[row], batch.places, row), batch.places.text(row), self._first + row, held.get(row))
            for row in sorted(faults)
        )
        located = Located(batch.places, self._first) if self._rules.located else None
        chunk = Chunk(blocks, refused, located, batch.form)
        self._first += len(batch)
        return chunk

    def chunk_of(self, batch: RecordColumns, rows: Numbers, times: Numbers) -> Chunk:
        """The chunk of some rows among others: those before which others have a later time are late all the same."""
        before = np.maximum.accumulate(np.concatenate([[self._last], times]))
        late = np.flatnonzero(times[rows] < before[rows]) if self._rules.ordered else ()
        faults = {int(row): _backwards(int(before[rows[row]]), int(batch.times[row])) for row in late}
        chunk = self.chunk(replace(batch, faults={**faults, **batch.faults}))
        self.pass_over(int(before[-1]))
        return chunk

    def pass_over(self, last: int) -> None:
        """Records up to a time that are not looked at."""
        self._last = max(self._last, last)

    @staticmethod
    def _held(batch: RecordColumns, faults: Mapping[int, Diagnostic]) -> dict[int, tuple[int, Fact]]:
        """The times and atoms of refused records that could be read."""
        found: dict[int, tuple[int, Fact]] = {}
        read = np.array([row for row in faults if row not in batch.faults], np.int64)
        for part in batch.parts:
            rows = np.arange(len(batch)) if part.rows is None else part.rows
            places = np.flatnonzero(np.isin(rows, read))
            block = Block(part.signature, batch.times[rows], part.arguments).take(places)
            arrivals = zip(block.times.tolist(), block.facts(), strict=True)
            found |= dict(zip(rows[places].tolist(), arrivals, strict=True))
        return found

    def _late(self, times: Numbers, taken_rows: Rows, read: Rows) -> dict[int, Diagnostic]:
        """Records before the latest time so far; those that are refused do not move it."""
        latest = np.maximum.accumulate(np.where(taken_rows, times, self._last))
        before = np.concatenate([[self._last], np.maximum(latest, self._last)])
        self._last = int(before[-1])
        late = np.flatnonzero(read & (times < before[:-1]))
        taken_rows[late] = False
        return {int(row): _backwards(int(before[row]), int(times[row])) for row in late}

    def _objected(
        self, batch: RecordColumns, taken_rows: Rows, objection: Callable[[Fact, int], Diagnostic | None]
    ) -> dict[int, Diagnostic]:
        found: dict[int, Diagnostic] = {}
        for part in batch.parts:
            rows = np.arange(len(batch)) if part.rows is None else part.rows
            facts = Block(part.signature, batch.times[rows], part.arguments).facts()
            for row, fact in zip(rows.tolist(), facts, strict=True):
                refused = objection(fact, int(batch.times[row])) if taken_rows[row] else None
                if refused is not None:
                    found[row] = refused
        taken_rows[list(found)] = False
        return found

    def _block(self, part: PredicateColumns, times: Numbers, taken_rows: Rows) -> Block | None:
        rows = np.arange(len(times)) if part.rows is None else part.rows
        kept = taken_rows if part.rows is None else taken_rows[rows]
        if not kept.any():
            return None
        if kept.all():
            own = times if part.rows is None else times[rows]
            return Block(part.signature, own, part.arguments, order=rows + self._first)
        inside = np.flatnonzero(kept)
        arguments = tuple(taken(column, inside) for column in part.arguments)
        return Block(part.signature, times[rows[kept]], arguments, order=rows[kept] + self._first)


def _of_declared_types(batch: RecordColumns, rules: Rules) -> RecordColumns:
    """The batch with values of the declared types; of a record, the first value that is none is told."""
    parts: list[PredicateColumns] = []
    faults: dict[int, Diagnostic] = {}
    for part in batch.parts:
        said = rules.typed.get(part.signature)
        if said is not None:
            columns = list(part.arguments)
            for place, kind in reversed([*enumerate(said.types)]):
                if kind is not None:
                    columns[place], wrong = fit(columns[place], kind, rules.calendar)
                    rows = part.rows
                    faults |= {
                        row if rows is None else int(rows[row]): misfit(reason, said, place)
                        for row, reason in wrong.items()
                    }
            part = replace(part, arguments=tuple(columns))  # noqa: PLW2901
        parts.append(part)
    return replace(batch, parts=tuple(parts), faults={**faults, **batch.faults})


def _backwards(last: int, time: int) -> Diagnostic:
    return Diagnostic("E405", f"Time goes backwards, from {last} to {time}.", "Order the records by time.")


def _placed(fault: Diagnostic, places: Places, row: int) -> Diagnostic:
    return fault if fault.origin is not None else replace(fault, origin=places.origin(row))


def parts_of_facts(facts: Iterable[tuple[int, Fact]]) -> Iterator[PredicateColumns]:
    """The parts of facts in the rows of a batch."""
    grouped: dict[tuple[str, int], tuple[list[int], list[tuple[Value, ...]]]] = {}
    for row, (predicate, args) in facts:
        rows, values = grouped.setdefault((predicate, len(args)), ([], []))
        rows.append(row)
        values.append(args)
    for (predicate, arity), (rows, values) in grouped.items():
        yield PredicateColumns(Signature(predicate, arity), columns_of(values, arity), np.array(rows, np.int64))
