"""The incremental encoding (thesis sec. 6.4), ground on the fly.

The network has exactly the rule instances that the rows of the moment allow. Input enters as rows, not as nodes: an
instance is there while its input is in the window, which is what an expiration annotation says of it. Rows of derived
atoms are there while some rule may derive them. Rules that arise in several ways are counted, and leave with the last.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from larspark.analysis.analysis import Analysis
from larspark.language.calendar import Calendar
from larspark.language.evaluate import evaluate
from larspark.language.extended_atoms import ExtendedAtom, Quantifier
from larspark.language.facts import Fact, Signature
from larspark.language.tree import Term, Variable
from larspark.language.values import NotANumber, Value
from larspark.reasoners.contents import Changing, Delta, Row, content_of
from larspark.reasoners.jtms.accounts import Instance, InstanceBook, Key, RuleAccount, RuleChanges
from larspark.reasoners.jtms.asked_intervals import AskedInterval, IntervalContent, IntervalView
from larspark.reasoners.jtms.asked_times import AskedTimes
from larspark.reasoners.jtms.auxiliaries import Auxiliaries
from larspark.reasoners.jtms.founding import founded_nodes
from larspark.reasoners.jtms.instances import Binding, NamedSource, Numbered, RulePlan
from larspark.reasoners.jtms.layers import Place
from larspark.reasoners.jtms.network import IN, Justification, Node, NodeLabel
from larspark.reasoners.jtms.nodes import FoundRow, Never, Spoiled, found, never
from larspark.reasoners.jtms.relations import NamedRows
from larspark.reasoners.jtms.tallies import Tally
from larspark.reasoners.jtms.views import AlwaysView, PossiblePoints, WindowView
from larspark.reasoners.pinned import Pinned
from larspark.reasoners.pins import require_near
from larspark.reasoners.plain import Head, PlainRule

_SLACK = 2_000
"""Instances tolerated beyond twice the number after the last clean-up."""


class Grounding:
    """The ground program of the current evaluation, and how it changes."""

    def __init__(
        self,
        analysis: Analysis,
        prepared: Auxiliaries,
        background: Iterable[Fact],
        start: int,
        functions: Mapping[str, Callable[..., Value]] | None = None,
        calendar: Calendar | None = None,
    ) -> None:
        self._analysis = analysis
        self._derived = analysis.intensional | {
            head.atom.signature for rule, _ in prepared.rules for head in rule.heads
        }
        self._asking = prepared.asking
        self._background = tuple(background)
        self._start = start
        self._now = start
        self._functions, self._calendar = functions, calendar
        self._numbers: dict[ExtendedAtom, int] = {}
        self._readings: list[ExtendedAtom] = []
        self._relations: list[NamedRows] = []
        self._contents: dict[int, Changing] = {}
        self._direct: defaultdict[Signature, list[int]] = defaultdict(list)
        self._views: defaultdict[Signature, list[WindowView]] = defaultdict(list)
        self._points: defaultdict[Signature, PossiblePoints] = defaultdict(PossiblePoints)
        self._joins: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        """ExtendedAtom → the plans and places where it stands."""
        self._nodes: set[int] = set()
        """Readings of input whose rows are nodes, because some rule negates them."""
        self._tallies = [Tally(aggregation, self._value) for aggregation in prepared.aggregations]
        self._values = {tally.aggregation.reading.signature: tally for tally in self._tallies}
        self._counted = {signature: tally for tally in self._tallies for signature, _, _ in tally.aggregation.elements}
        self._questions: dict[Signature, Tally | AskedTimes | IntervalContent | IntervalView] = {
            tally.aggregation.asked: tally for tally in self._tallies
        }
        self._tallied: dict[int, Tally] = {}
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
        asked = {
            reading: AskedTimes(reading, self._background, start, analysis.held)
            for reading in prepared.asked_times.values()
        }
        self._asked_times = asked
        self._questions.update((signature, asked[reading]) for signature, reading in prepared.asked_times.items())
        self._intervals = {one.holds.signature: (asked, one) for asked, one in prepared.asked_intervals.items()}
        self._levels = {head.atom.signature: level for rule, level in prepared.rules for head in rule.heads}
        self._plans = [self._plan(number, *levelled) for number, levelled in enumerate(prepared.rules)]
        self._users = self._higher_users()
        self._mark_recursion()

    # -- preparation -------------------------------------------------------------------------------

    def _plan(self, number: int, rule: PlainRule, level: int) -> RulePlan:
        readings = [literal for literal in rule.body if isinstance(literal, ExtendedAtom)]
        numbered = [Numbered(self._number(reading), reading) for reading in readings]
        positive = [one for one in numbered if not one.reading.negated]
        negative = [one for one in numbered if one.reading.negated]
        for place, one in enumerate(positive):
            self._joins[one.number].append((number, place))
        self._nodes.update(one.number for one in negative if one.number in self._contents)
        sources = [NamedSource(self._relations[one.number], one.reading.names()) for one in positive]
        return RulePlan(rule, level, sources, positive, negative)

    def _number(self, reading: ExtendedAtom) -> int:
        shape = reading.canonical
        if shape not in self._numbers:
            number = self._numbers[shape] = len(self._readings)
            self._readings.append(shape)
            self._relations.append(NamedRows(shape.names()))
            signature = shape.atom.signature
            if signature in self._values:
                self._tallied[number] = self._values[signature]
            elif shape in self._asked_times:
                self._contents[number] = self._asked_times[shape]
            elif signature in self._intervals:
                self._questions[self._intervals[signature][0]] = self._interval(number, self._intervals[signature][1])
            elif signature not in self._derived or shape.counts_arrivals:
                self._contents[number] = content_of(shape, self._background, self._start, self._analysis.held)
            elif shape.quantifier is Quantifier.NOW and not _has_anonymous(shape):
                self._direct[signature].append(number)
            else:
                kind = AlwaysView if shape.quantifier is Quantifier.ALWAYS else WindowView
                points = self._points[signature]
                self._views[signature].append(kind(number, shape, points, self._start, self._assert, self._retract))
        return self._numbers[shape]

    def _interval(self, number: int, interval: AskedInterval) -> IntervalContent | IntervalView:
        signature = interval.reading.signature
        if signature not in self._derived or interval.reading.counts_arrivals:
            content = IntervalContent(interval, self._background, self._start, self._analysis.held)
            self._contents[number] = content
            return content
        points = self._points[signature]
        view = IntervalView(number, interval, points, self._start, self._assert, self._retract)
        self._views[signature].append(view)
        self._levels[interval.holds.signature] = self._levels[signature]
        return view

    def _mark_recursion(self) -> None:
        """An `always` that its own rules feed must not be read through two negations."""
        component = {s: one.predicates for one in self._analysis.components for s in one.predicates}
        recursive = {
            number
            for plan in self._plans
            for number, reading in plan.positive
            for head in plan.rule.heads
            if head.atom.signature in component.get(reading.signature, ())
        }
        for view in (view for views in self._views.values() for view in views):
            if isinstance(view, AlwaysView):
                view.recursive = view.number in recursive

    # -- levels ------------------------------------------------------------------------------------

    def place(self, node: Node) -> Place:
        """The level that decides a node, and the higher ones that use it."""
        match node:
            case Fact():
                return self._levels.get(node.signature, 0), self._users.get(node.signature, ())
            case Pinned(_, fact):
                return self._levels.get(fact.signature, 0), ()
            case FoundRow(_, number) | Spoiled(_, number):
                level = 0 if number in self._contents else self._levels[self._readings[number].atom.signature]
                return level, self._users.get(number, ())
            case Never(_, level):
                return level, ()
        raise TypeError(f"{node!r} is no node of a program")

    def _higher_users(self) -> dict[Signature | int, tuple[int, ...]]:
        found: defaultdict[Signature | int, set[int]] = defaultdict(set)
        for plan in self._plans:
            for number, reading in (*plan.positive, *plan.negative):
                signature = reading.signature
                level = 0 if number in self._contents else self._levels.get(signature, 0)
                if level < plan.level:
                    found[signature if number in self._direct[signature] else number].add(plan.level)
        return {used: tuple(sorted(levels)) for used, levels in found.items()}

    # -- steps -------------------------------------------------------------------------------------

    def changes(self) -> RuleChanges:
        """Which rules came and went since the last call."""
        added, removed = self._account.changes()
        return RuleChanges(
            [rule for rule in added if self._decides(rule)], [rule for rule in removed if self._decides(rule)]
        )

    def _decides(self, rule: Justification) -> bool:
        """Questions are asked whether they hold or not."""
        return not isinstance(rule.head, Fact) or rule.head.signature not in self._asking

    def count(self, nodes: Iterable[Node], label: Callable[[Node], NodeLabel | None]) -> None:
        """Tell aggregates which of their elements are decided anew."""
        for node in nodes:
            if isinstance(node, Fact) and node.signature in self._counted:
                self._counted[node.signature].element(node, label(node) is IN)

    def questions(self, level: int) -> bool:
        """Is there anything to answer, as far as it rests on what is decided up to this level?"""
        return any(content.touched for content in self._asked_contents()) or any(
            tally.touched for tally in self._tallies if tally.aggregation.level <= level
        )

    def _asked_contents(self) -> Iterator[AskedTimes | IntervalContent]:
        return (one for one in self._contents.values() if isinstance(one, AskedTimes | IntervalContent))

    def answer(self, level: int) -> None:
        """Answer them."""
        for number, content in self._contents.items():
            if isinstance(content, AskedTimes | IntervalContent) and content.touched:
                self._input_rows(number, content.settle(self._now))
        for number, tally in self._tallied.items():
            if tally.aggregation.level <= level:
                self._input_rows(number, tally.settle())
        self._drain()

    def advance(self, time: int, atoms: Iterable[Fact]) -> None:
        """Move to the time, and let the atoms arrive."""
        moved = time != self._now or not self._started
        if moved:
            self._move(time)
        for fact in atoms:
            for content in self._contents.values():
                content.arrive(time, fact)
            if fact.signature in self._analysis.intensional:
                self.hold(time, fact)
        for number, content in self._contents.items():
            self._input_rows(number, content.settle(time))
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
        for tally in self._tallies:
            tally.move()
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

    def _input_rows(self, number: int, delta: Delta) -> None:
        for row in delta.left:
            self._input_row(number, row, False)
        for row in delta.entered:
            self._input_row(number, row, True)

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
                for plan, place in self._joins[number]:
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
                rules = self._ground(self._plans[number], binding)
                if rules:
                    clocked = self._plans[number].uses_now
                    self._instances.enter(instance, rules, self._keys(instance), clocked=clocked)
                    for rule in rules:
                        self._assert(rule)

    def _drop(self, instance: Instance) -> None:
        for rule in self._instances.leave(instance, self._keys(instance)):
            self._retract(rule)

    def _keys(self, instance: Instance) -> set[Key]:
        positive = self._plans[instance.plan].positive
        return {(one.number, row) for one, row in zip(positive, instance.rows, strict=True)}

    def _ground(self, plan: RulePlan, binding: Binding) -> tuple[Justification, ...]:
        """The rule as justifications, one per head; none when a term has no value or a time is none."""
        times = (binding[name] for name in plan.unchecked_times)
        if not all(isinstance(time, int) and time >= self._start for time in times):
            return ()
        try:
            heads = dict.fromkeys(self._head(head, binding) for head in plan.rule.heads)
        except NotANumber:
            return ()
        positive = tuple(dict.fromkeys(self._node(one, binding) for one in plan.positive if self._is_node(one.number)))
        negative = tuple(dict.fromkeys(self._node(one, binding) for one in plan.negative))
        possible = [head for head in heads if head is not None]
        if not possible:
            return (Justification(never(plan.level), positive, negative),)
        # A choice between heads that do not rest on each other: each one unless another holds (shifting).
        return tuple(
            Justification(head, positive, tuple(dict.fromkeys((*negative, *self._others(head, possible)))))
            for head in possible
        )

    def _others(self, head: Node, heads: Sequence[Node]) -> Iterator[Node]:
        for other in heads:
            if other != head:
                yield other
                if isinstance(other, Pinned) and other.time == self._now and other.fact != head:
                    yield other.fact

    def _is_node(self, number: int) -> bool:
        """Is what the reading finds decided by truth maintenance?"""
        shape = self._readings[number]
        return not (number in self._contents or number in self._tallied or shape.atom.signature in self._asking)

    def _head(self, head: Head, binding: Binding) -> Node | None:
        """The node of a head; None where no stream has an atom, before its start."""
        fact = Fact(head.atom.predicate, tuple(self._value(term, binding) for term in head.atom.args))
        if head.time is None:
            return fact
        time = self._value(head.time, binding)
        if not isinstance(time, int):
            raise NotANumber(f"{time} is not a time point")
        require_near(time, self._now)
        return Pinned(time, fact) if time >= self._start else None

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
                if node.signature in self._questions:
                    self._questions[node.signature].ask(node.args, possible)
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
            case FoundRow(_, number, row) if number not in self._contents:
                self._due[number, row] = possible

    def _tell(self, time: int | None, fact: Fact, possible: bool) -> None:
        for view in self._views.get(fact.signature, ()):
            (view.appear if possible else view.disappear)(time, fact)

    def _collect(self) -> None:
        """Drop instances that only support each other: nothing derives their bodies any more."""
        for instance in self._instances.resting_on_more_than(founded_nodes(self._account.rules)):
            self._drop(instance)
        self._drain()


def _has_anonymous(reading: ExtendedAtom) -> bool:
    return any(isinstance(term, Variable) and term.anonymous for term in reading.atom.args)
