"""What is known of conclusions from micro-batch to micro-batch, as intervals and as changes.

An interval that reaches the watermark may go on. Of what lies after the watermark, early answers are told as changes,
too: a change that proves wrong is taken back by the opposite one of the same time, so that the signs up to a time point
always add up to what is known of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from larspark.spark.rows import Kind, row_columns
from larspark.spark.streaming.folding import folded, within
from larspark.spark.streaming.parcels import ORIGIN, change_schema, joined
from larspark.spark.union import combine_rows

SIGN = "sign"


@dataclass(frozen=True)
class Ledger:
    """What one micro-batch leaves to the next."""

    going_on: pa.Table
    """Conclusions that go on, with who says them."""
    open: pa.Table
    """The intervals of all of them that reach the watermark."""

    @classmethod
    def empty(cls, width: int) -> Ledger:
        return cls(change_schema(width).empty_table(), change_schema(width).empty_table())


@dataclass(frozen=True)
class Posting:
    """What a micro-batch has brought."""

    ledger: Ledger
    over: pa.Table
    """Intervals that have ended, as long as possible."""
    shown: pa.Table
    """Those that go on at the watermark; with what is known early, all that reach or follow it."""


def post(
    ledger: Ledger,
    changes: Iterable[pa.Table],
    ahead: Sequence[pa.Table],
    before: int,
    watermark: int,
    width: int,
) -> Posting:
    """Enter the changes of a micro-batch that moves the watermark; `ahead` are conclusions after it."""
    ended, going_on = folded(ledger.going_on, joined(changes, width), width)
    known = within(joined([ended, going_on], width), before + 1, watermark)
    table = _united(joined([ledger.open, known], width), width)
    is_over = pc.less(table.column("until"), watermark)
    over, still = table.filter(is_over), table.filter(pc.invert(is_over))
    kept = Ledger(going_on, _with_origin(still))
    shown = _united(joined([kept.open, *ahead], width), width) if ahead else still
    return Posting(kept, over, shown)


def no_changes(width: int) -> pa.Table:
    return _changes(change_schema(width).empty_table().select(row_columns(width)), 0, 0)


def tell(told: pa.Table, posting: Posting, before: int, watermark: int, end: int) -> tuple[pa.Table, pa.Table]:
    """The changes that a micro-batch makes known up to `end`, after those `told` early; and those told early now."""
    known = _changes(pa.concat_tables([posting.over, posting.shown]), before, end)
    return _difference(told, known), known.filter(pc.greater(known.column("time"), watermark))


def _changes(intervals: pa.Table, before: int, end: int) -> pa.Table:
    """Where intervals start and end after `before`; what reaches the `end` has not ended."""
    begun = intervals.filter(pc.greater(intervals.column("time"), before)).drop_columns(["until"])
    ended = intervals.filter(pc.less(intervals.column("until"), end))
    place = begun.column_names.index("time")
    after = ended.drop_columns(["until"]).set_column(place, "time", pc.add(ended.column("until"), 1))
    return pa.concat_tables([_signed(begun, 1), _signed(after, -1)])


def _signed(rows: pa.Table, sign: int) -> pa.Table:
    return rows.append_column(SIGN, pa.array(np.full(len(rows), sign, np.int32)))


def _difference(told: pa.Table, known: pa.Table) -> pa.Table:
    """What is to be told: what is new, and the opposite of what is no longer so."""
    if not len(told):
        return known
    names = known.column_names
    weighed = [
        table.append_column("weight", pa.array(np.full(len(table), weight, np.int32)))
        for table, weight in ((known, 1), (told.cast(known.schema), -1))
    ]
    summed = pa.concat_tables(weighed).group_by(names).aggregate([("weight", "sum")])
    new = summed.filter(pc.not_equal(summed.column("weight_sum"), 0))
    signs = pc.multiply(new.column(SIGN), new.column("weight_sum").cast(pa.int32()))
    return new.set_column(new.column_names.index(SIGN), SIGN, signs).select(names)


def _with_origin(conclusions: pa.Table) -> pa.Table:
    """United conclusions, beside those of which it is known who says them."""
    return conclusions.append_column(ORIGIN, pa.nulls(len(conclusions), pa.int32()))


def _united(known: pa.Table, width: int) -> pa.Table:
    """The intervals of every atom, as long as possible, less the times without an answer stream."""
    void = pc.equal(known.column("kind"), int(Kind.VOID))
    gaps = known.filter(void)
    spans = list(zip(gaps.column("time").to_pylist(), gaps.column("until").to_pylist(), strict=True))
    return combine_rows(known.filter(pc.invert(void)).select(row_columns(width)), spans, width)
