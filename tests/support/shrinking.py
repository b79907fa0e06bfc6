"""A smaller scenario that still shows the same: parts are left out and replaced by simpler ones, greedily."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal

from larspark.language.facts import Fact
from larspark.language.traversal import rewrite
from larspark.language.tree import (
    Aggregate,
    Always,
    And,
    At,
    Atom,
    Call,
    Constant,
    Keyed,
    KeyedWindow,
    Node,
    Not,
    Operation,
    Or,
    Prefer,
    Reset,
    Rule,
    Some,
    TimeWindow,
    TupleWindow,
    Windowed,
)
from larspark.language.values import Value
from larspark.semantics.streams import Stream
from support.random_programs import Scenario

TRIES = 600


def shrink(scenario: Scenario, shows: Callable[[Scenario], bool], tries: int = TRIES) -> Scenario:
    """The smallest scenario found for which `shows` holds, as it does for the given one."""
    while True:
        for smaller in candidates(scenario):
            tries -= 1
            if tries < 0:
                return scenario
            if shows(smaller):
                scenario = smaller
                break
        else:
            return scenario


def candidates(scenario: Scenario) -> Iterator[Scenario]:
    """Scenarios that lack something, large parts first."""
    program, stream = scenario.program, scenario.stream
    for rules in _shorter(program.rules):
        yield replace(scenario, program=replace(program, rules=rules))
    arrivals = [tuple(arrival) for arrival in stream.input]
    half = len(arrivals) // 2
    for kept in (arrivals[:half], arrivals[half:]) if half > 1 else ():
        yield _arriving(scenario, stream.start, kept)
    for kept in _shorter(tuple(arrivals)):
        yield _arriving(scenario, stream.start, kept)
    for directives in _shorter(program.directives):
        yield replace(scenario, program=replace(program, directives=directives))
    for background in _shorter(scenario.background):
        yield replace(scenario, background=background)
    for smaller in _smaller(program):
        yield replace(scenario, program=smaller)
    for number, (time, fact) in enumerate(arrivals):
        for moved in _earlier(stream.start, time):
            yield _arriving(scenario, stream.start, [*arrivals[:number], (moved, fact), *arrivals[number + 1 :]])
        for simpler in _simpler_fact(fact):
            yield _arriving(scenario, stream.start, [*arrivals[:number], (time, simpler), *arrivals[number + 1 :]])
    for number, fact in enumerate(scenario.background):
        for simpler in _simpler_fact(fact):
            known = (*scenario.background[:number], simpler, *scenario.background[number + 1 :])
            yield replace(scenario, background=known)
    if stream.start:
        yield _shifted(scenario, stream.start)


def _arriving(scenario: Scenario, start: int, arrivals: object) -> Scenario:
    return replace(scenario, stream=Stream.of(start, None, arrivals))  # type: ignore[arg-type]


def _shorter(items: tuple) -> Iterator[tuple]:  # type: ignore[type-arg]
    for number in range(len(items)):
        yield items[:number] + items[number + 1 :]


def _earlier(start: int, time: int) -> Iterator[int]:
    if time > start:
        yield start
    if time > start + 1:
        yield time - 1


def _simpler_fact(fact: Fact) -> Iterator[Fact]:
    for number, value in enumerate(fact.args):
        for simpler in _simpler_value(value):
            yield Fact(fact.predicate, (*fact.args[:number], simpler, *fact.args[number + 1 :]))


def _simpler_value(value: Value) -> Iterator[Value]:
    match value:
        case str():
            yield from [1] if value == "x" else [1, "x"]
        case Decimal():
            yield from (1, int(value))
        case int() if value not in (0, 1):
            yield 1


def _shifted(scenario: Scenario, by: int) -> Scenario:
    """The same from time point 0 on; the times that a program names move along."""

    def step(node: Node) -> Node:
        if isinstance(node, Constant) and isinstance(node.value, int) and node.value >= by:
            return Constant(node.value - by)
        return node

    arrivals = [(time - by, fact) for time, fact in scenario.stream.input]
    program = rewrite(scenario.program, step) if by > 100 else scenario.program
    return replace(scenario, program=program, stream=Stream.of(0, None, arrivals))


DROPPED = ("body", "elements", "terms", "parts", "patterns", "keys", "predicates")
"""Fields of which a part may be left out."""

# -- nodes -----------------------------------------------------------------------------------------


def _smaller(node: Node) -> Iterator[Node]:
    """The node with one part, somewhere inside, left out or replaced by a simpler one."""
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        if isinstance(value, Node):
            for part in _instead(value):
                yield replace(node, **{field.name: part})
            for part in _smaller(value):
                yield replace(node, **{field.name: part})
        elif isinstance(value, tuple):
            if field.name in DROPPED and len(value) > _least(node, field.name):
                for parts in _shorter(value):
                    yield replace(node, **{field.name: parts})
            for number, item in enumerate(value):
                if isinstance(item, Node):
                    for part in (*_instead(item), *_smaller(item)):
                        yield replace(node, **{field.name: (*value[:number], part, *value[number + 1 :])})
        elif isinstance(value, int) and isinstance(node, TimeWindow | TupleWindow) and value > 1:
            yield replace(node, **{field.name: value - 1})


def _least(node: Node, field: str) -> int:
    """How many parts there have to be."""
    match node:
        case And() | Or():
            return 2
        case Rule() | Aggregate():
            return 0
        case Keyed(keys=keys):  # all predicates of a window have as many
            return len(keys)
    return 0 if field in ("body", "keys") and not isinstance(node, Prefer) else 1


def _instead(node: Node) -> Iterator[Node]:
    """Simpler nodes that may stand in the same place."""
    match node:
        case Windowed(body=Windowed() as body):
            yield body
            yield Windowed(node.window, body.body)
        case Windowed(body=Some(body=Atom() as atom) | Always(body=Atom() as atom)):
            yield atom
        case Windowed(body=At() as at):
            yield at
            yield Windowed(node.window, Some(at.body))
        case At(body=body) | Some(body=body) | Always(body=body) | Reset(body=body):
            yield body
        case Not(body=body):
            yield body
        case Or(parts) | And(parts):
            yield from parts
        case Operation(_, left, right):
            yield left
            yield right
        case Call(args=args):
            yield from args
        case Constant(value):
            yield from map(Constant, _simpler_value(value))
        case TimeWindow() | TupleWindow() if node != type(node)(node.past):
            yield type(node)(node.past)
        case KeyedWindow():
            for column in range(len(node.predicates[0].keys)):
                yield replace(node, predicates=tuple(_without_key(one, column) for one in node.predicates))


def _without_key(predicate: Keyed, column: int) -> Keyed:
    return replace(predicate, keys=(*predicate.keys[:column], *predicate.keys[column + 1 :]))
