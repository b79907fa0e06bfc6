"""A program over data in one call: tables, files or facts in, intervals out."""

from __future__ import annotations

import logging
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import accumulate
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pyarrow as pa

from larspark.analysis.typing.sorts import (
    Sorts,
    argument_sorts,
    declared_sorts,
    sorts_of_facts,
    time_places,
    with_declared,
)
from larspark.blocks import Block, merge
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import TimeForm
from larspark.language.facts import Signature
from larspark.language.tree import Duration
from larspark.language.values import Value
from larspark.python.answers import Intervals
from larspark.read import Chunk, chunk_of_facts, chunks_of_table
from larspark.read.columns.layout import RowLayout
from larspark.read.columns.time_columns import form_of_table
from larspark.read.formats.tables import to_arrow
from larspark.read.values.times import form_of
from larspark.reasoners.protocol import Reasoner
from larspark.reasoners.registry import DEFAULT
from larspark.runtime.atoms import AtomLike, TimeLike, arrivals_of, time_of
from larspark.runtime.findings.account import Account
from larspark.runtime.findings.unfired import fired_rules
from larspark.runtime.naming import column_names, table_names
from larspark.runtime.pointwise import Wanted
from larspark.runtime.pointwise import evaluate as evaluate_points
from larspark.runtime.prepared import Prepared, ProgramLike, prepare
from larspark.runtime.recording import Recording
from larspark.runtime.stretches import intervals_of
from larspark.write.columns import sort_of_arrow
from larspark.write.times import TimeWriter

_LOG = logging.getLogger("larspark")

if TYPE_CHECKING:
    from larspark.questions.explaining import Case


def evaluate(  # noqa: PLR0913 - the options of `prepare`, which a reader wants to see
    program: ProgramLike,
    data: Any,
    reasoner: str = DEFAULT,
    *,
    timeline: tuple[TimeLike, TimeLike] | None = None,
    background: Iterable[AtomLike | Path] = (),
    clock: Duration | str | None = None,
    epoch: datetime | None = None,
    timezone: str | None = None,
    constants: Mapping[str, Value] | None = None,
    allow_functions: bool = False,
    points: bool = False,
) -> Intervals:
    """What follows from the data, as intervals.

    `data` is a table for each predicate, `{"hot": frame}` (Arrow, pandas, polars, or columns), with a column `time`;
    one table with a column `atom` or `predicate`; or arrivals, `[(0, "hot(press)"), …]`. Rows need not be in the order
    of time. The timeline is that of the data unless it is given.

    Where the data has timestamps, or an epoch is given, times leave as timestamps, unless `points` are wanted. What is
    odd about program and data is told to the logger `larspark`.
    """
    prepared = (
        prepare(
            program,
            clock=clock,
            epoch=epoch,
            timezone=timezone,
            constants=constants,
            background=background,
            allow_functions=allow_functions,
        )
        .logged()
        .require(reasoner)
    )
    arrived = arrivals_in(data, prepared)
    blocks, calendar = arrived.blocks, prepared.calendar
    given = timeline and (time_of(timeline[0], calendar), time_of(timeline[1], calendar))
    start, end = timeline_over(blocks, given)
    account = Account(prepared.analysis, calendar)
    account.take(blocks)
    running = prepared.reasoner(reasoner, start)
    found = tuple(_intervals(prepared, running, blocks, (start, end)))
    account.fired = fired_rules(running)
    for finding in account.findings(max(calendar.form, arrived.form)):
        _LOG.warning("%s", finding)
    form = TimeForm.POINTS if points else max(calendar.form, arrived.form)
    case = partial(_case, prepared, arrived, (start, end), reasoner, form)
    sorts = argument_sorts(prepared.program, {**arrived.sorts, **sorts_of_facts(prepared.background)})
    analysis = prepared.analysis
    names, columns = table_names(analysis.shown), column_names(analysis)
    return Intervals(found, names, columns, case, TimeWriter(calendar, form, time_places(sorts)), sorts)


def _case(prepared: Prepared, arrived: Arrived, timeline: tuple[int, int], reasoner: str, form: TimeForm) -> Case:
    """The data with the table and the number of every row, for questions about the answers."""
    from larspark.explain.evaluations.history import RecordPlace, Sourced  # noqa: PLC0415 - questions are seldom asked
    from larspark.questions.explaining import Case  # noqa: PLC0415

    def place_of(row: int) -> RecordPlace:
        name, first = arrived.tables[bisect_right(arrived.tables, row, key=itemgetter(1)) - 1]
        return RecordPlace(name, row - first + 1)

    rows = sorted(Chunk(tuple(arrived.blocks)).rows(), key=lambda row: (row[1], row[0]))
    arrivals = (Sourced(time, fact, place_of(row)) for row, time, fact in rows)
    return Case(prepared, tuple(arrivals), *timeline, reasoner, form=form)


NumberedTables: TypeAlias = tuple[tuple[str, int], ...]
ONE_TABLE: NumberedTables = (("data", 0),)
"""What has no name of its own."""


