"""The main loop: from the intake through the engine to the sinks, until all sources have ended."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import pyarrow as pa

from larspark.diagnostics import Diagnostic, Origin
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact
from larspark.read import UNTIMED
from larspark.runtime.admission import Admission
from larspark.tick.clock import ATTENTION, Pace, TickClock
from larspark.tick.column_feed import ColumnFeed
from larspark.tick.columns import TickColumns
from larspark.tick.columns_engine import MakeColumns
from larspark.tick.engine import TickEngine
from larspark.tick.intake import Ended, Intake, LiveQuestion, SignalBatch
from larspark.tick.output import Output
from larspark.tick.questions import Ask
from larspark.tick.renderings import Rendering
from larspark.tick.signals import Signal, record_of
from larspark.tick.sinks import Sink
from larspark.tick.sources import SignalSource
from larspark.tick.stamps import Stamping, as_it_is
from larspark.tick.summary import Summary
from larspark.tick.times import TickTimes

LOG = logging.getLogger("larspark.tick")


class TimeFrom(StrEnum):
    """Where the time of a signal comes from."""

    INPUT = "input"
    """The times in the lines; time passes as they say (a simulated clock)."""
    WALL = "wall"
    """The clock, when the line arrives."""
    AUTO = "auto"
    """As the first signal has it."""


@dataclass(frozen=True)
class Setup:
    """What a run is made of."""

    engine: Callable[[int, Callable[[Output], None]], TickEngine]
    """From the start of the timeline and where to write."""
    admission: Admission
    clock: TickClock
    pace: Pace
    sources: Sequence[SignalSource]
    sinks: Sequence[Sink]
    render: Rendering
    time_from: TimeFrom = TimeFrom.AUTO
    stamping: Stamping = as_it_is
    """Reads the time that a signal itself carries."""
    start: int | None = None
    """The first time point; by default 0 for the wall clock, the first signal's time for simulated time."""
    columns: MakeColumns | None = None
    """The engine for signals with times, where ticks can be evaluated in columns; None: they cannot."""
    ask: Ask | None = None
    """Answers questions between the signals; None: there are none."""
    refuse: Callable[[Diagnostic, str], None] = lambda _finding, _record: None
    """Is told of everything that is refused, with the record."""
    note: Callable[[SignalBatch], None] = lambda _batch: None
    """Is shown everything that comes."""
    times: TickTimes = field(default_factory=lambda: TickTimes(Calendar()))
    """How times are written."""


