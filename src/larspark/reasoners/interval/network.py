"""What a program is lowered to: relations with validity, core rules between them, and operators.

A *core rule* knows nothing of windows or modalities any more: it joins relations, looks for absence, compares,
computes, and clips validity to the times whose window contains a time point. Times are ordinary columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple, TypeAlias

from larspark.diagnostics import Origin
from larspark.intervals.sets import FOREVER, bounded
from larspark.language.facts import Signature
from larspark.language.tree import Window

Operand: TypeAlias = str | int
"""A variable by name, or the code of a constant."""


class Kind(Enum):
    """What the rows of a relation stand for."""

    INPUT = auto()
    """Arrivals (arguments, time); they pass through and are not stored."""
    NOW = auto()
    """Derived at the evaluation time itself (arguments)."""
    PINNED = auto()
    """Derived at a time point (arguments, time)."""
    BACKGROUND = auto()
    """Given data that holds always (arguments)."""
    VIEW = auto()
    """A predicate read through windows, or another intermediate result."""


@dataclass(eq=False)
class Relation:
    """A set of keys with validity; `number` is its place among the engine's tables."""

    number: int
    name: str
    width: int
    kind: Kind
    signature: Signature | None = None
    revocable: bool = False
    """Conclusions may be taken back: they hang on negation, an aggregate or a tuple window."""
    kept: int = 0
    """How long after its end an interval is still looked up."""
    indexes: dict[tuple[int, ...], int] = field(default_factory=dict)

    @property
    def stored(self) -> bool:
        return self.kind is not Kind.INPUT

    def index(self, columns: tuple[int, ...]) -> int:
        """The number of the index over these columns, made when it is new."""
        return self.indexes.setdefault(columns, len(self.indexes))

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Match:
    """The relation has a row; None = any value."""

    relation: Relation
    columns: tuple[Operand | None, ...]


@dataclass(frozen=True)
class Absence:
    """The relation has no such row; variables that occur nowhere else are existential inside."""

    relation: Relation
    columns: tuple[Operand | None, ...]


@dataclass(frozen=True)
class Clip:
    """The evaluation times whose window contains the time point; None = unbounded."""

    time: Operand
    past: int | None
    future: int | None
    hop: int = 1


@dataclass(frozen=True)
class Compare:
    operator: str
    left: Operand
    right: Operand


@dataclass(frozen=True)
class Compute:
    """target = function(args); a check when the target has a value already."""

    target: str
    function: str
    args: tuple[Operand, ...]


@dataclass(frozen=True)
class OnTimeline:
    """The value is (or is not) a time point of the timeline."""

    time: Operand
    wanted: bool = True
    pins: bool = False
    """A conclusion is to hold there: an error when it lies too far ahead."""


CoreLiteral: TypeAlias = Match | Absence | Clip | Compare | Compute | OnTimeline
Body: TypeAlias = tuple[CoreLiteral, ...]

Sieve: TypeAlias = tuple[tuple[tuple[Signature, tuple[int | None, ...]], ...], ...]
"""Filters before a window: each is a choice of patterns, None = any value."""


def mentioned(literal: CoreLiteral) -> set[str]:
    """The variables of a literal."""
    match literal:
        case Match(_, columns) | Absence(_, columns):
            operands: tuple[Operand | None, ...] = columns
        case Clip(time) | OnTimeline(time):
            operands = (time,)
        case Compare(_, left, right):
            operands = (left, right)
        case Compute(target, _, args):
            operands = (target, *args)
    return {operand for operand in operands if isinstance(operand, str)}


@dataclass(frozen=True)
class CoreRule:
    head: Relation
    columns: tuple[Operand, ...]
    body: Body
    origin: Origin | None = None


@dataclass(frozen=True)
class Unrolled:
    """target(columns, t) holds at t alone, for each t at which source(columns) holds."""

    source: Relation
    target: Relation


@dataclass(frozen=True)
class Boxed:
    """target(args) holds at t when source(args, u) holds at t for every u of the window at t."""

    source: Relation
    target: Relation
    past: int | None
    future: int | None
    hop: int
    fixed: bool = False
    """The window is the same at all times; past + 1 is its size."""


@dataclass(frozen=True)
class Held:
    """target(args) holds at t when it arrived at some s in [t − length, t] and nothing of its key in (s, t]."""

    signature: Signature
    target: Relation
    keys: tuple[int, ...]
    length: int | None


