"""`#record`: conclusions that join the stream when they are drawn, and are there for later evaluations.

A conclusion joins at its own time: `@T a` at T, seen by later evaluations from T on. Each evaluation may depend on
what the one before recorded, so time goes on point by point, except over stretches in which nothing arrives and
nothing new is recorded.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

import numpy as np

from larspark.intervals.storage import Rows
from larspark.intervals.watch import valid_keys
from larspark.language.facts import Signature
from larspark.reasoners.interval.arrivals import NOTHING, Arrivals
from larspark.reasoners.interval.component import Changes
from larspark.reasoners.interval.engine import Engine
from larspark.reasoners.interval.log import Log
from larspark.reasoners.interval.network import Relation


class Recorder:
    """Drives an engine whose program records conclusions."""

    def __init__(self, engine: Engine, signatures: frozenset[Signature], log: Log) -> None:
        self.engine = engine
        self._log = log
        self._signatures = sorted(signatures)
        self._standing: dict[Signature, set[tuple[int, ...]]] = {}
        """The conclusions about fixed times that the last evaluation drew; they are recorded already."""

    def parts(self, until: int, arrivals: Arrivals) -> Iterator[Changes]:
        """Evaluate up to `until`, one time point after the other."""
        by_time = {min(end, part.earliest): part for end, part in arrivals.cut(1)} if arrivals.count else {}
        return self._evaluated(until, by_time)

    def begin(self, time: int) -> Iterator[Changes]:
        """Let the first evaluation be at this time: those before it are not made, so they record nothing."""
        if self.engine.time < self.engine.network.start < time:
            yield self.engine.advance(time - 1, NOTHING)

    def _evaluated(self, until: int, parts: Mapping[int, Arrivals]) -> Iterator[Changes]:
        for time, part in parts.items():
            yield from self._pass(time - 1)
            yield self._evaluate(time, part)
        yield from self._pass(until - 1)
        if self.engine.time < until or not parts:
            yield self._evaluate(until, NOTHING)

    def _pass(self, until: int) -> Iterator[Changes]:
        """The time points up to `until` at which nothing arrives."""
        while self.engine.time < until:
            holds = any(len(self._holding(relation)) for relation in self._relations(self.engine.network.now))
            following = self.engine.time + 1 if holds else max(self.engine.time + 1, self._next_event())
            if following > until:
                return
            yield self._evaluate(following, NOTHING)

    def _evaluate(self, time: int, arrivals: Arrivals) -> Changes:
        changes = self.engine.advance(time, arrivals)
        network = self.engine.network
        if not len(self._holding(network.inconsistent)):
            for signature in self._signatures:
                conclusions = self._concluded(signature)
                self._log.record(signature, time, conclusions)
                self.engine.remember(network.inputs[signature], time, conclusions)
        return changes

    def replay(self, until: int, arrivals: Arrivals, since: int | None = None) -> None:
        """Evaluate again with what was recorded then, which the log knows; from `since` on record anew."""
        parts = {part.earliest: part for _, part in arrivals.cut(1)} if arrivals.count else {}
        recorded = {time for by_time in self._log.recorded.values() for time in by_time}
        known = until if since is None else min(until, since - 1)
        for time in sorted(time for time in {*parts, *recorded} if time <= known):
            self.engine.advance(time, parts.get(time, NOTHING))
            for signature, by_time in self._log.recorded.items():
                if time in by_time:
                    self.engine.remember(self.engine.network.inputs[signature], time, by_time[time])
        if self.engine.time < known:
            self.engine.advance(known, NOTHING)
        if known < until:
            following = {time: part for time, part in parts.items() if time > known}
            deque(self._evaluated(until, following), maxlen=0)

    def _concluded(self, signature: Signature) -> Rows:
        """What this evaluation has to record: arguments and time."""
        network, time = self.engine.network, self.engine.time
        found = np.insert(self._holding(network.now[signature]), signature.arity, time, axis=1)
        if signature not in network.pinned:
            return found
        pins = self._holding(network.pinned[signature])
        pins[:, -1] >>= 1
        before, standing = self._standing.get(signature, set()), set(map(tuple, pins.tolist()))
        self._standing[signature] = standing
        fresh = np.array(sorted(standing - before), np.int64).reshape(-1, signature.arity + 1)
        return np.unique(np.concatenate((found, fresh)), axis=0)

    def _holding(self, relation: Relation) -> Rows:
        """The rows that are valid at the current time."""
        return valid_keys(self.engine.tables.raw(relation), self.engine.time)

    def _relations(self, kinds: Mapping[Signature, Relation]) -> list[Relation]:
        return [kinds[signature] for signature in self._signatures if signature in kinds]

    def _next_event(self) -> int:
        """When there may be something else to record if nothing arrives."""
        network = self.engine.network
        recorded = (*self._relations(network.now), *self._relations(network.pinned), network.inconsistent)
        return self.engine.next_event(recorded)
