"""Where rows go: to the partition of their key, in every stage that reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from larspark.blocks import Block, Numbers
from larspark.blocks.buckets import buckets_of
from larspark.language.facts import Signature
from larspark.spark.evaluate.messages import OTHERS, Message, messages_of
from larspark.spark.plan.division import TimeDivision
from larspark.spark.plan.plan import SparkPlan
from larspark.spark.plan.work import StagePart

KeyPlaces: TypeAlias = Sequence[int]
"""The arguments by which a predicate is split; none: everything goes to the first bucket."""


@dataclass(frozen=True)
class Route:
    """The way to a stage."""

    stage: int
    keys: Mapping[Signature, KeyPlaces]
    """For each predicate that is sent on this way."""
    numbers: Mapping[Signature, int]
    buckets: int
    division: TimeDivision | None = None
    """Of the stage in time, where it is known; otherwise a partition is a bucket."""
    cuts: tuple[int, ...] = ()
    """Times at which messages are cut, where those of one partition would overlap too much."""

    def messages(self, block: Block) -> Iterator[Message]:
        """Rows in the order of time, addressed."""
        for bucket, own in self.parts(block):
            yield from self.spread(bucket, own)

    def parts(self, block: Block) -> Iterator[tuple[int, Block]]:
        """The rows of each bucket."""
        if self.buckets == 1:
            yield 0, block
            return
        targets = self.targets(block)
        order = np.argsort(targets, kind="stable")
        ends = np.searchsorted(targets[order], np.arange(self.buckets), side="right").tolist()
        for bucket, (begin, end) in enumerate(zip([0, *ends], ends, strict=False)):
            if begin < end:
                yield bucket, block.take(order[begin:end])

    def targets(self, block: Block) -> npt.NDArray[np.uint16]:
        """The bucket of each row."""
        keys = self.keys[block.signature]
        if not keys:
            return np.zeros(len(block), np.uint16)
        first, *further = (buckets_of(block.arguments[place], self.buckets) for place in keys)
        if not further:
            return first
        return (sum(further, first.astype(np.int64)) % self.buckets).astype(np.uint16)

    def sampled(self, block: Block) -> Numbers:
        """The times of rows and their buckets, to see how heavy these are."""
        return np.column_stack((block.times, self.targets(block))).astype(np.int64)

    def spread(self, bucket: int, block: Block) -> Iterator[Message]:
        """The rows of a bucket, to the partitions that see them."""
        number = self.numbers[block.signature]
        if self.division is None or not self.division.divided:
            seen = [(bucket, block)]
        else:
            parts = enumerate(self.division.parts)
            seen = [(place, self._seen(block, part)) for place, part in parts if part.bucket == bucket]
        for part, own in seen:
            for piece in self._cut(own):
                yield from messages_of(piece, self.stage, part, number)

    def _seen(self, block: Block, part: StagePart) -> Block:
        """The rows of a bucket that a span of its time sees: arrivals within reach, and conclusions that hold in it."""
        assert self.division is not None
        if block.until is None:
            low, high = np.searchsorted(block.times, [part.begin - self.division.reach, part.end + 1])
            return block.take(slice(low, high))
        found = block.take(np.flatnonzero((block.times <= part.end) & (block.until >= part.begin)))
        return replace(found, times=np.maximum(found.times, part.begin))

    def _cut(self, block: Block) -> Iterator[Block]:
        for time in self.cuts:
            before, block = block.split(time)
            if len(before):
                yield before
        yield block


@dataclass(frozen=True)
class Ways:
    """Which way arrivals and conclusions go through the stages of a plan, in bounded runs and in streams."""

    plan: SparkPlan
    buckets: int

    @property
    def last(self) -> int:
        """The number of what comes after all stages: conclusions about one atom are in one place there."""
        return len(self.plan.stages)

    def arriving(self, stage: int) -> Route:
        """The way of arrivals to a stage."""
        program = self.plan.stages[stage].program
        return self.route(stage, program.inputs | ({OTHERS} if program.counts_everything else frozenset()))

    def delivered(self, stage: int) -> Route:
        """The way of conclusions of earlier stages to a stage."""
        return self.route(stage, self.plan.stages[stage].program.delivered)

    def route(self, stage: int, signatures: frozenset[Signature]) -> Route:
        return Route(stage, self._keys(stage, signatures), self.plan.vocabulary.numbers, self.buckets_of(stage))

    def buckets_of(self, stage: int) -> int:
        return self.buckets if stage == self.last or self.plan.stages[stage].stage.keyed else 1

    def _keys(self, stage: int, signatures: frozenset[Signature]) -> dict[Signature, KeyPlaces]:
        if stage == self.last:
            return {one: range(one.arity) for one in signatures}
        reads: Mapping[Signature, int | None] = self.plan.stages[stage].reads
        places = {one: reads.get(one) for one in signatures}
        return {one: () if place is None else (place,) for one, place in places.items()}
