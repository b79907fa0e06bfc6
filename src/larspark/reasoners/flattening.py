"""From a rule of the tree to a plain rule; what is not plain LARS does not get through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.clock_terms import is_clock_term
from larspark.language.extended_atoms import ExtendedAtom, Quantifier, extended_atom
from larspark.language.traversal import variables, walk
from larspark.language.tree import (
    Aggregate,
    At,
    Atom,
    Comparison,
    Constant,
    Formula,
    IntervalWindow,
    Node,
    Not,
    Operation,
    Or,
    Rule,
    Term,
    Truth,
    Variable,
    Window,
)
from larspark.reasoners.plain import Collection, Condition, Element, Head, Literal, PlainRule, term_names


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


def points_in_interval(reading: ExtendedAtom, name: str) -> tuple[Literal, ...]:
    """A positive `a [w] [from L to U]` as `@T a [w], L <= T, T <= U`, with T of the given name if it has no other.

    A bound that is no whole number selects nothing: so `L % 1 = 0`, too.
    """
    window = reading.computed_interval
    if window is None or reading.quantifier is Quantifier.ALWAYS:
        raise TypeError("an interval with computed bounds, and not `always`, is expected")
    named = reading.time is not None and not (isinstance(reading.time, Variable) and reading.time.anonymous)
    time = reading.time if reading.time is not None and named else Variable(name)
    points = replace(reading, quantifier=Quantifier.AT, windows=reading.windows[:-1], time=time, negated=False)
    whole = (
        Condition(Comparison("=", Operation("%", bound, Constant(1)), Constant(0)))
        for bound in (window.start, window.end)
    )
    return (
        points,
        Condition(Comparison("<=", window.start, time)),
        Condition(Comparison("<=", time, window.end)),
        *whole,
    )


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
            found = extended_atom(formula)
            yield from self._other(formula) if found is None else self._flat(found)

    def _other(self, literal: Formula) -> Iterator[Literal]:
        negated = isinstance(literal, Not)
        match literal.body if isinstance(literal, Not) else literal:
            case Truth(value):
                if value == negated:
                    yield Condition(Comparison("!=", Constant(0), Constant(0)))
            case Comparison() as comparison:
                yield Condition(comparison, negated)
            case Aggregate(function, operator, result, parts, origin=origin):
                elements = tuple(Element(one.terms, tuple(self.body(one.body))) for one in parts)
                yield Collection(function, operator, result, elements, negated, origin)
            case formula:
                raise _not_plain(formula)

    def _flat(self, reading: ExtendedAtom) -> Iterator[Literal]:
        computed: list[Condition] = []

        def flat(term: Term) -> Term:
            if isinstance(term, Variable | Constant):
                return term
            variable = Variable(next(self._fresh))
            computed.append(Condition(Comparison("=", variable, term)))
            return variable

        def flat_window(window: Window) -> Window:
            if not isinstance(window, IntervalWindow):
                return window
            bounds = (bound if is_clock_term(bound) else flat(bound) for bound in (window.start, window.end))
            return IntervalWindow(*bounds, origin=window.origin)

        atom = replace(reading.atom, args=tuple(map(flat, reading.atom.args)))
        time = None if reading.time is None else flat(reading.time)
        # The bounds of other windows than the last one have no variables.
        windows = (*reading.windows[:-1], *map(flat_window, reading.windows[-1:]))
        reading = replace(reading, atom=atom, time=time, windows=windows)
        if reading.computed_interval is None or reading.negated:
            yield reading
        elif reading.quantifier is not Quantifier.ALWAYS:
            yield from points_in_interval(reading, next(self._fresh))
        else:
            yield reading
            if term_names(reading.atom.args):
                # What holds throughout has held at some time, which gives its values to whatever asks for them.
                anytime = Variable(f"_{next(self._fresh)}")
                yield replace(reading, quantifier=Quantifier.AT, windows=reading.windows[:-1], time=anytime)
        yield from computed


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
