"""RDF terms as values: numbers are numbers, everything else keeps its N-Triples spelling.

So `<http://ex.org/a>`, `"text"@en` and `_:b` are symbols that cannot be confused, and a number is found by its value:
1, 1.0 and "01"^^xsd:integer are the same value here, as they are for FILTER in SPARQL.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TypeAlias

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from larspark.language.values import NotANumber, Value, normal

RdfTerm: TypeAlias = NamedNode | Literal | BlankNode

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"

_INTEGERS = ("int", "long", "short", "byte", "nonNegativeInteger", "positiveInteger", "nonPositiveInteger")
_UNSIGNED = ("negativeInteger", "unsignedInt", "unsignedLong", "unsignedShort", "unsignedByte")
_NUMBERS = frozenset(XSD + name for name in ("integer", "decimal", "double", "float", *_INTEGERS, *_UNSIGNED))


def value_of(term: RdfTerm | Triple) -> Value:
    """The value that stands for an RDF term."""
    if isinstance(term, Literal) and term.datatype.value in _NUMBERS:
        try:
            return normal(Decimal(term.value))
        except (InvalidOperation, NotANumber):  # INF, NaN, or no number at all: it stays as it is written
            return str(term)
    return str(term)


def iri(address: str) -> str:
    """The value of an IRI."""
    return str(NamedNode(address))
