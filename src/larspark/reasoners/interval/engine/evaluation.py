"""An engine together with the input it can be built from: chunks, late arrivals, and changes of the program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from larspark.analysis.analysis import Analysis
from larspark.diagnostics import Rejected
from larspark.intervals.tables.table import outside
from larspark.intervals.tables.watch import NEVER
from larspark.language.calendar import Calendar
from larspark.language.evaluate import Functions
from larspark.language.facts import Fact
from larspark.reasoners.interval.engine.changes import RelationChanges
from larspark.reasoners.interval.engine.engine import PART, IntervalEngine
from larspark.reasoners.interval.engine.log import SLACK, InputLog, LogMark, ordered
from larspark.reasoners.interval.engine.recording import NO_RECORDS, Recorder, Records
from larspark.reasoners.interval.lowering.lower import lower
from larspark.reasoners.interval.network import Counted, Filled, Held, InSession, Network, Relation, Selected, Spanned
from larspark.reasoners.interval.planning.statistics import Statistics
from larspark.reasoners.interval.state.arrivals import NOTHING, Arrivals
from larspark.reasoners.interval.state.dictionary import Dictionary
from larspark.reasoners.interval.state.snapshot import Snapshot


class Standing(NamedTuple):
    """What an evaluation can be brought back to."""

    time: int
    too_late: int
    analysis: Analysis
    background: tuple[Fact, ...]
    log: LogMark


class StreamEvaluation:
    """Evaluates a program over a stream; `rebuilt` starts it anew from what is kept of the input."""

    def __init__(
        self,
        analysis: Analysis,
        background: Iterable[Fact],
        start: int,
        *,
        lateness: int = 0,
        functions: Functions | None = None,
        calendar: Calendar | None = None,
        dictionary: Dictionary | None = None,
        statistics: Statistics | None = None,
    ) -> None:
        self.analysis = analysis
        self.background = tuple(background)
        self.start = start
        self.lateness = lateness
        self.dictionary = dictionary or Dictionary()
        self.log = InputLog()
        self.too_late = 0
        """Arrivals that came after the allowed lateness and were left out."""
        self._functions, self._calendar = functions, calendar
        self._recording: Recorder | None = None
        self.engine = self._engine(statistics)

    @property
    def time(self) -> int:
        """The last time point that has been evaluated."""
        return self.engine.time

    def parts(self, until: int, arrivals: Arrivals, *, single: bool = False) -> Iterable[RelationChanges]:
        """Evaluate all time points up to `until`, large chunks in parts; arrivals may be late if that is allowed.

        With `single` the caller asks for this evaluation, not for a history: the first one is the first there is.
        When the evaluation is refused on the way, everything is as it was before.
        """
        if arrivals.count > PART or self.analysis.recorded or arrivals.earliest <= self.over(until):
            return self._several(until, arrivals, single=single)
        return (self.whole(until, arrivals),)

    @property
    def in_one_go(self) -> bool:
        """Whether nothing that arrives in the order of time, and is not much, is evaluated but in one go."""
        return not (self.lateness or self.analysis.recorded)

    def whole(self, until: int, arrivals: Arrivals) -> RelationChanges:
        """What arrives in time is evaluated in one go."""
        engine, log = self.engine, self.log
        before = engine.time
        try:
            changes = engine.advance(until if until > before else before, arrivals)
        except Rejected:
            self._start_anew(before, NO_RECORDS)
            raise
        log.append(arrivals)
        if log.exceeds(SLACK):
            self.forget(SLACK)
        return changes

    def _several(self, until: int, arrivals: Arrivals, *, single: bool) -> Iterator[RelationChanges]:
        before = self.standing()
        try:
            recorder = self._recorder()
            if single and recorder is not None:
                yield from recorder.begin(until)
            yield from self._evaluated(until, arrivals)
        except Rejected:
            self.go_back(before)
            raise

    def _evaluated(self, until: int, arrivals: Arrivals) -> Iterator[RelationChanges]:
        if arrivals.earliest <= self.over(until):
            arrivals = self._in_time(arrivals)
            if arrivals.earliest <= self.over(until) and self._counts_arrivals:
                self.log.append(arrivals)
                yield self.rebuild(until, arrivals.earliest)
                return
        self.log.append(arrivals)
        recorder = self._recorder()
        if recorder is not None:
            yield from recorder.parts(until, arrivals)
        else:
            for end, part in arrivals.cut(PART):
                yield self.engine.step(max(min(end, until), self.time), part)
            if self.time < until:
                yield self.engine.step(until, NOTHING)
        self.forget(SLACK)

    def over(self, until: int) -> int:
        """The last time point for which arrivals are late: the current one is open as long as time does not go on."""
        return self.time if self.lateness and until > self.time else self.time - 1

    def forget(self, slack: int = 0) -> None:
        """Drop the input that no window can see again, when there is more of it than the slack."""
        self.log.prune(self.time - self.lateness, self.analysis.retention, self.engine.network, slack=slack)

    def change(self, analysis: Analysis, background: Iterable[Fact]) -> None:
        """Go on with another program and other given facts, if the program can be evaluated with them."""
        before = self.standing()
        self.analysis, self.background = analysis, tuple(background)
        try:
            self.rebuild()
        except Rejected:
            self.go_back(before)
            raise

    def rebuild(self, until: int | None = None, since: int | None = None) -> RelationChanges:
        """Start a new engine from the log and bring it to the same (or a later) time; return the difference.

        What was recorded stays as it is, or is recorded anew `since` a time at which something has changed.
        """
        before = self.engine
        self._start_anew(max(before.time, until or before.time), self.records(), since)
        return _difference(before, self.engine, before.time - self.lateness)

    def resume(self, saved: Snapshot) -> None:
        """Go to where a snapshot was taken."""
        self.dictionary = Dictionary(saved.values)
        self.too_late = saved.too_late
        self.log.load(saved.arrivals, saved.arrived)
        self._start_anew(saved.time, Records(saved.stretches, saved.notes))

    def renumber_values(self) -> None:
        """Forget the values that nothing mentions any more; all codes change."""
        self.forget()
        old, self.dictionary = self.dictionary, Dictionary()
        self.log.translate(old, self.dictionary)
        self._start_anew(self.time, self.records().translated(old, self.dictionary))

    # -- refusals ----------------------------------------------------------------------------------

    def standing(self) -> Standing:
        return Standing(self.time, self.too_late, self.analysis, self.background, self.log.mark())

    def go_back(self, standing: Standing) -> None:
        """Start anew from the input that was there, since an engine cannot undo a step."""
        self.too_late = standing.too_late
        self.analysis, self.background = standing.analysis, standing.background
        self.log.go_back(standing.log)
        # Whatever the refused evaluation recorded lies behind the time it began at.
        self._start_anew(standing.time, self.records())

    # -- the engine --------------------------------------------------------------------------------

    def _engine(self, statistics: Statistics | None) -> IntervalEngine:
        given = {fact.signature for fact in self.background}
        # What is declared and has no facts is refused or taken as if it had some.
        network = lower(self.analysis, self.dictionary, self.start, self.analysis.background | given)
        engine = IntervalEngine(network, self.dictionary, self.background, self._functions, self._calendar, statistics)
        engine.lateness = self.lateness
        return engine

    def _recorder(self) -> Recorder | None:
        network = self.engine.network
        if not (network.repeated or network.noted):
            return None
        if self._recording is None or self._recording.engine is not self.engine:
            self._recording = Recorder(self.engine)
        return self._recording

    def records(self) -> Records:
        """What has been recorded up to now."""
        recorder = self._recorder()
        return NO_RECORDS if recorder is None else recorder.records().until(self.time)

    @property
    def next_revision(self) -> int:
        """When what is recorded goes on otherwise than assumed."""
        recorder = self._recorder()
        return NEVER if recorder is None else recorder.next_revision

    def _start_anew(self, time: int, records: Records, since: int | None = None) -> None:
        """A new engine, brought to this time by what the log holds and what was recorded before `since`."""
        self.engine = self._engine(self.engine.statistics)
        recorder = self._recorder()
        if recorder is not None:
            recorder.replay(time, self.log.arrivals(), records, since)
            return
        for end, part in self.log.arrivals().cut(PART):
            self.engine.step(min(end, time), part)
        if self.time < time:
            self.engine.step(time, NOTHING)

    # -- late arrivals -----------------------------------------------------------------------------

    @property
    def _counts_arrivals(self) -> bool:
        """Does the place of an arrival in the order matter, or what was concluded from it already?"""
        counting = any(
            isinstance(node, Counted | Filled | InSession | Held | Selected | Spanned)
            for node in self.engine.network.operators
        )
        return counting or bool(self.analysis.recorded)

    def _in_time(self, arrivals: Arrivals) -> Arrivals:
        """The arrivals that are not too late, in the order of time."""
        kept = {}
        for signature, batch in arrivals.batches.items():
            keep = batch.times >= self.time - self.lateness
            self.too_late += int(np.count_nonzero(~keep))
            kept[signature] = batch.where(keep)
        return ordered(kept)


def _difference(before: IntervalEngine, after: IntervalEngine, since: int) -> RelationChanges:
    """What the derived relations gained and lost between two engines, from a time on."""
    changes = RelationChanges()
    for old, new in _shared(before.network, after.network):
        rows, others = before.tables.content(old), after.tables.content(new)
        for part in (rows, others):
            np.maximum(part[:, -2], since, out=part[:, -2])
        rows, others = rows[rows[:, -1] >= since], others[others[:, -1] >= since]
        for target, left, right in ((changes.lose, rows, others), (changes.gain, others, rows)):
            target(new, outside(left, right))
    return changes


def _shared(before: Network, after: Network) -> Iterator[tuple[Relation, Relation]]:
    for old, new in ((before.now, after.now), (before.listed, after.listed)):
        for signature, relation in new.items():
            if signature in old:
                yield old[signature], relation
    yield before.inconsistent, after.inconsistent
