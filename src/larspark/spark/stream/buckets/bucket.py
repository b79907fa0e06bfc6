"""One bucket of one stage: takes the messages of a micro-batch, keeps what it needs, and says what has changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from larspark.blocks import Block
from larspark.language.facts import Signature
from larspark.reasoners.interval.answers.open_intervals import Told
from larspark.spark.evaluate.messages import (
    BEFORE_ALL,
    NO_ANSWER,
    NONE,
    Message,
    MessageKind,
    Received,
    kind_of,
    messages_of,
    named,
)
from larspark.spark.stream.buckets.counting import KeptFacts, counted, packed
from larspark.spark.stream.buckets.log import BucketHead, BucketLog, Segment, following, pack_all, pieces, unpack_all
from larspark.spark.stream.buckets.running import RunningStage
from larspark.spark.stream.operators import State
from larspark.spark.stream.stage import StreamStage
from larspark.spark.stream.watermark import Heard, Timeline

SLACK = 20_000
"""How many rows more than twice the needed ones may be kept before the others are looked for."""


class Bucket:
    """A bucket in the memory of a worker process; what it does is decided by the state it is given alone."""

    def __init__(self, stage: StreamStage, number: int) -> None:
        self._stage = stage
        self._number = number
        self._names = named(stage.work.numbers)
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._running = RunningStage(self._stage, self._number)
        self._segments: dict[int, list[Told]] = {}
        self._needed = 0
        """How many rows were needed when this was last looked at."""
        self._next, self._version = 0, ""

    def step(self, messages: Iterable[Received], state: State) -> Iterator[Message]:
        """Take what has come, and say what follows from it."""
        stage, log, before = self._stage, BucketLog(state), BucketHead.load(state)
        before.check(stage.stream)
        self._follow(before, log)
        given = MicroBatch.of(messages, self._names)
        timeline = before.timeline.moved(given.heard, stage.waiting)
        accepted = list[Told]()
        for source, block in given.arrivals:
            late, rest = block.split(before.timeline.watermark + 1)
            if len(late) and late.signature in stage.owned:
                yield self._message(stage.results.stage, 0, MessageKind.LATE, late, source)
            if len(rest) and rest.signature in stage.retained.read | stage.echoed:
                accepted.append((source, rest))
        came = [*(_counted(accepted, before.arrived) if stage.ordered else accepted), *given.changes]
        self._running.receive(came)
        found = self._running.advance(timeline.first, timeline.watermark)
        self._append(came, timeline, log)
        first = self._forget(before.first, timeline, log)
        arrived = before.arrived + sum(len(block) for _, block in accepted)
        head = BucketHead(timeline, first, self._next, self._version, stage.stream, arrived)
        head.save(state)
        yield from self._addressed(found)
        if stage.counting and (given_by := counted(found)):
            label = stage.labels[0]
            yield Message(stage.results.stage, label, BEFORE_ALL, MessageKind.COUNTED, NONE, packed(given_by))
        if stage.work.columnar:  # what other reasoners keep is in their snapshots
            kept = self._kept_facts(timeline.watermark).pack()
            yield Message(stage.results.stage, stage.labels[0], BEFORE_ALL, MessageKind.KEPT, NONE, kept)
        if stage.early:
            yield from self._addressed(self._look_ahead(head, given.ahead, log), MessageKind.EARLY)

    # -- what is said ------------------------------------------------------------------------------

    def _kept_facts(self, watermark: int) -> KeptFacts:
        """How many arrivals are kept, and how many of them can matter."""
        told = (block for came in self._segments.values() for _, block in came)
        arrivals = [block for block in told if block.until is None]
        mattering = self._stage.retained.mattering(arrivals, watermark)
        return KeptFacts(self._stage.stage, self._number, sum(map(len, arrivals)), mattering)

    def _look_ahead(self, head: BucketHead, ahead: Sequence[Block], log: BucketLog) -> Iterable[Block]:
        """What follows up to the latest time seen from all that has come so far, by an evaluation of its own."""
        first, seen = head.timeline.first, head.timeline.seen
        if first is None or seen is None or seen <= head.timeline.watermark:
            return ()
        scout = Bucket(self._stage, self._number)
        scout._follow(head, log)
        return scout._running.look_ahead(first, seen, ahead)

    def _addressed(self, found: Iterable[Block], kind: MessageKind | None = None) -> Iterator[Message]:
        """Conclusions to the later stages that read them, and to the results."""
        source = f"{self._stage.stage}:{self._number}"
        for block in found:
            told = kind or kind_of(block)
            if block.signature == NO_ANSWER:
                results = self._stage.results
                yield from (
                    self._message(results.stage, bucket, told, block, source) for bucket in range(results.buckets)
                )
            for route in self._stage.routes:
                if block.signature in route.keys:
                    for bucket, part in route.parts(block):
                        yield self._message(route.stage, bucket, told, part, source)

    def _message(self, stage: int, bucket: int, kind: MessageKind, block: Block, source: str) -> Message:
        label, number = self._stage.labels[bucket], self._stage.work.numbers[block.signature]
        return addressed(block, stage, label, kind, number, source)

    # -- the log -----------------------------------------------------------------------------------

    def _follow(self, head: BucketHead, log: BucketLog) -> None:
        """Be where the state is: already, by the segments that are missing here, or by all of them.

        A worker process that has not had the last micro-batches, or had one that failed, is not where the state is.
        """
        if (self._next, self._version) == (head.next, head.version):
            return
        stepwise = not self._stage.work.columnar
        known = log.segment(self._next - 1) if head.first < self._next <= head.next and not stepwise else None
        if known is None or known.version != self._version:
            self._begin_anew()
            self._next = head.first
        snapshot = log.snapshot() if stepwise else None
        if snapshot is not None:
            assert head.timeline.first is not None
            self._running.resume(head.timeline.first, head.timeline.watermark, snapshot)
        for number in range(self._next, head.next):
            segment = log.segment(number)
            assert segment is not None
            self._segments[number] = came = unpack_all(segment.payload, self._names)
            self._running.receive(came)
        self._next, self._version = head.next, head.version
        self._running.advance(head.timeline.first, head.timeline.watermark)

    def _append(self, came: list[Told], timeline: Timeline, log: BucketLog) -> None:
        payload = pack_all(came, self._stage.work.numbers)
        self._version = following(self._version, payload, timeline)
        log.put(self._next, Segment(self._version, payload))
        self._segments[self._next] = came
        self._next += 1

    def _forget(self, first: int, timeline: Timeline, log: BucketLog) -> int:
        """Drop what no evaluation can see any more; the number of the oldest segment left."""
        for number in [one for one in self._segments if one < first]:
            del self._segments[number]  # dropped by another process
        while first < self._next - 1 and not self._matters(self._segments[first], timeline.watermark):
            del self._segments[first]
            log.drop(first)
            first += 1
        snapshot = self._running.snapshot()
        if snapshot is not None:
            log.set_snapshot(snapshot)
        elif sum(_rows(came) for came in self._segments.values()) <= 2 * self._needed + SLACK:
            return first
        kept = self._remembered(timeline.watermark)
        self._needed = _rows(kept)
        for number in range(first, self._next):
            log.drop(number)
        self._segments.clear()
        first = self._next
        for piece in pieces(kept):
            self._append(piece, timeline, log)
        return first

    def _matters(self, came: list[Told], watermark: int) -> bool:
        """Whether a segment is needed; changes of conclusions are told once only, so they are."""
        blocks = [block for _, block in came]
        return any(block.until is not None for block in blocks) or bool(self._stage.retained.kept(blocks, watermark))

    def _remembered(self, watermark: int) -> list[Told]:
        """All that is needed of the log."""
        if not self._stage.work.columnar:  # the snapshot tells the rest
            arrivals: Iterable[Block] = self._running.pending
        else:
            told = [block for came in self._segments.values() for _, block in came]
            arrivals = self._stage.retained.kept((block for block in told if block.until is None), watermark)
        return [*(("", block) for block in arrivals), *self._running.delivered.told()]


@dataclass(frozen=True)
class MicroBatch:
    """What has come to an operator: arrivals, changes of conclusions, conclusions after the watermark, and how far the
    inputs are."""

    arrivals: list[Told] = field(default_factory=list)
    changes: list[Told] = field(default_factory=list)
    ahead: list[Block] = field(default_factory=list)
    heard: list[Heard] = field(default_factory=list)
    late: list[Told] = field(default_factory=list)
    refused: list[bytes] = field(default_factory=list)
    counted: list[bytes] = field(default_factory=list)
    kept: list[bytes] = field(default_factory=list)

    @classmethod
    def of(cls, messages: Iterable[Received], names: dict[int, Signature]) -> MicroBatch:
        found = cls()
        for message in messages:
            source = message.source or ""
            match message.kind:
                case MessageKind.ARRIVAL:
                    found.arrivals.append((source, message.block(names)))
                case MessageKind.NOW | MessageKind.AT | MessageKind.VOID:
                    found.changes.append((source, message.block(names)))
                case MessageKind.EARLY:
                    found.ahead.append(message.block(names))
                case MessageKind.HEARD:
                    found.heard.append(Heard.load(bytes(message.content or b"")))
                case MessageKind.LATE:
                    found.late.append((source, message.block(names)))
                case MessageKind.REFUSED:
                    found.refused.append(bytes(message.content or b""))
                case MessageKind.COUNTED:
                    found.counted.append(bytes(message.content or b"{}"))
                case MessageKind.KEPT:
                    found.kept.append(bytes(message.content or b""))
        return found


def addressed(block: Block, stage: int, label: int, kind: MessageKind, number: int, source: str) -> Message:
    """A whole block in one message; those of a micro-batch are not large."""
    (message,) = messages_of(block, stage, label, number, max(1, len(block)))
    return message._replace(kind=kind, source=source)


def _counted(came: list[Told], first: int) -> list[Told]:
    """Arrivals with their places among all that have come, by their sources and their places in these."""
    if not came:
        return []
    ranks = {source: rank for rank, source in enumerate(sorted({source for source, _ in came}))}
    sources = np.concatenate([np.full(len(block), ranks[source]) for source, block in came])
    orders = np.concatenate([block.order for _, block in came if block.order is not None])
    places = np.empty(len(orders), np.int64)
    places[np.lexsort((orders, sources))] = np.arange(first, first + len(orders))
    parts = np.split(places, np.cumsum([len(block) for _, block in came])[:-1])
    return [(source, replace(block, order=own).ordered()) for (source, block), own in zip(came, parts, strict=True)]


def _rows(came: Iterable[Told]) -> int:
    return sum(len(block) for _, block in came)
