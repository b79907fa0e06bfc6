"""A program over data in one call: tables, files or facts in, intervals out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from larspark.blocks import Block, merge
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import Signature
from larspark.language.tree import Duration
from larspark.language.values import Value
from larspark.read import Chunk, chunk_of_facts, chunks_of_table
from larspark.reasoners.registry import DEFAULT
from larspark.runtime.answers import Intervals
from larspark.runtime.atoms import AtomLike, arrivals_of
from larspark.runtime.pointwise import Wanted
from larspark.runtime.pointwise import evaluate as evaluate_points
from larspark.runtime.prepared import Prepared, ProgramLike, prepare
from larspark.runtime.recording import Recording
from larspark.runtime.stretches import intervals_of

if TYPE_CHECKING:
    from larspark.runtime.explaining import Case


def evaluate(  # noqa: PLR0913 - the options of `prepare`, which a reader wants to see
    program: ProgramLike,
    data: Any,
    reasoner: str = DEFAULT,
    *,
    timeline: tuple[int, int] | None = None,
    background: Iterable[AtomLike | Path] = (),
    clock: Duration | str | None = None,
    epoch: datetime | None = None,
    constants: Mapping[str, Value] | None = None,
    allow_functions: bool = False,
) -> Intervals:
    """What follows from the data, as intervals.

    `data` is a table for each predicate, `{"hot": frame}` (Arrow, pandas, polars, or columns), with a column `time`;
    one table with a column `atom` or `predicate`; or arrivals, `[(0, "hot(press)"), …]`. Rows need not be in the order
    of time. The timeline is that of the data unless it is given.
    """
    prepared = prepare(
        program,
        clock=clock,
        epoch=epoch,
        constants=constants,
        background=background,
        allow_functions=allow_functions,
    ).require(reasoner)
    blocks = blocks_of(data, prepared)
    start, end = _timeline(blocks, timeline)
    found = tuple(_intervals(prepared, blocks, (start, end), reasoner))
    case = partial(_case, prepared, blocks, (start, end), reasoner)
    return Intervals(found, table_names(prepared), column_names(prepared), case)


def _case(prepared: Prepared, blocks: Sequence[Block], timeline: tuple[int, int], reasoner: str) -> Case:
    """The data with the number of every row, for questions about the answers."""
    from larspark.explain.history import Place, Sourced  # noqa: PLC0415 - questions are seldom asked
    from larspark.runtime.explaining import Case  # noqa: PLC0415

    rows = sorted(Chunk(tuple(blocks)).rows(), key=lambda row: (row[1], row[0]))
    arrivals = (Sourced(time, fact, Place("data", place + 1)) for place, time, fact in rows)
    return Case(prepared, tuple(arrivals), *timeline, reasoner)


def blocks_of(data: Any, prepared: Prepared) -> list[Block]:
    """The atoms of tables or arrivals, a block for each predicate in the order of time; `Rejected` for bad records."""
    blocks: dict[Signature, list[Block]] = {}
    refused: list[Diagnostic] = []
    for chunk in _chunks(data, prepared):
        refused += (one.diagnostic for one in chunk.refused)
        for block in chunk.blocks:
            blocks.setdefault(block.signature, []).append(block)
    if refused:
        raise Rejected(refused)
    return [merge(parts) for parts in blocks.values()]


def _chunks(data: Any, prepared: Prepared) -> Iterator[Chunk]:
    rules = replace(prepared.rules, ordered=False)
    if isinstance(data, Mapping) and not _is_column(next(iter(data.values()), None)):
        first = 0
        for predicate, table in data.items():
            for chunk in chunks_of_table(table, rules, predicate, first=first):
                yield chunk
                first += len(chunk) + len(chunk.refused)
    elif isinstance(data, Mapping) or hasattr(data, "columns") or hasattr(data, "__arrow_c_stream__"):
        yield from chunks_of_table(data, rules)
    else:
        yield chunk_of_facts(arrivals_of(data, prepared.calendar), rules)


def _is_column(value: object) -> bool:
    """Whether a dictionary with this value is one of columns, not of tables."""
    return isinstance(value, Sequence | np.ndarray | pa.Array | pa.ChunkedArray)


def _timeline(blocks: Sequence[Block], timeline: tuple[int, int] | None) -> tuple[int, int]:
    first = min((int(block.times[0]) for block in blocks if len(block)), default=0)
    last = max((int(block.times[-1]) for block in blocks if len(block)), default=0)
    start, end = timeline or (first, last)
    if start > first or end < start:
        message = f"The timeline from {start} to {end} does not begin with the data, which starts at {first}."
        raise Rejected([Diagnostic("E411", message, "Let the timeline start earlier, and end after it starts.")])
    return start, end


def _intervals(
    prepared: Prepared, blocks: Sequence[Block], timeline: tuple[int, int], reasoner: str
) -> Iterator[Block]:
    start, end = timeline
    running = prepared.reasoner(reasoner, start)
    if reasoner == "interval":
        from larspark.reasoners.interval import IntervalReasoner  # noqa: PLC0415 - loads kernels
        from larspark.runtime.replay import Replay  # noqa: PLC0415

        assert isinstance(running, IntervalReasoner)
        return Replay(running, prepared.analysis.shown).intervals([blocks], end)
    recording = Recording.on_timeline([Chunk(tuple(blocks))], timeline)
    return intervals_of(evaluate_points(running, recording, Wanted(prepared.analysis.shown)))


def table_names(prepared: Prepared) -> dict[str, Signature]:
    """The shown predicates by name; with the arity where a name has several."""
    shown = sorted(prepared.analysis.shown)
    names = [signature.predicate for signature in shown]
    return {str(one) if names.count(one.predicate) > 1 else one.predicate: one for one in shown}


def column_names(prepared: Prepared) -> dict[Signature, list[str]]:
    """The names of the arguments: as `#input` has them, otherwise arg1, arg2, …"""
    named = {one.signature: list(one.columns) for one in prepared.inputs if one.columns}
    return {one: named.get(one, [f"arg{place + 1}" for place in range(one.arity)]) for one in prepared.analysis.shown}
