"""The last operator of a stream of DataFrames: changes of conclusions become rows that are final, each told once.

An interval is told when it has ended; as a change log, where it begins and where it ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pyspark.sql import Row

from larspark.blocks import Block
from larspark.blocks.packing import pack_table, unpack_table
from larspark.language.facts import Signature
from larspark.reasoners.interval.answers.open_intervals import Told
from larspark.spark.evaluate.messages import OUTPUT, Message, Received, messages_of, named
from larspark.spark.stream.buckets.bucket import MicroBatch
from larspark.spark.stream.buckets.log import BucketHead, pack_all, unpack_all
from larspark.spark.stream.operators import State
from larspark.spark.stream.results.ledger import IntervalLedger
from larspark.spark.stream.results.tables import Style
from larspark.spark.stream.watermark import Waiting
from larspark.spark.write.dead_letters import late_letters


@dataclass(frozen=True)
class ResultsOperator:
    """What the operator does with the messages of a micro-batch."""

    numbers: Mapping[Signature, int]
    waiting: Waiting
    style: Style
    stream: str
    """Whose state this is."""

    def __call__(self, label: int, rows: Iterator[Row], state: State) -> Iterator[Row]:
        for block in self.step((Received.of(Message(*row)) for row in rows), state):
            for message in messages_of(block, OUTPUT, label, self.numbers[block.signature]):
                yield Row(**message._asdict())

    def step(self, messages: Iterable[Received], state: State) -> list[Block]:
        """Intervals that have ended, or changes that have not been told."""
        given, head = MicroBatch.of(messages, named(self.numbers)), BucketHead.load(state)
        head.check(self.stream)
        before, timeline = head.timeline, head.timeline.moved(given.heard, self.waiting)
        ledger = IntervalLedger(self._load(state, "going on"), (block for _, block in self._load(state, "open")))
        posting = ledger.post(given.changes, given.ahead, before.watermark, timeline.watermark)
        found = ledger.blocks(posting.over)
        if self.style.changes:
            told = (block for _, block in self._load(state, "told"))
            end = max(timeline.seen or -1, timeline.watermark) if self.style.early else timeline.watermark
            found, left = ledger.tell(told, posting, before.watermark, timeline.watermark, end)
            self._save(state, "told", [("", block) for block in left])
        self._save(state, "going on", list(ledger.going_on.told()))
        self._save(state, "open", [("", block) for block in ledger.reaching()])
        BucketHead(timeline, stream=self.stream).save(state)
        return found

    def _load(self, state: State, name: str) -> list[Told]:
        data = state.get(name)
        return unpack_all(data, named(self.numbers)) if data else []

    def _save(self, state: State, name: str, told: list[Told]) -> None:
        """Nothing is written of what stays empty."""
        if told or state.get(name):
            state.put(name, pack_all(told, self.numbers) if told else b"")


@dataclass(frozen=True)
class DeadLetterOperator:
    """An operator for bad and late records alone: all atoms come to it, and it knows what is final."""

    numbers: Mapping[Signature, int]
    waiting: Waiting
    stream: str

    def __call__(self, label: int, rows: Iterator[Row], state: State) -> Iterator[Row]:
        del label
        given, head = (
            MicroBatch.of((Received.of(Message(*row)) for row in rows), named(self.numbers)),
            BucketHead.load(state),
        )
        head.check(self.stream)
        watermark = head.timeline.watermark
        late = [(source, block.split(watermark + 1)[0]) for source, block in given.arrivals]
        for letters in [*map(unpack_table, given.refused), late_letters(late, watermark)]:
            if len(letters):
                yield Row(content=pack_table(letters))
        BucketHead(head.timeline.moved(given.heard, self.waiting), stream=self.stream).save(state)
