"""RDF data: N-Triples, Turtle, N-Quads and TriG.

A stream is a sequence of named graphs, the elements; the default graph says of each when it arrives
(`<element> prov:generatedAtTime 36`, or a timestamp) and on which stream (`<element> prov:wasDerivedFrom <stream>`,
otherwise the file gives the name). Elements arrive in the order of the file. Without time, everything is static data.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pyoxigraph import DefaultGraph, Literal, Quad, RdfFormat, parse

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.facts import Fact
from larspark.language.values import Value
from larspark.read.batch import RecordColumns
from larspark.read.places import at_line
from larspark.read.rules import Rules
from larspark.read.values.records import InputRecord, batch_of_records, record
from larspark.translations.rdf.terms import iri, value_of
from larspark.translations.rdf.vocabulary import (
    DEFAULT_GRAPH,
    ELEMENT_STREAM,
    ELEMENT_TIME,
    GRAPH_PREDICATE,
    STREAM_PREDICATE,
)

_FORMATS = {
    ".nt": RdfFormat.N_TRIPLES,
    ".ttl": RdfFormat.TURTLE,
    ".nq": RdfFormat.N_QUADS,
    ".trig": RdfFormat.TRIG,
}


def read_rdf(path: Path, rules: Rules) -> RecordColumns:
    """The triples of a file as records `triple(S,P,O,Stream)`, or without times `graph(S,P,O,Graph)`."""
    try:
        with path.open("rb") as source:
            quads = list(parse(source, format=_FORMATS[path.suffix.lower()]))
    except SyntaxError as error:
        place = at_line(str(path), error.lineno or 1, error.offset or 1)
        hint = "Correct the line, or give the file the ending of its format: .nt, .ttl, .nq or .trig."
        raise Rejected([Diagnostic("E401", f"The file is not RDF: {error.msg}.", hint, place)]) from None
    found = list(_elements(path, quads, rules) if rules.timed else _static(quads))
    return batch_of_records([one for one, _ in found], TriplePlaces(str(path), [text for _, text in found]))


@dataclass(frozen=True)
class TriplePlaces:
    """The parser gives no places of triples: the file has to do."""

    file: str
    texts: list[str]

    def origin(self, _row: int) -> Origin:
        return at_line(self.file, 1)

    def text(self, row: int) -> str:
        return self.texts[row]


def _static(quads: list[Quad]) -> Iterator[tuple[InputRecord, str]]:
    for quad in quads:
        named = not isinstance(quad.graph_name, DefaultGraph)
        yield InputRecord(_fact(GRAPH_PREDICATE, quad, str(quad.graph_name) if named else DEFAULT_GRAPH), 0), str(quad)


def _elements(path: Path, quads: list[Quad], rules: Rules) -> Iterator[tuple[InputRecord | Diagnostic, str]]:
    times: dict[str, object] = {}
    streams: dict[str, Value] = {}
    elements: dict[str, list[Quad]] = {}
    for quad in quads:
        if not isinstance(quad.graph_name, DefaultGraph):
            elements.setdefault(str(quad.graph_name), []).append(quad)
        elif quad.predicate.value == ELEMENT_TIME:
            times[str(quad.subject)] = _raw_time(value_of(quad.object), quad)
        elif quad.predicate.value == ELEMENT_STREAM:
            streams[str(quad.subject)] = value_of(quad.object)
    for element, content in elements.items():
        if element not in times:
            hint = f"Write {element} <{ELEMENT_TIME}> 36 into the default graph."
            yield Diagnostic("E402", f"Nothing says when the graph {element} arrives.", hint), element
            continue
        stream = streams.get(element, iri(f"urn:stream:{path.stem}"))
        for quad in content:
            yield record(_fact(STREAM_PREDICATE, quad, stream), times[element], rules), str(quad)


def _raw_time(value: Value, quad: Quad) -> object:
    """A number as it is; of a timestamp what is written in quotes."""
    return quad.object.value if isinstance(value, str) and isinstance(quad.object, Literal) else value


def _fact(predicate: str, quad: Quad, place: Value) -> Fact:
    return Fact(predicate, (value_of(quad.subject), value_of(quad.predicate), value_of(quad.object), place))
