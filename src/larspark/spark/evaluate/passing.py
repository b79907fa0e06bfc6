"""Arrivals of a partition that its engine need not see: what follows from them needs no memory.

Their texts stay in the columns in which they came. An engine gives every different text a number and keeps it, so that
a partition that only hands on texts would grow with its history.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from larspark.blocks import Block, merge
from larspark.language.facts import Signature
from larspark.reasoners.interval.momentary.passing import PassingArrivals
from larspark.reasoners.interval.reasoner import IntervalReasoner
from larspark.spark.evaluate.messages import MessageKind, kind_of
from larspark.spark.plan.work import Work


class PastEngine:
    """Holds such arrivals until their time has come, and what they gave until it is worth being handed out."""

    def __init__(self, passing: PassingArrivals | None, begin: int, end: int) -> None:
        """Without `passing` nothing is taken past."""
        self._passing = passing
        self._begin, self._end = begin, end
        """The evaluations that are wanted."""
        self._arriving: dict[Signature, list[Block]] = defaultdict(list)
        self._concluded: dict[Signature, list[Block]] = defaultdict(list)
        self.count = 0
        """How many arrivals are held."""
        self.arrived = 0
        """How many have been taken past so far."""

    @classmethod
    def of(cls, work: Work, reasoner: IntervalReasoner) -> PastEngine:
        """Conclusions of earlier stages change though they are no input of the network; then an engine sees all."""
        passes = reasoner.takes_past and not work.stage.delivered
        passing = PassingArrivals.of(reasoner.engine, work.stage.concludes) if passes else None
        return cls(passing, work.begin, work.end)

    def takes(self, block: Block) -> bool:
        return (
            self._passing is not None
            and block.signature in self._passing.inputs
            and kind_of(block) is MessageKind.ARRIVAL
        )

    def add(self, block: Block) -> None:
        self._arriving[block.signature].append(block)
        self.count += len(block)

    def advance(self, until: int) -> None:
        """Conclude from the arrivals up to a time, with which these time points are complete."""
        if self._passing is None:
            return
        ready = []
        for signature, blocks in self._arriving.items():
            parts = [block.split(until + 1) for block in blocks]
            self._arriving[signature] = [rest for _, rest in parts if len(rest)]
            before = [part for part, _ in parts if len(part)]
            if before:
                ready.append(merge(before))
        taken = sum(map(len, ready))
        self.count, self.arrived = self.count - taken, self.arrived + taken
        wanted = (one.split(self._end + 1)[0].split(self._begin)[1] for one in ready)
        self._keep(self._passing.conclusions([one for one in wanted if len(one)]))
        self._keep(self._passing.ended(until))

    def close(self) -> None:
        """Nothing comes any more."""
        if self._passing is not None:
            self._keep(self._passing.ended())

    def _keep(self, blocks: Iterator[Block]) -> None:
        for block in blocks:
            self._concluded[block.signature].append(block)

    def blocks(self, least: int) -> Iterator[Block]:
        """By predicate, as soon as there are so many rows."""
        for parts in self._concluded.values():
            if parts and sum(map(len, parts)) >= least:
                found = merge(parts)
                parts.clear()
                yield found
