"""Tasks that evaluate a stage, or unite its conclusions with others: messages come in, and blocks leave.

They leave into tables, and as messages to the later stages that read them and to where they are united.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from larspark.blocks import Block, Numbers
from larspark.blocks.packing import pack
from larspark.language.facts import Signature
from larspark.runtime.findings.observation import NOTHING_WATCHED, Observation, Watch
from larspark.spark.evaluate.messages import (
    BEFORE_ALL,
    DRIVER,
    NO_ANSWER,
    NONE,
    Batches,
    Message,
    MessageKind,
    Received,
    as_batches,
    named,
    received,
)
from larspark.spark.evaluate.noticing import Notice
from larspark.spark.evaluate.progress import Note, ProgressNotes
from larspark.spark.evaluate.routing import Route
from larspark.spark.plan.work import Work
from larspark.spark.session.workers import keep_loaded

if TYPE_CHECKING:
    from larspark.reasoners.interval.engine.engine import IntervalEngine


class ShownTables(Protocol):
    """Takes the conclusions that are shown."""

    def add(self, block: Block) -> Iterator[Message]: ...

    def close(self) -> Iterator[Message]:
        """What the driver has to know about them."""
        ...


class TableOutput(Protocol):
    """Where shown conclusions go, as it is sent to the tasks."""

    def tables(self, signatures: frozenset[Signature]) -> ShownTables:
        """For the conclusions about some predicates."""
        ...


@dataclass(frozen=True)
class Leaving:
    """Where the conclusions of a stage go."""

    output: TableOutput
    written: frozenset[Signature]
    """The predicates whose conclusions are final and shown."""
    routes: Sequence[Route] = ()
    void_to: tuple[int, int] | None = None
    """The stage, and its number of partitions, that must know the times without an answer stream."""
    sampled: int = 0
    """One of so many rows that are sent is told the driver, to see how heavy partitions are; 0: none."""

    def messages(self, blocks: Iterator[Block]) -> Iterator[Message]:
        tables, void = self.output.tables(self.written), list[Block]()
        samples = [_Sample(route, self.sampled) for route in self.routes]
        for block in blocks:
            if block.signature == NO_ANSWER:
                void.append(block)
                continue
            if block.signature in self.written:
                yield from tables.add(block)
            wanted = [one for one in samples if block.signature in one.route.keys]
            if wanted:
                ordered = block.ordered()
                for sample in wanted:
                    yield from sample.route.messages(ordered)
                    sample.take(ordered)
        if self.void_to is not None:
            stage, parts = self.void_to
            contents = [pack(block) for block in void]
            for part in range(parts):  # times without an answer stream concern every partition, before all else
                yield from (Message(stage, part, BEFORE_ALL, MessageKind.VOID, NONE, content) for content in contents)
        yield from chain.from_iterable(sample.told() for sample in samples)
        yield from tables.close()


@dataclass
class _Sample:
    """Some of the rows that go one way."""

    route: Route
    one_of: int
    found: list[Numbers] = field(default_factory=list)

    def take(self, block: Block) -> None:
        if self.one_of:
            self.found.append(self.route.sampled(block.take(slice(None, None, self.one_of))))

    def told(self) -> Iterator[Message]:
        if self.found:
            content = np.concatenate(self.found).tobytes()
            yield Message(DRIVER, 0, BEFORE_ALL, MessageKind.SAMPLE, self.route.stage, content)


@dataclass(frozen=True)
class StageTask:
    """The function for `mapInArrow` over the messages of a stage; the first one is the seed of the partition."""

    stage: int
    work: Work
    leaving: Leaving
    progress: ProgressNotes
    profiles: Path | None = None
    """Where partitions note what their rules cost; None: nobody asks."""
    watch: Watch = NOTHING_WATCHED

    def __call__(self, batches: Batches) -> Batches:
        given = received(batches)
        seed = next(given, None)
        if seed is not None:
            notice = Notice(Observation(self.watch))
            watched = notice.watching(given, named(self.work.numbers))
            yield from as_batches(self.leaving.messages(self._concluded(seed.predicate, watched, notice)))
            yield from as_batches([notice.message(self.stage)])
        keep_loaded(self)

    def _concluded(self, number: int, messages: Iterator[Received], notice: Notice) -> Iterator[Block]:
        if not self.work.columnar:
            from larspark.spark.evaluate.stepwise import evaluate_stepwise  # noqa: PLC0415

            yield from evaluate_stepwise(self.work, number, messages)
            return
        from larspark.reasoners.interval.state.profile import Profile  # noqa: PLC0415
        from larspark.spark.evaluate.columnar import evaluate_columnar  # noqa: PLC0415 - compiles kernels

        page, profile = self.progress.page(self.stage, number), Profile() if self.profiles else None

        def tell(engine: IntervalEngine, atoms: int) -> None:
            page.write(Note(engine.time, self.work.end, atoms))
            notice.fired = engine.fired

        yield from evaluate_columnar(self.work, number, messages, tell, profile)
        if profile is not None and self.profiles is not None:
            profile.write(self.profiles / f"{self.stage}-{number}.json")


@dataclass(frozen=True)
class UnitingTask:
    """The function for `mapInArrow` over the conclusions that are united, in a stage after all others."""

    numbers: Mapping[Signature, int]
    leaving: Leaving

    def __call__(self, batches: Batches) -> Batches:
        from larspark.spark.evaluate.uniting import unite  # noqa: PLC0415 - compiles kernels

        given = received(batches)
        if next(given, None):  # the seed
            yield from as_batches(self.leaving.messages(unite(given, named(self.numbers))))
        keep_loaded(self)


@dataclass(frozen=True)
class Spreading:
    """The function for `mapInArrow` that brings conclusions of whole buckets to the spans of a divided stage."""

    route: Route

    def __call__(self, batches: Batches) -> Batches:
        names = named(self.route.numbers)
        for message in received(batches):
            yield from as_batches(self.route.spread(message.part, message.block(names)))
