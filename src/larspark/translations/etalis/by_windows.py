"""ETALIS as LARS with interval windows (thesis Table A.1): natural, and exact while intervals are separable.

"x holds in the maximal interval [l, u]" is ⟪l,u⟫x: x at every point of it, and not at l-1 and u+1 (Def. 41).
Two repairs of the printed translation: `not @(l-1) x` replaces `@(l-1) not x`, which is false at the border of the
timeline; and separability is asked of atomic events too, whose adjacent occurrences merge in the same way.
Nested patterns are unfolded, so only the atoms of the rules have to be separable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import networkx as nx

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import Signature
from larspark.language.tree import (
    Always,
    At,
    Atom,
    Comparison,
    Constant,
    Formula,
    IntervalWindow,
    Not,
    Operation,
    Program,
    Rule,
    Show,
    Term,
    Variable,
    Windowed,
)
from larspark.translations.etalis.patterns import AbsentPattern, EventRule, events, mentioned, walk
from larspark.translations.etalis.relations import Body, Unfolding, end_variables
from larspark.translations.reading import UNSUPPORTED

_USE_ARGUMENTS = "Use the translation with interval arguments, which covers it."


def translate(rules: Iterable[EventRule]) -> Program:
    """Rules that derive the head at every point of each of its intervals."""
    found = tuple(rules)
    problems = [*_negations(found), *_cycles(found)]
    if problems:
        raise Rejected(problems)
    heads = dict.fromkeys(rule.head.signature for rule in found)
    written = (part for rule in found for part in _translated(rule))
    return Program(tuple(written), (Show(tuple(heads)),) if heads else ())


def _translated(rule: EventRule) -> Iterator[Rule]:
    ends = end_variables(mentioned(rule.pattern))
    start, end = next(ends), next(ends)
    head = Windowed(IntervalWindow(start, end), Always(rule.head))
    for body in Unfolding(_maximal, _no_absent, ends).bodies(rule.pattern, start, end):
        yield Rule(head, body, origin=rule.origin)


def _maximal(atom: Atom, start: Variable, end: Variable) -> Body:
    """⟪start, end⟫ atom; the two leading conditions are implied, and give both ends their values."""

    def at(time: Term) -> Formula:
        return At(time, atom)

    return (
        at(start),
        at(end),
        Comparison("<=", start, end),
        Windowed(IntervalWindow(start, end), Always(atom)),
        Not(at(Operation("-", start, Constant(1)))),
        Not(at(Operation("+", end, Constant(1)))),
    )


def _no_absent(_: AbsentPattern, __: Variable, ___: Variable) -> Iterator[Body]:
    raise ValueError("NOT has been rejected before")


def _negations(rules: tuple[EventRule, ...]) -> Iterator[Diagnostic]:
    for rule in rules:
        if any(isinstance(part, AbsentPattern) for part in walk(rule.pattern)):
            yield Diagnostic(UNSUPPORTED, "NOT has no translation to interval windows.", _USE_ARGUMENTS, rule.origin)


def _cycles(rules: tuple[EventRule, ...]) -> Iterator[Diagnostic]:
    """A head whose interval grows while it is asked for its maximal interval has no stable meaning."""
    graph: nx.DiGraph[Signature] = nx.DiGraph()
    for rule in rules:
        graph.add_edges_from((atom.signature, rule.head.signature) for atom in events(rule.pattern))
    cyclic = {node for part in nx.strongly_connected_components(graph) if len(part) > 1 for node in part}
    cyclic |= {node for node in graph if graph.has_edge(node, node)}
    for rule in rules:
        if rule.head.signature in cyclic:
            yield Diagnostic(
                UNSUPPORTED,
                f"`{rule.head.predicate}` depends on itself, which interval windows cannot express.",
                _USE_ARGUMENTS,
                rule.origin,
            )
