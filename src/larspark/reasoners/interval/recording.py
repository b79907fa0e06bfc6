"""`#record`: conclusions that join the stream when they are drawn, and are there for later evaluations.

Each evaluation may depend on what the one before recorded, so time goes on point by point, except over stretches in
which nothing arrives and nothing recorded holds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

import numpy as np

from larspark.intervals.sets import FOREVER
from larspark.intervals.storage import Rows
from larspark.intervals.watch import next_event, valid_keys
from larspark.language.facts import Signature
from larspark.reasoners.interval.arrivals import NOTHING, Arrivals
from larspark.reasoners.interval.component import Changes
from larspark.reasoners.interval.engine import Engine
from larspark.reasoners.interval.log import Log


class Recorder:
    """Drives an engine whose program records conclusions."""

    def __init__(self, engine: Engine, signatures: frozenset[Signature], log: Log) -> None:
        self._engine = engine
        self._log = log
        self._signatures = sorted(signatures)

    def parts(self, until: int, arrivals: Arrivals) -> Iterator[Changes]:
        """Evaluate up to `until`, one time point after the other."""
        by_time = {min(end, part.earliest): part for end, part in arrivals.cut(1)} if arrivals.count else {}
        return self._evaluated(until, by_time)

    def _evaluated(self, until: int, parts: Mapping[int, Arrivals]) -> Iterator[Changes]:
        for time, part in parts.items():
            yield from self._pass(time - 1)
            yield self._evaluate(time, part)
        yield from self._pass(until - 1)
        if self._engine.time < until or not parts:
            yield self._evaluate(until, NOTHING)

    def _pass(self, until: int) -> Iterator[Changes]:
        """The time points up to `until` at which nothing arrives."""
        while self._engine.time < until:
            holds = any(len(self._holding(signature)) for signature in self._signatures)
            following = self._engine.time + 1 if holds else max(self._engine.time + 1, self._next_event())
            if following > until:
                return
            yield self._evaluate(following, NOTHING)

    def _evaluate(self, time: int, arrivals: Arrivals) -> Changes:
        changes = self._engine.advance(time, arrivals)
        network = self._engine.network
        if not len(valid_keys(self._engine.tables.raw(network.inconsistent), time)):
            for signature in self._signatures:
                holding = self._holding(signature)
                self._log.record(signature, time, holding)
                self._engine.remember(network.inputs[signature], time, holding)
        return changes

    def replay(self, until: int, arrivals: Arrivals, since: int | None = None) -> None:
        """Evaluate again with what was recorded then, which the log knows; from `since` on record anew."""
        parts = {part.earliest: part for _, part in arrivals.cut(1)} if arrivals.count else {}
        recorded = {time for by_time in self._log.recorded.values() for time in by_time}
        known = until if since is None else min(until, since - 1)
        for time in sorted(time for time in {*parts, *recorded} if time <= known):
            self._engine.advance(time, parts.get(time, NOTHING))
            for signature, by_time in self._log.recorded.items():
                if time in by_time:
                    self._engine.remember(self._engine.network.inputs[signature], time, by_time[time])
        if self._engine.time < known:
            self._engine.advance(known, NOTHING)
        if known < until:
            following = {time: part for time, part in parts.items() if time > known}
            deque(self._evaluated(until, following), maxlen=0)

    def _holding(self, signature: Signature) -> Rows:
        """The arguments of what holds at the current time."""
        time, network = self._engine.time, self._engine.network
        found = valid_keys(self._engine.tables.raw(network.now[signature]), time)
        if signature in network.pinned:
            pinned = valid_keys(self._engine.tables.raw(network.pinned[signature]), time)
            found = np.unique(np.concatenate((found, pinned[pinned[:, -1] == time << 1, :-1])), axis=0)
        return found

    def _next_event(self) -> int:
        """When something recorded may begin to hold if nothing arrives."""
        tables, network, time = self._engine.tables, self._engine.network, self._engine.time
        found = FOREVER
        for signature in self._signatures:
            found = min(found, next_event(tables.raw(network.now[signature]), time))
            if signature in network.pinned:
                rows = tables.content(network.pinned[signature])
                later = rows[rows[:, -3] > time << 1, -3]
                found = min([found, *(later >> 1).tolist()])
        return found
