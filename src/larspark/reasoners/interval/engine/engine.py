"""The engine: chunks of arrivals in, changes of validity out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from larspark.diagnostics import Rejected
from larspark.intervals.sets import FOREVER
from larspark.intervals.storage import Rows
from larspark.intervals.watch import NEVER, next_event
from larspark.kernels.build import provide_kernels
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact, Signature
from larspark.reasoners.interval.engine.arrange import Part, arrange, assign
from larspark.reasoners.interval.engine.component import MOST_WAVES, Changes, Component, runaway
from larspark.reasoners.interval.engine.demands import feedbacks
from larspark.reasoners.interval.engine.netting import Net
from larspark.reasoners.interval.network import (
    Counted,
    Held,
    InSession,
    Network,
    Relation,
    Run,
    Selected,
    Spanned,
    Ticking,
)
from larspark.reasoners.interval.operators.counting import Counting
from larspark.reasoners.interval.operators.holding import Holding
from larspark.reasoners.interval.operators.operators import Clock, Running
from larspark.reasoners.interval.operators.selecting import Selecting, Selector, Spanning
from larspark.reasoners.interval.operators.sessions import Sessions
from larspark.reasoners.interval.planning.plan import EVERYWHERE, Functions
from larspark.reasoners.interval.planning.planning import plan_network
from larspark.reasoners.interval.planning.statistics import Size, Statistics, drifted
from larspark.reasoners.interval.state.arrivals import NOTHING, Arrivals
from larspark.reasoners.interval.state.dictionary import Dictionary
from larspark.reasoners.interval.state.tables import Tables, as_rows, widest_call

PART = 4096
"""How many arrivals are taken at once: what fits the caches."""

FIRST_REVIEW, LAST_REVIEW = 1 << 10, 1 << 16
"""After so many arrivals the sizes of relations are looked at; then after twice as many, at last at this distance."""

COMPACTING = 8
"""Small steps look only now and then for tables with much expired content."""


class Engine:
    """Runs a network. The state is, for all relations, the validity that follows if nothing more arrives."""

    def __init__(
        self,
        network: Network,
        dictionary: Dictionary,
        background: Iterable[Fact] = (),
        functions: Mapping[str, Callable[..., Any]] | None = None,
        calendar: Calendar | None = None,
        statistics: Statistics | None = None,
    ) -> None:
        provide_kernels()
        self.network = network
        self.dictionary = dictionary
        self.time = network.start - 1
        """The last time point that has been evaluated."""
        self.lateness = 0
        """How far back arrivals may still lie."""
        self.arrived = 0
        self._numbered = 0
        """Numbers that are given to arrivals."""
        self._steps = 0
        self._open = FOREVER
        """What holds from this time on may still be revised."""
        self.statistics = statistics
        """What the order of joins was chosen by; None: by the columns that are bound."""
        numbers = Functions()
        plans = plan_network(network, numbers, statistics)
        self._joined = plans.joined
        self._next_review = FIRST_REVIEW
        self.reviewing = True
        """Whether the order of joins follows the sizes of the relations."""
        arity = widest_call(network.rules)
        self.tables = Tables(network.relations, dictionary, numbers, functions or {}, calendar, arity)
        self.tables.horizon = network.start
        self._counting = [Counting(node) for node in network.operators if isinstance(node, Counted)]
        self._sessions = [Sessions(node) for node in network.operators if isinstance(node, InSession)]
        self._holding = [Holding(node) for node in network.operators if isinstance(node, Held)]
        self._selecting: list[Selector] = [
            Selecting(node, dictionary, network.start)
            if isinstance(node, Selected)
            else Spanning(node, dictionary, network.start)
            for node in network.operators
            if isinstance(node, Selected | Spanned)
        ]
        self._running = [Running(node, network.start) for node in network.operators if isinstance(node, Run)]
        self._clocks = [Clock(node, network.start) for node in network.operators if isinstance(node, Ticking)]
        self._parts = arrange(network, self.tables, plans)
        self._feedbacks = feedbacks(network, self._parts)
        self._begin(background)

    def _begin(self, background: Iterable[Fact]) -> None:
        """What holds before anything has arrived: given facts, and rules without a positive literal."""
        start = self.network.start
        given: dict[Signature, list[tuple[int, ...]]] = defaultdict(list)
        for fact in background:
            given[fact.signature].append((*map(self.dictionary.encode, fact.args), start, FOREVER))
        changes = Changes()
        for signature, rows in given.items():
            relation = self.network.background[signature]
            self._apply(relation, as_rows(rows, relation.width), as_rows([], relation.width), changes)
        changes.gain(EVERYWHERE, as_rows([(start, FOREVER)], 0))
        self._evaluate(self.time, changes)

    def advance(self, until: int, arrivals: Arrivals, concluded: Mapping[Relation, Rows] | None = None) -> Changes:
        """Evaluate all time points up to `until`; the arrivals lie between the last call's end and `until`.

        `concluded` are conclusions drawn elsewhere, with their validity; they are true beside those drawn here. Many
        arrivals are taken in parts; then only the changes of derived predicates are returned.
        """
        if arrivals.count <= PART or not arrivals.in_order:
            return self.step(until, arrivals, concluded)
        net = Net((*self.network.now.values(), *self.network.listed.values(), self.network.inconsistent))
        for end, part in arrivals.cut(PART):
            net.add(self.step(min(end, until), part, concluded))
            concluded = None
        if self.time < until:
            net.add(self.step(until, NOTHING, None))
        return net.changes()

    def step(self, until: int, arrivals: Arrivals, concluded: Mapping[Relation, Rows] | None = None) -> Changes:
        """`advance` in one go: the changes of all relations."""
        self._steps += 1
        if arrivals.count > COMPACTING * 16 or self._steps % COMPACTING == 0:
            self.tables.compact()
        if self.reviewing and self._joined and self.arrived >= self._next_review:
            self._review()
        changes = Changes()
        self._drop_demands(changes)
        for target, rows in (concluded or {}).items():
            self._apply(target, rows, as_rows([], target.width), changes)
        for signature, batch in arrivals.batches.items():
            relation = self.network.inputs.get(signature)
            if relation is not None:
                changes.gain(relation, batch.rows())
        self.arrived += arrivals.count
        for running in self._running:
            arrived = changes.gained.get(running.source)
            if arrived is not None:
                found = running.extend(arrived, self.tables.horizon)
                self._apply(running.target, found, as_rows([], running.target.width), changes)
        for counting in self._counting:
            gained, lost = counting.change(arrivals, self._numbered)
            self._apply(counting.node.target, gained, lost, changes)
        for sessions in self._sessions:
            gained, lost = sessions.change(arrivals, self._numbered, until, self.tables.horizon)
            self._apply(sessions.node.target, gained, lost, changes)
        if self._counting or self._sessions:
            self._numbered += arrivals.places
        for holding in self._holding:
            gained, lost = holding.change(arrivals, self.tables.horizon)
            self._apply(holding.node.target, gained, lost, changes)
        for selecting in self._selecting:
            gained, lost = selecting.change(arrivals, self.time, until)
            self._apply(selecting.target, gained, lost, changes)
        self._evaluate(until, changes)
        return changes

    @property
    def knows_the_end(self) -> bool:
        """Whether relations know their validity to its end, if nothing arrives."""
        if self._clocks or self._selecting or self._sessions or any(part.waking for part in self.components):
            return False
        return all(part.next_alarm >= NEVER for part in self._parts if not isinstance(part, Component))

    def next_event(self, relations: Iterable[Relation] | None = None) -> int:
        """The first later time point at which a derived relation may change if nothing arrives; NEVER if there is none.

        Relations know their validity to its end, except where the time point itself is a value or a window hops.
        """
        if self._clocks or self._selecting or any(part.waking for part in self.components):
            return self.time + 1
        derived = relations or (*self.network.now.values(), *self.network.listed.values(), self.network.inconsistent)
        events = [next_event(self.tables.raw(relation), self.time) for relation in derived]
        events += [sessions.next_end for sessions in self._sessions]
        return min(*events, *(part.next_alarm for part in self._parts if not isinstance(part, Component)), NEVER)

    # -- the order of joins ------------------------------------------------------------------------

    def sizes(self) -> dict[str, Size]:
        """How large the stored relations are now."""
        return self.tables.sizes(self.network.relations)

    def _review(self) -> None:
        """Plan anew when the relations that are joined have other sizes than the plans were made for."""
        self._next_review = self.arrived + min(self.arrived, LAST_REVIEW)
        found = self.tables.sizes(self._joined)
        if self.statistics is None or drifted(self.statistics, found):
            self.replan(found)

    def replan(self, statistics: Statistics) -> None:
        """Go on with the order of joins that these sizes suggest. What has been derived stays as it is."""
        self.statistics = statistics
        plans = plan_network(self.network, self.tables.functions, statistics)
        self.tables.reindex(self.network.relations)
        for component in self.components:
            assign(component, plans)

    @property
    def components(self) -> list[Component]:
        """The parts that evaluate rules."""
        return [part for part in self._parts if isinstance(part, Component)]

    # -- steps -------------------------------------------------------------------------------------

    @contextmanager
    def revisable(self, since: int) -> Iterator[None]:
        """Keep what holds from a time on, so that it can be revised."""
        self._open = since
        try:
            yield
        finally:
            self._open = FOREVER
            self.tables.horizon = self.time - self.lateness

    def revise(self, lost: Mapping[Relation, Rows], gained: Mapping[Relation, Rows]) -> Changes:
        """Follow an exact change of relations that come from outside, without going on in time."""
        changes = Changes()
        for relation in {**lost, **gained}:
            nothing = as_rows([], relation.width)
            self._apply(relation, gained.get(relation, nothing), lost.get(relation, nothing), changes)
        self._evaluate(self.time, changes)
        return changes

    def _evaluate(self, until: int, changes: Changes) -> None:
        after, self.time = self.time, until
        for clock in self._clocks:
            self._apply(clock.target, clock.wake(until), as_rows([], 1), changes)
        self._follow(range(len(self._parts)), changes, after, until)
        self.tables.lay_ghosts()
        self.tables.horizon = min(until, self._open) - self.lateness

    def _follow(self, places: range, changes: Changes, after: int, until: int) -> None:
        """Let parts follow changes, one after the other."""
        for place in places:
            self._follow_in(self._parts[place], changes, after, until)
            if place in self._feedbacks:
                self._answer_demands(place, changes, until)

    def _follow_in(self, part: Part, changes: Changes, after: int, until: int) -> None:
        if isinstance(part, Component):
            part.advance(changes, after, until)
        else:
            began, source = perf_counter(), part.node.source
            for target, gained, lost in part.change(changes.gained.get(source), changes.lost.get(source), until):
                self._apply(target, gained, lost, changes)
            if self.tables.profile is not None:
                self.tables.profile.operated(self.network, part.node, perf_counter() - began)

    def _answer_demands(self, place: int, changes: Changes, until: int) -> None:
        """Evaluate what leads to a part again, for keys that it asks for newly, until it asks for none."""
        demands, latest = self._feedbacks[place], changes
        for _ in range(MOST_WAVES):
            more = Changes()
            for demand in demands:
                asked = demand.asked(latest, self.tables)
                if asked is not None:
                    self._apply(demand.target, asked, asked[:0], more)
            if not more.gained:
                return
            self._follow(range(min(demand.first for demand in demands), place), more, until, until)
            self._follow_in(self._parts[place], more, until, until)
            changes.follow(more)
            latest = more
        raise Rejected([runaway(demand.source for demand in demands)])

    def _drop_demands(self, changes: Changes) -> None:
        for demands in self._feedbacks.values():
            for demand in demands:
                dropped = demand.dropped(self.tables)
                if dropped is not None:
                    self._apply(demand.target, dropped[:0], dropped, changes)

    def _apply(self, relation: Relation, gained: Rows, lost: Rows, changes: Changes) -> None:
        """An exact change: remove, then add, and remember both."""
        if len(lost):
            removed = self.tables.remove(relation, lost)
            changes.lose(relation, removed)
            self.tables.haunt(relation, removed)
        if len(gained):
            size = self.tables.size(relation)
            changes.gain(relation, self.tables.absorb(relation, gained), size)
