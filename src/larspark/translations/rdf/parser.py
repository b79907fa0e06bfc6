"""From text to C-SPARQL and CQELS queries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar, cast

from lark import Token, Tree, v_args
from lark.tree import Meta

from larspark.language.tree import UNBOUNDED, Constant, Duration, Term, Variable
from larspark.translations.rdf.build_expressions import ExpressionBuilder, address, expression
from larspark.translations.rdf.queries import (
    Column,
    Element,
    Filter,
    GraphPattern,
    GroupPattern,
    OptionalPattern,
    Range,
    RdfQuery,
    RdfWindow,
    Registration,
    StreamPattern,
    StreamSource,
    TriplePattern,
    Triples,
    UnionPattern,
)
from larspark.translations.reading import SYNTAX, Reader, origin_of

NodeT = TypeVar("NodeT")

SECOND = Duration(1, "s")


def parse(text: str, file: str = "<query>", clock: Duration = SECOND) -> RdfQuery:
    """The query; sizes of windows become time points of the clock. Raises Rejected."""
    reader = Reader(
        language="C-SPARQL and CQELS",
        grammar="rdf/sparql.lark",
        builder=lambda name: _QueryBuilder(name, clock),
        hint="Write SELECT … WHERE { … } with FROM STREAM <iri> [RANGE 10s STEP 5s] or STREAM <iri> [RANGE 10s] { … }.",
        hints=_HINTS | {word.lower(): hint for word, hint in _HINTS.items()},
    )
    return reader.read(text, file)


_HINTS = {
    "ORDER": "Leave ORDER BY out: the answer at a time point is a set.",
    "LIMIT": "Leave LIMIT out, or use a window of the last n triples.",
    "ASK": "Write SELECT, and look whether there is an answer.",
    "DESCRIBE": "Write CONSTRUCT with the triples wanted.",
    "BIND": "Put the expression into SELECT, (expression AS ?x), or into FILTER.",
    "VALUES": "Write FILTER(?x = a || ?x = b).",
    "MINUS": "Write FILTER NOT EXISTS { … }.",
    "SERVICE": "Load the data as a static graph, FROM <iri>.",
    "REGEX": "Select by terms; strings cannot be taken apart.",
    "STR": "Compare terms as they are.",
    "/": "Write the path as triples with a variable between them.",
    "^": "Swap subject and object.",
    "[": "Use a variable or `_:b` instead of a blank node in brackets.",
}


class _QueryBuilder(ExpressionBuilder):
    def __init__(self, file: str, clock: Duration) -> None:
        super().__init__(file)
        self.clock = clock

    # -- the query ---------------------------------------------------------------------------------

    def start(self, children: list[object]) -> RdfQuery:
        registration = next((child for child in children if isinstance(child, Registration)), None)
        query = children[-1]
        assert isinstance(query, RdfQuery)
        return RdfQuery(
            query.where,
            query.columns,
            query.template,
            registration,
            query.streams,
            query.graphs,
            query.group_by,
            query.having,
            origin=query.origin,
        )

    def prologue(self, _: list[object]) -> None:
        return None

    @v_args(inline=True)
    def prefix(self, name: Token, address: Token) -> None:
        self.prefixes[name[:-1]] = self.resolved(address)

    @v_args(inline=True)
    def base(self, address: Token) -> None:
        self.base_iri = self.resolved(address)

    @v_args(meta=True)
    def register(self, meta: Meta, children: list[object]) -> Registration:
        every = children[1] if len(children) > 1 else None
        return Registration(str(children[0]), cast("int | None", every), origin=origin_of(meta, self.file))

    @v_args(meta=True)
    def select(self, meta: Meta, children: list[object]) -> RdfQuery:
        groups = [child.children for child in children if isinstance(child, Tree) and child.data == "group_by"]
        having = [child.children[0] for child in children if isinstance(child, Tree) and child.data == "having"]
        return RdfQuery(
            _of(children, GroupPattern)[0],
            columns=tuple(_of(children, Column)),
            streams=tuple(_of(children, StreamSource)),
            graphs=tuple(_of(children, str, without=Token)),
            group_by=tuple(variable.name for variable in cast("list[Variable]", groups[0])) if groups else (),
            having=expression(having[0]) if having else None,
            origin=origin_of(meta, self.file),
        )

    @v_args(meta=True)
    def construct(self, meta: Meta, children: list[object]) -> RdfQuery:
        templates = _of(children, list)
        return RdfQuery(
            _of(children, GroupPattern)[0],
            template=tuple(templates[0]) if templates else (),
            streams=tuple(_of(children, StreamSource)),
            graphs=tuple(_of(children, str)),
            origin=origin_of(meta, self.file),
        )

    @v_args(meta=True)
    def column(self, meta: Meta, children: list[object]) -> Column:
        name = cast(Variable, children[-1]).name
        return Column(name, expression(children[0]), origin=origin_of(meta, self.file))

    @v_args(meta=True)
    def stream_source(self, meta: Meta, children: list[object]) -> StreamSource:
        stream, window = children
        return StreamSource(address(stream), cast(RdfWindow, window), origin=origin_of(meta, self.file))

    @v_args(inline=True)
    def graph_source(self, graph: Constant) -> str:
        return address(graph)

    @v_args(inline=True)
    def named_source(self, _: Constant) -> None:
        return None  # GRAPH <iri> names its graph itself

    @v_args(inline=True)
    def where(self, group: GroupPattern) -> GroupPattern:
        return group

    # -- windows -----------------------------------------------------------------------------------

    @v_args(inline=True)
    def range(self, length: int, step: int | None = None) -> Range:
        return Range(length, step)

    @v_args(inline=True)
    def tumbling(self, length: int) -> Range:
        return Range(length, length)

    @v_args(inline=True)
    def last_triples(self, number: Token) -> Triples:
        if int(number) == 0:
            raise self.rejected(number, SYNTAX, "A window of no triples is always empty.", "Write [TRIPLES 1].")
        return Triples(int(number))

    def now(self, _: list[object]) -> Range:
        return Range(0)

    def all(self, _: list[object]) -> Range:
        return Range(UNBOUNDED)

    @v_args(inline=True)
    def duration(self, amount: Token, unit: Token | None = None) -> int:
        if unit is None:
            return int(amount)
        length = Duration(int(amount), "min" if unit == "m" else str(unit))
        points, remainder = divmod(length.milliseconds, self.clock.milliseconds)
        if remainder:
            clock = f"{self.clock.amount} {self.clock.unit}"
            message = f"{amount} {unit} is not a multiple of the clock, {clock}."
            raise self.rejected(amount, SYNTAX, message, "Choose a finer clock or another size.")
        return points

    # -- patterns ----------------------------------------------------------------------------------

    @v_args(meta=True)
    def group(self, meta: Meta, children: list[object]) -> GroupPattern:
        elements: list[Element] = []
        for child in children:
            if isinstance(child, list):
                elements += child
            else:
                elements.append(cast(Element, child))
        return GroupPattern(tuple(elements), origin=origin_of(meta, self.file))

    @v_args(meta=True)
    def filter(self, meta: Meta, children: list[object]) -> Filter:
        return Filter(expression(children[0]), origin=origin_of(meta, self.file))

    @v_args(meta=True)
    def optional(self, meta: Meta, children: list[GroupPattern]) -> OptionalPattern:
        return OptionalPattern(children[0], origin=origin_of(meta, self.file))

    @v_args(meta=True)
    def union(self, meta: Meta, children: list[GroupPattern]) -> Element:
        return children[0] if len(children) == 1 else UnionPattern(tuple(children), origin=origin_of(meta, self.file))

    @v_args(meta=True)
    def stream(self, meta: Meta, children: list[object]) -> StreamPattern:
        stream, window, pattern = children
        place = origin_of(meta, self.file)
        return StreamPattern(address(stream), cast(RdfWindow, window), cast(GroupPattern, pattern), origin=place)

    @v_args(meta=True)
    def graph(self, meta: Meta, children: list[object]) -> GraphPattern:
        graph, pattern = children
        return GraphPattern(address(graph), cast(GroupPattern, pattern), origin=origin_of(meta, self.file))

    def triples(self, children: list[list[TriplePattern]]) -> list[TriplePattern]:
        return [triple for found in children for triple in found]

    @v_args(meta=True)
    def same_subject(self, meta: Meta, children: list[object]) -> list[TriplePattern]:
        subject, properties = children
        place = origin_of(meta, self.file)
        return [
            TriplePattern(cast(Term, subject), verb, node, origin=place)
            for verb, nodes in cast("list[tuple[Term, list[Term]]]", properties)
            for node in nodes
        ]

    def properties(self, children: list[object]) -> list[object]:
        return children

    def property(self, children: list[Term]) -> tuple[Term, list[Term]]:
        return children[0], children[1:]


def _of(children: Iterable[object], kind: type[NodeT], without: type | None = None) -> list[NodeT]:
    return [
        child
        for child in children
        if isinstance(child, kind) and not (without is not None and isinstance(child, without))
    ]
