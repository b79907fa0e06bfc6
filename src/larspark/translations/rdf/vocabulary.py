"""The predicates under which RDF data enters a program."""

from __future__ import annotations

STREAM_PREDICATE = "triple"
"""`triple(S,P,O,Stream)`: a triple arrives on a stream."""

GRAPH_PREDICATE = "graph"
"""`graph(S,P,O,Graph)`: a triple of static data."""

DEFAULT_GRAPH = "default"
"""The graph of triples that name none."""

TRIPLE_COLUMNS = ("subject", "predicate", "object")

PROV = "http://www.w3.org/ns/prov#"
ELEMENT_TIME = PROV + "generatedAtTime"
"""`<element> prov:generatedAtTime 36`: the triples of this graph arrive at this time."""

ELEMENT_STREAM = PROV + "wasDerivedFrom"
"""`<element> prov:wasDerivedFrom <stream>`: they arrive on this stream."""
