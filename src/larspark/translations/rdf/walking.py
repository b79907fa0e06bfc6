"""Finding things in query trees."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TypeVar

from larspark.language.tree import Variable
from larspark.translations.rdf.queries import GraphPattern, Placed, RdfQuery, StreamPattern, TriplePattern

NodeT = TypeVar("NodeT", bound=Placed)


def find(node: object, kind: type[NodeT]) -> Iterator[NodeT]:
    """All nodes of a kind, in source order."""
    if isinstance(node, kind):
        yield node
    if isinstance(node, Placed):
        for field in dataclasses.fields(node):
            yield from find(getattr(node, field.name), kind)
    elif isinstance(node, tuple):
        for part in node:
            yield from find(part, kind)


def stream_patterns(query: RdfQuery) -> list[StreamPattern]:
    return list(find(query.where, StreamPattern))


def default_patterns(query: RdfQuery) -> list[TriplePattern]:
    """The triple patterns outside of STREAM and GRAPH."""
    inside = {
        id(t) for kind in (StreamPattern, GraphPattern) for p in find(query.where, kind) for t in find(p, TriplePattern)
    }
    return [triple for triple in find(query.where, TriplePattern) if id(triple) not in inside]


def resources(query: RdfQuery) -> tuple[frozenset[str], frozenset[str]]:
    """The variables that cannot be literals, and those among them that can only be IRIs."""
    triples = list(find(query.where, TriplePattern))
    predicates = frozenset(t.predicate.name for t in triples if isinstance(t.predicate, Variable))
    subjects = frozenset(t.subject.name for t in triples if isinstance(t.subject, Variable))
    return subjects | predicates, predicates
