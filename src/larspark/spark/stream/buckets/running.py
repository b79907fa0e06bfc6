"""A stage at work in a bucket: what has come and is not final yet, and the evaluation up to the watermark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from larspark.blocks import Block
from larspark.reasoners.interval.answers.open_intervals import OpenIntervals, Told
from larspark.spark.stream.buckets.evaluation import IntervalEvaluation, StageEvaluation, SteppedEvaluation
from larspark.spark.stream.stage import StreamStage


class RunningStage:
    """Takes blocks in the order of micro-batches; see `StreamStage` for what it knows."""

    def __init__(self, stage: StreamStage, number: int) -> None:
        self._stage = stage
        self._number = number
        self._evaluation: StageEvaluation | None = None
        self.watermark = -1
        self.pending: list[Block] = []
        """Arrivals after the watermark."""
        self.delivered = OpenIntervals()
        """Conclusions of earlier stages that go on."""

    def snapshot(self) -> bytes | None:
        """What the log does not tell: where evaluations depend on those before, all about these."""
        return self._evaluation.snapshot() if isinstance(self._evaluation, SteppedEvaluation) else None

    def resume(self, first: int, watermark: int, snapshot: bytes) -> None:
        """Be where a snapshot was taken."""
        work = replace(self._stage.work, start=first)
        self._evaluation = SteppedEvaluation(work, self._number, snapshot)
        self.watermark = watermark

    def receive(self, came: Iterable[Told]) -> None:
        """Arrivals, and changes of what earlier stages conclude."""
        told = list(came)
        self.pending += [block for _, block in told if block.until is None]
        self.delivered.follow(one for one in told if one[1].until is not None)

    def advance(self, first: int | None, watermark: int) -> list[Block]:
        """Evaluate what has become final, on a timeline that begins at `first`; the changes of the conclusions."""
        before = self.watermark
        if watermark <= before:
            return []
        concluded = list(self.delivered.blocks_within(before + 1, watermark))
        self.delivered.forget()
        return self._evaluated(first, watermark, concluded)

    def look_ahead(self, first: int, until: int, concluded: Sequence[Block]) -> list[Block]:
        """What holds after the watermark if nothing more arrives; earlier stages conclude the same of theirs.

        The evaluation has gone ahead then and is of no more use.
        """
        if self._evaluation is not None:
            self._evaluation.tell_again()
        found = self._evaluated(first, until, concluded)
        return [replace(block, until=np.minimum(block.until, until)) for block in found if block.until is not None]

    def _evaluated(self, first: int | None, until: int, concluded: Sequence[Block]) -> list[Block]:
        assert first is not None
        self.watermark = until
        parts = [block.split(until + 1) for block in self.pending]
        due = [block for block, _ in parts if len(block)]
        self.pending = [rest for _, rest in parts if len(rest)]
        if self._evaluation is None:
            work = replace(self._stage.work, start=first)
            self._evaluation = (IntervalEvaluation if work.columnar else SteppedEvaluation)(work, self._number)
        read = [block for block in due if block.signature in self._stage.retained.read]
        found = list(self._evaluation.advance([*read, *concluded], until))
        echoed = [block for block in due if block.signature in self._stage.echoed]
        return found + [replace(block, until=block.times, order=None) for block in echoed]