@dataclass(frozen=True)
class Stretched:
    """target(args) holds at t when the window at t sees source(args) at some time point, or at every one.

    The source is about time points: what holds at u is known to evaluations from u + lag on.
    """

    source: Relation
    target: Relation
    past: int | None
    future: int | None
    hop: int
    lag: int
    always: bool = False


@dataclass(frozen=True)
class Pointed:
    """target(args, u) holds from u + lag to u + past, for each u at which source(args) holds."""

    source: Relation
    target: Relation
    past: int | None
    lag: int


@dataclass(frozen=True)
class Run:
    """target(args) holds at t when the input has arrived at every time point of the window of this size up to t."""

    source: Relation
    target: Relation
    past: int | None


@dataclass(frozen=True)
class Selected:
    """target(args) or target(args, time): what unusual windows select of the input, looked up at every time point."""

    signature: Signature
    target: Relation
    windows: tuple[Window, ...]
    always: bool
    timed: bool


@dataclass(frozen=True)
class Spanned:
    """target(time): the time points that windows select, looked up at every time point."""

    target: Relation
    windows: tuple[Window, ...]


@dataclass(frozen=True)
class Counted:
    """target(args, number, time): the arrivals of one predicate that are among the last `size` counted arrivals.

    A window that is alone can do without the number, and without the time.
    """

    signature: Signature
    target: Relation
    size: int | None
    filters: Sieve
    """An arrival is counted when it passes every filter."""
    keys: Mapping[Signature, tuple[int, ...]] | None
    """The arguments that make a partition, of each predicate; None: one count for everything."""
    whole: bool = False
    """With all arrivals of the time point of the oldest one."""
    behind: int = 2
    """What stands behind the arguments: number and time, the time alone (1), or nothing (0)."""


@dataclass(frozen=True)
class Filled:
    """target(args) holds at t when it is among the last `size` counted arrivals at every time point that they span.

    They span the time points from that of the oldest one up to t; from the start if there are fewer.
    """

    signature: Signature
    target: Relation
    size: int | None
    filters: Sieve
    keys: None = None


@dataclass(frozen=True)
class InSession:
    """target(args, number, time): the arrivals of one predicate that are in a session that goes on.

    It ends `gap` time points after the last arrival of its key that passes the filters.
    """

    signature: Signature
    target: Relation
    gap: int
    filters: Sieve
    keys: Mapping[Signature, tuple[int, ...]]


@dataclass(frozen=True)
class Feed:
    """Elements that are rows of a stored relation."""

    relation: Relation
    columns: tuple[tuple[bool, int], ...]
    """Of an element: whether it is read, and the place where it stands in a row, or a constant."""


class Asked(NamedTuple):
    """A function of one part of the elements."""

    part: int
    function: str


@dataclass(frozen=True, eq=False)
class Aggregated:
    """Functions of source(group, tuple), all that the rules ask for: values[functions](group, value of each).

    Where elements are of several parts, the number of the part stands behind the first term of a tuple.
    """

    source: Relation
    target: Relation
    """target(group): there are elements, in any part."""
    group: int
    """The number of group columns."""
    parts: int = 1
    values: dict[tuple[Asked, ...], Relation] = field(default_factory=dict)
    feeds: tuple[Feed, ...] = ()
    """Elements beside those of the source."""
    only_fed: bool = False
    """The source has none."""

    @property
    def sources(self) -> tuple[Relation, ...]:
        """What is read."""
        return tuple(dict.fromkeys((*(() if self.only_fed else (self.source,)), *(one.relation for one in self.feeds))))


@dataclass(frozen=True, eq=False)
class Listed:
    """target(group, number, tuple): the first `limit` tuples of source(group, tuple) in order, numbered from 0."""

    source: Relation
    target: Relation
    group: int
    """The number of group columns."""
    limit: int
    descending: bool
    feeds: tuple[Feed, ...] = ()
    """Elements beside those of the source."""
    only_fed: bool = False
    """The source has none."""

    @property
    def sources(self) -> tuple[Relation, ...]:
        """What is read."""
        return tuple(dict.fromkeys((*(() if self.only_fed else (self.source,)), *(one.relation for one in self.feeds))))

    @property
    def values(self) -> dict[object, Relation]:
        """It has no functions."""
        return {}


@dataclass(frozen=True)
class Demanded:
    """target holds at all times, from when on source first did: what was asked for once may be looked up any time.

    It may lead back into a recursion: what is found for a key hangs on the key alone, not on who asked for it.
    """

    source: Relation
    target: Relation


