"""`#record`: conclusions that join the stream when they are drawn, and are there for later evaluations.

What is recorded is intervals: a conclusion `a` that holds over a stretch is recorded over that stretch, and seen from
the next time point on; a conclusion `@T a` is noted from the evaluation after the first that drew it. Each evaluation
may depend on what earlier ones recorded. So a chunk is evaluated with what is recorded so far, as if it went on, and
then again with what has turned out different, until record and conclusions agree up to its end. What lies behind the
end holds if nothing arrives and the record goes on as assumed; where it will not is known, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.storage import Rows
from larspark.intervals.tables.watch import valid_keys
from larspark.language.facts import Signature
from larspark.reasoners.interval.engine.changes import RelationChanges
from larspark.reasoners.interval.engine.engine import IntervalEngine
from larspark.reasoners.interval.engine.rounds import Rounds
from larspark.reasoners.interval.network import Noted, Relation, Repeated
from larspark.reasoners.interval.state.arrivals import NOTHING, PART, Arrivals
from larspark.reasoners.interval.state.dictionary import Dictionary


@dataclass(frozen=True)
class Records:
    """What has been recorded: rows of stretches (arguments, interval) and of notes (arguments, time, interval)."""

    stretches: Mapping[Signature, Rows]
    notes: Mapping[Signature, Rows]

    def until(self, time: int) -> Records:
        """As the evaluations up to a time have recorded it."""
        stretches = {}
        for signature, rows in self.stretches.items():
            cut = rows[rows[:, -2] <= time]
            np.minimum(cut[:, -1], time, out=cut[:, -1])
            stretches[signature] = cut
        notes = {signature: rows[rows[:, -2] <= time + 1] for signature, rows in self.notes.items()}
        return Records(stretches, notes)

    def translated(self, old: Dictionary, new: Dictionary) -> Records:
        """With other codes for the same values; times are their own codes."""

        def translate(rows: Rows) -> Rows:
            result = rows.copy()
            result[:, :-2] = old.translate(np.ascontiguousarray(rows[:, :-2]), new)
            return result

        return Records(
            {signature: translate(rows) for signature, rows in self.stretches.items()},
            {signature: translate(rows) for signature, rows in self.notes.items()},
        )


NO_RECORDS = Records({}, {})


class Recorder:
    """Drives an engine whose program records conclusions."""

    def __init__(self, engine: IntervalEngine) -> None:
        self.engine = engine
        self._rounds = engine.rounds = Rounds(engine.network, engine.parts)
        self._look_at_everything()

    # -- evaluation --------------------------------------------------------------------------------

    def parts(self, until: int, arrivals: Arrivals) -> Iterator[RelationChanges]:
        """Evaluate up to `until`."""
        for end, part in arrivals.cut(PART):
            yield self._evaluated(max(min(end, until), self.engine.time), part)
        if self.engine.time < until:
            yield self._evaluated(until, NOTHING)

    def begin(self, time: int) -> Iterator[RelationChanges]:
        """Let the first evaluation be at this time: those before it are not made, so they record nothing."""
        if self.engine.time < self.engine.network.start < time:
            yield self.engine.advance(time - 1, NOTHING)
            self._look_at_everything()

    def _look_at_everything(self) -> None:
        """Nothing has been compared with what is concluded so far."""
        tables = self.engine.tables
        for place, kind in enumerate(self._rounds.kinds):
            parts = tables.content(kind.concluded), tables.content(kind.recorded)
            self._rounds.look_at(place, np.concatenate(parts))

    def _evaluated(self, until: int, arrivals: Arrivals) -> RelationChanges:
        engine = self.engine
        again = self._recorded_at(until) if until == engine.time else None
        # The next time point is looked at, too: what goes on there is taken to go on for ever.
        self._rounds.begin(until if until == engine.time else engine.time + 1, until + 1)
        return engine.step(until, arrivals, again, self._rounds)

    def _recorded_at(self, time: int) -> dict[Relation, Rows]:
        """What earlier evaluations at the same time point recorded is in the stream already."""
        found: dict[Relation, Rows] = {}
        for kind in self._rounds.kinds:
            tables = self.engine.tables
            match kind:
                case Repeated(_, stretches, again):
                    keys = valid_keys(tables.raw(stretches), time)
                    rows = np.empty((len(keys), again.width + 2), np.int64)
                    rows[:, :-2], rows[:, -2:] = keys, time
                    found[again] = rows
                case Noted(_, notes):
                    rows = tables.content(notes)
                    fresh = rows[rows[:, -2] == time + 1]
                    fresh[:, -2] = time
                    found[notes] = fresh
        return found

    @property
    def next_revision(self) -> int:
        """When conclusions are going to differ from the record, if nothing arrives."""
        return self._rounds.next_revision

    # -- going on elsewhere ------------------------------------------------------------------------

    def records(self) -> Records:
        """All that has been recorded, as far as windows can see it; behind the current time it is assumed."""
        network, tables = self.engine.network, self.engine.tables
        return Records(
            {signature: tables.content(kind.recorded) for signature, kind in network.repeated.items()},
            {signature: tables.content(kind.recorded) for signature, kind in network.noted.items()},
        )

    def replay(self, until: int, arrivals: Arrivals, records: Records, since: int | None = None) -> None:
        """Evaluate again with what was recorded then; from `since` on record anew."""
        known = until if since is None else min(until, since - 1)
        parts = list(arrivals.cut(PART)) if arrivals.count else []
        given: Mapping[Relation, Rows] | None = self._given(records.until(known))
        start = self.engine.network.start
        for end, part in _up_to(parts, known):
            self.engine.advance(max(min(end, known), start), part, given)
            given = None
        if known >= start:
            self.engine.advance(known, NOTHING, given)
            self._assume(known)
        for end, part in _after(parts, known):
            for _ in self.parts(max(min(end, until), self.engine.time), part):
                pass
        if self.engine.time < until:
            for _ in self.parts(until, NOTHING):
                pass

    def _assume(self, time: int) -> None:
        """Compare everything with the record, which is known up to this time."""
        self._look_at_everything()
        self._rounds.begin(time + 1, time)
        self.engine.revise(self._rounds)

    def _given(self, records: Records) -> dict[Relation, Rows]:
        network = self.engine.network
        kinds: tuple[tuple[Mapping[Signature, Repeated | Noted], Mapping[Signature, Rows]], ...] = (
            (network.repeated, records.stretches),
            (network.noted, records.notes),
        )
        return {known[one].recorded: rows for known, given in kinds for one, rows in given.items() if one in known}


def _up_to(parts: Iterable[tuple[int, Arrivals]], time: int) -> Iterator[tuple[int, Arrivals]]:
    for end, part in parts:
        found = part.between(-FOREVER, time)
        if found.count:
            yield min(end, time), found


def _after(parts: Iterable[tuple[int, Arrivals]], time: int) -> Iterator[tuple[int, Arrivals]]:
    for end, part in parts:
        found = part.between(time + 1, FOREVER)
        if found.count:
            yield end, found
