"""Where a stream ends: changes become the intervals of tables; repeating a micro-batch changes nothing.

A table holds, at any moment, what a bounded run up to the watermark would write: intervals that have ended in one file
per micro-batch, those still going on in `open.parquet`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.sql import DataFrame

from larspark.language.facts import Fact
from larspark.spark.cells import decode_values
from larspark.spark.intake import REFUSED
from larspark.spark.plan import Plan
from larspark.spark.rows import OTHER, Kind, row_columns
from larspark.spark.streaming.checkpoint import Checkpoint, Progress, replace_table
from larspark.spark.streaming.columns import as_text, change_tables, text_columns, typed_tables
from larspark.spark.streaming.folding import folded, within
from larspark.spark.streaming.parcels import ORIGIN, Content, Parcel, change_schema, joined, unpacked
from larspark.spark.streaming.timeline import Patience, Pulse
from larspark.spark.union import combine_rows
from larspark.spark.writing import DEAD_LETTERS, file_name

LATE = "E412"
OPEN, GOING_ON = "open.parquet", "going-on.parquet"


class Style(Enum):
    """What the tables show."""

    FINAL = auto()
    """Intervals up to the watermark."""
    EARLY = auto()
    """Intervals up to the latest time seen; what lies after the watermark may be corrected."""
    CHANGES = auto()
    """Where intervals start and end, up to the watermark."""


@dataclass(frozen=True)
class Delivery:
    """What has come to the sink in a micro-batch."""

    pulses: list[Pulse]
    good: int
    """Records that are atoms, late ones included."""
    changes: list[pa.Table]
    late: list[pa.Table]
    refused: list[pa.Table]
    ahead: list[pa.Table]
    """Conclusions after the watermark, where they are wanted early."""

    @classmethod
    def of(cls, parcels: Iterable[Parcel]) -> Delivery:
        found = cls([], 0, [], [], [], [])
        good = 0
        for parcel in parcels:
            payload = parcel.payload or b""
            match parcel.content:
                case Content.ARRIVALS:
                    found.pulses.append(Pulse.load(parcel.pulse or ""))
                    good += int(payload)
                case Content.CHANGES:
                    found.changes.append(unpacked(payload))
                case Content.LATE:
                    found.late.append(unpacked(payload))
                case Content.REFUSED:
                    found.refused.append(unpacked(payload))
                case Content.EARLY:
                    found.ahead.append(unpacked(payload))
        return replace(found, good=good)


@dataclass(frozen=True)
class Sink:
    """The tables of a stream and their checkpoint."""

    plan: Plan
    output: Path
    checkpoint: Checkpoint
    patience: Patience
    report: Callable[[Progress], None]
    style: Style = Style.FINAL

    def write(self, parcels: DataFrame, batch: int) -> None:
        """One micro-batch, for `foreachBatch`."""
        self.take(Delivery.of(Parcel(**row) for row in parcels.toArrow().to_pylist()), batch)

    def take(self, delivery: Delivery, batch: int) -> None:
        before = self.checkpoint.progress(batch - 1)
        timeline = before.timeline.moved(delivery.pulses, self.patience)
        late, refused = sum(map(len, delivery.late)), sum(map(len, delivery.refused))
        now = replace(
            before,
            batch=batch,
            first=timeline.first,
            heard=[*timeline.heard],
            watermark=timeline.watermark,
            arrivals=before.arrivals + delivery.good - late,
            refused=before.refused + refused,
            late=before.late + late,
        )
        if late or refused:
            self._set_aside(delivery, before.watermark, batch)
        now = self._fold(delivery, before, now)
        self.checkpoint.commit(now)
        self.report(now)

    @property
    def _width(self) -> int:
        return self.plan.vocabulary.width

    def _fold(self, delivery: Delivery, before: Progress, now: Progress) -> Progress:
        """Write what has ended and what goes on."""
        width = self._width
        ended, going_on = folded(self._kept(before, GOING_ON), joined(delivery.changes, width), width)
        known = within(joined([ended, going_on], width), before.watermark + 1, now.watermark)
        table = _united(joined([self._kept(before, OPEN), known], width), width)
        is_over = pc.less(table.column("until"), now.watermark)
        over, still = table.filter(is_over), table.filter(pc.invert(is_over))
        shown = still
        if delivery.ahead:
            shown = _united(joined([with_origin(still), *delivery.ahead], width), width)
        now = replace(now, rows=before.rows + len(over))
        if now.watermark > before.watermark or self.style is Style.EARLY:
            now = self._with_texts(now, [table, shown])
            if self.style is Style.CHANGES:
                begun = table.filter(pc.greater(table.column("time"), before.watermark))
                self._put(change_tables(self.plan, begun, over, now.text_columns), f"{now.name}.parquet")
            else:
                self._put(typed_tables(self.plan, over, now.text_columns), f"{now.name}.parquet")
                self._put(typed_tables(self.plan, shown, now.text_columns), OPEN)
        replace_table(self.checkpoint.state(now) / GOING_ON, going_on)
        replace_table(self.checkpoint.state(now) / OPEN, with_origin(still))
        return now

    def _kept(self, progress: Progress, name: str) -> pa.Table:
        path = self.checkpoint.state(progress) / name
        return pq.read_table(path) if path.exists() else change_schema(self._width).empty_table()

    def _with_texts(self, now: Progress, written: Iterable[pa.Table]) -> Progress:
        """A column that was one of numbers may become one of text; then what is there is written again."""
        found = {one for part in written for one in text_columns(self.plan, part)} - now.text_columns
        for name in {table for table, _ in found}:
            columns = [column for table, column in found if table == name]
            for path in sorted((self.output / file_name(name)).glob("*.parquet")):
                replace_table(path, as_text(pq.read_table(path), columns))
        return replace(now, texts=sorted(map(list, now.text_columns | found)))

    def _put(self, tables: Iterable[tuple[str, pa.Table]], file: str) -> None:
        for name, table in tables:
            replace_table(self.output / file_name(name) / file, table)

    def _set_aside(self, delivery: Delivery, watermark: int, batch: int) -> None:
        """Bad and late records, with the reason."""
        told = f"{LATE}: The atom arrives late; everything up to {watermark} is final."
        late = [self._as_letters(part, told) for part in delivery.late]
        replace_table(
            self.output / DEAD_LETTERS / f"batch-{batch:06d}.parquet", pa.concat_tables([*delivery.refused, *late])
        )

    def _as_letters(self, late: pa.Table, told: str) -> pa.Table:
        names = {number: signature for signature, number in self.plan.vocabulary.numbers.items()}
        texts = []
        for number, one in ((part.column("predicate")[0].as_py(), part) for part in _single_rows(late)):
            record: dict[str, object] = {"time": one.column("time")[0].as_py()}
            if number != OTHER:
                signature = names[number]
                (args,) = decode_values(one, signature.arity)
                record["atom"] = str(Fact(signature.predicate, args))
            texts.append(json.dumps(record, ensure_ascii=False))
        columns = [pa.array([told] * len(late), pa.string()), pa.array(texts, pa.string()), late.column("source")]
        return pa.table(columns, names=[*REFUSED, "source"])


def with_origin(conclusions: pa.Table) -> pa.Table:
    """United conclusions, beside those of which it is known who says them."""
    return conclusions.append_column(ORIGIN, pa.nulls(len(conclusions), pa.int32()))


def _united(known: pa.Table, width: int) -> pa.Table:
    """The intervals of every atom, as long as possible, less the times without an answer stream."""
    void = pc.equal(known.column("kind"), int(Kind.VOID))
    gaps = known.filter(void)
    spans = list(zip(gaps.column("time").to_pylist(), gaps.column("until").to_pylist(), strict=True))
    return combine_rows(known.filter(pc.invert(void)).select(row_columns(width)), spans, width)


def _single_rows(table: pa.Table) -> Iterator[pa.Table]:
    return (table.slice(row, 1) for row in range(len(table)))