@dataclass(frozen=True)
class Ticking:
    """target(u) holds at the evaluation times whose window contains u, for every time point u."""

    target: Relation
    past: int | None
    future: int
    hop: int


Operator: TypeAlias = (
    Unrolled
    | Boxed
    | Run
    | Held
    | Stretched
    | Pointed
    | Selected
    | Spanned
    | Counted
    | Filled
    | InSession
    | Aggregated
    | Listed
    | Demanded
    | Ticking
)


@dataclass(frozen=True)
class Lasting:
    """What holds over stretches: relation(args) at each time point u of its intervals, known from u + lag on."""

    relation: Relation
    lag: int

    def keep(self, past: int | None, hop: int = 1) -> None:
        """Let stretches be looked up as long as a window of this reach sees them."""
        self.relation.kept = max(self.relation.kept, min(bounded(past) + hop, FOREVER))


@dataclass(frozen=True)
class Repeated:
    """Recorded conclusions about the evaluation time: a stretch of conclusions is recorded over the same stretch."""

    concluded: Relation
    recorded: Relation
    again: Relation
    """What an earlier evaluation at the same time point recorded."""


@dataclass(frozen=True)
class Noted:
    """Recorded conclusions about time points: there for good after the first evaluation that drew them."""

    concluded: Relation
    recorded: Relation
    past: int | None
    """How long after its time point a conclusion can matter."""


@dataclass
class Network:
    """Everything the engine needs to know about a program."""

    start: int
    relations: list[Relation] = field(default_factory=list)
    rules: list[CoreRule] = field(default_factory=list)
    operators: list[Operator] = field(default_factory=list)
    inputs: dict[Signature, Relation] = field(default_factory=dict)
    now: dict[Signature, Relation] = field(default_factory=dict)
    pinned: dict[Signature, Relation] = field(default_factory=dict)
    listed: dict[Signature, Relation] = field(default_factory=dict)
    """What of `pinned` the answer shows: what is in the data at that time already is nothing the program adds."""
    background: dict[Signature, Relation] = field(default_factory=dict)
    lasting: dict[Signature, Lasting] = field(default_factory=dict)
    """What holds over stretches of time points."""
    repeated: dict[Signature, Repeated] = field(default_factory=dict)
    noted: dict[Signature, Noted] = field(default_factory=dict)
    _names: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.inconsistent = self.relation("inconsistent", 0, Kind.VIEW)
        """Holds when a constraint is violated or a conclusion lies outside the timeline."""

    def looks_up(self, relation: Relation) -> bool:
        """Whether its rows must be found again: by operators, for absence, joined with others, or in another round."""
        read = (getattr(node, "sources", (getattr(node, "source", None),)) for node in self.operators)
        if self.repeated or self.noted or any(relation in sources for sources in read):
            return True
        for rule in self.rules:
            matches = [literal.relation for literal in rule.body if isinstance(literal, Match)]
            absences = [literal.relation for literal in rule.body if isinstance(literal, Absence)]
            if relation in absences or (relation in matches and len(matches) > 1):
                return True
        return False

    def declare_now(self, signature: Signature) -> Relation:
        """The relation of what is derived at the evaluation time itself."""
        if signature not in self.now:
            self.now[signature] = self.relation(str(signature), signature.arity, Kind.NOW, signature=signature)
        return self.now[signature]

    @property
    def recorded(self) -> list[Relation]:
        """What is in the stream because it was concluded before."""
        repeated = (kind.recorded for kind in self.repeated.values())
        return [*repeated, *(kind.recorded for kind in self.noted.values())]

    @property
    def remembered(self) -> Set[Signature]:
        """What is in the stream though it does not arrive then: held input, and what is recorded."""
        return self.lasting.keys() | self.noted.keys()

    @property
    def revocable(self) -> frozenset[Signature]:
        """The derived predicates whose conclusions can be taken back."""
        derived = (*self.now.items(), *self.pinned.items())
        return frozenset(signature for signature, relation in derived if relation.revocable)

    def relation(
        self, name: str, width: int, kind: Kind, *, signature: Signature | None = None, revocable: bool = False
    ) -> Relation:
        """A new relation; statistics are kept by name, so a name that is taken gets a number."""
        self._names[name] += 1
        number = self._names[name]
        told = name if number == 1 else f"{name} {number}"
        made = Relation(len(self.relations), told, width, kind, signature, revocable)
        self.relations.append(made)
        return made
