"""Many ticks at once: signals come in columns, and every tick that is written becomes a line without a step of its own.

With output at time points the interval reasoner evaluates a stretch of them in one go. With output after signals, or on
every change, ticks are time points of a finer clock (`analysis/rewrites/ticks_as_times.py`), and the rest is the same:

    rows of signals and conclusions, each with the fine times at which it holds   ─▶   the times that are written
    ─▶   rows with the written lines that they are in   ─▶   lines
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from larspark.blocks import Block, Numbers
from larspark.diagnostics import Diagnostic, Rejected
from larspark.intervals.sets import FOREVER, LATEST
from larspark.intervals.tables.storage import Rows, content, passing_table
from larspark.intervals.tables.table import absorb
from larspark.language.facts import Fact, Signature
from larspark.reasoners.interval.reasoner import IntervalReasoner
from larspark.reasoners.interval.state.coding import Coder
from larspark.runtime.replay import Replay, united
from larspark.tick.column_lines import LineMaker, WrittenTicks
from larspark.tick.output import Filter
from larspark.tick.summary import Summary
from larspark.tick.timing import EveryPoints, EverySignals, OnChange, Timing

FIRST_GRAIN = 1 << 10
"""So many ticks fit into a time point at first; with more signals, sixteen times as many."""

Timeline: TypeAlias = dict[Signature, Rows]
"""Rows of codes with the first and the last fine time at which they are in the output."""


class TickColumns:
    """Evaluates a program over signals that carry their times; `finish` when there are no more."""

    def __init__(
        self,
        reasoner: Callable[[int, int], IntervalReasoner],
        start: int,
        timing: Timing,
        keep: Filter,
        lines: LineMaker,
        write: Callable[[pa.Array], None],
    ) -> None:
        """`reasoner` makes one for a start and a grain: the number of fine time points in a time point."""
        self._make, self._timing, self._keep, self._write = reasoner, timing, keep, write
        self._start, self._lines = start, lines
        self.time = start
        """The present time point."""
        self.summary = Summary()
        self._grain = 1 if isinstance(timing, EveryPoints) else FIRST_GRAIN
        self._inside = 0
        """Signals at the present time point."""
        self._count = 0
        self._waiting: list[Block] = []
        """Signals of a time point that is written when it is over."""
        self._present: Timeline = {}
        """The signals of the present time point."""
        self._begin(reasoner(start, self._grain))
        if isinstance(timing, OnChange):
            self._advance([], start * self._grain)

    def _begin(self, reasoner: IntervalReasoner) -> None:
        network = reasoner.engine.network
        derived = network.now.keys() | network.listed.keys()
        self._derived = frozenset(derived)
        self._reasoner = reasoner
        self._replay = Replay(reasoner, [one for one in derived if self._keep(one)])
        self._coder = Coder(reasoner.dictionary)

    # -- signals -----------------------------------------------------------------------------------

    def arrive(self, blocks: Sequence[Block]) -> None:
        """Signals in the order of time and, by `order`, of arrival; none lies before the present."""
        blocks = [block for block in blocks if len(block)]
        if not blocks:
            return
        times = np.concatenate([block.times for block in blocks])
        arriving = np.argsort(np.concatenate([_order(block) for block in blocks]), kind="stable")
        sorted_times = times[arriving]
        last = int(sorted_times[-1])
        if last * self._grain >= LATEST:
            raise Rejected([_too_late(last)])
        self.summary.used += len(times)
        self.summary.ticks += len(times) + last - self.time
        if isinstance(self._timing, EveryPoints):
            self._hold(blocks, last)
        else:
            places = np.empty(len(times), np.int64)
            places[arriving] = self._places(sorted_times)
            bounds = np.cumsum([len(block) for block in blocks])[:-1]
            fine = zip(blocks, np.split(times * self._grain + places, bounds), strict=True)
            until = last * self._grain + int(places[arriving[-1]])
            self._advance([Block(one.signature, at, one.arguments, order=one.order) for one, at in fine], until)
            self._inside = int(places[arriving[-1]])
        self.time = last

    def finish(self) -> None:
        """The present time point is over."""
        if isinstance(self._timing, EveryPoints):
            blocks, self._waiting = self._waiting, []
            self._advance(blocks, self.time)

    def _hold(self, blocks: list[Block], last: int) -> None:
        """Evaluate the time points that are over."""
        parts = [block.split(last) for block in united([*self._waiting, *blocks])]
        self._waiting = [rest for _, rest in parts if len(rest)]
        if last > self.time:
            self._advance([before for before, _ in parts if len(before)], last - 1)

    def _places(self, times: Numbers) -> Numbers:
        """The place of each signal at its time point, from 1."""
        firsts = np.flatnonzero(np.append(True, times[1:] != times[:-1]))
        sizes = np.diff(np.append(firsts, len(times)))
        places = np.arange(len(times)) - np.repeat(firsts, sizes) + 1
        if times[0] == self.time:
            places[: sizes[0]] += self._inside
        most = int(places.max())
        if most >= self._grain:
            self._refine(most)
        return places

    def _refine(self, most: int) -> None:
        """Go over to a grain that has room for so many signals at a time point."""
        old = self._grain
        while most >= self._grain:
            self._grain <<= 4
        reasoner = self._make(self._start, self._grain)
        by_time: dict[int, list[Fact]] = {}
        for time, fact in self._reasoner.kept():
            by_time.setdefault(_scaled(time, old, self._grain), []).append(fact)
        for time, facts in by_time.items():
            reasoner.advance(time, facts)
        if self._reasoner.time >= self._start * old:
            reasoner.advance(_scaled(self._reasoner.time, old, self._grain))
        before = self._reasoner.dictionary
        self._begin(reasoner)
        for signature, rows in self._present.items():
            rows[:, :-2] = before.translate(rows[:, :-2], reasoner.dictionary)
            rows[:, -2] = rows[:, -2] // old * self._grain + rows[:, -2] % old
            rows[:, -1] = (rows[:, -1] // old + 1) * self._grain - 1
            self._present[signature] = rows
        self._lines.translate(before, reasoner.dictionary)

    # -- evaluation --------------------------------------------------------------------------------

    def _advance(self, blocks: Sequence[Block], until: int) -> None:
        """Evaluate up to a fine time, and write what is due."""
        first = self._reasoner.time + 1
        signals = self._signals(blocks, until)
        self._replay.step(blocks, until)
        held = self._replay.held(first - 1)
        held |= {signature: rows for signature, rows in signals.items() if signature not in self._derived}
        void = self._replay.void_since(first - 1)
        arrived = np.sort(np.concatenate([np.empty(0, np.int64), *(block.times for block in blocks)]))
        points = self._due(held, void, arrived, first, until)
        counts = self._count + np.searchsorted(arrived, points, side="right")
        self._count += len(arrived)
        self.summary.evaluations += len(np.union1d(arrived, points)) if self._grain > 1 else until - first + 1
        self.summary.outputs += len(points)
        if len(points):
            written = WrittenTicks(points // self._grain, counts, ~_inside(void, points))
            for lines in self._lines.lines(written, _in_lines(held, points), self._coder):
                self._write(lines)

    def _signals(self, blocks: Sequence[Block], until: int) -> Timeline:
        """The rows of signals, those of the present time point so far included; each shows to the end of its own."""
        found: dict[Signature, list[Rows]] = {one: [rows] for one, rows in self._present.items()}
        for block in blocks:
            if self._keep(block.signature):
                ends = (block.times // self._grain + 1) * self._grain - 1
                rows = np.column_stack((self._coder.codes(block), block.times, ends))
                found.setdefault(block.signature, []).append(rows)
        signals = {one: _once(np.concatenate(parts), one.arity) for one, parts in found.items()}
        self._present = {one: rows[rows[:, -1] >= until] for one, rows in signals.items()}
        return signals

    def _due(self, held: Timeline, void: Rows, arrived: Numbers, first: int, until: int) -> Numbers:
        """The fine times at which a line is due, in order."""
        match self._timing:
            case EveryPoints(number):
                next_one = first + -(first - self._start) % number
                return np.arange(max(next_one, self._start + number), until + 1, number)
            case EverySignals(number):
                places = np.arange(self._count + 1, self._count + len(arrived) + 1)
                chosen: Numbers = arrived[places % number == 0]
                return chosen
            case OnChange():
                begins = [rows[:, -2] for rows in held.values()]
                ends = [rows[:, -1] + 1 for rows in held.values()]
                found = np.unique(np.concatenate([*begins, *ends, void[:, -2], void[:, -1] + 1, arrived[:0]]))
                found = found[(found >= first) & (found <= until)]
                # Where there was and is no answer stream, nothing is new.
                before = _inside(void, found - 1) if first > self._start * self._grain else np.zeros(len(found), bool)
                changed: Numbers = found[~(_inside(void, found) & before)]
                return changed


def _order(block: Block) -> Numbers:
    assert block.order is not None
    return block.order


def _too_late(time: int) -> Diagnostic:
    message = f"Time point {time} is too far ahead for an evaluation after every signal."
    return Diagnostic("E411", message, "Use a coarser clock, or write at time points: -e time.")


def _scaled(time: int, old: int, new: int) -> int:
    return time // old * new + time % old


def _once(rows: Rows, width: int) -> Rows:
    """The rows with united intervals."""
    table = passing_table(width)
    absorb(table, np.ascontiguousarray(rows), -FOREVER)
    found: Rows = content(table)
    return found


def _inside(intervals: Rows, points: Numbers) -> npt.NDArray[np.bool_]:
    """Which points lie in one of the intervals, which are disjoint and in order."""
    if not len(intervals):
        return np.zeros(len(points), np.bool_)
    place = np.searchsorted(intervals[:, -2], points, side="right") - 1
    found: npt.NDArray[np.bool_] = (place >= 0) & (points <= intervals[np.maximum(place, 0), -1])
    return found


def _in_lines(held: Timeline, points: Numbers) -> Timeline:
    """The rows with the first and the last of the written lines in which they are."""
    found: Timeline = {}
    for signature, rows in held.items():
        first = np.searchsorted(points, rows[:, -2], side="left")
        last = np.searchsorted(points, rows[:, -1], side="right") - 1
        inside = first <= last
        if inside.any():
            chosen = rows[inside]
            chosen[:, -2], chosen[:, -1] = first[inside], last[inside]
            found[signature] = chosen
    return found
