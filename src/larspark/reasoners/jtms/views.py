"""Readings of derived atoms, as rules over the points of their windows.

A point is an atom that some rule may derive for a time point. A view learns which points become possible or impossible
and where its window is; it asserts and retracts rules that define its rows:

    found(X)   :- p(X) at u.                    some p(X) [w], @T p(X) [w], for every point u in the window
    found(X)   :- not spoiled(X).               always p(X) [w], when all points of the window are possible
    spoiled(X) :- not p(X) at u.                for every point u in the window

Where the rules that use an `always` feed it, the two negations would let it support itself; then it is one rule with
all points of the window in its body.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import TypeAlias

from larspark.language.extended_atoms import ExtendedAtom, Quantifier
from larspark.language.facts import Fact
from larspark.language.tree import FilterWindow, TimeWindow
from larspark.language.windows.selection import Selection
from larspark.reasoners.jtms.network import Justification, Node
from larspark.reasoners.jtms.nodes import found, spoiled
from larspark.reasoners.pinned import Pinned
from larspark.reasoners.selection import select

Emit: TypeAlias = Callable[[Justification], None]


class PossiblePoints:
    """For one predicate: the atoms that rules may derive for now, and for which other time points."""

    def __init__(self) -> None:
        self.now: set[Fact] = set()
        self.pinned: defaultdict[int, set[Fact]] = defaultdict(set)


class WindowView:
    """What all views share: the window, and the points in it."""

    def __init__(
        self, number: int, reading: ExtendedAtom, points: PossiblePoints, start: int, emit: Emit, retract: Emit
    ) -> None:
        self.number = number
        self.reading = reading
        self._points = points
        self._start = start
        self._assert, self._retract = emit, retract
        self._chain = (TimeWindow(0),) if reading.quantifier is Quantifier.NOW else reading.windows
        self._filters = [window.patterns for window in self._chain if isinstance(window, FilterWindow)]
        self._now = start
        self._window = self._window_at(start)

    def appear(self, time: int | None, fact: Fact) -> None:
        """A point becomes possible; time None is now."""
        at = self._now if time is None else time
        # A pinned atom of now is seen through the atom that holds now.
        if at in self._window and (time is None or time != self._now) and self._passes(fact):
            self.enter(at, fact, fact if time is None else Pinned(at, fact))

    def disappear(self, time: int | None, fact: Fact) -> None:
        """A point becomes impossible."""
        at = self._now if time is None else time
        if at in self._window and (time is None or time != self._now) and self._passes(fact):
            self.leave(at, fact, fact if time is None else Pinned(at, fact))

    def move(self, now: int) -> None:
        """Time goes on: points leave and enter, and what held now is seen as the past."""
        old, before, after = self._now, self._window, self._window_at(now)
        # Where rows do not carry the time, atoms that hold now stay what they are.
        stays = self._forgets_time and old in before and now in after
        touched = {old, now} | self._passed(before, after)
        for time in touched:
            if time in before and not (stays and time == old):
                for fact, node in self._at(time):
                    self.leave(time, fact, node)
        self._now, self._window = now, after
        for time in touched:
            if time in after and not (stays and time == now):
                for fact, node in self._at(time):
                    self.enter(time, fact, node)

    def enter(self, time: int, fact: Fact, node: Node) -> None:
        """A point enters the window."""
        row = self.reading.match(fact, time)
        if row is not None:
            self._assert(Justification(found(self.number, row), (node,)))

    def leave(self, time: int, fact: Fact, node: Node) -> None:
        """A point leaves the window."""
        row = self.reading.match(fact, time)
        if row is not None:
            self._retract(Justification(found(self.number, row), (node,)))

    def _window_at(self, now: int) -> Selection:
        return select(self._chain, (), self._start, now)

    def _passes(self, fact: Fact) -> bool:
        return all(any(pattern.lets_through(fact) for pattern in patterns) for patterns in self._filters)

    @property
    def _forgets_time(self) -> bool:
        return self.reading.time is None

    def _passed(self, before: Selection, after: Selection) -> set[int]:
        """The time points with pinned atoms that are in one of the two windows only."""
        pinned = self._points.pinned
        if before.last is None or after.last is None:
            return {time for time in pinned if (time in before) != (time in after)}
        firsts, lasts = sorted((before.first, after.first)), sorted((before.last, after.last))
        moved = (*range(firsts[0], firsts[1]), *range(lasts[0] + 1, lasts[1] + 1))
        return {time for time in moved if time in pinned and (time in before) != (time in after)}

    def _at(self, time: int) -> list[tuple[Fact, Node]]:
        if time == self._now:
            return [(fact, fact) for fact in self._points.now if self._passes(fact)]
        return [(fact, Pinned(time, fact)) for fact in self._points.pinned.get(time, ()) if self._passes(fact)]


class AlwaysView(WindowView):
    """`always`: an atom is looked at as soon as all points of the window are possible."""

    def __init__(
        self, number: int, reading: ExtendedAtom, points: PossiblePoints, start: int, emit: Emit, retract: Emit
    ) -> None:
        super().__init__(number, reading, points, start, emit, retract)
        self.recursive = False
        self._inside: defaultdict[Fact, dict[int, Node]] = defaultdict(dict)
        self._stated: dict[Fact, Justification] = {}
        self._moving = False

    @property
    def _forgets_time(self) -> bool:
        return False

    def move(self, now: int) -> None:
        """See `View.move`; what holds is stated when all points are in place."""
        self._moving = True
        super().move(now)
        self._moving = False
        for fact in [*self._inside]:
            self._state(fact)

    def enter(self, time: int, fact: Fact, node: Node) -> None:
        """See `View.enter`."""
        if self.reading.match(fact, time) is not None:
            self._inside[fact][time] = node
            if not self.recursive:
                self._assert(Justification(spoiled(self.number, fact), (), (node,)))
            if not self._moving:
                self._state(fact)

    def leave(self, time: int, fact: Fact, node: Node) -> None:
        """See `View.leave`."""
        if self.reading.match(fact, time) is not None:
            del self._inside[fact][time]
            if not self.recursive:
                self._retract(Justification(spoiled(self.number, fact), (), (node,)))
            if not self._moving:
                self._state(fact)

    def _state(self, fact: Fact) -> None:
        points = self._inside[fact]
        last = self._window.last
        complete = last is not None and len(points) == last - self._window.first + 1 > 0
        rule: Justification | None = None
        row = self.reading.match(fact, self._now)
        if complete and row is not None:
            head = found(self.number, row)
            if self.recursive:
                rule = Justification(head, tuple(points[time] for time in sorted(points)))
            else:
                rule = Justification(head, (), (spoiled(self.number, fact),))
        before = self._stated.pop(fact, None)
        if rule is not None:
            self._stated[fact] = rule
        if rule != before:
            if rule is not None:
                self._assert(rule)
            if before is not None:
                self._retract(before)
        if not points:
            del self._inside[fact]
