"""The rules of a program, one by one, as core rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from larspark.diagnostics import Rejected
from larspark.language.traversal import atoms_with_sign, innermost, tied_times, time_variables, variables
from larspark.language.tree import (
    Aggregate,
    AggregateElement,
    Always,
    At,
    Atom,
    Call,
    Comparison,
    Constant,
    Formula,
    IntervalWindow,
    Node,
    Not,
    Now,
    Operation,
    Rule,
    Some,
    Term,
    Truth,
    Variable,
    Window,
    Windowed,
)
from larspark.reasoners.interval.dictionary import FILLER, Dictionary
from larspark.reasoners.interval.network import (
    Absence,
    Aggregated,
    Compare,
    Compute,
    CoreLiteral,
    CoreRule,
    Kind,
    Match,
    Network,
    OnTimeline,
    Operand,
    Relation,
    mentioned,
)
from larspark.reasoners.interval.views import Body, Mode, Reading, Views, unusual
from larspark.reasoners.readings import unbound_time

NOW = "now"
"""The name under which rules know the evaluation time; no variable of the language starts in lower case."""


class RuleLowering:
    """The lowering of one rule: collects literals, invents variables."""

    def __init__(self, network: Network, views: Views, dictionary: Dictionary, rule: Rule) -> None:
        self.network = network
        self.views = views
        self.dictionary = dictionary
        self.rule = rule
        self._fresh = 0

    def fresh(self) -> str:
        self._fresh += 1
        return f"${self._fresh}"

    def lower(self) -> None:
        rule = self.rule
        inline = not any(atom.signature in self.views.revocable for atom, _ in atoms_with_sign(rule.head))
        ending: list[CoreLiteral] = [OnTimeline(name) for name in sorted(_unchecked_times(rule))]
        match rule.head:
            case At(time, Atom() as atom):
                at = self.operand(time, ending)
                columns = (*(self.operand(arg, ending) for arg in atom.args), at)
                for body in self.bodies(rule.body, inline=inline):
                    self._add(self.network.pinned[atom.signature], columns, (*body, *ending, OnTimeline(at, pins=True)))
                # A variable stands for time points only (thesis Def. 14), a term may leave the timeline.
                for body in () if isinstance(time, Variable) else self.bodies(rule.body):
                    self._add(self.network.inconsistent, (), (*body, *ending, OnTimeline(at, wanted=False)))
            case Atom() as atom:
                columns = tuple(self.operand(arg, ending) for arg in atom.args)
                for body in self.bodies(rule.body, inline=inline):
                    self._add(self.network.now[atom.signature], columns, (*body, *ending))
            case Truth(False):
                for body in self.bodies(rule.body):
                    self._add(self.network.inconsistent, (), (*body, *ending))
            case Truth(True):
                pass
            case head:
                raise TypeError(f"{head} cannot be a head here")

    # -- bodies ------------------------------------------------------------------------------------

    def bodies(self, literals: tuple[Formula, ...], *, inline: bool = False) -> Iterator[Body]:
        """The alternatives whose union is the body.

        With `inline` a single literal is read straight from its sources; not where another rule's conclusions may be
        taken back, since arrivals are not kept and could not be found again.
        """
        alone = inline and sum(not isinstance(literal, Comparison) for literal in literals) == 1
        choices = [self.literal(literal, literals, alone) for literal in literals]
        for choice in product(*choices):
            yield tuple(part for parts in choice for part in parts)

    def literal(self, literal: Formula, body: tuple[Formula, ...], alone: bool) -> list[Body]:
        counted = self.counted_always(literal)
        if counted is not None:
            return self.literal(counted, tuple(counted if other is literal else other for other in body), alone)
        match literal:
            case Comparison():
                return [self.comparison(literal)]
            case Aggregate():
                return self.aggregate(literal, body)
            case Not(Comparison(operator, left, right)):
                return [self.comparison(Comparison(OPPOSITE[operator], left, right))]
            case Not(Truth(value)):
                return [] if value else [()]
            case Truth(value):
                return [()] if value else []
            case Not(Aggregate() as inner):
                return self.negated_aggregate(inner, body)
            case Not(inner):
                return [self.absent(inner, body)]
            case _:
                return self.present(literal, tuple(other for other in body if other is not literal), alone)

    def present(self, literal: Formula, others: tuple[Formula, ...], alone: bool) -> list[Body]:
        reading, args, time, span = self.read(literal)
        before: list[CoreLiteral] = []
        columns = tuple(self.operand(arg, before) for arg in args)
        if time is not None:
            columns = (*columns, self.operand(time, before))
        if span is not None:
            at = self.fresh() if time is None else columns[-1]
            columns = (*columns, at) if time is None else columns
            before += self.within(span, at)
        if self.views.endless(reading):
            return [(*before, *body) for body in self.at_any_time(literal, reading, columns, others)]
        if alone and (definitions := self.views.definitions(reading, columns)) is not None:
            return [(*before, *definition) for definition in definitions]
        return [(*before, Match(self.views.relation(reading), columns))]

    def at_any_time(
        self, literal: Formula, reading: Reading, columns: tuple[Operand, ...], others: tuple[Formula, ...]
    ) -> Iterator[Body]:
        """Given facts hold at infinitely many T: another literal gives T its values, or nobody asks for them."""
        match innermost(literal):
            case At(Variable(anonymous=True)):
                yield (Match(self.network.background[reading.signature], columns[:-1]),)
            case At(time) if _names(time) <= self.known_without_endless(others):
                yield self.views.given_at(reading, columns)
            case At():
                raise Rejected([unbound_time(literal.origin)])
            case _:
                raise Rejected([unusual(reading)])
        yield (Match(self.views.relation(reading), columns),)

    def known_without_endless(self, others: tuple[Formula, ...]) -> set[str]:
        """The variables that get their values from literals with finitely many, and from equations of such."""
        ends = (one for one in others if not isinstance(one, Not | Comparison) and not self._is_endless(one))
        known = set().union(*map(_names, ends))
        equations = [one for one in others if isinstance(one, Comparison) and one.operator == "="]
        for _ in equations:
            for one in equations:
                for side, other in ((one.left, one.right), (one.right, one.left)):
                    if isinstance(side, Variable) and _names(other) <= known:
                        known.add(side.name)
        return known

    def _is_endless(self, literal: Formula) -> bool:
        return not isinstance(literal, Aggregate) and self.views.endless(self.read(literal)[0])

    def counted_always(self, literal: Formula) -> Formula | None:
        """`always a [from L to H]` with variables, as a count: there are as many time points with a as in [L, H].

        Where [L, H] has none, no count is enough.
        """
        match literal:
            case Not(inner):
                counted = self.counted_always(inner)
                return None if counted is None else Not(counted)
            case Windowed(IntervalWindow(start, end) as window, Always(Atom() as atom)) if _names(window):
                time = Variable(self.fresh())
                inside = (At(time, atom), Comparison(">=", time, start), Comparison("<=", time, end))
                begin = Call("max", (start, Constant(self.network.start)))
                size = Call("max", (Operation("+", Operation("-", end, begin), Constant(1)), Constant(1)))
                return Aggregate("count", "<=", size, (AggregateElement((time,), inside),), origin=literal.origin)
        return None

    def within(self, span: IntervalWindow, at: Operand) -> list[CoreLiteral]:
        """The conditions of an interval window whose bounds are variables."""
        conditions: list[CoreLiteral] = []
        start, end = self.operand(span.start, conditions), self.operand(span.end, conditions)
        return [*conditions, Compare(">=", at, start), Compare("<=", at, end), OnTimeline(at)]

    def absent(self, literal: Formula, body: tuple[Formula, ...]) -> Body:
        reading, args, time, span = self.read(literal)
        before: list[CoreLiteral] = []
        terms = args if time is None else (*args, time)
        columns = tuple(self.operand(term, before) for term in terms)
        if span is not None or self.views.endless(reading):
            return (*before, *self.absent_by_helper(literal, body))
        return (*before, Absence(self.views.relation(reading), columns))

    def absent_by_helper(self, literal: Formula, body: tuple[Formula, ...]) -> Body:
        """A condition that is more than a look into one relation is first a relation of its own."""
        outer = [other for other in body if not isinstance(other, Not | Aggregate)]
        shared = sorted(_names(literal) & set().union(*map(_names, outer)))
        helper = self.network.relation("helper", len(shared), Kind.VIEW)
        for core in self.bodies((*outer, literal)):
            self._add(helper, tuple(shared), core)
        return (Absence(helper, tuple(shared)),)

    def read(self, literal: Formula) -> tuple[Reading, tuple[Term, ...], Term | None, IntervalWindow | None]:
        """A literal as a reading, the terms of its atom and of its time, and a window that needs variables."""
        windows: list[Window] = []
        while isinstance(literal, Windowed):
            windows.append(literal.window)
            literal = literal.body
        span = None
        if windows and isinstance(windows[-1], IntervalWindow) and _names(windows[-1]):
            last = windows.pop()
            assert isinstance(last, IntervalWindow)
            span = last
        match literal:
            case Some(Atom() as atom):
                mode = Mode.SOME if span is None else Mode.AT
                return Reading(atom.signature, mode, tuple(windows)), atom.args, None, span
            case Always(Atom() as atom):
                if span is not None:
                    raise Rejected([unusual(Reading(atom.signature, Mode.ALWAYS, (*windows, span)))])
                return Reading(atom.signature, Mode.ALWAYS, tuple(windows)), atom.args, None, span
            case At(time, Atom() as atom):
                return Reading(atom.signature, Mode.AT, tuple(windows)), atom.args, time, span
            case Atom() as atom:
                return Reading(atom.signature, Mode.PLAIN), atom.args, None, None
        raise TypeError(f"{literal} is not an extended atom")

    # -- comparisons and terms ---------------------------------------------------------------------

    def comparison(self, literal: Comparison) -> Body:
        before: list[CoreLiteral] = []
        match literal:
            case Comparison("=", Variable(name), (Operation() | Call()) as term) | Comparison(
                "=", (Operation() | Call()) as term, Variable(name)
            ):
                self.operand(term, before, target=name)
                return tuple(before)
        left, right = self.operand(literal.left, before), self.operand(literal.right, before)
        return (*before, Compare(literal.operator, left, right))

    def operand(self, term: Term, before: list[CoreLiteral], target: str | None = None) -> Operand:
        """The variable or constant that stands for a term; what must be computed first is added to `before`."""
        match term:
            case Constant(value):
                return self.dictionary.encode(value)
            case Variable(name):
                return name
            case Now():
                return NOW
            case Operation(operator, left, right):
                args: tuple[Operand, ...] = (self.operand(left, before), self.operand(right, before))
                result = target or self.fresh()
                before.append(Compute(result, operator, args))
                return result
            case Call(function, terms):
                args = tuple(self.operand(arg, before) for arg in terms)
                result = target or self.fresh()
                before.append(Compute(result, function, args))
                return result
        raise TypeError(f"{term} is not resolved")

    # -- aggregates --------------------------------------------------------------------------------

    def aggregate(self, literal: Aggregate, body: tuple[Formula, ...]) -> list[Body]:
        """The aggregate over its elements, or its value over none at the times when there are no elements."""
        node, group = self.aggregated(literal, body)
        before: list[CoreLiteral] = []
        result = self.operand(literal.result, before)
        value = result if literal.operator == "=" and isinstance(result, str) else self.fresh()
        if value != result:
            before.append(Compare(literal.operator, result, value))
        found: Body = (*before, Match(node.values[literal.function], (*group, value)))
        others = tuple(other for other in body if other is not literal)
        if literal.function not in ("count", "sum") or not set(group) <= _bound(others) | _computed(others):
            return [found]
        zero = self.dictionary.encode(0)
        nothing: Body = (*before, Absence(node.target, group), Compare("=", value, zero))
        return [found, nothing]

    def negated_aggregate(self, literal: Aggregate, body: tuple[Formula, ...]) -> list[Body]:
        if literal.function in ("count", "sum"):
            return self.aggregate(replace(literal, operator=OPPOSITE[literal.operator]), body)
        node, group = self.aggregated(literal, body)
        opposite = self.aggregate(replace(literal, operator=OPPOSITE[literal.operator]), body)
        return [*opposite, (Absence(node.target, group),)]

    def aggregated(self, literal: Aggregate, body: tuple[Formula, ...]) -> tuple[Aggregated, tuple[str, ...]]:
        """The aggregates over these elements, with this function among them, and the variables that make the groups."""
        outer = tuple(other for other in body if not isinstance(other, Not | Aggregate))
        outside = _names(self.rule.head).union(
            *(_visible(other) for other in body if other is not literal), _names(literal.result)
        )
        inside = set().union(*(_names(element) for element in literal.elements))
        group = tuple(sorted(outside & inside))
        # A variable from outside that only a comparison inside mentions is bound where it is bound outside.
        contexts = tuple(() if set(group) <= _bound(element.body) else outer for element in literal.elements)
        key = literal.elements, group, contexts
        node = self.views.aggregates.get(key)
        if node is None:
            node = self.views.aggregates[key] = self.collected(literal.elements, group, contexts)
        if literal.function not in node.values:
            node.values[literal.function] = self.network.relation(f"#{literal.function}", len(group) + 1, Kind.VIEW)
        return node, group

    def collected(
        self, elements: tuple[AggregateElement, ...], group: tuple[str, ...], contexts: tuple[tuple[Formula, ...], ...]
    ) -> Aggregated:
        """The elements, and which groups have any."""
        length = max(len(element.terms) for element in elements)
        source = self.network.relation("elements", len(group) + length, Kind.VIEW)
        for element, context in zip(elements, contexts, strict=True):
            before: list[CoreLiteral] = []
            columns = tuple(self.operand(term, before) for term in element.terms)
            filled = (*columns, *(FILLER,) * (length - len(columns)))
            for core in self.bodies((*element.body, *context), inline=len(elements) == 1):
                self._add(source, (*group, *filled), (*core, *before))
        node = Aggregated(source, self.network.relation("groups", len(group), Kind.VIEW), len(group))
        self.network.operators.append(node)
        return node

    # -- rules -------------------------------------------------------------------------------------

    def _add(self, head: Relation, columns: tuple[Operand, ...], body: Body) -> None:
        """Add a core rule; the parts that mention `now` are put behind an unrolling of the others."""
        later = _depending_on_now(body)
        if later or NOW in columns:
            earlier = tuple(part for part in body if part not in later)
            used = set(columns).union(*map(mentioned, later))
            shared = tuple(sorted(set().union(*map(mentioned, earlier)) & used - {NOW}))
            source = self.network.relation("before now", len(shared), Kind.VIEW)
            self.network.rules.append(CoreRule(source, shared, earlier, self.rule.origin))
            body = (Match(self.views.unrolled(source), (*shared, NOW)), *later)
        self.network.rules.append(CoreRule(head, columns, body, self.rule.origin))


OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def _depending_on_now(body: Body) -> Body:
    """The parts of a body whose variables need the evaluation time; what binds without it stays before."""
    dependent = {NOW}
    while True:
        later = tuple(part for part in body if dependent & mentioned(part))
        computed = {part.target for part in later if isinstance(part, Compute)}
        computed |= {
            name for part in later if isinstance(part, Compare) and part.operator == "=" for name in mentioned(part)
        }
        bound = set().union(*(mentioned(part) for part in body if isinstance(part, Match) and part not in later))
        if computed - bound <= dependent:
            return later
        dependent |= computed - bound


def _names(node: Node) -> set[str]:
    return {variable.name for variable in variables(node)}


def _visible(literal: Formula) -> set[str]:
    """The variables that a literal shares with others: what stands inside an aggregate is local to it."""
    match literal:
        case Aggregate(result=result) | Not(Aggregate(result=result)):
            return _names(result)
    return _names(literal)


def _bound(literals: tuple[Formula, ...]) -> set[str]:
    """The variables that positive extended atoms bind."""
    return set().union(*(_names(literal) for literal in literals if not isinstance(literal, Not | Comparison)))


def _computed(literals: tuple[Formula, ...]) -> set[str]:
    """The variables that equations can compute."""
    return set().union(
        *(_names(literal) for literal in literals if isinstance(literal, Comparison) and literal.operator == "=")
    )


def _unchecked_times(rule: Rule) -> frozenset[str]:
    """The time variables, not local to a literal, that no positive `@T` of the body ties to the timeline."""
    visible = _names(rule.head).union(*map(_visible, rule.body))
    return time_variables(rule) & {name for name in visible if not name.startswith("_")} - tied_times(rule.body)
