"""The engine: chunks of arrivals in, changes of validity out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.intervals.sets import FOREVER
from larspark.intervals.step.network import FILLED, SEGMENTS, SINGLE
from larspark.intervals.step.present import begin_watch, next_appearance, take_up_watch
from larspark.intervals.step.step import (
    ANSWERING,
    BORDER,
    DONE,
    ENDLESS,
    QUESTIONS,
    TASK_DONE,
    advance_one,
    apply,
    arrive,
    begin,
    follow,
)
from larspark.intervals.tables.addresses import address_of
from larspark.intervals.tables.storage import Rows, Table
from larspark.intervals.tables.watch import NEVER, new_watch
from larspark.kernels.build import provide_kernels
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact, Signature
from larspark.reasoners.interval.engine.alarms import Alarms
from larspark.reasoners.interval.engine.arrange import arrange, assign, read_by
from larspark.reasoners.interval.engine.changes import RelationChanges, Told
from larspark.reasoners.interval.engine.component import RuleComponent
from larspark.reasoners.interval.engine.demands import feedbacks
from larspark.reasoners.interval.engine.inputs import InputOperators
from larspark.reasoners.interval.engine.layout import lay_out
from larspark.reasoners.interval.engine.netting import Net
from larspark.reasoners.interval.engine.rounds import Rounds
from larspark.reasoners.interval.engine.stepping import StepState
from larspark.reasoners.interval.network import CoreRule, Network, Relation, Ticking
from larspark.reasoners.interval.operators.feeding import elements_of
from larspark.reasoners.interval.operators.operators import TimePoints
from larspark.reasoners.interval.planning.plan import Functions
from larspark.reasoners.interval.planning.planning import plan_network
from larspark.reasoners.interval.planning.statistics import Size, Statistics, drifted
from larspark.reasoners.interval.state.arrivals import NOTHING, Arrivals
from larspark.reasoners.interval.state.dictionary import Dictionary
from larspark.reasoners.interval.state.tables import Tables, as_rows, widest_call

PART = 4096
"""How many arrivals are taken at once: what fits the caches."""

MOST_WAVES = 200_000
"""How often a recursion is followed before it counts as endless."""

FIRST_REVIEW, LAST_REVIEW = 1 << 10, 1 << 16
"""After so many arrivals the sizes of relations are looked at; then after twice as many, at last at this distance."""


class IntervalEngine:
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
        self._relations = network.relations
        self.dictionary = dictionary
        self.time = network.start - 1
        """The last time point that has been evaluated."""
        self.lateness = 0
        """How far back arrivals may still lie."""
        self.arrived = 0
        self.statistics = statistics
        """What the order of joins was chosen by; None: by the columns that are bound."""
        numbers = Functions()
        plans = plan_network(network, numbers, statistics)
        self._joined = plans.joined
        self._next_review = FIRST_REVIEW if plans.joined else NEVER
        self.reviewing = True
        """Whether the order of joins follows the sizes of the relations."""
        arity = widest_call(network.rules)
        self.tables = Tables(network.relations, dictionary, numbers, functions or {}, calendar, arity)
        self.tables.horizon = network.start
        self._inputs = InputOperators(network, dictionary)
        self._clocks = [TimePoints(node, network.start) for node in network.operators if isinstance(node, Ticking)]
        self.parts = arrange(network, self.tables, plans)
        self._feedbacks = feedbacks(network, self.parts)
        self._plain = not (self._inputs.any or self._clocks or self._feedbacks)
        """Whether nothing but arrivals of input relations changes anything."""
        self._small = self._inputs.one_by_one and not (self._clocks or self._feedbacks)
        """Whether a few arrivals can be taken one by one."""
        self._alarms = Alarms()
        read = {relation for part in self.parts for relation in read_by(part)}
        self._entering = {one: relation.number for one, relation in network.inputs.items() if relation in read}
        """The numbers of input relations; the others only operators on arrivals look at."""
        self._gates = self._inputs.gates(self._entering)
        self._sorts = not self._inputs.any
        """Whether the order of arrivals of one time does not matter."""
        self._watches: dict[int, Table] = {}
        """By the number of the relation."""
        self._waking = any(component.waking for component in self.components)
        self._fired: set[CoreRule] = set()
        """Under earlier plans."""
        self.rounds: Rounds | None = None
        """Where the program records conclusions: some rules are followed there."""
        self._lay_out()
        self._begin(background)

    def _lay_out(self) -> None:
        """Let steps follow the plans that the parts have now."""
        relations, tables = self.network.relations, self.tables
        self._layout = lay_out(self.parts, relations, tables, self._feedbacks, self._derived, self.network.start)
        self._step = StepState(self._layout, self._gates, relations, tables, MOST_WAVES)
        for number, watch in self._watches.items():
            take_up_watch(self._step.at, number, address_of(watch))

    @property
    def _derived(self) -> tuple[Relation, ...]:
        """The relations of what a program derives."""
        network = self.network
        return (*network.now.values(), *network.listed.values(), network.inconsistent)

    def _begin(self, background: Iterable[Fact]) -> None:
        """What holds before anything has arrived: given facts, and rules without a positive literal."""
        start = self.network.start
        given: dict[Signature, list[tuple[int, ...]]] = defaultdict(list)
        for fact in background:
            given[fact.signature].append((*map(self.dictionary.encode, fact.args), start, FOREVER))
        begin(self._step.at, self.time, self.time, self.tables.horizon, len(self.parts))
        for signature, rows in given.items():
            relation = self.network.background[signature]
            self._step.apply(relation, as_rows(rows, relation.width), as_rows([], relation.width))
        self._step.gain_everywhere(start)
        self._evaluate(self.time)

    def advance(
        self, until: int, arrivals: Arrivals, concluded: Mapping[Relation, Rows] | None = None
    ) -> RelationChanges:
        """Evaluate all time points up to `until`; the arrivals lie between the last call's end and `until`.

        `concluded` are conclusions drawn elsewhere, with their validity; they are true beside those drawn here. Many
        arrivals are taken in parts; then only the changes of derived predicates are returned.
        """
        few = arrivals.few
        if few is not None and concluded is None and self._small and self._alarms.first > until:
            tables, step = self.tables, self._step
            if step.words[FILLED] or tables.crowded or self.arrived >= self._next_review:
                self._keep_house()
                step = self._step
            if tables.profile is None:
                count = arrivals.count
                self.arrived += count
                told = step.advance(
                    sorted(few) if count > 1 and self._sorts else few,
                    arrivals.earliest,
                    self.time,
                    until,
                    tables.horizon,
                )
                if not isinstance(told, int):
                    self.time, tables.horizon = until, until - self.lateness
                    return RelationChanges(told, self._relations)
                return self._ended(until, told)
        if arrivals.count <= PART or not arrivals.in_order:
            return self.step(until, arrivals, concluded)
        net = Net(self._derived)
        for end, part in arrivals.cut(PART):
            net.add(self.step(min(end, until), part, concluded))
            concluded = None
        if self.time < until:
            net.add(self.step(until, NOTHING, None))
        return net.changes()

    def step(
        self,
        until: int,
        arrivals: Arrivals,
        concluded: Mapping[Relation, Rows] | None = None,
        rounds: Rounds | None = None,
    ) -> RelationChanges:
        """`advance` in one go: the changes of all relations, or of what is derived if it is done in rounds."""
        self._keep_house()
        self.arrived += arrivals.count
        at, horizon, parts = self._step.at, self.tables.horizon, len(self.parts)
        plain = self._plain and concluded is None and rounds is None
        if plain and self.tables.profile is None and self._alarms.first > until and len(arrivals.batches) == 1:
            ((signature, batch),) = arrivals.batches.items()
            number = self._entering.get(signature)
            if number is not None:
                told = advance_one(at, number, batch.codes, batch.times, self.time, until, horizon, parts)
                return self._ended(until, -int(told[0]) if told[0] < 0 else told)
        if rounds is not None and until > self.time and self.tables.profile is None:
            parts = rounds.before_record
        begin(at, self.time, until, horizon, parts)
        if self._feedbacks:
            self._drop_demands()
        if concluded is not None:
            for target, rows in concluded.items():
                self._step.apply(target, rows, rows[:0])
        for signature, batch in arrivals.batches.items():
            number = self._entering.get(signature)
            if number is not None:
                arrive(at, number, batch.codes, batch.times)
        if self._inputs.any:
            self._inputs.hold(at, arrivals)
            for target, gained, lost in self._inputs.change(arrivals, self.time, until, horizon):
                if len(gained) or len(lost):
                    apply(at, target.number, gained, lost)
        for clock in self._clocks:
            found = clock.wake(until)
            self._step.apply(clock.target, found, found[:0])
        for place in self._alarms.due(until):
            self._step.wake(place)
        return self._evaluate(until, rounds)

    def _ended(self, until: int, told: Told | int) -> RelationChanges:
        """What a step has told that was made by one call; if it stopped on its way, it is helped on."""
        self.time = until
        if isinstance(told, int):
            self._help(self._step, told, until)
            return self._evaluate(until)
        self.tables.horizon = until - self.lateness
        return RelationChanges(told, self.network.relations)

    def _keep_house(self) -> None:
        """Give back room that is not needed, and look whether the order of joins is still a good one."""
        if self._step.words[FILLED] or self.tables.crowded:
            self.tables.compact(self._step.full())
        if self.reviewing and self._joined and self.arrived >= self._next_review:
            self._review()

    @property
    def knows_the_end(self) -> bool:
        """Whether relations know their validity to its end, if nothing arrives."""
        return not self._inputs.sessions and self.next_event >= NEVER

    @property
    def next_event(self) -> int:
        """The first later time point at which a relation may change otherwise than it is known; NEVER if there is none.

        Relations know their validity to its end, except where the time point itself is a value or a window hops.
        """
        if self._clocks or self._inputs.selecting or self._waking:
            return self.time + 1
        return min(self._alarms.first, self._inputs.next_end)

    def watch(self, relation: Relation) -> Table:
        """Tell from now on with every step which rows of a relation appear and disappear at the present."""
        watch = self._watches[relation.number] = new_watch()
        begin_watch(self._step.at, relation.number, address_of(watch), self.time)
        return watch

    def stop_watching(self) -> None:
        """Tell no longer what appears and disappears."""
        self._watches.clear()
        self.tables.watchers.clear()
        self._step.stop_watching()

    @property
    def next_appearance(self) -> int:
        """The first later time point at which a watched row appears or disappears by itself; NEVER if there is none."""
        return next_appearance(self._step.at, self.time)

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
        self._fired |= self._layout.fired
        self._lay_out()

    def fired_elsewhere(self, rules: Iterable[CoreRule]) -> None:
        """Rules of the network have concluded something from arrivals that the engine has not seen."""
        self._fired |= set(rules)

    @property
    def fired(self) -> frozenset[tuple[Signature, Origin]]:
        """The rules of the program that have concluded anything so far: what, and where they are written."""
        concluded = (*self.network.now.items(), *self.network.pinned.items())
        heads = {relation: signature for signature, relation in concluded}
        walked = self.rounds.fired if self.rounds is not None else set()
        own = ((heads.get(rule.head), rule.origin) for rule in self._fired | self._layout.fired | walked)
        return frozenset((head, origin) for head, origin in own if head is not None and origin is not None)

    @property
    def components(self) -> list[RuleComponent]:
        """The parts that evaluate rules."""
        return [part for part in self.parts if isinstance(part, RuleComponent)]

    # -- steps -------------------------------------------------------------------------------------

    def revise(self, rounds: Rounds) -> RelationChanges:
        """Compare what is recorded with what is concluded, without going on in time."""
        begin(self._step.at, self.time, self.time, self.tables.horizon, len(self.parts))
        return self._evaluate(self.time, rounds)

    def _evaluate(self, until: int, rounds: Rounds | None = None) -> RelationChanges:
        """Bring a step that has begun to its end."""
        self.time = until
        self._follow(self._step, until, rounds=rounds)
        self.tables.horizon = until - self.lateness
        return self._step.finish(in_rounds=rounds is not None)

    def _follow(self, step: StepState, until: int, answered: int | None = None, rounds: Rounds | None = None) -> None:
        """Go on with a step until it is done; the demands of the part `answered` are left to the caller."""
        profile = self.tables.profile
        step.head[SINGLE] = profile is not None
        while True:
            began = perf_counter()
            status = follow(step.at) if rounds is None else rounds.follow(step.at)
            if status == DONE:
                return
            if status == TASK_DONE and profile is not None:
                profile.concluded(*step.ran(), perf_counter() - began)
            elif status != ANSWERING or step.place != answered:
                self._help(step, status, until)

    def _help(self, step: StepState, status: int, until: int) -> None:
        """Do what a step cannot do by itself."""
        if status == BORDER:
            self._operate(step, until)
        elif status == QUESTIONS:
            self._answer(step)
        elif status == ANSWERING:
            self._answer_demands(step, step.place, until)
        elif status == ENDLESS:
            raise Rejected([runaway(step.following())])

    def _answer(self, step: StepState) -> None:
        """Find results that the machine lacks; what has none that anybody can use is told with its rule."""
        try:
            self.tables.answer()
        except Rejected as rejected:
            rule = step.asking()
            origin = rule.origin if rule else None
            raise Rejected(replace(one, origin=one.origin or origin) for one in rejected.diagnostics) from None

    def _operate(self, step: StepState, until: int) -> None:
        """Evaluate the part where the step is, which is none of rules."""
        place = step.place
        part = self.parts[place]
        assert not isinstance(part, RuleComponent)
        began = perf_counter()
        gained, lost = (elements_of(part.node, rows_of) for rows_of in (step.gained, step.lost))
        for target, more, less in part.change(gained, lost, until):
            step.apply(target, more, less)
        self._alarms.set(place, part.next_alarm)
        if self.tables.profile is not None:
            self.tables.profile.operated(self.network, part.node, perf_counter() - began)

    def _answer_demands(self, step: StepState, place: int, until: int) -> None:
        """Evaluate what leads to a part again, for keys that it asks for newly, until it asks for none."""
        demands = self._feedbacks[place]
        latest: dict[Relation, Rows | None] = {demand.source: step.gained(demand.source) for demand in demands}
        again = StepState(self._layout, self._gates, self.network.relations, self.tables, MOST_WAVES)
        for _ in range(MOST_WAVES):
            begin(again.at, until, until, self.tables.horizon, place + 1)
            asked = [(demand, demand.asked(latest[demand.source], self.tables)) for demand in demands]
            for demand, rows in asked:
                if rows is not None:
                    again.apply(demand.target, rows, rows[:0])
            if not again.head[SEGMENTS]:
                return
            self._follow(again, until, place)
            more = again.finish()
            step.add(more)
            latest = {demand.source: more.gained.get(demand.source) for demand in demands}
        raise Rejected([runaway(demand.source for demand in demands)])

    def _drop_demands(self) -> None:
        for demands in self._feedbacks.values():
            for demand in demands:
                dropped = demand.dropped(self.tables)
                if dropped is not None:
                    self._step.apply(demand.target, dropped[:0], dropped)


def runaway(relations: Iterable[Relation]) -> Diagnostic:
    names = ", ".join(sorted(relation.name for relation in relations))
    return Diagnostic(
        "E505",
        f"The recursion through {names} derives ever new atoms.",
        "Put a window around the recursive atom, or bound its arguments.",
    )
