"""The tree of a program: small frozen nodes that mirror LARS.

The plain spelling is only spelling: `a [w]` is `Windowed(w, Some(a))`, `always a [w]` is
`Windowed(w, Always(a))`, `@T a [w]` is `Windowed(w, At(T, a))`, a chain `a [v] [w]` is
`Windowed(v, Windowed(w, Some(a)))`. Every node knows its origin, which takes no part in equality.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias

from larspark.language.facts import Signature
from larspark.language.terms import (
    RANGE,
    UNBOUNDED,
    Call,
    Constant,
    Duration,
    Extent,
    Node,
    Now,
    Operation,
    Term,
    Unbounded,
    Variable,
    points,
)
from larspark.language.values import Value
from larspark.language.windows import (
    HALF_OPEN,
    FilterWindow,
    IntervalWindow,
    Keyed,
    KeyedWindow,
    PartitionWindow,
    Pattern,
    RegisteredWindow,
    SessionWindow,
    TimeWindow,
    TupleWindow,
    Window,
    WindowNode,
)

__all__ = [
    "HALF_OPEN",
    "RANGE",
    "UNBOUNDED",
    "Aggregate",
    "AggregateElement",
    "Always",
    "And",
    "At",
    "Atom",
    "Background",
    "Call",
    "Clock",
    "ColumnType",
    "Comparison",
    "Const",
    "Constant",
    "Directive",
    "Duration",
    "Extent",
    "FilterWindow",
    "Formula",
    "FunctionImport",
    "Hold",
    "Implies",
    "Input",
    "IntervalWindow",
    "Keyed",
    "KeyedWindow",
    "Node",
    "Not",
    "Now",
    "Operation",
    "Or",
    "PartitionWindow",
    "Pattern",
    "Prefer",
    "Program",
    "Reader",
    "Record",
    "RegisteredWindow",
    "Reset",
    "Rule",
    "Say",
    "SessionWindow",
    "Show",
    "Some",
    "Temporal",
    "Term",
    "TimeWindow",
    "Timezone",
    "Truth",
    "TupleWindow",
    "Unbounded",
    "Variable",
    "Window",
    "WindowNode",
    "Windowed",
    "points",
]

# -- formulas --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Atom(Node):
    predicate: str
    args: tuple[Term, ...] = ()

    @cached_property
    def signature(self) -> Signature:
        return Signature(self.predicate, len(self.args))


@dataclass(frozen=True)
class Truth(Node):
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True)
class Comparison(Node):
    """`left < right`, with = != < <= > >=."""

    operator: str
    left: Term
    right: Term


@dataclass(frozen=True)
class AggregateElement(Node):
    """`V,Id : literals` inside an aggregate."""

    terms: tuple[Term, ...]
    body: tuple[Formula, ...]


@dataclass(frozen=True)
class Aggregate(Node):
    """`N = #count{ Id : tram(Id,S) [10] }`: `result operator #function{elements}`.

    Variables that occur only inside the braces are local to their element.
    """

    function: str
    """count, sum, min, max or avg."""
    operator: str
    result: Term
    elements: tuple[AggregateElement, ...]
    ranking: Ranking | None = None
    """What a count of the tuples that come before another was spelled out from."""


@dataclass(frozen=True)
class Ranking(Node):
    """The first `limit` tuples of an element, in order; those that `targets` stands for are among them."""

    function: str
    limit: int
    element: AggregateElement
    targets: tuple[Term, ...]


@dataclass(frozen=True)
class Ranked(Node):
    """`(R,P,B) = #top{ 10; Q,C : bid(A,C,Q) [all] }`: (P,B) is the R-th of the distinct tuples, one of the first ten.

    Resolving spells it out as a count (`ranks`): what comes later does not know it.
    """

    function: str
    """top, the largest first, or bottom, the smallest first; tuples compare by their first difference."""
    result: tuple[Term, ...]
    """The rank, then the tuple."""
    limit: Term
    element: AggregateElement


@dataclass(frozen=True)
class Not(Node):
    body: Formula


@dataclass(frozen=True)
class And(Node):
    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Or(Node):
    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Implies(Node):
    left: Formula
    right: Formula


@dataclass(frozen=True)
class Some(Node):
    """◇ body: at some time point of the current stream."""

    body: Formula


@dataclass(frozen=True)
class Always(Node):
    """□ body: at every time point of the current stream."""

    body: Formula


@dataclass(frozen=True)
class At(Node):
    """@_time body."""

    time: Term
    body: Formula


@dataclass(frozen=True)
class Windowed(Node):
    """⊞^window body."""

    window: Window
    body: Formula


@dataclass(frozen=True)
class Reset(Node):
    """▷ body: back to the whole stream."""

    body: Formula


Formula: TypeAlias = (
    Atom | Truth | Comparison | Aggregate | Ranked | Not | And | Or | Implies | Some | Always | At | Windowed | Reset
)

# -- programs --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rule(Node):
    """`head :- body.` A constraint has head `Truth(False)`, a disjunction `Or`, a fact an empty body."""

    head: Formula
    body: tuple[Formula, ...] = ()


class ColumnType(StrEnum):
    """What the values of an argument are."""

    INTEGER = "integer"
    NUMBER = "number"
    TEXT = "text"
    TIME = "time"
    """Time points; timestamps become them."""
    BOOLEAN = "boolean"
    """The symbols `true` and `false`."""


@dataclass(frozen=True)
class Clock(Node):
    """`#clock 1 s.`: the length of a time point."""

    length: Duration


@dataclass(frozen=True)
class Timezone(Node):
    """`#timezone "Europe/Vienna".`: the zone of timestamps that name none, and of the calendar functions."""

    name: str


@dataclass(frozen=True)
class Const(Node):
    """`#const k = 5.`"""

    name: str
    value: Value


@dataclass(frozen=True)
class Show(Node):
    """`#show p/1, q(machine, since).`"""

    signatures: tuple[Signature, ...]
    columns: tuple[tuple[str, ...], ...] = ()
    """The names of the arguments of each, () where none are given; all of it is () where none are given at all."""

    @property
    def named(self) -> dict[Signature, tuple[str, ...]]:
        """The names of arguments, where they are given."""
        return {one: names for one, names in zip(self.signatures, self.columns, strict=False) if names}


@dataclass(frozen=True)
class Input(Node):
    """`#input tram(id: text, station).` or `#input tram/2.`; columns is empty in the second form."""

    signature: Signature
    columns: tuple[str, ...] = ()
    types: tuple[ColumnType | None, ...] = ()
    """What each argument is, None where it may be anything; all of it is () where no type is given."""


@dataclass(frozen=True)
class Background(Node):
    """`#background "plan.csv" as plan/4.`; the path is as written, relative to the file that says it."""

    path: str
    signature: Signature


@dataclass(frozen=True)
class FunctionImport(Node):
    """`#function humidex/2 from "helpers.py".`"""

    signature: Signature
    path: str


@dataclass(frozen=True)
class Record(Node):
    """`#record alarm/1.`"""

    signature: Signature


@dataclass(frozen=True)
class Hold(Node):
    """`#hold readings(M, C) per M for 5 min.`: what arrives holds until the next arrival of its key, or so long."""

    signature: Signature
    keys: tuple[int, ...] = ()
    """The arguments that make a key; none: all arrivals have the same one."""
    length: Extent = UNBOUNDED


@dataclass(frozen=True)
class Temporal(Node):
    """`#temporal cool/2.`: the last argument of this predicate is its time."""

    signature: Signature


@dataclass(frozen=True)
class Say(Node):
    """`#say alarm(M) "machine {M} is too hot".`: how explanations put an atom into words."""

    signature: Signature
    names: tuple[str, ...]
    """What the sentence calls the arguments, `_` where it does not."""
    sentence: str
    time: str | None = None
    """What it calls the time point that the atom is about: `#say @T expected(Id) "{Id} is expected at {T}".`"""


@dataclass(frozen=True)
class Prefer(Node):
    """`#prefer 2@1, X : use(X), fast(X) [5].`: an answer stream gains the weight, at the level, for every tuple."""

    weight: Term
    level: int
    """Higher levels come first."""
    terms: tuple[Term, ...]
    body: tuple[Formula, ...]

    @property
    def entry(self) -> tuple[Term, ...]:
        """The tuple that counts."""
        return (self.weight, Constant(self.level), *self.terms)

    @property
    def rule(self) -> Rule:
        """The rule that collects the tuples, for those who know rules only; no program reads its head."""
        return Rule(Atom("#prefer", self.entry, origin=self.origin), self.body, origin=self.origin)


Directive: TypeAlias = (
    Clock | Timezone | Const | Show | Input | Background | FunctionImport | Record | Hold | Temporal | Say | Prefer
)

Reader: TypeAlias = Rule | Prefer
"""What has a body."""


@dataclass(frozen=True)
class Program(Node):
    """Rules and directives in source order, includes already spliced in."""

    rules: tuple[Rule, ...] = ()
    directives: tuple[Directive, ...] = ()

    @property
    def preferences(self) -> tuple[Prefer, ...]:
        return tuple(directive for directive in self.directives if isinstance(directive, Prefer))

    @property
    def readers(self) -> tuple[Reader, ...]:
        return (*self.rules, *self.preferences)