class Runner:
    """Runs a setup; `run` returns when the input has ended, `close` afterwards whatever happened."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._intake = Intake(setup.clock, asked=setup.ask is not None)
        self._time_from = setup.time_from
        self._engine: TickEngine | None = None
        self._feed: ColumnFeed | None = None
        if setup.columns is not None and setup.pace.instant:
            self._feed = ColumnFeed(self._started_in_columns, setup.admission, self._reject, self._late)
        self._rejected = 0
        self._stopping = False

    def run(self) -> None:
        setup = self._setup
        if self._time_from is TimeFrom.WALL:
            self._engine = self._started(0)
        open_sources = {source.name for source in setup.sources}
        for source in setup.sources:
            source.start(self._intake)
        while open_sources and not self._stopping and not self._unheard():
            match self._intake.get(self._patience()):
                case None:
                    self._pass_time()
                case Ended(name):
                    open_sources.discard(name)
                case LiveQuestion(text):
                    self._answer(text)
                case SignalBatch() as batch:
                    self._take([batch, *self._intake.more(batch.arrived)])
        # Without a signal, the program's own facts are told.
        if self._feed is not None and self._time_from is not TimeFrom.WALL:
            self._feed.finish(self._setup.start or 0)
        else:
            self._engine = self._engine or self._started(0)
            self._engine.finish()

    def stop(self) -> None:
        """Let `run` end as at the end of input; takes no lock, so that a signal handler may call it."""
        self._stopping = True
        for sink in self._setup.sinks:
            sink.abandon()

    @property
    def by_wall(self) -> bool:
        """Whether time passes by the wall clock."""
        return self._time_from is TimeFrom.WALL

    @property
    def stopping(self) -> bool:
        return self._stopping

    def close(self) -> Summary:
        """End sources and sinks; what is waiting is written."""
        self._intake.close()
        for source in self._setup.sources:
            source.close()
        for sink in self._setup.sinks:
            sink.close()
        summary = self._engine.summary if self._engine else self._feed.summary if self._feed else Summary()
        summary.rejected = self._rejected
        summary.dropped = sum(sink.dropped for sink in self._setup.sinks)
        return summary

    # ----------------------------------------------------------------------------------------------

    def _patience(self) -> float:
        """How long to wait for input: by the wall clock until the next time point begins."""
        if self._engine is None or self._time_from is not TimeFrom.WALL:
            return ATTENTION
        return min(ATTENTION, self._setup.clock.until(self._engine.tick.time + 1))

    def _pass_time(self) -> None:
        now = self._intake.present()
        if now is not None and self._engine is not None and self._time_from is TimeFrom.WALL:
            self._engine.pass_time(now)

    def _take(self, batches: Sequence[SignalBatch]) -> None:
        """Batches of one time point; several are there when the engine falls behind."""
        for fault in (fault for batch in batches for fault in batch.faults):
            self._reject(fault.diagnostic, fault.record)
        for batch in batches:
            self._setup.note(batch)
        if self._takes_columns(batches):
            assert self._feed is not None
            for batch in batches:
                self._setup.times.note(batch)
                self._feed.take(batch.chunk)
            return
        events = (self._stamped(event) for batch in batches for event in batch.signals)
        admitted = [event for event in events if event is not None and self._admits(event)]
        if not admitted:
            return
        if self._time_from is TimeFrom.AUTO:
            self._time_from = TimeFrom.WALL if admitted[0].time is None else TimeFrom.INPUT
        wall = self._time_from is TimeFrom.WALL
        for batch in () if wall else batches:
            self._setup.times.note(batch)
        engine = self._engine = self._engine or self._started(0 if wall else admitted[0].time or 0)
        if wall:
            facts = [event.fact for event in admitted]
            self._arrive(engine, batches[0].arrived, facts, together=len(batches) > 1)
            return
        for event in admitted:
            # a line without time among others with: it comes now
            at = engine.tick.time if event.time is None else event.time
            self._replay_until(engine, at)
            if not engine.arrive(at, event.fact):
                self._late(event.fact, at, event.origin)

    def _answer(self, text: str) -> None:
        assert self._setup.ask is not None
        lines = f"{self._setup.ask(text)}\n".encode()
        for sink in self._setup.sinks:
            sink.write(lines)

    def _takes_columns(self, batches: Sequence[SignalBatch]) -> bool:
        """Whether signals go to the engine in columns: when the first one carries a time."""
        if self._feed is None or self._time_from is TimeFrom.WALL:
            return False
        if self._time_from is TimeFrom.AUTO:
            firsts = (self._feed.first_time(batch.chunk) for batch in batches)
            first = next((time for time in firsts if time is not None), None)
            if first is not None:
                self._time_from = TimeFrom.WALL if first == UNTIMED else TimeFrom.INPUT
        return self._time_from is not TimeFrom.WALL

    def _arrive(self, engine: TickEngine, time: int, facts: list[Fact], *, together: bool) -> None:
        """Signal by signal; when the engine falls behind the wall clock, everything that is there together."""
        for number, fact in enumerate(facts):
            if together or self._intake.behind(time):
                engine.arrive(time, *facts[number:])
                return
            engine.arrive(time, fact)

    def _stamped(self, event: Signal) -> Signal | None:
        stamped = self._setup.stamping(event)
        if isinstance(stamped, Diagnostic):
            self._reject(stamped, record_of(event.fact, event.time))
            return None
        return stamped

    def _admits(self, event: Signal) -> bool:
        objection = self._setup.admission.objection(event.fact)
        if objection is not None:
            self._reject(replace(objection, origin=event.origin), record_of(event.fact, event.time))
        return objection is None

    def _started(self, first: int) -> TickEngine:
        return self._setup.engine(first if self._setup.start is None else self._setup.start, self._write)

    def _started_in_columns(self, first: int) -> TickColumns:
        assert self._setup.columns is not None
        return self._setup.columns(first if self._setup.start is None else self._setup.start, self._write_lines)

    def _replay_until(self, engine: TickEngine, time: int) -> None:
        if self._setup.pace.instant:
            return
        for point in range(engine.tick.time, time + 1):
            self._setup.pace.wait_for(point, lambda: self._stopping)
            engine.pass_time(point)

    def _reject(self, diagnostic: Diagnostic, record: str) -> None:
        self._rejected += 1
        self._setup.refuse(diagnostic, record)
        _warn(diagnostic)

    def _late(self, fact: Fact, time: int, origin: Origin | None) -> None:
        message = f"{fact} comes late: its time point {self._setup.times.writer.text(time)} is over."
        late = Diagnostic("E405", message, "Send signals in the order of their times.", origin)
        self._setup.refuse(late, record_of(fact, time))
        _warn(late)

    def _write(self, output: Output) -> None:
        line = f"{self._setup.render(output)}\n".encode()
        for sink in self._setup.sinks:
            sink.write(line)

    def _write_lines(self, lines: pa.Array) -> None:
        ended = lines.cast(pa.binary()).to_pylist()
        for sink in self._setup.sinks:
            sink.write(*ended)

    def _unheard(self) -> bool:
        """Every sink is gone for good, as when the output is piped into `head`."""
        return all(sink.gone for sink in self._setup.sinks)


def _warn(diagnostic: Diagnostic) -> None:
    where = f"{diagnostic.origin}: " if diagnostic.origin else ""
    LOG.warning("%s%s %s", where, diagnostic.message, diagnostic.hint, extra={"diagnostic": diagnostic})
