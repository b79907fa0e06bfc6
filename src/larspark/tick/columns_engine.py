"""The engine for many ticks at once, for programs that have one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pyarrow as pa

from larspark.analysis.rewrites.ticks_as_times import ticks_as_times
from larspark.reasoners.interval import IntervalReasoner
from larspark.runtime.prepared import Prepared
from larspark.tick.column_lines import LineMaker
from larspark.tick.columns import FIRST_GRAIN, TickColumns
from larspark.tick.output import Filter
from larspark.tick.timing import EveryPoints, Timing

MakeColumns: TypeAlias = Callable[[int, Callable[[pa.Array], None]], TickColumns]
"""From the start of the timeline and where to write."""


def columns_engine(
    prepared: Prepared, timing: Timing, keep: Filter, make_lines: Callable[[], LineMaker]
) -> MakeColumns | None:
    """What makes the engine; None when the ticks of the program are no times of a finer clock."""
    by_time = isinstance(timing, EveryPoints)
    if not by_time and ticks_as_times(prepared.analysis, FIRST_GRAIN) is None:
        return None

    def reasoner(start: int, grain: int) -> IntervalReasoner:
        finer = None if by_time else ticks_as_times(prepared.analysis, grain)
        made = (prepared if finer is None else prepared.rewritten(finer)).reasoner("interval", start * grain)
        assert isinstance(made, IntervalReasoner)
        return made

    return lambda start, write: TickColumns(reasoner, start, timing, keep, make_lines(), write)
