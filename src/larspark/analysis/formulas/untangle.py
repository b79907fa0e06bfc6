"""Atoms that need a value which is computed from what they themselves give.

In `p(X) :- e(X) [from Y to 9], Y = #count{ Z : f(Z,X) [9] }.` the bound Y needs X, which comes from that atom. Such an
atom is taken apart: it is looked for at all times, or with any argument, and what it needs is compared afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import count
from typing import NamedTuple, TypeVar

from larspark.analysis.formulas.predicates import NEVER
from larspark.language.clock_terms import is_clock_term
from larspark.language.extended_atoms import ExtendedAtom, Quantifier, extended_atom
from larspark.language.traversal import time_variables, variables
from larspark.language.tree import (
    Aggregate,
    At,
    Comparison,
    Constant,
    Formula,
    IntervalWindow,
    Node,
    Not,
    Operation,
    Prefer,
    Program,
    Rule,
    Term,
    Variable,
)

PartT = TypeVar("PartT", Rule, Prefer)
Names = frozenset[str]
Fresh = Callable[[str], Variable]


class Supply(NamedTuple):
    """The variables that a literal gives once it has those it needs."""

    gives: Names
    needs: Names


def untangled(program: Program) -> Program:
    """The same program where no atom needs what only follows from it."""
    rules = tuple(map(_untangled, program.rules))
    directives = tuple(_untangled(one) if isinstance(one, Prefer) else one for one in program.directives)
    before, after = (*program.rules, *program.directives), (*rules, *directives)
    same = all(new is old for new, old in zip(after, before, strict=True))
    return program if same else replace(program, rules=rules, directives=directives)


def _untangled(part: PartT) -> PartT:
    if not any(_needed(literal) for literal in _with_elements(part.body)):
        return part
    head = part.entry if isinstance(part, Prefer) else (part.head,)
    outside = Names().union(*map(_names, head), *map(_outside, part.body))
    taken = set(_names(part))

    def fresh(name: str) -> Variable:
        found = next(new for number in count(1) if (new := f"{name}{number}") not in taken)
        taken.add(found)
        return Variable(found)

    inside = tuple(_elements_apart(literal, outside, fresh) for literal in part.body)
    body = _apart(inside, Names(), outside, fresh)
    same = len(body) == len(part.body) and all(new is old for new, old in zip(body, part.body, strict=True))
    return part if same else replace(part, body=body)


def _with_elements(body: Iterable[Formula]) -> Iterator[Formula]:
    for literal in body:
        yield literal
        aggregate = _aggregate(literal)
        for element in aggregate.elements if aggregate else ():
            yield from element.body


def _elements_apart(literal: Formula, outside: Names, fresh: Fresh) -> Formula:
    """An aggregate with the atoms of its elements taken apart; what stands outside has values there."""
    match literal:
        case Not(Aggregate() as aggregate):
            inner = _elements_apart(aggregate, outside, fresh)
            return literal if inner is aggregate else replace(literal, body=inner)
        case Aggregate(elements=elements):
            bodies = [_apart(element.body, outside, outside, fresh) for element in elements]
            if any(len(body) != len(element.body) for body, element in zip(bodies, elements, strict=True)):
                apart = (replace(element, body=body) for element, body in zip(elements, bodies, strict=True))
                return replace(literal, elements=tuple(apart), ranking=None)
    return literal


def _apart(body: tuple[Formula, ...], given: Names, outside: Names, fresh: Fresh) -> tuple[Formula, ...]:
    supplies = [one for literal in body for one in _supplies(literal, outside)]
    bound, found = _bound(supplies, given), list[Formula]()
    for literal in body:
        reading = extended_atom(literal)
        if reading is None or _needed(literal) <= bound:
            found.append(literal)
        else:
            bound |= _given(reading)
            found += _taken_apart(literal, reading, bound, fresh)
            bound = _bound(supplies, bound)
    lost = sorted(_time_names(body) - _time_names(found))
    return (*found, *(Not(At(Variable(name), NEVER)) for name in lost))  # bounds of intervals are time points


def _time_names(body: Iterable[Formula]) -> Names:
    return Names().union(*map(time_variables, body))


def _taken_apart(literal: Formula, reading: ExtendedAtom, bound: Names, fresh: Fresh) -> Iterator[Formula]:
    compared: list[Formula] = []

    def known(term: Term) -> Term:
        if isinstance(term, Variable | Constant) or _names(term) <= bound:
            return term
        variable = fresh("Value")
        compared.append(Comparison("=", variable, term, origin=literal.origin))
        return variable

    atom = replace(reading.atom, args=tuple(map(known, reading.atom.args)))
    reading = replace(reading, atom=atom, time=None if reading.time is None else known(reading.time))
    window = reading.computed_interval
    if window is None or _names(window) <= bound:
        yield reading.formula
    elif reading.quantifier is Quantifier.ALWAYS:
        yield reading.formula  # what holds throughout has held at some time, which gives it its values
        yield _at(reading, fresh("Time")).formula
    else:
        unnamed = reading.time is None or (isinstance(reading.time, Variable) and reading.time.anonymous)
        time = fresh("Time") if unnamed or reading.time is None else reading.time
        yield _at(reading, time).formula
        compared += _inside(window, time)
    yield from compared


def _at(reading: ExtendedAtom, time: Term) -> ExtendedAtom:
    """The atom at a time that its last window does not restrict."""
    return replace(reading, quantifier=Quantifier.AT, windows=reading.windows[:-1], time=time)


def _inside(window: IntervalWindow, time: Term) -> Iterator[Formula]:
    """A bound that is no whole number selects nothing."""
    yield Comparison("<=", window.start, time, origin=window.origin)
    yield Comparison("<=", time, window.end, origin=window.origin)
    for bound in (window.start, window.end):
        if not is_clock_term(bound):
            rest = Operation("%", bound, Constant(1))
            yield Comparison("=", rest, Constant(0), origin=window.origin)


# -- which variables have values -------------------------------------------------------------------


def _bound(supplies: Iterable[Supply], given: Names) -> Names:
    bound, waiting = given, list(supplies)
    while ready := [one for one in waiting if one.needs <= bound]:
        bound = bound.union(*(one.gives for one in ready))
        waiting = [one for one in waiting if not one.needs <= bound or not one.gives <= bound]
    return bound


def _supplies(literal: Formula, outside: Names) -> Iterator[Supply]:
    match literal:
        case Comparison("=", left, right):
            for side, other in ((left, right), (right, left)):
                if isinstance(side, Variable):
                    yield Supply(Names({side.name}), _names(other))
        case Aggregate(operator="=", result=Variable(name), elements=elements):
            yield Supply(Names({name}), Names().union(*map(_names, elements)) & outside)
        case _:
            reading = extended_atom(literal)
            if reading is not None and not reading.negated:
                yield Supply(_given(reading), _needed(literal))


def _needed(literal: Formula) -> Names:
    """What a positive atom needs and does not give itself."""
    reading = extended_atom(literal)
    return Names() if reading is None or reading.negated else _names(literal) - _given(reading)


def _given(reading: ExtendedAtom) -> Names:
    return Names(term.name for term in reading.terms if isinstance(term, Variable) and not term.anonymous)


def _outside(literal: Formula) -> Names:
    """The variables that a literal shares with others: what stands inside an aggregate is local to it."""
    aggregate = _aggregate(literal)
    return _names(literal if aggregate is None else aggregate.result)


def _aggregate(literal: Formula) -> Aggregate | None:
    inner = literal.body if isinstance(literal, Not) else literal
    return inner if isinstance(inner, Aggregate) else None


def _names(node: Node) -> Names:
    return Names(one.name for one in variables(node) if not one.anonymous)
