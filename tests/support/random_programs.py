"""Random plain programs with random streams: small, safe, rich in conclusions, and without runaway recursion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from random import Random
from typing import TypeVar

from larspark.language.facts import Fact, Signature
from larspark.language.printer import show
from larspark.language.traversal import atoms, variables
from larspark.language.tree import (
    UNBOUNDED,
    Aggregate,
    AggregateElement,
    Always,
    At,
    Atom,
    Comparison,
    Constant,
    FilterWindow,
    Formula,
    Input,
    IntervalWindow,
    Not,
    Operation,
    Or,
    PartitionWindow,
    Pattern,
    Prefer,
    Program,
    Record,
    Rule,
    Some,
    Term,
    TimeWindow,
    Truth,
    TupleWindow,
    Variable,
    Window,
    Windowed,
)
from larspark.language.values import Value
from larspark.semantics.streams import Stream

Item = TypeVar("Item")

INPUT = (Signature("a", 0), Signature("b", 0), Signature("e", 1), Signature("f", 2))
FREQUENT_INPUT = (*INPUT, Signature("a", 0), Signature("e", 1), Signature("e", 1))
RARE_INPUT = (Signature("b", 0), Signature("f", 2))
DERIVED = (Signature("p", 0), Signature("q", 0), Signature("r", 1), Signature("s", 1))
"""Intensional predicates, lowest stratum first."""
BACKGROUND = Signature("bg", 1)
VALUES: tuple[Value, ...] = ("x", 1, 2)

OVER_ANYTHING = ("time", "future", "hop", "all", "filter", "interval", "time-time")
OVER_INPUT = ("tuple", "per", "filter-tuple", "time-tuple", "tuple-time")


@dataclass(frozen=True)
class Shape:
    """What may occur in a random program."""

    rules: int = 6
    negation: str = "stratified"
    """none, stratified, or free (also through recursion)."""
    recursion: bool = True
    pinned_heads: bool = True
    """`@T` heads, also into past and future."""
    windows: tuple[str, ...] = OVER_ANYTHING + OVER_INPUT
    variables: bool = True
    arithmetic: bool = True
    aggregates: bool = True
    constraints: bool = False
    disjunction: bool = False
    background: bool = True
    preferences: int = 0
    """At most so many."""
    arriving: bool = False
    """Derived predicates may be input as well and may be recorded, input may also be background."""


@dataclass(frozen=True, repr=False)
class Scenario:
    """A program, background data, and a stream with an open end."""

    program: Program
    stream: Stream
    background: tuple[Fact, ...]

    @property
    def times(self) -> range:
        """The evaluation times worth looking at: some points longer than the data."""
        return range(self.stream.start, self.stream.last + 5)

    def __repr__(self) -> str:
        arrivals = " ".join(f"{time}:{fact}" for time, fact in self.stream.input)
        known = " ".join(map(str, self.background))
        return f"\n{show(self.program)}\n% from {self.stream.start}: {arrivals}\n% background: {known}\n"


def random_scenario(random: Random, shape: Shape) -> Scenario:
    """A program with a stream of up to 14 arrivals over some 12 time points, in bursts or with gaps."""
    start = random.choice([0, 0, 0, 3, 7])
    background = random.choice([(), ("x",), ("x", 1)]) if shape.background else ()
    facts = tuple(Fact(BACKGROUND.predicate, (value,)) for value in background)
    rules = tuple(_rules(random, shape))
    number = random.randint(1, shape.preferences) if shape.preferences else 0
    derived = sorted({atom.signature for rule in rules for atom in atoms(rule.head)})
    preferences = tuple(_preference(random, shape, derived) for _ in range(number if derived else 0))
    if not shape.arriving:
        return Scenario(Program(rules, preferences), random_stream(random, start), facts)
    both = [signature for signature in derived if random.random() < 0.6]
    given = [signature for signature in INPUT if random.random() < 0.15]
    facts += tuple(_random_fact(random, signature) for signature in given)
    recorded = [Record(signature) for signature in derived if random.random() < 0.3]
    program = Program(rules, (*preferences, *map(Input, (*both, *given)), *recorded))
    return Scenario(program, random_stream(random, start, (*FREQUENT_INPUT, *both * 3)), facts)


def random_stream(random: Random, start: int, signatures: Sequence[Signature] = FREQUENT_INPUT) -> Stream:
    """Nothing arrives in the first two time points, so that heads may point two points back."""
    time, arrivals = start + 2, []
    gaps = random.choice([[0, 0, 1, 1, 1, 2], [0, 0, 0, 4], [1, 2, 3]])
    for _ in range(random.randint(1, 14)):
        time = min(time + random.choice(gaps), start + 11)
        arrivals.append((time, _random_fact(random, random.choice(signatures))))
    return Stream.of(start, None, arrivals)


def _random_fact(random: Random, signature: Signature) -> Fact:
    return Fact(signature.predicate, tuple(random.choice(VALUES) for _ in range(signature.arity)))


def _rules(random: Random, shape: Shape) -> list[Rule]:
    levels = sorted(random.randrange(len(DERIVED)) for _ in range(random.randint(1, shape.rules)))
    rules = []
    for position, level in enumerate(levels):
        known = levels if shape.negation == "free" else levels[:position]
        rules.append(_RuleMaker(random, shape, level, frozenset(known)).rule())
    if shape.negation == "free" and (shape.preferences or random.random() < 0.5):
        rules += _choice(random, shape)
    random.shuffle(rules)
    return rules


def _choice(random: Random, shape: Shape) -> list[Rule]:
    """`p :- trigger, not q.` and `q :- trigger, not p.`, perhaps at the time of the trigger."""
    maker = _RuleMaker(random, shape, 0, frozenset())
    trigger = maker.literal(RARE_INPUT, binds=True)  # a choice per arrival doubles the answer streams each time
    signatures = random.sample(DERIVED, 2)
    pinned = random.choice(maker.times) if shape.pinned_heads and maker.times else None
    heads: list[Formula] = []
    for signature in signatures:
        atom = maker.head_atom(signature)
        heads.append(At(Variable(pinned), atom) if pinned else atom)
    return [Rule(heads[0], (trigger, Not(heads[1]))), Rule(heads[1], (trigger, Not(heads[0])))]


def _preference(random: Random, shape: Shape, derived: Sequence[Signature]) -> Prefer:
    """Some conclusion, often with more conditions; weights are variables or constants of all kinds, even useless."""
    maker = _RuleMaker(random, replace(shape, aggregates=True), len(DERIVED) - 1, frozenset(range(len(DERIVED))))
    body = (maker.literal(derived, binds=True), *(maker.rule().body if random.random() < 0.4 else ()))
    bound = [Variable(name) for name in (*maker.data, *maker.times)]
    weights: list[Value] = [1, 1, 2, 3, -1, -2, Decimal("0.5"), "x"]
    weight: Term = random.choice(bound) if bound and random.random() < 0.3 else Constant(random.choice(weights))
    terms = tuple(term for term in bound if random.random() < 0.5)
    return Prefer(weight, random.choice([0, 0, 1, 2]), terms, body)


class _RuleMaker:
    """One rule for the predicate of a level; it remembers which variables the body binds."""

    def __init__(self, random: Random, shape: Shape, level: int, defined: frozenset[int]) -> None:
        self.random, self.shape, self.level = random, shape, level
        self.defined = tuple(DERIVED[other] for other in sorted(defined))
        self.below = tuple(DERIVED[other] for other in sorted(defined) if other < level)
        self.data: list[str] = []
        self.times: list[str] = []
        self.from_input: set[str] = set()
        """Variables bound by input atoms: arithmetic on them cannot run away."""

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def pick(self, options: Sequence[Item]) -> Item:
        return self.random.choice(options)

    def rule(self) -> Rule:
        shape = self.shape
        usable = self.defined if shape.recursion or shape.negation == "free" else self.below
        body = [self.literal(FREQUENT_INPUT + usable * 3, binds=True) for _ in range(self.pick([1, 1, 2]))]
        if shape.background and shape.variables and self.chance(0.15):
            body.append(Atom(BACKGROUND.predicate, (self.argument(binds=True),)))
        if shape.negation != "none" and self.chance(0.4):
            negatable = self.defined if shape.negation == "free" else self.below
            body.append(Not(self.literal(INPUT + negatable * 4, binds=False)))
        if shape.aggregates and self.chance(0.2):
            body.append(self.aggregate())
        if shape.arithmetic and self.data + self.times and self.chance(0.2):
            body.append(self.comparison())
        head = self.head(body)
        self.random.shuffle(body)
        return Rule(head, tuple(body))

    # -- heads -------------------------------------------------------------------------------------

    def head(self, body: list[Formula]) -> Formula:
        if self.shape.constraints and self.chance(0.07):
            return Truth(False)
        atom = self.head_atom(DERIVED[self.level])
        if self.shape.disjunction and self.chance(0.3):
            others = DERIVED if self.shape.negation == "free" else DERIVED[: self.level + 1]
            return Or((atom, self.head_atom(self.pick(others))))
        if self.shape.pinned_heads and self.times and self.chance(0.7):
            return At(self.head_time(body), atom)
        return atom

    def head_atom(self, signature: Signature) -> Atom:
        return Atom(signature.predicate, tuple(self.head_argument() for _ in range(signature.arity)))

    def head_argument(self) -> Term:
        found = self.argument(binds=False)
        if self.shape.variables and self.times and self.chance(0.15):
            found = Variable(self.pick(self.times))
        numeric = isinstance(found, Variable) and found.name in self.from_input
        if self.shape.arithmetic and numeric and self.chance(0.2):
            return Operation(self.pick("+-*/%"), found, Constant(self.pick([1, 2])))
        return found

    def head_time(self, body: list[Formula]) -> Term:
        """T, T+3 or T-1; into the past only from input, which starts late enough not to leave the timeline."""
        name = self.pick(self.times)
        shifts = [0]
        if name in self.from_input:
            shifts = [0, 0, 0, 1, 3, -1, -2]
        elif _bounded_ahead(name, body):
            shifts = [0, 0, 1, 3]
        shift = self.pick(shifts)
        if shift == 0:
            return Variable(name)
        return Operation("+" if shift > 0 else "-", Variable(name), Constant(abs(shift)))

    # -- literals ----------------------------------------------------------------------------------

    def literal(self, signatures: Sequence[Signature], *, binds: bool) -> Formula:
        signature = self.pick(signatures)
        is_input = signature in INPUT
        form = self.pick(["plain", "at", "some", "some", "always", "at-window", "at-window"])
        kinds = [kind for kind in self.shape.windows if is_input or kind in OVER_ANYTHING or self.shape.arriving]
        kind = self.pick(kinds) if kinds and form not in ("plain", "at") else None
        args = tuple(self.argument(binds=binds, is_input=is_input) for _ in range(signature.arity))
        atom = Atom(signature.predicate, args)
        if form == "at":
            return At(self.time(binds=binds, is_input=is_input), atom)
        if kind is None:
            return atom
        inner: Formula = Some(atom)
        if form == "always":
            inner = Always(atom)
        elif form == "at-window":
            inner = At(self.time(binds=binds, is_input=is_input), atom)
        return self.windowed(kind, signature, inner)

    def windowed(self, kind: str, signature: Signature, inner: Formula) -> Formula:
        for window in reversed(self.window(kind, signature)):
            inner = Windowed(window, inner)
        return inner

    def argument(self, *, binds: bool, is_input: bool = False) -> Term:
        return self._term(self.data, "XYZ", [Constant(value) for value in VALUES], binds=binds, is_input=is_input)

    def time(self, *, binds: bool, is_input: bool) -> Term:
        if not binds and self.data and self.chance(0.2):  # a value that is perhaps no time point
            return Variable(self.pick(self.data))
        return self._term(self.times, "TU", [Constant(4)], binds=binds, is_input=is_input)

    def _term(self, bound: list[str], fresh: str, constants: Sequence[Term], *, binds: bool, is_input: bool) -> Term:
        """A constant, a variable that is bound already, or (only where it gets bound) a new one."""
        if not self.shape.variables and bound is self.data:
            return self.pick(constants)
        roll = self.random.random()
        if bound and roll < (0.4 if binds else 0.85):
            name = self.pick(bound)
        elif binds and roll < 0.9:
            name = fresh[min(len(bound), len(fresh) - 1)]
        else:
            return self.pick(constants)
        if binds:
            if name not in bound:
                bound.append(name)
            if is_input:
                self.from_input.add(name)
        return Variable(name)

    def comparison(self) -> Formula:
        bound = self.data + self.times
        right: Term = Variable(self.pick(bound)) if self.chance(0.5) else Constant(self.pick([1, 5]))
        if self.chance(0.5):
            right = Operation(self.pick("+-*/%"), right, Constant(self.pick([0, 1, 2])))
        return Comparison(self.pick(["=", "!=", "<", "<=", ">", ">="]), Variable(self.pick(bound)), right)

    def aggregate(self) -> Formula:
        """`N = #sum{ V : e(V) [3] }` or `1 <= #count{…}`; V is local, other variables are those of the rule."""
        signature = self.pick([found for found in (*FREQUENT_INPUT, *self.below * 3) if found.arity])
        fixed = tuple(self.argument(binds=False) for _ in range(signature.arity - 1))
        body: Formula = Atom(signature.predicate, (Variable("V"), *fixed))
        kinds = [kind for kind in self.shape.windows if signature in INPUT or kind in OVER_ANYTHING]
        if kinds and self.chance(0.8):
            body = self.windowed(self.pick(kinds), signature, Some(body))
        function = self.pick(["count", "count", "sum", "min", "max"])
        element = AggregateElement((Variable("V"),), (body,))
        if self.shape.variables and self.chance(0.5):
            self.data.append("N")
            return Aggregate(function, "=", Variable("N"), (element,))
        return Aggregate(function, self.pick(["=", "<", ">="]), Constant(self.pick([0, 1, 2])), (element,))

    # -- windows -----------------------------------------------------------------------------------

    def window(self, kind: str, signature: Signature) -> tuple[Window, ...]:
        """A window of the kind, or a chain of two."""
        size = self.pick([0, 1, 2, 3, 4, 6])
        match kind:
            case "time":
                return (TimeWindow(size),)
            case "future":
                return (TimeWindow(self.pick([0, 0, 1, 3]), self.pick([1, 2, 3])),)
            case "hop":
                past, future = self.pick([1, 2, 3, 4]), self.pick([0, 0, 1])
                return (TimeWindow(past, future, self.random.randint(1, past + future)),)
            case "all":
                return (TimeWindow(UNBOUNDED),)
            case "filter":
                return (self.filter(signature),)
            case "interval":
                start = self.random.randint(0, 8)
                return (IntervalWindow(Constant(start), Constant(start + size)),)
            case "per" if signature.arity:
                keys = self.pick([(0,), (0, 1)][: signature.arity])
                return (PartitionWindow(self.pick([1, 2]), 0, signature, keys),)
            case "tuple" | "per":
                return (TupleWindow(self.pick([1, 2, 3, 4])),)
        first, second = kind.split("-")
        return (*self.window(first, signature), *self.window(second, signature))

    def filter(self, signature: Signature) -> FilterWindow:
        wanted = {signature, self.pick(INPUT)} if self.chance(0.9) else {self.pick(INPUT)}
        return FilterWindow(
            tuple(
                Pattern(one.predicate, tuple(self.pick([None, None, "x"]) for _ in range(one.arity)))
                for one in sorted(wanted)
            )
        )


def _bounded_ahead(name: str, body: list[Formula]) -> bool:
    """Whether a literal that binds the time keeps it within a window with a last point."""
    return any(
        isinstance(part, Windowed)
        and isinstance(part.window, TimeWindow | IntervalWindow)
        and name in {variable.name for variable in variables(part)}
        for part in body
    )
