"""`always p [w] [from L to U]`, where rules compute the bounds: it is looked for between those that they ask about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from larspark.language.evaluate import evaluate
from larspark.language.extended_atoms import ExtendedAtom
from larspark.language.facts import Fact, Signature
from larspark.language.tree import Hold, IntervalWindow, Variable
from larspark.language.windows.selection import Selection
from larspark.reasoners.arrivals_for_readings import ArrivalsForReadings
from larspark.reasoners.contents import Delta, Row
from larspark.reasoners.jtms.network import Justification, Node
from larspark.reasoners.jtms.nodes import found
from larspark.reasoners.jtms.views import Emit, PossiblePoints, WindowView


@dataclass(frozen=True)
class AskedInterval:
    """A literal about an interval with computed bounds."""

    reading: ExtendedAtom
    """The literal without the interval, its last window."""
    window: IntervalWindow
    bounds: tuple[Variable, ...]
    """The variables among the bounds; their values are what is asked."""
    holds: ExtendedAtom
    """The atom that stands for the literal, over its variables and the bounds."""

    def within(self, selection: Selection, asked: Row, now: int) -> Selection | None:
        """The part of the selection between the bounds that are asked about; None where it has no time points."""
        binding = {variable.name: value for variable, value in zip(self.bounds, asked, strict=True)}
        first, last = (evaluate(bound, binding, now) for bound in (self.window.start, self.window.end))
        if not isinstance(first, int) or not isinstance(last, int):
            return None
        inside = selection.between(first, last)
        return None if inside.empty else inside

    def row(self, fact: Fact, asked: Row, now: int) -> Row | None:
        """What is found where the fact holds throughout; None if the literal is not about it."""
        values = self.reading.match(fact, now)
        return None if values is None else self.holds.match(Fact(self.holds.atom.predicate, values + asked), now)


class IntervalContent:
    """Over the input: selected anew at every evaluation."""

    def __init__(
        self, interval: AskedInterval, background: Iterable[Fact], start: int, holds: Mapping[Signature, Hold]
    ) -> None:
        self._interval = interval
        self._known = [fact for fact in background if fact.signature == interval.reading.signature]
        self._history = ArrivalsForReadings([interval.reading], start, holds)
        self._asked: set[Row] = set()
        self._current: set[Row] = set()
        self.touched = False

    def ask(self, row: Row, asked: bool) -> None:
        """Bounds are asked about, or no longer."""
        (self._asked.add if asked else self._asked.discard)(row)
        self.touched = True

    def arrive(self, time: int, fact: Fact) -> None:
        self._history.append(time, fact)

    def settle(self, now: int) -> Delta:
        selection = self._history.select(self._interval.reading, now)
        current = {row for asked in self._asked for row in self._throughout(selection, asked, now)}
        before, self._current, self.touched = self._current, current, False
        return Delta(list(current - before), list(before - current))

    def _throughout(self, selection: Selection, asked: Row, now: int) -> Iterator[Row]:
        inside = self._interval.within(selection, asked, now)
        if inside is None or inside.last is None:
            return
        times: defaultdict[Fact, set[int]] = defaultdict(set)
        for arrival in inside.arrivals:
            times[arrival.fact].add(arrival.time)
        length = inside.last - inside.first + 1
        steady = (fact for fact, at in times.items() if len(at) == length)
        rows = (self._interval.row(fact, asked, now) for fact in (*self._known, *steady))
        yield from (row for row in rows if row is not None)


class IntervalView(WindowView):
    """Over derived atoms: one rule for each atom and interval, with all its points in the body.

    So what holds throughout cannot support itself, even where the rules that use it feed it.
    """

    touched = False
    """Questions are answered at once."""

    def __init__(
        self, number: int, interval: AskedInterval, points: PossiblePoints, start: int, emit: Emit, retract: Emit
    ) -> None:
        super().__init__(number, interval.reading, points, start, emit, retract)
        self._interval = interval
        self._asked: set[Row] = set()
        self._inside: defaultdict[Fact, dict[int, Node]] = defaultdict(dict)
        self._stated: dict[tuple[Fact, Row], Justification] = {}
        self._moving = False

    @property
    def _forgets_time(self) -> bool:
        return False

    def ask(self, row: Row, asked: bool) -> None:
        """Bounds are asked about, or no longer."""
        (self._asked.add if asked else self._asked.discard)(row)
        for fact in [*self._inside]:
            self._state(fact, row)

    def move(self, now: int) -> None:
        """See `WindowView.move`; what holds is stated when all points are in place."""
        self._moving = True
        super().move(now)
        self._moving = False
        for fact in {*self._inside, *(fact for fact, _ in self._stated)}:
            self._state_all(fact)

    def enter(self, time: int, fact: Fact, node: Node) -> None:
        """See `WindowView.enter`."""
        self._inside[fact][time] = node
        if not self._moving:
            self._state_all(fact)

    def leave(self, time: int, fact: Fact, node: Node) -> None:
        """See `WindowView.leave`."""
        del self._inside[fact][time]
        if not self._moving:
            self._state_all(fact)

    def _state_all(self, fact: Fact) -> None:
        for row in self._asked:
            self._state(fact, row)
        if not self._inside[fact]:
            del self._inside[fact]

    def _state(self, fact: Fact, asked: Row) -> None:
        rule = self._rule(fact, asked) if asked in self._asked else None
        before = self._stated.pop((fact, asked), None)
        if rule is not None:
            self._stated[fact, asked] = rule
        if rule != before:
            if rule is not None:
                self._assert(rule)
            if before is not None:
                self._retract(before)

    def _rule(self, fact: Fact, asked: Row) -> Justification | None:
        inside = self._interval.within(self._window, asked, self._now)
        points = self._inside.get(fact, {})
        if inside is None or inside.last is None or inside.last - inside.first >= len(points):
            return None
        row = self._interval.row(fact, asked, self._now)
        times = range(inside.first, inside.last + 1)
        if row is None or not all(time in points for time in times):
            return None
        return Justification(found(self.number, row), tuple(points[time] for time in times))
