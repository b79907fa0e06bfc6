"""The tree of C-SPARQL and CQELS queries.

Terms are those of the rule language: `?x` is the variable `x`, an RDF term the constant that stands for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from larspark.diagnostics import Origin
from larspark.language.tree import Term, Unbounded


@dataclass(frozen=True)
class Placed:
    """Common to the nodes that can be refused: the place in the text."""

    origin: Origin | None = field(default=None, compare=False, repr=False, kw_only=True)


# -- windows ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Range:
    """`[RANGE 10s STEP 5s]`, `[NOW]` (a range of 0), `[ALL]`; sizes in time points."""

    length: int | Unbounded
    step: int | None = None


@dataclass(frozen=True)
class Triples:
    """`[TRIPLES n]`, `[RANGE TRIPLES n]`: the last n triples of the stream."""

    number: int


RdfWindow: TypeAlias = Range | Triples

# -- expressions -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Comparing(Placed):
    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class BothPatterns(Placed):
    left: Expression
    right: Expression


@dataclass(frozen=True)
class EitherPattern(Placed):
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Negated(Placed):
    body: Expression


@dataclass(frozen=True)
class Bound(Placed):
    variable: str


@dataclass(frozen=True)
class Existing(Placed):
    """`EXISTS { … }`; NOT EXISTS is its negation."""

    pattern: GroupPattern


@dataclass(frozen=True)
class Calculation(Placed):
    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class AggregateCall(Placed):
    """`COUNT(DISTINCT ?x)`; no variable is `*`."""

    function: str
    variable: str | None
    distinct: bool


@dataclass(frozen=True)
class PlainTerm(Placed):
    """A variable or an RDF term."""

    term: Term


Expression: TypeAlias = (
    Comparing | BothPatterns | EitherPattern | Negated | Bound | Existing | Calculation | AggregateCall | PlainTerm
)

# -- patterns --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TriplePattern(Placed):
    subject: Term
    predicate: Term
    object: Term


@dataclass(frozen=True)
class Filter(Placed):
    condition: Expression


@dataclass(frozen=True)
class UnionPattern(Placed):
    alternatives: tuple[GroupPattern, ...]


@dataclass(frozen=True)
class OptionalPattern(Placed):
    pattern: GroupPattern


@dataclass(frozen=True)
class StreamPattern(Placed):
    """`STREAM <iri> [window] { triples }` (CQELS)."""

    stream: str
    window: RdfWindow
    pattern: GroupPattern


@dataclass(frozen=True)
class GraphPattern(Placed):
    """`GRAPH <iri> { triples }`: static data."""

    graph: str
    pattern: GroupPattern


@dataclass(frozen=True)
class GroupPattern(Placed):
    elements: tuple[Element, ...]


Element: TypeAlias = (
    TriplePattern | Filter | UnionPattern | OptionalPattern | StreamPattern | GraphPattern | GroupPattern
)

# -- queries ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StreamSource(Placed):
    """`FROM STREAM <iri> [window]` (C-SPARQL)."""

    stream: str
    window: RdfWindow


@dataclass(frozen=True)
class Column(Placed):
    """`?x` or `(expression AS ?x)`."""

    name: str
    value: Expression


@dataclass(frozen=True)
class Registration(Placed):
    """`REGISTER QUERY name COMPUTED EVERY 5s AS` (C-SPARQL)."""

    name: str
    every: int | None


@dataclass(frozen=True)
class RdfQuery(Placed):
    """SELECT with its columns (none is `*`), or CONSTRUCT with its template."""

    where: GroupPattern
    columns: tuple[Column, ...] = ()
    template: tuple[TriplePattern, ...] | None = None
    registration: Registration | None = None
    streams: tuple[StreamSource, ...] = ()
    graphs: tuple[str, ...] = ()
    group_by: tuple[str, ...] = ()
    having: Expression | None = None
