"""Plain rules in the shape that the answer-set reasoners work on.

Every body literal over atoms becomes one `Reading`: a chain of windows, a quantifier, and an atom whose arguments are
variables or constants only; computed arguments move into comparisons. What is not plain LARS does not get here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import count
from typing import TypeAlias

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.facts import Fact, Signature
from larspark.language.traversal import variables, walk
from larspark.language.tree import (
    Aggregate,
    Always,
    At,
    Atom,
    Comparison,
    Constant,
    FilterWindow,
    Formula,
    IntervalWindow,
    Node,
    Not,
    Or,
    PartitionWindow,
    Rule,
    Some,
    Term,
    TimeWindow,
    Truth,
    TupleWindow,
    Variable,
    Window,
    Windowed,
    points,
)
from larspark.language.values import Value


class Quantifier(Enum):
    """How a reading looks into its window."""

    NOW = "now"
    SOME = "some"
    ALWAYS = "always"
    AT = "at"


@dataclass(frozen=True)
class Reading:
    """`[not] quantifier atom [chain]`; `time` is the time term of an `@`, None otherwise."""

    quantifier: Quantifier
    atom: Atom
    chain: tuple[Window, ...] = ()
    time: Term | None = None
    negated: bool = False
    origin: Origin | None = field(default=None, compare=False)

    @property
    def counts_arrivals(self) -> bool:
        """Does the chain select arrivals, that is input atoms only?"""
        return any(isinstance(window, TupleWindow | PartitionWindow) for window in self.chain)

    @property
    def may_be_empty(self) -> bool:
        """Can the window have no time points at all?"""
        return any(
            isinstance(window, IntervalWindow) or (isinstance(window, TimeWindow) and window.hop != 1)
            for window in self.chain
        )

    @property
    def endless(self) -> bool:
        """Does the window reach to the open end of the timeline?"""
        return all(map(_has_no_end, self.chain))

    @property
    def computed_interval(self) -> IntervalWindow | None:
        """The last window of the chain, when it is an interval whose bounds are not numbers."""
        match self.chain:
            case [*_, IntervalWindow() as window] if not _constant_bounds(window):
                return window
        return None

    def names(self) -> tuple[str, ...]:
        """The named variables it speaks about, the time last."""
        terms = self.atom.args if self.time is None else (*self.atom.args, self.time)
        return tuple(dict.fromkeys(t.name for t in terms if isinstance(t, Variable) and not t.anonymous))

    def match(self, fact: Fact, time: int) -> tuple[Value, ...] | None:
        """The values of `names()` if the fact at this time is an instance, else None."""
        binding: dict[str, Value] = {}
        if fact.predicate != self.atom.predicate or len(fact.args) != len(self.atom.args):
            return None
        terms = self.atom.args if self.time is None else (*self.atom.args, self.time)
        for term, value in zip(terms, fact.args if self.time is None else (*fact.args, time), strict=True):
            if isinstance(term, Constant):
                if term.value != value:
                    return None
            elif isinstance(term, Variable) and binding.setdefault(term.name, value) != value:
                return None
        return tuple(binding[name] for name in self.names())


def canonical(reading: Reading) -> Reading:
    """The reading with its variables renamed by position: equal for literals that mean the same window atom."""
    fresh: dict[str, Variable] = {}

    def rename(variable: Variable) -> Variable:
        kind = "_" if variable.anonymous else "X"
        return fresh.setdefault(variable.name, Variable(f"{kind}{len(fresh)}"))

    atom = replace(
        reading.atom,
        args=tuple(rename(term) if isinstance(term, Variable) else term for term in reading.atom.args),
    )
    time = rename(reading.time) if isinstance(reading.time, Variable) else reading.time
    return replace(reading, atom=atom, time=time, negated=False)


@dataclass(frozen=True)
class Condition:
    """A comparison, computed and not looked up."""

    comparison: Comparison
    negated: bool = False


@dataclass(frozen=True)
class Element:
    """`terms : body` inside an aggregate."""

    terms: tuple[Term, ...]
    body: tuple[Literal, ...]


@dataclass(frozen=True)
class Collection:
    """`[not] result operator #function{ elements }`."""

    function: str
    operator: str
    result: Term
    elements: tuple[Element, ...]
    negated: bool = False
    origin: Origin | None = field(default=None, compare=False)


Literal: TypeAlias = Reading | Condition | Collection


@dataclass(frozen=True)
class Head:
    """`atom`, or `@time atom`."""

    atom: Atom
    time: Term | None = None


@dataclass(frozen=True)
class PlainRule:
    """Heads (none: a constraint, several: a disjunction) and body."""

    heads: tuple[Head, ...]
    body: tuple[Literal, ...]
    times: frozenset[str] = frozenset()
    """The time variables `@T`, `[from T to U]`: they stand for time points of the timeline and nothing else."""
    origin: Origin | None = field(default=None, compare=False)

    def unchecked_times(self) -> frozenset[str]:
        """The time variables, not local to an aggregate, that no positive `@T` of the body ties to the timeline."""
        parts = (part for head in self.heads for part in (head.atom, head.time) if part is not None)
        outside = (literal for literal in self.body if not isinstance(literal, Collection))
        return self.times & term_names(parts).union(*map(literal_names, outside)) - {
            literal.time.name
            for literal in self.body
            if isinstance(literal, Reading) and not literal.negated and isinstance(literal.time, Variable)
        }

    def readings(self) -> Iterator[Reading]:
        """All readings, also those inside aggregates."""
        return _readings(self.body)


def _readings(body: Iterable[Literal]) -> Iterator[Reading]:
    for literal in body:
        match literal:
            case Reading():
                yield literal
            case Collection(elements=elements):
                for element in elements:
                    yield from _readings(element.body)


def plain_rule(rule: Rule) -> PlainRule:
    """The rule in plain shape; Rejected when it is not plain LARS."""
    body = tuple(_Flattening({variable.name for variable in variables(rule)}).body(rule.body))
    parts = rule.head.parts if isinstance(rule.head, Or) else (rule.head,)
    heads = tuple(_head(part) for part in parts if not isinstance(part, Truth))
    return PlainRule(heads, body, frozenset(_time_variables(rule)), rule.origin)


def _time_variables(rule: Rule) -> Iterator[str]:
    for node in walk(rule):
        match node:
            case At(time=Variable() as time) if not time.anonymous:
                yield time.name
            case IntervalWindow(start, end):
                yield from (bound.name for bound in (start, end) if isinstance(bound, Variable))


def points_in_interval(reading: Reading, name: str) -> tuple[Reading, Condition, Condition]:
    """A positive `a [w] [from L to U]` as `@T a [w], L <= T, T <= U`, with T of the given name if it has no other."""
    window = reading.computed_interval
    if window is None or reading.quantifier is Quantifier.ALWAYS:
        raise Rejected(
            [
                Diagnostic(
                    "E519",
                    "`always` over an interval with computed bounds has no answer-set encoding.",
                    "Use numbers as bounds, or the reference reasoner.",
                    reading.origin,
                )
            ]
        )
    time = reading.time if reading.time is not None else Variable(name)
    points = replace(reading, quantifier=Quantifier.AT, chain=reading.chain[:-1], time=time, negated=False)
    return (
        points,
        Condition(Comparison("<=", window.start, time)),
        Condition(Comparison("<=", time, window.end)),
    )


def _has_no_end(window: Window) -> bool:
    match window:
        case FilterWindow():
            return True
        case TupleWindow(future=future) | PartitionWindow(future=future):
            return future != 0
        case TimeWindow(future=future):
            return points(future) is None
    return False


def _constant_bounds(window: IntervalWindow) -> bool:
    return isinstance(window.start, Constant) and isinstance(window.end, Constant)


def any_atom(signature: Signature) -> Atom:
    """The atom with a variable in every place."""
    return Atom(signature.predicate, tuple(Variable(f"X{place}") for place in range(signature.arity)))


def term_names(terms: Iterable[Node]) -> set[str]:
    """The named variables of some terms."""
    return {v.name for term in terms for v in variables(term) if not v.anonymous}


def literal_names(literal: Literal) -> set[str]:
    """The named variables of a literal; of an aggregate also those that are local to it."""
    match literal:
        case Reading(computed_interval=window):
            return set(literal.names()) | (term_names([window]) if window else set())
        case Condition(comparison):
            return term_names([comparison.left, comparison.right])
        case Collection(result=result, elements=elements):
            names = term_names([result])
            for element in elements:
                names |= term_names(element.terms).union(*map(literal_names, element.body))
            return names


def _head(formula: Formula) -> Head:
    match formula:
        case Atom():
            return Head(formula)
        case At(time, Atom() as atom):
            return Head(atom, time)
    raise _not_plain(formula)


class _Flattening:
    """Takes one rule body apart; computed arguments get fresh variables."""

    def __init__(self, taken: set[str]) -> None:
        self._fresh = (name for number in count(1) if (name := f"V{number}") not in taken)

    def body(self, formulas: Iterable[Formula]) -> Iterator[Literal]:
        for formula in formulas:
            negated = isinstance(formula, Not)
            yield from self._literal(formula.body if isinstance(formula, Not) else formula, negated)

    def _literal(self, formula: Formula, negated: bool) -> Iterator[Literal]:
        match formula:
            case Truth(value):
                if value == negated:
                    yield Condition(Comparison("!=", Constant(0), Constant(0)))
            case Comparison():
                yield Condition(formula, negated)
            case Aggregate():
                elements = tuple(Element(e.terms, tuple(self.body(e.body))) for e in formula.elements)
                yield Collection(formula.function, formula.operator, formula.result, elements, negated, formula.origin)
            case _:
                yield from self._flat(replace(_reading(formula), negated=negated, origin=formula.origin))

    def _flat(self, reading: Reading) -> Iterator[Literal]:
        computed: list[Condition] = []

        def flat(term: Term) -> Term:
            if isinstance(term, Variable | Constant):
                return term
            variable = Variable(next(self._fresh))
            computed.append(Condition(Comparison("=", variable, term)))
            return variable

        atom = replace(reading.atom, args=tuple(map(flat, reading.atom.args)))
        reading = replace(reading, atom=atom, time=None if reading.time is None else flat(reading.time))
        if reading.computed_interval is not None and not reading.negated:
            yield from points_in_interval(reading, next(self._fresh))
        else:
            yield reading
        yield from computed


def _reading(formula: Formula) -> Reading:
    match formula:
        case Atom():
            return Reading(Quantifier.NOW, formula)
        case At(time, Atom() as atom):
            return Reading(Quantifier.AT, atom, time=time)
        case Windowed():
            chain: list[Window] = []
            inner: Formula = formula
            while isinstance(inner, Windowed):
                chain.append(inner.window)
                inner = inner.body
            match inner:
                case Some(Atom() as atom):
                    return Reading(Quantifier.SOME, atom, tuple(chain))
                case Always(Atom() as atom):
                    return Reading(Quantifier.ALWAYS, atom, tuple(chain))
                case At(time, Atom() as atom):
                    return Reading(Quantifier.AT, atom, tuple(chain), time)
    raise _not_plain(formula)


def _not_plain(formula: Node) -> Rejected:
    return Rejected(
        [
            Diagnostic(
                "E511",
                "This formula is not plain LARS.",
                "Use the reference reasoner, or split the formula into rules over windowed atoms.",
                formula.origin,
            )
        ]
    )
