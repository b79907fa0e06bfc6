"""Random rules: safe, and mostly without runaway recursion."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from larspark.language.facts import Signature
from larspark.language.traversal import variables
from larspark.language.tree import (
    UNBOUNDED,
    Aggregate,
    Always,
    At,
    Atom,
    Comparison,
    Constant,
    Formula,
    IntervalWindow,
    Not,
    Now,
    Operation,
    Or,
    Rule,
    Some,
    Term,
    TimeWindow,
    Truth,
    Variable,
    Window,
    Windowed,
)
from support.generate import aggregates
from support.generate.draw import Draw
from support.generate.formulas import FormulaMaker
from support.generate.setting import Setting
from support.generate.shape import BACKGROUND, FREQUENT_INPUT, INPUT, OVER_ANYTHING, Shape
from support.generate.simple import simple
from support.generate.since import since
from support.generate.terms import TermMaker
from support.generate.windows import WindowMaker

FORMS = {"plain": 1.5, "at": 1.5, "some": 3, "always": 1, "at-window": 2.5}
OF_DERIVED = {**FORMS, "plain": 4}
"""Conclusions from conclusions of the same time point are most of what a search for answer streams is about."""
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")


class RuleMaker(TermMaker):
    """One rule for the predicate of a level, over the predicates that are defined."""

    def __init__(self, draw: Draw, shape: Shape, setting: Setting, level: int, defined: frozenset[int]) -> None:
        super().__init__(draw, shape, setting)
        self.level = level
        self.defined = tuple(shape.derived[other] for other in sorted(defined))
        self.below = tuple(shape.derived[other] for other in sorted(defined) if other < level)
        self.windows = WindowMaker(draw, setting, self.moment)
        self.recursive = False
        """Whether the body reads a predicate that may depend on the head."""
        self.read: list[Signature] = []
        """What the literals are about so far."""

    def inside(self) -> RuleMaker:
        """For an element of an aggregate of this rule."""
        inner = RuleMaker(self.draw, self.shape, self.setting, self.level, frozenset())
        inner.sees(self)
        return inner

    def rule(self) -> Rule:
        shape, draw = self.shape, self.draw
        if shape.wide and draw.chance(0.05):
            return Rule(self.head([]))
        if shape.wide and shape.variables and draw.chance(0.4):
            return simple(self)
        if shape.wide and shape.aggregates and draw.chance(0.14):  # nothing else decides whether it is asked for
            told = draw.chance(0.5)
            body = aggregates.told(self) if told else self.aggregates()
            self.level = draw.pick([2, 3, 4]) if told and self.level < 2 else self.level  # those have arguments
            return Rule(self.head(body), tuple(body))
        if shape.wide and shape.background and draw.chance(0.03):
            body = [self.given_in_interval()]
            return Rule(self.head(body), tuple(body))
        usable = self.defined if shape.recursion or shape.negation == "free" else self.below
        readable = FREQUENT_INPUT + usable * 3
        if shape.wide and shape.background:
            readable += (BACKGROUND,) * 2
        body = [self.literal(readable, binds=True) for _ in range(draw.pick([1, 1, 2]))]
        if shape.background and shape.variables and draw.chance(0.15):
            body.append(Atom(BACKGROUND.predicate, (self.argument(binds=True),)))
        if shape.negation != "none" and draw.chance(0.4):
            negatable = self.defined if shape.negation == "free" else self.below
            body.append(Not(self.literal(INPUT + negatable * 4, binds=False)))
        if shape.aggregates and draw.chance(0.2):
            body += self.aggregates()
        if shape.arithmetic and self.bound and draw.chance(0.2):
            body += [self.comparison() for _ in range(draw.pick([1, 1, 2]) if shape.wide else 1)]
        if shape.wide and draw.chance(0.08):
            body.append(self.in_time())
        if shape.wide and shape.negation != "none" and self.times and draw.chance(0.1):
            body.append(self.outside_interval())
        if shape.wide and shape.variables and draw.chance(0.05):
            body += since(self)
        if shape.full and draw.chance(0.6):
            body.append(FormulaMaker(self).formula(draw.pick([1, 2, 2])))
        head = self.head(body)
        draw.random.shuffle(body)
        return Rule(head, tuple(body))

    # -- heads -------------------------------------------------------------------------------------

    def head(self, body: list[Formula]) -> Formula:
        draw, shape = self.draw, self.shape
        if shape.constraints and body and draw.chance(0.07):
            return Truth(False)
        if shape.full and draw.chance(0.1):
            return FormulaMaker(self).head()
        atom = self.head_atom(shape.derived[self.level])
        if shape.disjunction and draw.chance(0.3):
            others = shape.derived if shape.negation == "free" else shape.derived[: self.level + 1]
            other = atom if draw.chance(0.3) else self.head_atom(draw.pick(others))  # the same at another time
            parts = (self.pinned(atom, body), self.pinned(other, body))
            return Or(parts) if shape.wide else Or((atom, self.head_atom(draw.pick(others))))
        return self.pinned(atom, body)

    def pinned(self, atom: Atom, body: list[Formula]) -> Formula:
        """The atom, perhaps at a time point."""
        if not self.shape.pinned_heads:
            return atom
        if self.times and self.draw.chance(0.7):
            return At(self.head_time(body), atom)
        if self.shape.wide and self.draw.chance(0.12):
            return At(self.moment() if not self.recursive else Now(), atom)
        return atom

    def head_atom(self, signature: Signature) -> Atom:
        return Atom(signature.predicate, tuple(self.head_argument() for _ in range(signature.arity)))

    def head_argument(self) -> Term:
        found = self._term(self.data, self.fresh_data, self.value(), binds=False, is_input=False)
        if self.shape.variables and self.times and self.draw.chance(0.15):
            found = Variable(self.draw.pick(self.times))
        if self.shape.wide and self.draw.chance(0.15):
            names = [name for name in self.bound if not self.recursive or name in self.from_input]
            return self.computed(names) if names else Now()
        numeric = isinstance(found, Variable) and found.name in self.from_input
        if self.shape.arithmetic and numeric and self.draw.chance(0.2):
            return Operation(self.draw.pick("+-*/%"), found, Constant(self.draw.pick([1, 2])))
        return found

    def head_time(self, body: list[Formula]) -> Term:
        """T, T+3 or T-1; into the past only from input, which mostly lies late enough not to leave the timeline."""
        name = self.draw.pick(self.times)
        shifts = [0]
        if name in self.from_input:
            shifts = [0, 0, 0, 1, 3, -1, -2]
        elif _bounded_ahead(name, body):
            shifts = [0, 0, 1, 3]
        return self.shifted(Variable(name), shifts)

    # -- literals ----------------------------------------------------------------------------------

    def literal(self, signatures: Sequence[Signature], *, binds: bool) -> Formula:
        """An extended atom."""
        signature = self.draw.pick(signatures)
        self.read.append(signature)
        derived = self.shape.derived
        self.recursive |= signature in derived and (
            self.shape.negation == "free" or derived.index(signature) >= self.level
        )
        is_input = signature in INPUT
        if self.shape.wide:
            forms = OF_DERIVED if signature in derived else FORMS
            return self.wide_literal(signature, self.draw.weighted(forms), binds=binds)
        form = self.draw.pick(["plain", "at", "some", "some", "always", "at-window", "at-window"])
        kinds = [kind for kind in self.shape.windows if is_input or kind in OVER_ANYTHING or self.shape.arriving]
        kind = self.draw.pick(kinds) if kinds and form not in ("plain", "at") else None
        atom = self.body_atom(signature, binds=binds)
        if form == "at":
            return At(self.time(binds=binds, is_input=is_input), atom)
        if kind is None:
            return atom
        inner = self.quantified(form, atom, binds=binds, is_input=is_input)
        for window in reversed(self.windows.narrow(kind, signature)):
            inner = Windowed(window, inner)
        return inner

    def wide_literal(self, signature: Signature, form: str, *, binds: bool) -> Formula:
        is_input = signature in INPUT or signature == BACKGROUND
        atom = self.body_atom(signature, binds=binds)
        if form == "plain":
            return atom
        if form == "at":
            anytime = signature == BACKGROUND and self.draw.chance(0.3)
            return At(self.any_value() if anytime else self.time(binds=binds, is_input=is_input), atom)
        windows = self.windows.chain(signature)  # before its own time is bound, so that it stays safe
        inner = self.quantified(form, atom, binds=binds, is_input=is_input)
        for window in reversed(windows):
            inner = Windowed(window, inner)
        return inner

    def body_atom(self, signature: Signature, *, binds: bool) -> Atom:
        is_input = signature in INPUT
        args = tuple(self.argument(binds=binds, is_input=is_input) for _ in range(signature.arity))
        return Atom(signature.predicate, args)

    def quantified(self, form: str, atom: Atom, *, binds: bool, is_input: bool) -> Formula:
        match form:
            case "always":
                return Always(atom)
            case "at-window":
                return At(self.time(binds=binds, is_input=is_input), atom)
        return Some(atom)

    def aggregate(self, *, binds: bool = True) -> Formula:
        return aggregates.aggregate(self, binds=binds)

    def aggregates(self) -> list[Formula]:
        """One, or several functions of the same elements or of others."""
        found = [self.aggregate()]
        first = found[0]
        while self.shape.wide and isinstance(first, Aggregate) and self.draw.chance(0.4):
            match self.draw.weighted({"same": 6, "other": 2, "dependent": 2}):
                case "same":
                    found.append(aggregates.of_same_elements(self, first))
                case "other":
                    found += aggregates.told(self)
                case "dependent":
                    found.append(aggregates.dependent(self, first))
        self.draw.random.shuffle(found)
        return found

    def comparison(self) -> Formula:
        draw = self.draw
        if not self.shape.wide:
            right: Term = Variable(draw.pick(self.bound)) if draw.chance(0.5) else Constant(draw.pick([1, 5]))
            if draw.chance(0.5):
                right = Operation(draw.pick("+-*/%"), right, Constant(draw.pick([0, 1, 2])))
            return Comparison(draw.pick(COMPARISONS), Variable(draw.pick(self.bound)), right)
        if draw.chance(0.35) and (name := next((name for name in "MNO" if name not in self.data), None)):
            source = self.computed() if draw.chance(0.8) else Variable(draw.pick(self.bound))
            if self.recursive:
                source = Variable(draw.pick(self.bound))
            sides = (self.new_data(name), source)
            return Comparison("=", *(sides if draw.chance(0.6) else sides[::-1]))
        sides = (self.leaf(self.bound), self.computed() if draw.chance(0.5) else self.leaf(self.bound))
        compared = Comparison(draw.pick(COMPARISONS), *(sides if draw.chance(0.6) else sides[::-1]))
        return Not(compared) if draw.chance(0.2) else compared

    def outside_interval(self) -> Formula:
        """`not e(X) [2] [from T - 1 to now]`, or that it is inside, at some or at all of these times."""
        name = Variable(self.draw.pick(self.times))
        end = Now() if self.draw.chance(0.5) else self.shifted(name, (0, 0, 1, 2))
        window = IntervalWindow(self.shifted(name, (-2, -1, 0, 0, 1)), end)
        readable = (*INPUT, *INPUT, *((BACKGROUND,) * 3 if self.shape.background else ()))
        quantifier = self.draw.pick([Some, Some, Always])
        inner: Formula = Windowed(window, quantifier(self.body_atom(self.draw.pick(readable), binds=False)))
        if self.draw.chance(0.4):
            inner = Windowed(TimeWindow(self.windows.length(self.draw.pick([0, 1, 2]))), inner)
        return inner if self.draw.chance(0.3) else Not(inner)

    def given_in_interval(self) -> Formula:
        """`@T bg(X) [from 2 to 5]`: what is given holds at time points ahead, too."""
        first = self.setting.start + self.draw.pick([0, 1, 2, 4])
        last = first + self.draw.pick([1, 2, 5])
        chain: list[Window] = [IntervalWindow(Constant(first), Constant(last))]
        if self.draw.chance(0.3):
            chain.append(TimeWindow(UNBOUNDED, UNBOUNDED))
            self.draw.random.shuffle(chain)
        self.times.append("T")
        self.from_input.add("T")
        inner: Formula = At(Variable("T"), self.body_atom(BACKGROUND, binds=True))
        for window in chain:
            inner = Windowed(window, inner)
        return inner

    def in_time(self) -> Formula:
        """`now < X + 2.5`: before, at or after something near the data, on a time point or between two."""
        draw = self.draw
        near: Term = Constant(self.setting.start + draw.pick([0, 2, 3, 5]))
        if draw.chance(0.5):
            near = Constant(self.setting.start + draw.pick([Decimal("0.5"), Decimal("2.25"), Decimal("4.75")]))
        if self.times and draw.chance(0.4):
            near = Operation("+", Variable(draw.pick(self.times)), Constant(draw.pick([1, Decimal("1.5")])))
        moment = self.shifted(Now(), (0, 0, -1, 2))
        if self.data and draw.chance(0.4):
            near = Variable(draw.pick(self.data))
        if self.bound and draw.chance(0.3):
            moment = Operation(draw.pick("+-"), Now(), Variable(draw.pick(self.bound)))
        sides = (moment, near)
        return Comparison(draw.pick(COMPARISONS), *(sides if draw.chance(0.6) else sides[::-1]))


def _bounded_ahead(name: str, body: list[Formula]) -> bool:
    """Whether a literal that binds the time keeps it within a window with a last point."""
    return any(
        isinstance(part, Windowed)
        and isinstance(part.window, TimeWindow | IntervalWindow)
        and name in {variable.name for variable in variables(part)}
        for part in body
    )
