"""The incremental encoding (thesis sec. 6.4), ground on the fly.

The network has exactly the rule instances that the rows of the moment allow. Input enters as rows, not as nodes: an
instance is there while its input is in the window, which is what an expiration annotation says of it. Rows of derived
atoms are there while some rule may derive them. Rules that arise in several ways are counted, and leave with the last.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence

from larspark.analysis.analysis import Analysis
from larspark.language.calendar import Calendar
from larspark.language.evaluate import evaluate
from larspark.language.facts import Fact, Signature
from larspark.language.tree import Term, Variable
from larspark.language.values import NotANumber, Value
from larspark.reasoners.contents import Content, Row, content_of
from larspark.reasoners.jtms.accounts import Changes, Instance, InstanceBook, Key, RuleAccount
from larspark.reasoners.jtms.founding import founded_nodes
from larspark.reasoners.jtms.instances import Binding, Numbered, RulePlan, Source
from larspark.reasoners.jtms.network import Justification, Node
from larspark.reasoners.jtms.nodes import NEVER, Found, Pinned, found
from larspark.reasoners.jtms.relations import Relation
from larspark.reasoners.jtms.views import AlwaysView, PossiblePoints, View
from larspark.reasoners.pins import require_near
from larspark.reasoners.plain import Head, PlainRule
from larspark.reasoners.readings import Quantifier, Reading, canonical

_SLACK = 2_000
"""Instances tolerated beyond twice the number after the last clean-up."""


class Grounding:
    """The ground program of the current evaluation, and how it changes."""

    def __init__(
        self,
        analysis: Analysis,
        rules: Sequence[PlainRule],
        background: Iterable[Fact],
        start: int,
        functions: Mapping[str, Callable[..., Value]] | None = None,
        calendar: Calendar | None = None,
    ) -> None:
        self._analysis = analysis
        self._background = tuple(background)
        self._start = start
        self._now = start
        self._functions, self._calendar = functions, calendar
        self._numbers: dict[Reading, int] = {}
        self._readings: list[Reading] = []
        self._relations: list[Relation] = []
        self._contents: dict[int, Content] = {}
        self._direct: defaultdict[Signature, list[int]] = defaultdict(list)
        self._views: defaultdict[Signature, list[View]] = defaultdict(list)
        self._points: defaultdict[Signature, PossiblePoints] = defaultdict(PossiblePoints)
        self._users: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        self._nodes: set[int] = set()
        """Readings of input whose rows are nodes, because some rule negates them."""
        self._due: dict[tuple[int, Row], bool] = {}
        """Rows that relations have yet to take up (True) or give up."""
        self._account = RuleAccount(self._possible)
        self._assert, self._retract = self._account.enter, self._account.leave
        self._instances = InstanceBook()
        self._bearable = _SLACK
        self._inputs: deque[Pinned] = deque()
        self.input_points: set[Pinned] = set()
        """Atoms of derived predicates that arrived or were recorded."""
        self._touched_inputs: set[Node] = set()
        self._started = False
        self._plans = [self._plan(number, rule) for number, rule in enumerate(rules)]
        self._mark_recursion()

    # -- preparation -------------------------------------------------------------------------------

    def _plan(self, number: int, rule: PlainRule) -> RulePlan:
        readings = [literal for literal in rule.body if isinstance(literal, Reading)]
        numbered = [Numbered(self._number(reading), reading) for reading in readings]
        positive = [one for one in numbered if not one.reading.negated]
        negative = [one for one in numbered if one.reading.negated]
        for place, one in enumerate(positive):
            self._users[one.number].append((number, place))
        self._nodes.update(one.number for one in negative if one.number in self._contents)
        sources = [Source(self._relations[one.number], one.reading.names()) for one in positive]
        return RulePlan(rule, sources, positive, negative)

    def _number(self, reading: Reading) -> int:
        shape = canonical(reading)
        if shape not in self._numbers:
            number = self._numbers[shape] = len(self._readings)
            self._readings.append(shape)
            self._relations.append(Relation(shape.names()))
            signature = shape.atom.signature
            if signature not in self._analysis.intensional or shape.counts_arrivals:
                self._contents[number] = content_of(shape, self._background, self._start)
            elif shape.quantifier is Quantifier.NOW and not _has_anonymous(shape):
                self._direct[signature].append(number)
            else:
                kind = AlwaysView if shape.quantifier is Quantifier.ALWAYS else View
                points = self._points[signature]
                self._views[signature].append(kind(number, shape, points, self._start, self._assert, self._retract))
        return self._numbers[shape]

    def _mark_recursion(self) -> None:
        """An `always` that its own rules feed must not be read through two negations."""
        component = {s: one.predicates for one in self._analysis.components for s in one.predicates}
        recursive = {
            number
            for plan in self._plans
            for number, reading in plan.positive
            for head in plan.rule.heads
            if head.atom.signature in component.get(reading.atom.signature, ())
        }
        for view in (view for views in self._views.values() for view in views):
            if isinstance(view, AlwaysView):
                view.recursive = view.number in recursive

    # -- steps -------------------------------------------------------------------------------------

    def advance(self, time: int, atoms: Iterable[Fact]) -> Changes:
        """Move to the time, let the atoms arrive, and say which rules come and go."""
        moved = time != self._now or not self._started
        if moved:
            self._move(time)
        for fact in atoms:
            for content in self._contents.values():
                content.arrive(time, fact)
            if fact.signature in self._analysis.intensional:
                self.hold(time, fact)
        for number, content in self._contents.items():
            entered, left = content.settle(time)
            for row in left:
                self._input_row(number, row, False)
            for row in entered:
                self._input_row(number, row, True)
        self._drain()
        if moved:
            for number, plan in enumerate(self._plans):
                if plan.uses_now or (not plan.sources and not self._started):
                    self._join(number)
            self._drain()
        self._started = True
        if len(self._instances) > self._bearable:
            self._collect()
            self._bearable = 2 * len(self._instances) + _SLACK
        return self._account.changes()

    def hold(self, time: int, fact: Fact) -> None:
        """An atom of a derived predicate is part of the data at this time."""
        pin = Pinned(time, fact)
        if pin not in self.input_points:
            self.input_points.add(pin)
            self._inputs.append(pin)
            self._touched_inputs.add(pin)
            self._assert(Justification(pin))

    def touched_inputs(self) -> set[Node]:
        """The points that became input or were forgotten since the last call."""
        touched, self._touched_inputs = self._touched_inputs, set()
        return touched

    def pinned_at(self, time: int) -> set[Node]:
        """What rules may derive for this time."""
        return {Pinned(time, fact) for points in self._points.values() for fact in points.pinned.get(time, ())}

    def _move(self, time: int) -> None:
        for instance in self._instances.clocked:
            self._drop(instance)
        for points in self._points.values():
            for fact in points.pinned.get(self._now, ()):
                self._retract(Justification(fact, (Pinned(self._now, fact),)))
        self._forget_inputs(time)
        self._now = time
        for views in self._views.values():
            for view in views:
                view.move(time)
        for points in self._points.values():
            for fact in list(points.pinned.get(time, ())):
                self._assert(Justification(fact, (Pinned(time, fact),)))

    def _forget_inputs(self, now: int) -> None:
        kept: deque[Pinned] = deque()
        for pin in self._inputs:
            retention = self._analysis.retention.get(pin.fact.signature)
            if retention is None or retention.past is None or pin.time + retention.past >= now:
                kept.append(pin)
            else:
                self.input_points.discard(pin)
                self._touched_inputs.add(pin)
                self._retract(Justification(pin))
        self._inputs = kept

    def _input_row(self, number: int, row: Row, enters: bool) -> None:
        self._due[number, row] = enters
        if number in self._nodes:
            (self._assert if enters else self._retract)(Justification(found(number, row)))

    def _drain(self) -> None:
        """Let relations take up and give up rows until nothing follows; only the latest word on a row counts."""
        while self._due:
            (number, row), enters = self._due.popitem()
            relation = self._relations[number]
            if enters and row not in relation.rows:
                relation.add(row)
                for plan, place in self._users[number]:
                    self._join(plan, place, row)
            elif not enters and row in relation.rows:
                relation.discard(row)
                for instance in self._instances.made_of((number, row)):
                    self._drop(instance)

    # -- instances ---------------------------------------------------------------------------------

    def _join(self, number: int, place: int | None = None, row: Row = ()) -> None:
        for rows, binding in self._plans[number].joined(self._value, place, row):
            instance = Instance(number, rows)
            if instance not in self._instances:
                rule = self._ground(self._plans[number], binding)
                if rule is not None:
                    clocked = self._plans[number].uses_now
                    self._instances.enter(instance, rule, self._keys(instance), clocked=clocked)
                    self._assert(rule)

    def _drop(self, instance: Instance) -> None:
        rule = self._instances.leave(instance, self._keys(instance))
        if rule is not None:
            self._retract(rule)

    def _keys(self, instance: Instance) -> set[Key]:
        positive = self._plans[instance.plan].positive
        return {(one.number, row) for one, row in zip(positive, instance.rows, strict=True)}

    def _ground(self, plan: RulePlan, binding: Binding) -> Justification | None:
        """The rule as a justification; None when a term has no value or a time is none."""
        times = (binding[name] for name in plan.unchecked_times)
        if not all(isinstance(time, int) and time >= self._start for time in times):
            return None
        try:
            head = self._head(plan.rule.heads[0], binding)
        except NotANumber:
            return None
        positive = (self._node(one, binding) for one in plan.positive if one.number not in self._contents)
        negative = (self._node(one, binding) for one in plan.negative)
        return Justification(head, tuple(dict.fromkeys(positive)), tuple(dict.fromkeys(negative)))

    def _head(self, head: Head, binding: Binding) -> Node:
        fact = Fact(head.atom.predicate, tuple(self._value(term, binding) for term in head.atom.args))
        if head.time is None:
            return fact
        time = self._value(head.time, binding)
        if not isinstance(time, int):
            raise NotANumber(f"{time} is not a time point")
        require_near(time, self._now)
        # No stream has an atom before its start.
        return Pinned(time, fact) if time >= self._start else NEVER

    def _node(self, one: Numbered, binding: Binding) -> Node:
        atom = one.reading.atom
        if one.number in self._direct[atom.signature]:
            return Fact(atom.predicate, tuple(self._value(term, binding) for term in atom.args))
        return found(one.number, tuple(binding[name] for name in one.reading.names()))

    def _value(self, term: Term, binding: Mapping[str, Value]) -> Value:
        if isinstance(term, Variable):
            return binding[term.name]
        return evaluate(term, binding, self._now, self._functions, self._calendar)

    # -- rules -------------------------------------------------------------------------------------

    def _possible(self, node: Node, possible: bool) -> None:
        """Tell everyone concerned that a node can now be derived, or no longer."""
        match node:
            case Fact():
                points = self._points[node.signature]
                (points.now.add if possible else points.now.discard)(node)
                for number in self._direct[node.signature]:
                    row = self._readings[number].match(node, self._now)
                    if row is not None:
                        self._due[number, row] = possible
                self._tell(None, node, possible)
            case Pinned(time, fact):
                points = self._points[fact.signature]
                (points.pinned[time].add if possible else points.pinned[time].discard)(fact)
                if not points.pinned[time]:
                    del points.pinned[time]
                if time == self._now:
                    identity = Justification(fact, (node,))
                    (self._assert if possible else self._retract)(identity)
                self._tell(time, fact, possible)
            case Found(_, number, row) if number not in self._contents:
                self._due[number, row] = possible

    def _tell(self, time: int | None, fact: Fact, possible: bool) -> None:
        for view in self._views.get(fact.signature, ()):
            (view.appear if possible else view.disappear)(time, fact)

    def _collect(self) -> None:
        """Drop instances that only support each other: nothing derives their bodies any more."""
        for instance in self._instances.resting_on_more_than(founded_nodes(self._account.rules)):
            self._drop(instance)
        self._drain()


def _has_anonymous(reading: Reading) -> bool:
    return any(isinstance(term, Variable) and term.anonymous for term in reading.atom.args)
