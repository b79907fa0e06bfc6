"""C-SPARQL and CQELS queries to LARS programs.

A stream of triples is `triple(S,P,O,Stream)`, static data is `graph(S,P,O,Graph)` with the graph `default` for triples
without one. C-SPARQL merges what its windows select into one graph; CQELS names the stream of each pattern.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.facts import Signature
from larspark.language.traversal import atoms
from larspark.language.tree import (
    Atom,
    Clock,
    Constant,
    Duration,
    FilterWindow,
    Formula,
    Input,
    Pattern,
    Program,
    Rule,
    Show,
    Some,
    TimeWindow,
    TupleWindow,
    Variable,
    Windowed,
)
from larspark.translations.datalog import Datalog
from larspark.translations.naming import Names
from larspark.translations.rdf.execution import Execution, Pull, Push, pulse_rules
from larspark.translations.rdf.parser import SECOND, parse
from larspark.translations.rdf.queries import (
    GraphPattern,
    Range,
    RdfQuery,
    RdfWindow,
    StreamPattern,
    StreamSource,
    Triples,
)
from larspark.translations.rdf.results import results_of
from larspark.translations.rdf.solutions import PatternReader
from larspark.translations.rdf.vocabulary import DEFAULT_GRAPH, GRAPH_PREDICATE, STREAM_PREDICATE, TRIPLE_COLUMNS
from larspark.translations.rdf.walking import default_patterns, stream_patterns
from larspark.translations.reading import UNSUPPORTED

UNNAMED = "answer"
"""The predicate of a query without a name."""


def csparql(
    text: str, file: str = "<csparql>", clock: Duration = SECOND, execution: Execution | None = None
) -> Program:
    """A C-SPARQL query, pulled at its step unless another execution is asked for."""
    query = parse(text, file, clock)
    for pattern in stream_patterns(query):
        raise _refused(
            "A stream is named in the head of a C-SPARQL query.",
            f"Write FROM STREAM {pattern.stream} [RANGE … STEP …] before WHERE, or translate the query as CQELS.",
            pattern.origin,
        )
    if not query.streams:
        raise _refused("The query reads no stream.", "Write FROM STREAM <iri> [RANGE 10s STEP 5s].", query.origin)
    return _Translation(query, execution or Pull(pull_interval(query)), clock).program()


def cqels(text: str, file: str = "<cqels>", clock: Duration = SECOND, execution: Execution | None = None) -> Program:
    """A CQELS query, evaluated at every arrival unless another execution is asked for."""
    query = parse(text, file, clock)
    for source in query.streams:
        raise _refused(
            "A stream is named in the WHERE part of a CQELS query.",
            f"Write STREAM {source.stream} [RANGE …] {{ … }} around its patterns, or translate the query as C-SPARQL.",
            source.origin,
        )
    if query.registration is not None:
        raise _refused(
            "CQELS queries are not registered by a clause.", "Leave REGISTER out.", query.registration.origin
        )
    if not stream_patterns(query):
        raise _refused("The query reads no stream.", "Write STREAM <iri> [RANGE 10s] { … }.", query.origin)
    return _Translation(query, execution or Push(), clock).program()


def pull_interval(query: RdfQuery) -> int:
    """The interval at which a query is computed: as registered, or the step of its windows."""
    if query.registration is not None and query.registration.every:
        return query.registration.every
    sources: list[StreamSource | StreamPattern] = [*query.streams, *stream_patterns(query)]
    steps = {source.window.step if isinstance(source.window, Range) else None for source in sources}
    step = steps.pop()
    if not steps and step:
        return step
    raise _refused(
        "It is not clear when the query is computed.",
        "Give all windows the same STEP, or write REGISTER QUERY name COMPUTED EVERY 5s AS before it.",
        sources[0].origin,
    )


@dataclass
class _Translation:
    query: RdfQuery
    execution: Execution
    clock: Duration
    names: Names = field(default_factory=lambda: Names([STREAM_PREDICATE, GRAPH_PREDICATE]))
    sources: list[Rule] = field(default_factory=list)
    predicates: dict[tuple[str, RdfWindow | None], str] = field(default_factory=dict)

    def program(self) -> Program:
        query = self.query
        registered = query.registration.name if query.registration is not None else UNNAMED
        head = self.names.fresh(registered[:1].lower() + registered[1:].replace("-", "_"))
        pulse = Atom(self.names.fresh("pulse"))
        default = self._default_graph()
        reader = PatternReader(self._pattern_source)
        results = list(results_of(query, reader, reader.group(query.where, default)))
        datalog = Datalog(self.names, head)
        for result in results:
            datalog.define(head, result)
        streams = [source.stream for source in query.streams] + [p.stream for p in stream_patterns(query)]
        rules = (
            *pulse_rules(pulse, self.execution, streams),
            *self.sources,
            *(_gated(rule, head, pulse) for rule in datalog.rules),
        )
        clock = () if self.clock == SECOND else (Clock(self.clock),)
        shown = Show((Signature(head, len(results[0].outputs)),)) if results else Show(())
        static = any(GRAPH_PREDICATE in (atom.predicate for atom in atoms(rule)) for rule in self.sources)
        inputs = [Input(Signature(STREAM_PREDICATE, 4), (*TRIPLE_COLUMNS, "stream"))]
        inputs += [Input(Signature(GRAPH_PREDICATE, 4), (*TRIPLE_COLUMNS, "graph"))] if static else []
        return Program(rules, (*clock, *inputs, shown))

    # -- sources ---------------------------------------------------------------------------------------

    def _default_graph(self) -> str:
        """The predicate that patterns match which name no stream or graph."""
        if self.query.streams:
            merged = self.names.fresh("rdf")
            for source in self.query.streams:
                self.sources.append(_snapshot(merged, source.stream, source.window))
            self.sources += [_static(merged, graph) for graph in self.query.graphs]
            return merged
        predicate = self.names.fresh("static")
        if default_patterns(self.query):
            self.sources += [_static(predicate, graph) for graph in self.query.graphs or (DEFAULT_GRAPH,)]
        return predicate

    def _pattern_source(self, pattern: StreamPattern | GraphPattern) -> str:
        """The predicate of a STREAM or GRAPH pattern, with the rule that fills it."""
        match pattern:
            case StreamPattern(stream, window, _):
                key: tuple[str, RdfWindow | None] = (stream, window)
            case GraphPattern(graph, _):
                key = (graph, None)
        if key not in self.predicates:
            name, wanted = key
            predicate = self.names.numbered("named" if wanted is None else "window")
            self.predicates[key] = predicate
            self.sources.append(_static(predicate, name) if wanted is None else _snapshot(predicate, name, wanted))
        return self.predicates[key]


def _gated(rule: Rule, head: str, pulse: Atom) -> Rule:
    """Answers depend on the pulse; what leads to them does not."""
    return Rule(rule.head, (pulse, *rule.body)) if isinstance(rule.head, Atom) and rule.head.predicate == head else rule


def _snapshot(predicate: str, stream: str, window: RdfWindow) -> Rule:
    """t(s,p,o) ← ⊞^w ◇ i(s,p,o,x)."""
    triple = (Variable("S"), Variable("P"), Variable("O"))
    arrived = Some(Atom(STREAM_PREDICATE, (*triple, Constant(stream))))
    body: Formula
    match window:
        case Range(length, step):
            # A step beyond the length leaves gaps, which hopping windows do not have: the pulse alone makes them.
            hop = step if step and isinstance(length, int) and step <= length else 1
            body = Windowed(TimeWindow(length, 0, hop), arrived)
        case Triples(number):
            only = FilterWindow((Pattern(STREAM_PREDICATE, (None, None, None, stream)),))
            body = Windowed(only, Windowed(TupleWindow(number), arrived))
    return Rule(Atom(predicate, triple), (body,))


def _static(predicate: str, graph: str) -> Rule:
    triple = (Variable("S"), Variable("P"), Variable("O"))
    return Rule(Atom(predicate, triple), (Atom(GRAPH_PREDICATE, (*triple, Constant(graph))),))


def _refused(message: str, hint: str, origin: Origin | None) -> Rejected:
    return Rejected([Diagnostic(UNSUPPORTED, message, hint, origin)])
