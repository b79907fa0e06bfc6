"""Where a stream ends: changes become the intervals of tables; repeating a micro-batch changes nothing.

A table holds, at any moment, what a bounded run up to the watermark would write: intervals that have ended in one file
per micro-batch, those still going on in `open.parquet`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame

from larspark.spark.plan import Plan
from larspark.spark.streaming.checkpoint import Checkpoint, Progress, replace_table
from larspark.spark.streaming.columns import arrow_type, change_tables, interval_tables, retyped, sorts_in
from larspark.spark.streaming.delivery import FINAL, Delivery, Style
from larspark.spark.streaming.ledger import Ledger, no_changes, post, tell
from larspark.spark.streaming.letters import late_letters
from larspark.spark.streaming.parcels import Parcel, change_schema
from larspark.spark.streaming.timeline import Patience
from larspark.spark.write.dead_letters import DEAD_LETTERS
from larspark.spark.write.names import file_name

OPEN, GOING_ON, TOLD = "open.parquet", "going-on.parquet", "told.parquet"


@dataclass(frozen=True)
class Sink:
    """The tables of a stream and their checkpoint."""

    plan: Plan
    output: Path
    checkpoint: Checkpoint
    patience: Patience
    report: Callable[[Progress], None]
    style: Style = FINAL

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
        width, state = self._width, self.checkpoint.state(now)
        ledger = Ledger(self._kept(before, GOING_ON), self._kept(before, OPEN))
        posting = post(ledger, delivery.changes, delivery.ahead, before.watermark, now.watermark, width)
        now = replace(now, rows=before.rows + len(posting.over))
        if now.watermark > before.watermark or self.style.early:
            now = self._with_sorts(now, pa.concat_tables([posting.over, posting.shown]))
            if self.style.changes:
                told = self._kept(before, TOLD, no_changes(width))
                end = max(now.seen or -1, now.watermark) if self.style.early else now.watermark
                news, left = tell(told, posting, before.watermark, now.watermark, end)
                replace_table(state / TOLD, left)
                self._put(change_tables(self.plan, news, now.columns), f"{now.name}.parquet")
            else:
                self._put(interval_tables(self.plan, posting.over, now.columns), f"{now.name}.parquet")
                self._put(interval_tables(self.plan, posting.shown, now.columns), OPEN)
        replace_table(state / GOING_ON, posting.ledger.going_on)
        replace_table(state / OPEN, posting.ledger.open)
        return now

    def _kept(self, progress: Progress, name: str, nothing: pa.Table | None = None) -> pa.Table:
        path = self.checkpoint.state(progress) / name
        if path.exists():
            return pq.read_table(path)
        return change_schema(self._width).empty_table() if nothing is None else nothing

    def _with_sorts(self, now: Progress, written: pa.Table) -> Progress:
        """A column may need a wider type than it has had; then what is there is written again."""
        found = {key: now.columns.get(key, sort) | sort for key, sort in sorts_in(self.plan, written).items()}
        wider = {
            key: sort
            for key, sort in found.items()
            if key in now.columns and arrow_type(sort) != arrow_type(now.columns[key])
        }
        for name in {table for table, _ in wider}:
            sorts = {column: sort for (table, column), sort in wider.items() if table == name}
            for path in sorted((self.output / file_name(name)).glob("*.parquet")):
                replace_table(path, retyped(pq.read_table(path), sorts))
        return replace(now, sorts=[[*key, *astuple(sort)] for key, sort in sorted(found.items())])

    def _put(self, tables: Iterable[tuple[str, pa.Table]], file: str) -> None:
        for name, table in tables:
            replace_table(self.output / file_name(name) / file, table)

    def _set_aside(self, delivery: Delivery, watermark: int, batch: int) -> None:
        """Bad and late records, with the reason."""
        late = [late_letters(part, self.plan.vocabulary.numbers, watermark) for part in delivery.late]
        path = self.output / DEAD_LETTERS / f"batch-{batch:06d}.parquet"
        replace_table(path, pa.concat_tables([*delivery.refused, *late]))
