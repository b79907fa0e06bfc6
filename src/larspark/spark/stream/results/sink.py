"""Where a stream into tables ends: changes become intervals; repeating a micro-batch changes nothing.

A table holds, at any moment, what a bounded run up to the watermark would write: intervals that have ended, those of
each micro-batch beside those before, and apart from them the intervals that are still going on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass, replace
from functools import cached_property

import pyarrow as pa
from pyspark.sql import DataFrame

from larspark.analysis.typing.sorts import ANYTHING, Sort
from larspark.blocks import Block
from larspark.blocks.packing import unpack_table
from larspark.language.facts import Signature
from larspark.reasoners.interval.answers.open_intervals import Told
from larspark.spark.evaluate.messages import named, received
from larspark.spark.plan.plan import SparkPlan
from larspark.spark.stream.buckets import counting
from larspark.spark.stream.buckets.bucket import MicroBatch
from larspark.spark.stream.buckets.counting import with_news
from larspark.spark.stream.buckets.log import pack_all, unpack_all
from larspark.spark.stream.checkpoint import Checkpoint, Progress
from larspark.spark.stream.results.ledger import IntervalLedger
from larspark.spark.stream.results.tables import FINAL, StreamTables, Style
from larspark.spark.stream.watermark import Waiting
from larspark.spark.write.dead_letters import DEAD_LETTERS, late_letters
from larspark.spark.write.names import argument_names, known_sorts, table_names
from larspark.write.columns import arrow_type, sort_in
from larspark.write.places import replace_file
from larspark.write.tables import table_of, table_schema
from larspark.write.times import POINTS, TimeWriter

OPEN, GOING_ON, TOLD = "open", "going-on", "told"
"""Files of the state."""


@dataclass(frozen=True)
class TableSink:
    """The tables of a stream and their checkpoint."""

    plan: SparkPlan
    tables: StreamTables
    checkpoint: Checkpoint
    waiting: Waiting
    report: Callable[[Progress], None]
    style: Style = FINAL
    times: TimeWriter = POINTS

    def write(self, messages: DataFrame, batch: int) -> None:
        """One micro-batch, for `foreachBatch`."""
        given = received(iter(messages.toArrow().to_batches()))
        self.take(MicroBatch.of(given, named(self.plan.vocabulary.numbers)), batch)

    def take(self, given: MicroBatch, batch: int) -> None:
        before = self.checkpoint.progress(batch - 1)
        timeline = before.timeline.moved(given.heard, self.waiting)
        letters = [unpack_table(content) for content in given.refused]
        late = late_letters(given.late, before.watermark)
        now = replace(
            before,
            batch=batch,
            first=timeline.first,
            heard=[*timeline.latest],
            watermark=timeline.watermark,
            arrivals=before.arrivals + sum(one.atoms for one in given.heard) - len(late),
            refused=before.refused + sum(map(len, letters)),
            late=before.late + len(late),
            reasons=dict(Counter(before.reasons) + _reasons(letters)),
            came=dict(sum((Counter(one.came) for one in given.heard), Counter(before.came))),
            rules=_rules(before, given),
            kept=with_news(before.kept, given.kept),
        )
        self.tables.put(now, DEAD_LETTERS, pa.concat_tables([*letters, late]))
        now = self._fold(given, before, now)
        self.tables.commit(now)
        self.checkpoint.commit(now)
        self.report(now)

    def _fold(self, given: MicroBatch, before: Progress, now: Progress) -> Progress:
        """Write what has ended and what goes on."""
        ledger = IntervalLedger(self._kept(before, GOING_ON), (block for _, block in self._kept(before, OPEN)))
        posting = ledger.post(given.changes, given.ahead, before.watermark, now.watermark)
        over, shown = ledger.blocks(posting.over), ledger.blocks(posting.shown)
        ended = Counter(before.answers)
        for name, signature in table_names(self.plan).items():
            ended[name] += sum(len(block) for block in over if block.signature == signature)
        now = replace(now, rows=before.rows + sum(map(len, over)), answers=dict(ended))
        if now.watermark > before.watermark or self.style.early:
            now = self._with_sorts(now, [*over, *shown])
            if self.style.changes:
                told = (block for _, block in self._kept(before, TOLD))
                end = max(now.seen or -1, now.watermark) if self.style.early else now.watermark
                news, left = ledger.tell(told, posting, before.watermark, now.watermark, end)
                self._keep(now, TOLD, (("", block) for block in left))
                self._put(news, now)
            else:
                self._put(over, now)
                self._put(shown, now, going_on=True)
        self._keep(now, GOING_ON, ledger.going_on.told())
        self._keep(now, OPEN, (("", block) for block in ledger.reaching()))
        return now

    def _kept(self, progress: Progress, name: str) -> list[Told]:
        path = self.checkpoint.state(progress) / name
        return unpack_all(path.read_bytes(), named(self.plan.vocabulary.numbers)) if path.exists() else []

    def _keep(self, progress: Progress, name: str, told: Iterable[Told]) -> None:
        replace_file(self.checkpoint.state(progress) / name, pack_all(told, self.plan.vocabulary.numbers))

    def _with_sorts(self, now: Progress, written: list[Block]) -> Progress:
        """A column may need a wider type than it has had; then what is there is written again."""
        known = now.columns
        found = {**known}
        for name, signature in table_names(self.plan).items():
            for place, column in enumerate(argument_names(self.plan, signature)):
                for block in written:
                    if block.signature == signature:
                        sort = sort_in(block.arguments[place])
                        found[name, column] = found.get((name, column), sort) | sort
        wider = {name for (name, column), sort in found.items() if _widened(known.get((name, column)), sort)}
        for name in () if self.tables.fixed else wider:
            self.tables.retype(name, self._schema(name, found))
        return replace(now, sorts=[[*key, *astuple(sort)] for key, sort in sorted(found.items())])

    def _schema(self, name: str, sorts: dict[tuple[str, str], Sort]) -> pa.Schema:
        columns = argument_names(self.plan, table_names(self.plan)[name])
        known = self._known[table_names(self.plan)[name]]
        seen = {} if self.tables.fixed else sorts
        held = [one.holding(seen.get((name, column), one)) for column, one in zip(columns, known, strict=True)]
        kinds = [arrow_type(ANYTHING if one.open else one, self.times) for one in held]
        return table_schema(columns, kinds, self.times, changes=self.style.changes)

    @cached_property
    def _known(self) -> dict[Signature, tuple[Sort, ...]]:
        return known_sorts(self.plan)

    def _put(self, blocks: list[Block], now: Progress, *, going_on: bool = False) -> None:
        for name, signature in table_names(self.plan).items():
            schema = self._schema(name, now.columns)
            own = [block for block in blocks if block.signature == signature]
            changes = self.style.changes
            parts = [table_of(block, schema, self.times, changes=changes, signed=changes) for block in own]
            self.tables.put(now, name, pa.concat_tables([schema.empty_table(), *parts]), going_on=going_on)


def _rules(before: Progress, given: MicroBatch) -> counting.Counts:
    found = dict(before.rules)
    for content in given.counted:
        counting.add(found, counting.unpacked(content))
    return found


def _reasons(letters: Iterable[pa.Table]) -> Counter[str]:
    """How many records were refused, by the code of the reason."""
    return Counter(text.partition(":")[0] for one in letters for text in one.column("objection").to_pylist())


def _widened(before: Sort | None, now: Sort) -> bool:
    return before is not None and arrow_type(before) != arrow_type(now)
