"""One step of a component: relations that depend on each other, brought up to date with changed inputs.

What only gains is continued semi-naively. What loses follows delete-and-rederive: everything that may have used a lost
row is taken out (looking at the state before, hence the ghosts), what has another derivation is put back.

All of it happens on intervals: only the times that are lost are taken out and derived again. An example with
`up(X,Y) :- link(X,Y) [5].  reach(X,Y) :- up(X,Y).  reach(X,Z) :- reach(X,Y), up(Y,Z).`, where up(b,c) is lost in [6,9]
because a conclusion that it hung on is withdrawn, and up(a,c) holds by itself in [8,9]:

    time             4 5 6 7 8 9
    up(a,b)          # # # # # #
    up(b,c)          # # . . . .        lost in [6,9]
    up(a,c)                  # #

    reach(b,c)       # # x x x x        overdeleted: used up(b,c) in [6,9]
    reach(a,c)       # # x x x x        overdeleted: used reach(a,b) and up(b,c), only in [6,9]; 4 and 5 are not touched
    reach(a,b)       # # # # # #        used nothing that was lost

    put back         reach(a,c)  [8,9]  derived from up(a,c); what follows from it is continued semi-naively
    lost in the end  reach(b,c)  [6,9]  and  reach(a,c)  [6,7]: only this is told to the components that read `reach`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from larspark.diagnostics import Diagnostic, Rejected
from larspark.intervals.machine import DERIVE, OVERDELETE
from larspark.intervals.sets import FOREVER
from larspark.intervals.storage import Rows, Table, passing_table
from larspark.intervals.table import absorb, outside
from larspark.reasoners.interval.network import CoreRule, Relation
from larspark.reasoners.interval.operators.operators import LocalOperator, WakingOperator
from larspark.reasoners.interval.planning.plan import Plan
from larspark.reasoners.interval.state.tables import Tables

MOST_WAVES = 200_000
"""How often a recursion is followed before it counts as endless."""


@dataclass
class Changes:
    """What the relations have gained and lost in this step; parts of one list do not overlap."""

    gained: dict[Relation, Rows] = field(default_factory=dict)
    lost: dict[Relation, Rows] = field(default_factory=dict)
    since: dict[Relation, int] = field(default_factory=dict)
    """The sizes of the tables before they gained anything."""

    def follow(self, later: Changes) -> None:
        """Add what changed afterwards; what has only come back has not changed."""
        for relation, rows in later.gained.items():
            lost = self.lost.get(relation)
            if lost is not None:
                self.lost[relation] = outside(lost, rows)
                rows = outside(rows, lost)  # noqa: PLW2901 - what is left of them
            self.gain(relation, rows, later.since.get(relation))
        for relation, rows in later.lost.items():
            self.lose(relation, rows)

    def gain(self, relation: Relation, rows: Rows, since: int | None = None) -> None:
        _append(self.gained, relation, rows)
        if since is not None:
            self.since.setdefault(relation, since)

    def lose(self, relation: Relation, rows: Rows) -> None:
        _append(self.lost, relation, rows)


def _append(target: dict[Relation, Rows], relation: Relation, rows: Rows) -> None:
    if len(rows):
        known = target.get(relation)
        target[relation] = rows if known is None else np.concatenate((known, rows))


class Component:
    """The rules and local operators whose conclusions depend on each other."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self.rules: tuple[CoreRule, ...] = ()
        self.triggered: dict[Relation, list[Plan]] = {}
        """Positive occurrences of a relation in the bodies."""
        self.blocked: dict[Relation, list[Plan]] = {}
        """Negated occurrences."""
        self.rederiving: dict[Relation, list[Plan]] = {}
        self.operators: dict[Relation, list[LocalOperator]] = {}
        """By source."""
        self.operators_to: dict[Relation, LocalOperator] = {}
        self.waking: list[WakingOperator] = []

    def advance(self, changes: Changes, after: int, until: int) -> None:
        """Follow the changes, and the time from `after` to `until`."""
        for unrolling in self.waking:
            unrolling.until = until
        if not self.read.isdisjoint(changes.gained) or not self.read.isdisjoint(changes.lost):
            self._step(changes)
        if until > after:
            for unrolling in self.waking:
                produced: dict[Relation, Rows] = {}
                _append(produced, unrolling.target, unrolling.wake(after))
                self._continue(produced, changes)

    @cached_property
    def read(self) -> Set[Relation]:
        """The relations whose changes concern this component; other plans for the same rules read the same."""
        return self.triggered.keys() | self.blocked.keys() | self.operators.keys()

    def _step(self, changes: Changes) -> None:
        """Follow the changes of the relations read; add the changes of the own relations."""
        doomed = self._overdelete(changes) if changes.lost or self.blocked else {}
        produced: dict[Relation, Rows] = {}
        for relation, rows in doomed.items():
            self._tables.remove(relation, rows)
        for relation, rows in doomed.items():
            self._rederive(relation, rows, produced)
        for relation, rows in changes.gained.items():
            if relation in self.read:
                self._conclude(self.triggered.get(relation, ()), rows, produced, changes.since)
                self._operate(relation, rows, produced)
        for relation, rows in changes.lost.items():
            self._conclude(self.blocked.get(relation, ()), rows, produced, {})
        if doomed:
            gained = Changes()
            self._continue(produced, gained)
            self._settle(doomed, gained, changes)
        else:
            self._continue(produced, changes)

    # -- deletion ----------------------------------------------------------------------------------

    def _overdelete(self, changes: Changes) -> dict[Relation, Rows]:
        """All rows whose derivation may have used something lost, or an absence that has ended."""
        doomed: dict[Relation, Rows] = {}
        graves: dict[Relation, Table] = {}
        waiting = [*self._endangered(changes.lost, self.triggered, changes.lost)]
        waiting += self._endangered(changes.gained, self.blocked, {})
        while waiting:
            relation, candidates = waiting.pop()
            held = self._tables.covered(relation, candidates)
            if not len(held):
                continue
            if relation not in graves:
                graves[relation] = passing_table(relation.width)
            fresh = absorb(graves[relation], held, -FOREVER)
            if len(fresh):
                _append(doomed, relation, fresh)
                waiting += self._endangered({relation: fresh}, self.triggered, {relation: fresh})
        return doomed

    def _endangered(
        self, changed: dict[Relation, Rows], occurrences: dict[Relation, list[Plan]], operated: dict[Relation, Rows]
    ) -> Iterator[tuple[Relation, Rows]]:
        for relation, rows in changed.items():
            for plan in occurrences.get(relation, ()):
                yield plan.rule.head, self._tables.conclusions(plan, rows, OVERDELETE)
        for relation, rows in operated.items():
            for operator in self.operators.get(relation, ()):
                yield operator.target, operator.propose(rows)

    def _rederive(self, relation: Relation, rows: Rows, produced: dict[Relation, Rows]) -> None:
        for plan in self.rederiving.get(relation, ()):
            _append(produced, relation, self._tables.conclusions(plan, rows, DERIVE))
        operator = self.operators_to.get(relation)
        if operator is not None:
            _append(produced, relation, operator.derive(rows))

    # -- continuation ------------------------------------------------------------------------------

    def _conclude(
        self, plans: Iterable[Plan], rows: Rows, produced: dict[Relation, Rows], since: Mapping[Relation, int]
    ) -> None:
        for plan in plans:
            _append(produced, plan.rule.head, self._tables.conclusions(plan, rows, DERIVE, since))

    def _operate(self, relation: Relation, rows: Rows, produced: dict[Relation, Rows]) -> None:
        for operator in self.operators.get(relation, ()):
            _append(produced, operator.target, operator.derive(operator.propose(rows)))

    def _continue(self, produced: dict[Relation, Rows], changes: Changes) -> None:
        """Put conclusions into the tables, and follow what is new inside the component until nothing is."""
        waves = 0
        while produced:
            waves += 1
            if waves > MOST_WAVES:
                raise Rejected([runaway(produced)])
            following: dict[Relation, Rows] = {}
            for relation, rows in produced.items():
                size = self._tables.size(relation)
                fresh = self._tables.absorb_own(relation, rows)
                if len(fresh):
                    changes.gain(relation, fresh, size)
                    self._conclude(self.triggered.get(relation, ()), fresh, following, {relation: size})
                    self._operate(relation, fresh, following)
            produced = following

    def _settle(self, doomed: dict[Relation, Rows], gained: Changes, changes: Changes) -> None:
        """What was taken out and put back has not changed."""
        for relation, rows in gained.gained.items():
            fresh = outside(rows, doomed[relation]) if relation in doomed else rows
            changes.gain(relation, fresh, gained.since[relation])
        for relation, rows in doomed.items():
            lost = self._tables.uncovered(relation, rows)
            if len(lost):
                changes.lose(relation, lost)
                self._tables.haunt(relation, lost)


def runaway(relations: Iterable[Relation]) -> Diagnostic:
    names = ", ".join(sorted(relation.name for relation in relations))
    return Diagnostic(
        "E505",
        f"The recursion through {names} derives ever new atoms.",
        "Put a window around the recursive atom, or bound its arguments.",
    )
