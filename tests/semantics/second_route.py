"""A second, independent route to answer streams: one evaluation of a plain program as a program for clingo.

At evaluation time t the windows of plain literals are known ranges: `w3_e(X,U)` are the atoms of predicate e inside
the third window, the input ones by the numbers of their arrivals, the derived ones by their time. Nothing here uses
the package `semantics`, except for the data the caller hands over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from itertools import count

import clingo

from larspark.language.facts import Fact
from larspark.language.tree import (
    UNBOUNDED,
    Aggregate,
    Always,
    At,
    Atom,
    Comparison,
    Constant,
    FilterWindow,
    Formula,
    IntervalWindow,
    Keyed,
    Not,
    Operation,
    Or,
    PartitionWindow,
    Pattern,
    Prefer,
    Program,
    Rule,
    SessionWindow,
    Some,
    Term,
    TimeWindow,
    Truth,
    TupleWindow,
    Variable,
    Window,
    Windowed,
)

Arrivals = Sequence[tuple[int, Fact]]
NEVER = -1
"""A time at which nothing holds."""
LATER = 1000
"""Values of random programs are smaller."""
Model = frozenset[tuple[int, Fact]]


def models(program: Program, arrivals: Arrivals, background: Iterable[Fact], start: int, at: int) -> set[Model]:
    """The preferred answer streams at a time point, as sets of derived atoms with their times.

    All answer sets are enumerated, and their gains added up here: clingo knows nothing about preferences. At a tick,
    the arrivals are those up to it.
    """
    text = Encoding(start, at, [arrival for arrival in arrivals if arrival[0] <= at]).encode(program, background)
    control = clingo.Control(["0", "--warn=none"])
    control.add("base", [], text)
    control.ground([("base", [])])
    levels = sorted({preference.level for preference in program.preferences}, reverse=True)
    with control.solve(yield_=True) as handle:
        symbols = [model.symbols(atoms=True) for model in handle]
    gains = [[_gain(atoms, level) for level in levels] for atoms in symbols]
    best = max(gains, default=None)
    return {frozenset(_derived(atoms)) for atoms, gain in zip(symbols, gains, strict=True) if gain == best}


def _gain(symbols: Iterable[clingo.Symbol], level: int) -> Fraction:
    """The sum over the tuples of a level; a symbol is no weight."""
    weights = [
        symbol.arguments[1] for symbol in symbols if symbol.name == "gain" and symbol.arguments[0].number == level
    ]
    numbers = (weight.number for weight in weights if weight.type == clingo.SymbolType.Number)
    decimals = (Fraction(weight.string) for weight in weights if weight.type == clingo.SymbolType.String)
    return sum(map(Fraction, numbers), Fraction()) + sum(decimals, Fraction())


def _derived(symbols: Iterable[clingo.Symbol]) -> Iterable[tuple[int, Fact]]:
    for symbol in symbols:
        if symbol.name.startswith("d_"):
            *args, time = symbol.arguments
            values = [arg.number if arg.type == clingo.SymbolType.Number else arg.name for arg in args]
            yield time.number, Fact(symbol.name.removeprefix("d_"), tuple(values))


@dataclass
class Selection:
    """What a chain of windows selects at the evaluation time."""

    first: int
    last: int | None
    numbers: list[int]
    """The arrivals inside, by number."""
    derived: bool = True
    patterns: list[tuple[Pattern, ...]] = field(default_factory=list)


@dataclass
class Encoding:
    start: int
    at: int
    arrivals: Arrivals
    lines: list[str] = field(default_factory=list)
    names: Iterable[int] = field(default_factory=lambda: count(1))

    def encode(self, program: Program, background: Iterable[Fact]) -> str:
        for number, (time, fact) in enumerate(self.arrivals):
            self.lines.append(f"in_{_call(fact.predicate, [*map(str, fact.args), str(time), str(number)])}.")
        self.lines += [f"{fact}." for fact in background]
        self.lines.append(f"time_point({self.start}..{self.at + LATER}).")
        for rule in program.rules:
            self.rule(rule)
        for preference in program.preferences:
            self.preference(preference)
        return "\n".join(self.lines)

    def body(self, literals: Sequence[Formula]) -> list[str]:
        body = [part for literal in literals for part in self.literal(literal)]
        return body + [part for literal in literals for part in self.time_point(literal)]

    def preference(self, preference: Prefer) -> None:
        """Every tuple with its level and weight; weights that are no integers are strings."""
        match preference.weight:
            case Constant(Decimal() as weight):
                written = f'"{weight}"'
            case weight:
                written = _term(weight)
        terms = [str(preference.level), written, *map(_term, preference.terms)]
        self.lines.append(f"{_call('gain', terms)} :- {', '.join(self.body(preference.body)) or '#true'}.")

    def rule(self, rule: Rule) -> None:
        body = self.body(rule.body)
        match rule.head:
            case Truth(False):
                heads = []
            case Or(parts):
                heads = [self.head(part) for part in parts]
            case head:
                heads = [self.head(head)]
        self.lines.append(f"{' ; '.join(heads)} :- {', '.join(body) or '#true'}.")
        if isinstance(rule.head, At):  # a head before the timeline cannot be satisfied
            self.lines.append(f":- {', '.join([*body, f'{_term(rule.head.time)} < {self.start}'])}.")

    def head(self, head: Formula) -> str:
        match head:
            case Atom():
                return f"d_{_call(head.predicate, [*map(_term, head.args), str(self.at)])}"
            case At(time, Atom() as atom):
                return f"d_{_call(atom.predicate, [*map(_term, atom.args), _term(time)])}"
        raise TypeError(head)

    # -- literals ----------------------------------------------------------------------------------

    def literal(self, literal: Formula) -> list[str]:
        """The conjuncts of a literal."""
        match literal:
            case Not(body):
                return self.negated(body)
            case Comparison(operator, left, right):
                return [f"{_term(left)} {operator} {_term(right)}"]
            case Aggregate():
                return self.aggregate(literal)
            case Atom("bg", args):
                return [_call("bg", map(_term, args))]
            case _:
                return self.extended(literal, [])

    def time_point(self, literal: Formula) -> list[str]:
        """A variable after @ stands for a time point."""
        match literal:
            case Not(body) if isinstance(inner := _innermost(body), At) and isinstance(inner.time, Variable):
                return [f"time_point({inner.time.name})"]
        return []

    def negated(self, body: Formula) -> list[str]:
        atom = _atom(body)
        if isinstance(_innermost(body), At | Atom):
            return [f"not {part}" for part in self.extended(body, [])]
        fresh = Atom(atom.predicate, tuple(Variable(f"A{position}") for position in range(len(atom.args))))
        parts = self.extended(_replaced(body, fresh), [])
        name = f"n{next(self.names)}"
        self.lines.append(f"{_call(name, map(_term, fresh.args))} :- {', '.join(parts)}.")
        return [f"not {_call(name, map(_term, atom.args))}"]

    def extended(self, literal: Formula, chain: list[Window]) -> list[str]:
        match literal:
            case Windowed(window, body):
                return self.extended(body, [*chain, window])
            case Atom():
                return [self.inside(literal, chain, str(self.at))]
            case At(time, Atom() as atom):
                return [self.inside(atom, chain, _term(time))]
            case Some(Atom() as atom):
                return [self.inside(atom, chain, f"U{next(self.names)}")]
            case Always(Atom() as atom):
                selection = self.select(chain)
                points = () if selection.last is None else range(selection.first, selection.last + 1)
                # Atoms are finitely many: no atom holds at all points of an endless window, and none in an empty one.
                return [self.inside(atom, chain, str(point)) for point in points or (NEVER,)]
        raise TypeError(literal)

    def aggregate(self, literal: Aggregate) -> list[str]:
        (element,) = literal.elements
        (body,) = element.body
        inside = ", ".join([_term(element.terms[0])]) + " : " + ", ".join(self.extended(body, []))
        result = f"{_term(literal.result)} {literal.operator} #{literal.function}{{ {inside} }}"
        match literal.function:
            case "min" | "max":
                return [f"1 <= #count{{ {inside} }}", result]
            case "sum":  # a symbol has no sum; symbols come after all numbers
                return [f"0 = #count{{ {inside}, {_term(element.terms[0])} > 1000000 }}", result]
        return [result]

    # -- windows -----------------------------------------------------------------------------------

    def inside(self, atom: Atom, chain: list[Window], time: str) -> str:
        """The atom in the window at a time; writes down what the window contains."""
        selection = self.select(chain)
        name = f"w{next(self.names)}"
        variables = [f"A{position}" for position in range(len(atom.args))]
        window = _call(name, [*variables, "U"])
        for number in selection.numbers:
            self.lines.append(f"{window} :- in_{_call(atom.predicate, [*variables, 'U', str(number)])}.")
        if selection.derived:
            for conditions in _alternatives(atom, selection.patterns):
                upper = [] if selection.last is None else [f"U <= {selection.last}"]
                parts = [
                    f"d_{_call(atom.predicate, [*variables, 'U'])}",
                    f"U >= {selection.first}",
                    *upper,
                    *conditions,
                ]
                self.lines.append(f"{window} :- {', '.join(parts)}.")
        self.lines.append(f"#defined {name}/{len(variables) + 1}.")
        return _call(name, [*map(_term, atom.args), time])

    def select(self, chain: list[Window]) -> Selection:
        found = Selection(self.start, None, list(range(len(self.arrivals))))
        for window in chain:
            self.narrow(found, window)
        return found

    def narrow(self, found: Selection, window: Window) -> None:
        reached = found.first <= self.at and (found.last is None or self.at <= found.last)
        match window:
            case FilterWindow(patterns):
                found.patterns.append(patterns)
                found.numbers = [n for n in found.numbers if any(_fits(p, self.arrivals[n][1]) for p in patterns)]
            case IntervalWindow(Constant(first), Constant(last)):
                self.clip(found, int(first), int(last))
            case TimeWindow(past, future, hop) if reached:
                pivot = self.at - self.at % int(hop)
                self.clip(found, 0 if past is UNBOUNDED else pivot - int(past), pivot + int(future))
            case TupleWindow(past, _, whole) if reached:
                self.keep(found, [found.numbers], int(past), whole)
            case PartitionWindow(past, _, predicates, whole) if reached:
                self.keep(found, self.by_key(found, predicates), int(past), whole)
            case SessionWindow(gap, predicates) if reached:
                kept: list[int] = []
                for group in self.by_key(found, predicates):
                    last = self.at
                    for number in reversed(group):
                        time = self.arrivals[number][0]
                        if time <= self.at:
                            if last - time > int(gap):
                                break
                            kept, last = [*kept, number], time
                found.first = min((self.arrivals[number][0] for number in kept), default=self.at)
                found.last, found.derived, found.numbers = self.at, False, sorted(kept)

    def by_key(self, found: Selection, predicates: tuple[Keyed, ...]) -> list[list[int]]:
        places = {one.signature: one.keys for one in predicates}
        groups: dict[tuple[object, ...], list[int]] = {}
        for number in found.numbers:
            fact = self.arrivals[number][1]
            if fact.signature in places:
                groups.setdefault(tuple(fact.args[key] for key in places[fact.signature]), []).append(number)
        return list(groups.values())

    def clip(self, found: Selection, first: int, last: int) -> None:
        found.first = max(found.first, first)
        found.last = last if found.last is None else min(found.last, last)
        found.numbers = [n for n in found.numbers if found.first <= self.arrivals[n][0] <= found.last]

    def keep(self, found: Selection, groups: list[list[int]], size: int, whole: bool) -> None:
        """The last arrivals of each group up to now; with too few of them the window starts where it can."""
        firsts, kept = [self.at], []
        for group in groups:
            past = [number for number in group if self.arrivals[number][0] <= self.at]
            first = self.arrivals[past[-size]][0] if len(past) >= size else found.first
            kept += [number for number in past if self.arrivals[number][0] >= first] if whole else past[-size:]
            firsts.append(first)
        found.first, found.last, found.derived = min(firsts), self.at, False
        found.numbers = sorted(kept)


def _alternatives(atom: Atom, filters: list[tuple[Pattern, ...]]) -> Iterable[list[str]]:
    """For each way to pass all filters the conditions on the arguments."""
    if not filters:
        yield []
        return
    first, *rest = filters
    for pattern in first:
        if (pattern.predicate, len(pattern.args)) == (atom.predicate, len(atom.args)):
            here = [f"A{at} = {value}" for at, value in enumerate(pattern.args) if value is not None]
            yield from (here + more for more in _alternatives(atom, rest))


def _fits(pattern: Pattern, fact: Fact) -> bool:
    return (pattern.predicate, len(pattern.args)) == (fact.predicate, len(fact.args)) and all(
        wanted in (None, value) for wanted, value in zip(pattern.args, fact.args, strict=True)
    )


def _innermost(formula: Formula) -> Formula:
    """The literal without its windows."""
    return _innermost(formula.body) if isinstance(formula, Windowed) else formula


def _atom(formula: Formula) -> Atom:
    match formula:
        case Windowed(_, body) | Some(body) | Always(body) | At(_, body):
            return _atom(body)
        case Atom():
            return formula
    raise TypeError(formula)


def _replaced(formula: Formula, atom: Atom) -> Formula:
    """The literal with another atom."""
    match formula:
        case Windowed(window, body):
            return Windowed(window, _replaced(body, atom))
        case Some():
            return Some(atom)
        case Always():
            return Always(atom)
    raise TypeError(formula)


def _term(term: Term) -> str:
    match term:
        case Constant(value):
            return str(value)
        case Variable(name):
            return name
        case Operation(operator, left, right):
            return f"({_term(left)} {operator.replace('%', chr(92))} {_term(right)})"
    raise TypeError(term)


def _call(name: str, args: Iterable[str]) -> str:
    inside = ",".join(args)
    return f"{name}({inside})" if inside else name
