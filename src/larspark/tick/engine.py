"""Ticks in, output out: the engine without threads, sockets or clocks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from time import perf_counter

from larspark.language.facts import Fact
from larspark.reasoners.protocol import Foreseeing, Reasoner
from larspark.tick.lookout import Lookout
from larspark.tick.output import Filter, Model, Output
from larspark.tick.summary import Summary
from larspark.tick.ticks import Tick, append
from larspark.tick.timing import EveryPoints, EverySignals, OnChange, Timing, is_push


class TickEngine:
    """Evaluates a program tick by tick and writes output when the timing says so.

    Push timings (`change`, `signal`) evaluate after every signal, `change` also at every time point where atoms may
    leave windows. Pull timings evaluate only what they write; the signals of a time point arrive together.
    A lookout sees the same signals at the same evaluations, and what it foresees is written with the model.
    """

    def __init__(
        self,
        reasoner: Reasoner,
        start: int,
        timing: Timing,
        keep: Filter,
        write: Callable[[Output], None],
        lookout: Lookout | None = None,
        arrived: Callable[[int, Sequence[Fact]], None] = lambda _time, _facts: None,
    ) -> None:
        """`arrived` is told of the signals that are taken."""
        self._reasoner = reasoner
        self._lookout = lookout or Lookout({})
        self._start = start
        self._timing = timing
        self._push = is_push(timing)
        self._write = write
        self._arrived = arrived
        self._model = Model(keep)
        self._waiting: list[Fact] = []
        """Signals of the present time point that are not evaluated yet."""
        self.tick = Tick(start, 0)
        self.summary = Summary()
        self.seconds = 0.0
        """Spent in evaluations."""
        if self._timing == OnChange():
            self._evaluate()
            self._write_if_changed()

    def arrive(self, time: int, *facts: Fact) -> bool:
        """Signals at a time point, in this order; False when that time point is over.

        `change` judges signals that arrive in one call together, everything else is decided signal by signal.
        """
        if time < self.tick.time:
            self.summary.late += len(facts)
            return False
        self.pass_time(time)
        self.summary.used += len(facts)
        self._arrived(time, facts)
        for fact in facts:
            (self.tick,) = append(self.tick, time, 1)
            self._model.signal(fact)
            self._waiting.append(fact)
            if isinstance(self._timing, EverySignals) and self.tick.count % self._timing.number == 0:
                self._evaluate()
                self._output()
        if self._timing == OnChange():
            self._evaluate()
            self._write_if_changed()
        return True

    def pass_time(self, time: int) -> None:
        """The time point `time` has begun: all before it are over."""
        match self._timing:
            case OnChange():
                while self.tick.time < time and (point := self._next_change()) <= time:
                    self._enter(point)
                    self._evaluate()
                    self._write_if_changed()
                if self.tick.time < time:
                    self._enter(time)
            case EveryPoints(number):
                while self.tick.time < time:
                    self._close(number)
                    following = self._next_output(number)
                    self._enter(min(time, following))
            case EverySignals():
                if time > self.tick.time:
                    self._flush()
                    self._enter(time)

    def finish(self) -> None:
        """No more signals: the present time point is over, too."""
        if isinstance(self._timing, EveryPoints):
            self._close(self._timing.number)
        else:
            self._flush()

    # ----------------------------------------------------------------------------------------------

    def _enter(self, time: int) -> None:
        self.summary.ticks += time - self.tick.time
        self.tick = Tick(time, self.tick.count)
        self._model.next_time()

    def _next_change(self) -> int:
        """The next time point at which the output can change by itself."""
        following = self.tick.time + 1
        if self._model.has_signals or not isinstance(self._reasoner, Foreseeing) or not self._lookout.quiet:
            return following
        foreseen = self._reasoner.next_change()
        return sys.maxsize if foreseen is None else max(foreseen, following)

    def _next_output(self, number: int) -> int:
        """The first time point after the present one at which output is due."""
        passed = self.tick.time - self._start
        return self._start + (passed // number + 1) * number

    def _close(self, number: int) -> None:
        """The present time point is over; write if it is one of those."""
        passed = self.tick.time - self._start
        if passed and passed % number == 0:
            self._evaluate()
            self._output()
        else:
            self._flush()

    def _flush(self) -> None:
        """Signals must not be evaluated at a later time point than their own."""
        if self._waiting:
            self._evaluate()

    def _evaluate(self) -> None:
        began = perf_counter()
        self._model.update(self._reasoner.advance(self.tick.time, self._waiting))
        self._lookout.advance(self.tick.time, self._waiting)
        self.summary.ticks += len(self._waiting)
        self.summary.evaluations += 1
        self.seconds += perf_counter() - began
        self._waiting = []

    def _write_if_changed(self) -> None:
        if self._model.changed or any(one.changed for one in self._lookout.look()):
            self._output()

    def _output(self) -> None:
        self.summary.outputs += 1
        self._write(self._model.output(self.tick, self._lookout.told()))