@dataclass(frozen=True)
class Arrived:
    """The data of an evaluation."""

    blocks: list[Block]
    """One for each predicate, in the order of time."""
    form: TimeForm
    """How its times are written."""
    sorts: Sorts
    """What is known of its arguments."""
    tables: NumberedTables = ONE_TABLE
    """Each with the number of its first row among all."""


def blocks_of(data: Any, prepared: Prepared) -> list[Block]:
    """The atoms of tables or arrivals, a block for each predicate in the order of time; `Rejected` for bad records."""
    return _read(_arrow_tables(data) if _are_tables(data) else data, prepared)[0]


def arrivals_in(data: Any, prepared: Prepared) -> Arrived:
    """Tables or arrivals as they are read; `Rejected` for bad records."""
    form, sorts, tables = TimeForm.POINTS, declared_sorts(prepared.analysis), ONE_TABLE
    if _are_tables(data):
        data = _arrow_tables(data)
        form = max((form_of_table(table, predicate, prepared.rules) for predicate, table in data.items()), default=form)
        sorts |= with_declared(_sorts_of_tables(data, prepared), prepared.analysis)
        begins = accumulate((len(table) for table in data.values()), initial=0)
        tables = tuple(zip(data, begins, strict=False))
    elif not _is_table(data):
        data = list(data)
        form = max((form_of(time) for time, _ in data), default=form)
    blocks, found = _read(data, prepared)
    return Arrived(blocks, max(form, found), sorts, tables)


def _read(data: Any, prepared: Prepared) -> tuple[list[Block], TimeForm]:
    """The blocks, and how their times are written."""
    blocks: dict[Signature, list[Block]] = {}
    refused: list[Diagnostic] = []
    form = TimeForm.POINTS
    for chunk in _chunks(data, prepared):
        form = max(form, chunk.form)
        refused += (one.diagnostic for one in chunk.refused)
        for block in chunk.blocks:
            blocks.setdefault(block.signature, []).append(block)
    if refused:
        raise Rejected(refused)
    return [merge(parts) for parts in blocks.values()], form


def _arrow_tables(tables: Mapping[str, Any]) -> dict[str, pa.Table]:
    return {predicate: to_arrow(table) for predicate, table in tables.items()}


def _sorts_of_tables(tables: Mapping[str, pa.Table], prepared: Prepared) -> Sorts:
    """What the types of columns tell."""
    found = {}
    for predicate, table in tables.items():
        layout = RowLayout.of(table.schema.names, predicate, prepared.rules, None)
        if layout.atom is None and layout.named is None:
            told = tuple(sort_of_arrow(table.schema.field(place).type) for place in layout.arguments)
            found[Signature(predicate, len(told))] = told
    return found


def _chunks(data: Any, prepared: Prepared) -> Iterator[Chunk]:
    rules = replace(prepared.rules, ordered=False)
    if _are_tables(data):
        first = 0
        for predicate, table in data.items():
            for chunk in chunks_of_table(table, rules, predicate, first=first):
                yield chunk
                first += len(chunk) + len(chunk.refused)
    elif _is_table(data):
        yield from chunks_of_table(data, rules)
    else:
        yield chunk_of_facts(arrivals_of(data, prepared.calendar), rules)


def _are_tables(data: Any) -> bool:
    return isinstance(data, Mapping) and not _is_column(next(iter(data.values()), None))


def _is_table(data: Any) -> bool:
    return isinstance(data, Mapping) or hasattr(data, "columns") or hasattr(data, "__arrow_c_stream__")


def _is_column(value: object) -> bool:
    """Whether a dictionary with this value is one of columns, not of tables."""
    return isinstance(value, Sequence | np.ndarray | pa.Array | pa.ChunkedArray)


def timeline_over(blocks: Sequence[Block], timeline: tuple[int, int] | None) -> tuple[int, int]:
    """The timeline that is given, or that of the data; `Rejected` when it begins after the data."""
    first = min((int(block.times[0]) for block in blocks if len(block)), default=0)
    last = max((int(block.times[-1]) for block in blocks if len(block)), default=0)
    start, end = timeline or (first, last)
    if start > first or end < start:
        message = f"The timeline from {start} to {end} does not begin with the data, which starts at {first}."
        raise Rejected([Diagnostic("E411", message, "Let the timeline start earlier, and end after it starts.")])
    return start, end


def intervals_over(prepared: Prepared, blocks: Sequence[Block], timeline: tuple[int, int]) -> Iterator[Block]:
    """The shown conclusions on a timeline."""
    return _intervals(prepared, prepared.reasoner(DEFAULT, timeline[0]), blocks, timeline)


def _intervals(
    prepared: Prepared, running: Reasoner, blocks: Sequence[Block], timeline: tuple[int, int]
) -> Iterator[Block]:
    from larspark.reasoners.interval import IntervalReasoner  # noqa: PLC0415 - loads kernels

    if isinstance(running, IntervalReasoner):
        from larspark.runtime.replay import Replay  # noqa: PLC0415

        return Replay(running, prepared.analysis.shown).intervals([blocks], timeline[1], used_up=True)
    recording = Recording.on_timeline([Chunk(tuple(blocks))], timeline)
    return intervals_of(evaluate_points(running, recording, Wanted(prepared.analysis.shown)))
