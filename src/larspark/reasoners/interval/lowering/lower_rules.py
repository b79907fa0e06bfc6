"""The rules of a program, one by one, as core rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product

from larspark.analysis.structure.window_chains import chain, simplified, without_computed
from larspark.diagnostics import Rejected
from larspark.intervals.sets import LATEST
from larspark.language.clock_terms import offset_from_now
from larspark.language.extended_atoms import ExtendedAtom, Quantifier, extended_atom, tied_times
from larspark.language.facts import Signature
from larspark.language.traversal import atoms_with_sign, time_variables, variables, walk
from larspark.language.tree import (
    Aggregate,
    AggregateElement,
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
    Ranking,
    Rule,
    Term,
    Truth,
    Variable,
)
from larspark.reasoners.interval.lowering.binding import Bindings, Names, names, visible
from larspark.reasoners.interval.lowering.lower_aggregates import OPPOSITE, AggregateLowering
from larspark.reasoners.interval.lowering.lower_demands import Demands
from larspark.reasoners.interval.lowering.now_bounds import NowBounds
from larspark.reasoners.interval.lowering.now_parts import NOW, waiting_for_now
from larspark.reasoners.interval.lowering.readings import unusual
from larspark.reasoners.interval.lowering.views import Views
from larspark.reasoners.interval.network import (
    Absence,
    Body,
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
from larspark.reasoners.interval.state.dictionary import Dictionary
from larspark.reasoners.interval.whole_numbers import INTEGER
from larspark.reasoners.unbound_time import unbound_time


class RuleLowering:
    """The lowering of one rule: collects literals, invents variables."""

    def __init__(
        self,
        network: Network,
        views: Views,
        dictionary: Dictionary,
        rule: Rule,
        recursive: frozenset[Signature] = frozenset(),
    ) -> None:
        self.network = network
        self.views = views
        self.dictionary = dictionary
        self.rule = rule
        self._fresh = 0
        self.bindings = Bindings(self.outside(rule.body), self.is_endless)
        self.demands = Demands(self, recursive)
        self._aggregates = AggregateLowering(self)
        self._now_bounds = NowBounds(self)

    def outside(self, body: tuple[Formula, ...]) -> Names:
        """The variables that are not local to an aggregate: those of the rule, and of the body it stands in."""
        return names(self.rule.head).union(*map(visible, (*self.rule.body, *body)))

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
                    self.add(self.network.pinned[atom.signature], columns, (*body, *ending, OnTimeline(at, pins=True)))
                # A variable stands for time points only (thesis Def. 14), a term may leave the timeline; what is no
                # whole number is no time at all, and the rule does not fire.
                outside = (*ending, OnTimeline(at, wanted=False), Compute(self.fresh(), INTEGER, (at,)))
                for body in () if isinstance(time, Variable) else self.bodies(rule.body):
                    self.add(self.network.inconsistent, (), (*body, *outside))
            case Atom() as atom:
                columns = tuple(self.operand(arg, ending) for arg in atom.args)
                for body in self.bodies(rule.body, inline=inline):
                    self.add(self.network.now[atom.signature], columns, (*body, *ending))
            case Truth(False):
                for body in self.bodies(rule.body):
                    self.add(self.network.inconsistent, (), (*body, *ending))
            case Truth(True):
                pass
            case head:
                raise TypeError(f"{head} cannot be a head here")

    def shared(self, literals: Iterable[Formula]) -> Names:
        """The variables that are not local to an aggregate: with other ones, equal literals mean other things."""
        return self.outside(()) & Names().union(*map(names, literals))

    # -- bodies ------------------------------------------------------------------------------------

    def bodies(
        self, literals: tuple[Formula, ...], context: tuple[Formula, ...] = (), *, inline: bool = False
    ) -> Iterator[Body]:
        """The alternatives whose union is the body; the context gives variables their values elsewhere.

        With `inline` a single literal is read straight from its sources; not where another rule's conclusions may be
        taken back, since arrivals are not kept and could not be found again.
        """
        alone = inline and sum(not isinstance(literal, Comparison) for literal in literals) == 1
        body = (*literals, *context)
        together = self._aggregates.together(literals, body)
        choices = [self._aggregates.present(same, body) for same in together]
        choices += [
            self.literal(literal, body, alone)
            for literal in literals
            if not any(literal is one for same in together for one in same)
        ]
        for choice in product(*choices):
            yield tuple(part for parts in choice for part in parts)

    def literal(self, literal: Formula, body: tuple[Formula, ...], alone: bool) -> list[Body]:
        counted = self.counted_always(literal)
        if isinstance(counted, Not) and isinstance(literal, Not) and any(map(_is_anonymous, names(literal))):
            # No value at all may be there at all of these times: values are looked for first, and then negated.
            return [(*self._computed_arguments(literal), *self.absent_by_helper(literal.body, body))]
        if counted is not None:
            replaced = (counted if other is literal else other for other in body)
            # Its variables are those of the body still, not of the count alone.
            known = (Comparison("=", variable, variable) for variable in map(_as_named, sorted(names(literal))))
            found = self.literal(counted, (*replaced, *known), alone)
            if not isinstance(counted, Not):
                return found[:1]  # a count of nothing is never enough
            return [(*self._computed_arguments(literal), *one) for one in found]
        match literal:
            case Comparison():
                return self.compared(literal, tuple(other for other in body if other is not literal))
            case Aggregate(ranking=Ranking() as ranking):
                return self._aggregates.ranked(literal, ranking, body)
            case Aggregate():
                return self._aggregates.present((literal,), body)
            case Not(Comparison(operator, left, right)):
                others = tuple(other for other in body if other is not literal)
                return self.compared(Comparison(OPPOSITE[operator], left, right), others)
            case Not(Truth(value)):
                return [] if value else [()]
            case Truth(value):
                return [()] if value else []
            case Not(Aggregate() as inner):
                return self._aggregates.negated(inner, body)
            case Not(inner):
                return [self.absent(inner, body)]
            case _:
                return self.present(literal, tuple(other for other in body if other is not literal), alone)

    def present(self, literal: Formula, others: tuple[Formula, ...], alone: bool) -> list[Body]:
        reading, spans = self.read(literal)
        if not spans:
            reading = self._without_unused_time(reading)
        before: list[CoreLiteral] = []
        columns = tuple(self.operand(term, before) for term in reading.terms)
        given: list[Body] = []
        if self.views.given.endless(reading):
            given = [(*before, *self.given_at_any_time(reading, columns, spans, others))]
        before += (condition for span in spans for condition in self.within(span, columns[-1]))
        # Arrivals are not kept, and could not be found again at a later `now`.
        direct = alone and not given and NOW not in columns
        if direct and (definitions := self.views.definitions(reading, columns)) is not None:
            return [(*before, *definition) for definition in definitions]
        found = self._seen_once(reading, columns) or Match(self.views.relation(reading), columns)
        return [*given, (*before, found)]

    def _without_unused_time(self, reading: ExtendedAtom) -> ExtendedAtom:
        """A time that nothing else mentions is some time: arrivals that are counted need not be told apart by it."""
        match reading:
            case ExtendedAtom(quantifier=Quantifier.AT, time=Variable(name)) if reading.counts_arrivals:
                if sum(one.name == name for one in variables(self.rule)) == 1:
                    return replace(reading, quantifier=Quantifier.SOME, time=None)
        return reading

    def _seen_once(self, reading: ExtendedAtom, columns: tuple[Operand, ...]) -> Match | None:
        """What there is for any value of a `_`, as a relation without it: an aggregate beside it changes often.

        Not for what holds at single time points, which there is as often as it arrives.
        """
        if not any(isinstance(literal, Aggregate) for literal in self.rule.body):
            return None
        if reading.quantifier is Quantifier.NOW and reading.signature in self.network.inputs:
            return None
        nameless = {place for place, arg in enumerate(reading.atom.args) if isinstance(arg, Variable) and arg.anonymous}
        kept = tuple(place for place in range(len(columns)) if place not in nameless)
        if not nameless or self.views.given.endless(reading):
            return None
        found = self.views.shared.projected(self.views.relation(reading), kept)
        return Match(found, tuple(columns[place] for place in kept))

    def given_at_any_time(
        self,
        reading: ExtendedAtom,
        columns: tuple[Operand, ...],
        spans: tuple[IntervalWindow, ...],
        others: tuple[Formula, ...],
    ) -> Body:
        """Given facts hold at infinitely many T: another literal gives T its values, or nobody asks for them."""
        match reading.time:
            case Variable(anonymous=True):
                given = self.network.background[reading.signature]
                return Match(given, columns[:-1]), *self.meeting(reading, spans)
            case Node() as time if names(time) <= self.bindings.bound(others):
                inside = (condition for span in spans for condition in self.within(span, columns[-1]))
                return *self.views.given.at(reading, columns), *inside
        raise Rejected([unbound_time(reading.origin)])

    def meeting(self, reading: ExtendedAtom, spans: tuple[IntervalWindow, ...]) -> Body:
        """The condition under which intervals and windows without end have a time point in common."""
        conditions: list[CoreLiteral] = []
        starts = [self.dictionary.encode(self.network.start), *(self.whole(span.start, conditions) for span in spans)]
        for past, hop in self.views.given.pasts(reading):
            pivot = Now() if hop == 1 else Operation("-", Now(), Operation("%", Now(), Constant(hop)))
            starts.append(self.operand(Operation("-", pivot, Constant(past)), conditions))
        ends = [self.whole(span.end, conditions) for span in spans]
        return *conditions, *(Compare("<=", start, end) for start in starts for end in ends)

    def is_endless(self, literal: Formula) -> bool:
        found = extended_atom(literal)
        if found is None or found.quantifier is Quantifier.ALWAYS:
            return False
        return self.views.given.endless(self.followed(found)[0])

    def counted_always(self, literal: Formula) -> Formula | None:
        """`always a [w] [from L to H]` with computed bounds, as a count: a holds as often as there are time points.

        Where there are none, no count is enough.
        """
        found = extended_atom(literal)
        if found is None or found.quantifier is not Quantifier.ALWAYS:
            return None
        windows, spans = without_computed(simplified(found.windows))
        if not spans or self.views.given.alone(found.signature):
            return None
        counted = self._count_of_times(replace(found, windows=windows, negated=False), spans)
        return Not(counted) if found.negated else counted

    def _count_of_times(self, reading: ExtendedAtom, spans: tuple[IntervalWindow, ...]) -> Formula:
        selected = chain(reading.windows)
        if selected is None or not selected.sliding or reading.signature in self.network.background:
            raise Rejected([unusual(replace(reading, windows=(*reading.windows, *spans)))])
        time = Variable(self.fresh())
        # Any value may stand for `_`, but the same one at all these times: it tells groups apart as others do.
        args = tuple(_as_named(one.name) if isinstance(one, Variable) else one for one in reading.atom.args)
        atom = replace(reading.atom, args=args)
        inside = replace(reading, atom=atom, quantifier=Quantifier.AT, time=time).formula
        starts: list[Term] = [Constant(self.network.start)]
        ends: list[Term] = []
        bounds: list[Formula] = []
        for span in spans:
            # Between others than integers lies no time point: such a window begins after all of them, or ends before.
            start, end = Call(INTEGER, (span.start, Constant(LATEST))), Call(INTEGER, (span.end, Constant(-1)))
            starts.append(start)
            ends.append(end)
            bounds += [Comparison(">=", time, start), Comparison("<=", time, end)]
        for past, future, _ in selected.times:
            starts += [Operation("-", Now(), Constant(past))] if past is not None else []
            ends += [Operation("+", Now(), Constant(future))] if future is not None else []
        size = Operation("-", Call("min", tuple(ends)), Call("max", tuple(starts)))
        least = Call("max", (Operation("+", size, Constant(1)), Constant(1)))
        return Aggregate("count", "<=", least, (AggregateElement((time,), (inside, *bounds)),), origin=reading.origin)

    def within(self, span: IntervalWindow, at: Operand) -> list[CoreLiteral]:
        """The conditions of an interval window whose bounds are variables."""
        conditions: list[CoreLiteral] = []
        start, end = (self.whole(bound, conditions) for bound in (span.start, span.end))
        return [*conditions, Compare(">=", at, start), Compare("<=", at, end), OnTimeline(at)]

    def whole(self, term: Term, before: list[CoreLiteral]) -> Operand:
        """The operand of a term that must be an integer."""
        found = self.operand(term, before)
        match term:
            case Now() | Constant(int()):
                return found
            case Variable(name) if name in self.outside(()):  # there it stands for time points only
                return found
        result = self.fresh()
        before.append(Compute(result, INTEGER, (found,)))
        return result

    def absent(self, literal: Formula, body: tuple[Formula, ...]) -> Body:
        reading, spans = self.read(literal)
        before: list[CoreLiteral] = []
        columns = tuple(self.operand(term, before) for term in reading.terms)
        for bound in (bound for span in spans for bound in (span.start, span.end)):
            self.operand(bound, before)  # without a value, the negation does not hold either
        if spans or self.views.given.endless(reading):
            return (*before, *self.absent_by_helper(literal, body))
        return (*before, Absence(self.views.relation(reading), columns))

    def _computed_arguments(self, literal: Formula) -> Body:
        """Where they have no value, the negation of the literal does not hold either."""
        found, before = extended_atom(literal), list[CoreLiteral]()
        for term in found.atom.args if found else ():
            self.operand(term, before)
        return tuple(before)

    def absent_by_helper(self, literal: Formula, body: tuple[Formula, ...]) -> Body:
        """A condition that is more than a look into one relation is first a relation of its own."""
        shared = Names(name for name in names(literal) if not _is_anonymous(name))
        binders = self.demands.binders(shared, (other for other in body if other is not literal))
        asked: Body = (self.demands.of(binders, shared),) if shared else ()
        columns = tuple(sorted(shared))
        helper = self.network.relation("helper", len(columns), Kind.VIEW)
        for core in self.bodies((literal,), binders):
            self.add(helper, columns, (*asked, *core))
        return (*asked, Absence(helper, columns))

    def read(self, literal: Formula) -> tuple[ExtendedAtom, tuple[IntervalWindow, ...]]:
        """What a literal reads, apart from its last windows if they have computed bounds."""
        found = extended_atom(literal)
        if found is None:
            raise TypeError(f"{literal} is not an extended atom")
        return self.followed(found)

    def followed(self, found: ExtendedAtom) -> tuple[ExtendedAtom, tuple[IntervalWindow, ...]]:
        """The same in the form that views follow: computed bounds are conditions on a time, which may have no name.

        What holds always between them is given, and so is there at some time as well; all else has become a count.
        """
        if found.time is not None and not found.windows and offset_from_now(found.time) is not None:
            # A window with one time point, which moves along: nothing is done per time point.
            moving = IntervalWindow(found.time, found.time)
            found = replace(found, quantifier=Quantifier.SOME, windows=(moving,), time=None)
        windows, spans = without_computed(simplified(found.windows))
        if spans and found.time is None:
            found = replace(found, quantifier=Quantifier.AT, time=Variable(f"_{self.fresh()}"))
        return found if windows == found.windows else replace(found, windows=windows), spans

    # -- comparisons and terms ---------------------------------------------------------------------

    def compared(self, literal: Comparison, others: tuple[Formula, ...]) -> list[Body]:
        """A comparison with the evaluation time bounds validity, if it does not give a variable its value.

        Nor does another one: of `T = now, now = T` one gives it, whichever comes first.
        """
        if names(literal) <= self.bindings.bound(other for other in others if not _compares_now(other)):
            bounded = self._now_bounds.bodies(literal, frozenset(tied_times(others)))
            if bounded is not None:
                return bounded
        return [self.comparison(literal)]

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

    # -- rules -------------------------------------------------------------------------------------

    def add(self, head: Relation, columns: tuple[Operand, ...], body: Body) -> None:
        """Add a core rule; the parts that mention `now` are put behind an unrolling of the others."""
        later = waiting_for_now(columns, body)
        if later or NOW in columns:
            earlier = tuple(part for part in body if part not in later)
            used = set(columns).union(*map(mentioned, later))
            shared = tuple(sorted(set().union(*map(mentioned, earlier)) & used - {NOW}))
            source = self.network.relation("before now", len(shared), Kind.VIEW)
            self.network.rules.append(CoreRule(source, shared, earlier, self.rule.origin))
            body = (Match(self.views.shared.unrolled(source), (*shared, NOW)), *later)
        self.network.rules.append(CoreRule(head, columns, body, self.rule.origin))


def _is_anonymous(name: str) -> bool:
    return name.startswith("_")


def _as_named(name: str) -> Variable:
    """A variable that stays the same wherever it is mentioned, also where `_` is written."""
    return Variable(f"${name}" if _is_anonymous(name) else name)


def _compares_now(literal: Formula) -> bool:
    return isinstance(literal, Comparison) and any(isinstance(part, Now) for part in walk(literal))


def _unchecked_times(rule: Rule) -> frozenset[str]:
    """The time variables, not local to a literal, that no positive `@T` of the body ties to the timeline."""
    shared = names(rule.head).union(*map(visible, rule.body))
    return time_variables(rule) & {name for name in shared if not name.startswith("_")} - tied_times(rule.body)
