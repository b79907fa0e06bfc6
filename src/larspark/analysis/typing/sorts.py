"""The sort of an argument: which values it can have, as far as data types tell numbers and texts apart.

Spark wants the types of a stream's columns before the first atom arrives. They follow from the types of the input
through the rules: a variable has a sort of any atom that binds it, and arithmetic on whole numbers stays whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from larspark.analysis.analysis import Analysis
from larspark.analysis.structure.occurrences import head_atoms
from larspark.language.facts import Fact, Signature
from larspark.language.traversal import atoms, children
from larspark.language.tree import (
    Aggregate,
    At,
    Atom,
    Call,
    ColumnType,
    Comparison,
    Constant,
    Duration,
    Formula,
    Input,
    Node,
    Not,
    Now,
    Operation,
    Program,
    Rule,
    Term,
    Variable,
)
from larspark.language.values import Value

MOST_DIGITS = 38
"""What a decimal type holds."""
MOST_PLACES = 18
"""Decimal places up to which arithmetic is followed; recursion could add to them for ever."""


@dataclass(frozen=True, order=True)
class Sort:
    """Whole numbers, unless it is said otherwise; the order is from the least to the most values."""

    symbols: bool = False
    """Any value at all."""
    floating: bool = False
    """Floating-point numbers as they came."""
    scale: int = 0
    """Places after the point."""
    digits: int = 0
    """Places before the point, as far as they are known."""
    form: str = ""
    """`time`: whole numbers that are time points; `boolean`: the symbols `true` and `false`."""
    open: bool = False
    """Nothing is known: the values that there are decide."""

    def __or__(self, other: Sort) -> Sort:
        """The values of both; beside floating-point numbers, others are rounded to such."""
        if self == other:
            return self
        if self.open or other.open:
            return OPEN
        if self.symbols or other.symbols:
            return ANYTHING
        floating = self.floating or other.floating
        return Sort(False, floating, max(self.scale, other.scale), max(self.digits, other.digits))

    def holding(self, values: Sort) -> Sort:
        """This sort, known beforehand, if it has these values; otherwise one that has."""
        if self.open:
            return values
        if self.symbols or (self.floating and not values.symbols) or (self.whole and values.whole):
            return self
        return replace(self, form="") | values

    @property
    def decimal(self) -> bool:
        """Numbers with a fraction that a decimal type holds."""
        return not self.symbols and not self.floating and 0 < self.scale <= MOST_DIGITS - self.digits

    @property
    def whole(self) -> bool:
        return not self.symbols and not self.floating and self.scale == 0


WHOLE, ANYTHING, FLOATING = Sort(), Sort(symbols=True), Sort(floating=True)
TIME, BOOLEAN, OPEN = Sort(form="time"), Sort(symbols=True, form="boolean"), Sort(symbols=True, open=True)

OF_TYPE = {
    ColumnType.INTEGER: WHOLE,
    ColumnType.NUMBER: FLOATING,
    ColumnType.TEXT: ANYTHING,
    ColumnType.TIME: TIME,
    ColumnType.BOOLEAN: BOOLEAN,
}
"""What declared types are."""

Sorts = Mapping[Signature, tuple[Sort, ...]]


def sort_of_value(value: Value) -> Sort:
    if isinstance(value, str) or (isinstance(value, int) and not -(2**63) <= value < 2**63):
        return ANYTHING
    if isinstance(value, int):
        return Sort(digits=len(str(abs(value))))
    before, _, after = f"{value.copy_abs():f}".partition(".")  # `abs` would round
    return Sort(scale=len(after), digits=len(before))


def declared_sorts(analysis: Analysis) -> dict[Signature, tuple[Sort, ...]]:
    """Of all arguments that arrive, as far as `#input` tells."""
    found = {one: (OPEN,) * one.arity for one in analysis.extensional}
    for one in analysis.program.directives:
        if isinstance(one, Input) and one.types:
            found[one.signature] = tuple(OF_TYPE[kind] if kind else OPEN for kind in one.types)
    return found


def with_declared(told: Sorts, analysis: Analysis) -> Sorts:
    """What columns tell about the arguments that arrive in them; declared types stand over it."""
    declared = declared_sorts(analysis)
    pairs = ((one, zip(declared.get(one, (OPEN,) * one.arity), own, strict=True)) for one, own in told.items())
    return {one: tuple(own if said.open else said for said, own in sorts) for one, sorts in pairs}


def sorts_of_facts(facts: Sequence[Fact]) -> Sorts:
    """The sorts of the arguments that facts have."""
    rows: dict[tuple[str, int], list[tuple[Value, ...]]] = {}
    for predicate, args in facts:
        rows.setdefault((predicate, len(args)), []).append(args)
    return {Signature(*one): tuple(map(_sort_of_values, zip(*own, strict=True))) for one, own in rows.items()}


def _sort_of_values(values: Sequence[Value]) -> Sort:
    few = {min(values), max(values)} if set(map(type, values)) == {int} else set(values)
    return reduce(or_, map(sort_of_value, few))


def program_sorts(analysis: Analysis, background: Sequence[Fact]) -> Sorts:
    """The sorts of all arguments, as far as declarations and given facts tell."""
    return argument_sorts(analysis.program, {**declared_sorts(analysis), **sorts_of_facts(background)})


def time_places(sorts: Sorts) -> dict[Signature, frozenset[int]]:
    """The places of arguments that are times, of the predicates that have such."""
    found = {
        one: frozenset(place for place, sort in enumerate(own) if sort.form == TIME.form) for one, own in sorts.items()
    }
    return {one: places for one, places in found.items() if places}


def argument_sorts(program: Program, given: Sorts) -> Sorts:
    """The sorts of all arguments, from those of the input and the background; a predicate without any has no atoms."""
    found = dict(given)
    for patient in (True, False):  # what an aggregate reads may have no atoms; the rule fires all the same
        while any(_conclude(rule, found, patient) for rule in program.rules):
            pass
    return found


def _conclude(rule: Rule, found: dict[Signature, tuple[Sort, ...]], patient: bool) -> bool:
    """Take over the sorts that a rule gives to the arguments of its heads; whether anything is new."""
    read = list(_positive(rule.body))
    awaited = [*read, *(atom for one in rule.body if isinstance(one, Aggregate) for atom in atoms(one) if patient)]
    if any(atom.signature not in found for atom in awaited):
        return False
    known = _bound(rule, read, found)
    return any(
        _join(found, atom.signature, tuple(sort_of_term(term, known) for term in atom.args))
        for atom in head_atoms(rule)
    )


def _join(found: dict[Signature, tuple[Sort, ...]], signature: Signature, sorts: tuple[Sort, ...]) -> bool:
    before = found.get(signature)
    after = sorts if before is None else tuple(old | new for old, new in zip(before, sorts, strict=True))
    found[signature] = after
    return after != before


def sorts_of_variables(body: Sequence[Formula], found: Sorts) -> dict[str, Sort]:
    """What the variables of a body may be."""
    read = [atom for atom in _positive(body) if atom.signature in found]
    return _bound(Rule(Atom("#body"), tuple(body)), read, found)


def _bound(rule: Rule, read: Sequence[Atom], found: Sorts) -> dict[str, Sort]:
    """The sort of each variable: all that binds it must agree, so the narrowest of these sorts has all its values."""
    known: dict[str, Sort] = {}
    for atom in read:
        for term, sort in zip(atom.args, found[atom.signature], strict=True):
            if isinstance(term, Variable):
                known[term.name] = min(sort, known.get(term.name, sort))
    for literal in rule.body:
        for variable in _time_variables(literal):
            known[variable] = TIME
    for _ in rule.body:  # equations may wait for each other
        for name, sort in _equations(rule.body, known, found):
            known[name] = min(sort, known.get(name, sort))
    return known


def _positive(body: Sequence[Node]) -> Iterator[Atom]:
    """The atoms that bind variables."""
    for node in body:
        if isinstance(node, Atom):
            yield node
        elif not isinstance(node, Not | Aggregate):
            yield from _positive(list(children(node)))


def _time_variables(node: Node) -> Iterator[str]:
    if isinstance(node, At) and isinstance(node.time, Variable):
        yield node.time.name
    if not isinstance(node, Not | Aggregate):
        for child in children(node):
            yield from _time_variables(child)


def _equations(body: Sequence[Formula], known: Mapping[str, Sort], found: Sorts) -> Iterator[tuple[str, Sort]]:
    for literal in body:
        match literal:
            case Comparison("=", Variable(name), term) | Comparison("=", term, Variable(name)):
                yield name, sort_of_term(term, known)
            case Aggregate(_, "=", Variable(name)):
                yield name, _sort_of_aggregate(literal, known, found)


def _sort_of_aggregate(aggregate: Aggregate, known: Mapping[str, Sort], found: Sorts) -> Sort:
    if aggregate.function == "count":
        return WHOLE
    result: Sort | None = None
    for element in aggregate.elements:
        read = list(_positive(element.body))
        if any(atom.signature not in found for atom in read):
            continue
        inside = {**known, **_bound(Rule(Atom("#element"), element.body), read, found)}
        sort = sort_of_term(element.terms[0], inside)
        result = sort if result is None else result | sort
    if result is None:
        return WHOLE if aggregate.function != "avg" else ANYTHING
    if aggregate.function == "avg":
        return result if result.open or result.floating else ANYTHING
    return result if aggregate.function in ("min", "max") else replace(result, form="")


def sort_of_term(term: Term, known: Mapping[str, Sort]) -> Sort:
    """What a term may be, when its variables are of these sorts."""
    match term:
        case Constant(value):
            sort = sort_of_value(value)
            return Sort(sort.symbols, scale=sort.scale)
        case Variable(name):
            return known.get(name, ANYTHING)
        case Now():
            return TIME
        case Duration():
            return WHOLE
        case Operation(operator, left, right):
            return _calculated(operator, sort_of_term(left, known), sort_of_term(right, known), right)
        case Call("min" | "max" | "abs", args):
            return reduce(or_, (sort_of_term(one, known) for one in args))
        case Call("hour" | "minute" | "weekday"):
            return WHOLE
    return ANYTHING


def _calculated(operator: str, left: Sort, right: Sort, exponent: Term) -> Sort:
    """Sums and products of decimals have a known number of places, quotients and most powers do not."""
    if left.open or right.open:
        return OPEN
    if left.symbols or right.symbols:
        return ANYTHING
    if left.floating or right.floating:
        return FLOATING
    if operator in "+-" and (left.form, right.form) == ("time", "") and right.whole:
        return TIME
    if operator == "+" and (left.form, right.form) == ("", "time") and left.whole:
        return TIME
    if left.scale == right.scale == 0:
        natural = isinstance(exponent, Constant) and isinstance(exponent.value, int) and exponent.value >= 0
        return WHOLE if operator != "^" or natural else ANYTHING
    match operator:
        case "+" | "-" | "%":
            scale = max(left.scale, right.scale)
        case "*":
            scale = left.scale + right.scale
        case _:
            return ANYTHING
    return Sort(scale=scale) if scale <= MOST_PLACES else ANYTHING
