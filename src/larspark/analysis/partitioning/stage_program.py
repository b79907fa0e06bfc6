"""A stage as a program of its own, which any reasoner can run in a partition.

Conclusions of earlier stages are delivered under names of their own, and rules give them back their old ones. Guards
become background facts: the share of the key values that a partition owns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from larspark.analysis.analysis import Analysis
from larspark.analysis.partitioning.keys import Guard, fixed_predicates, told_unless_arrived
from larspark.analysis.partitioning.stages import Stage
from larspark.analysis.structure.occurrences import body_occurrences, counted_beside
from larspark.language.facts import Fact, Signature
from larspark.language.traversal import rewrite, walk
from larspark.language.tree import (
    At,
    Atom,
    Constant,
    FilterWindow,
    FunctionImport,
    Hold,
    Input,
    Node,
    Pattern,
    Program,
    Record,
    Rule,
    TupleWindow,
    Variable,
    Windowed,
    WindowNode,
)
from larspark.language.values import Value

DELIVERED, PINNED, OWN, OTHERS = "delivered:", "pinned:", "own:", "others:"
"""Prefixes of invented predicates; none can be written without quotes."""


@dataclass(frozen=True)
class StageProgram:
    """What a partition needs to know to run a stage."""

    program: Program
    inputs: frozenset[Signature]
    """Arriving predicates that the stage reads."""
    delivered: frozenset[Signature]
    """Predicates whose conclusions come from earlier stages."""
    concludes: frozenset[Signature]
    counts_everything: bool
    """Tuple windows count the whole stream, also the predicates that the program does not know."""
    guards: Mapping[str, Guard]
    """The predicates that hold a partition's share of key values."""
    places: Mapping[Signature, int] | None
    """Where the key stands in what a partition is given; None: there is one partition."""

    @property
    def ordered(self) -> bool:
        """Whether the order of arrivals within a time point matters."""
        windows = (node for node in walk(self.program) if isinstance(node, WindowNode))
        return any(window.counts_arrivals for window in windows)

    @property
    def records(self) -> bool:
        """Conclusions join the stream, so evaluations depend on earlier ones and are made one after the other."""
        return any(isinstance(directive, Record) for directive in self.program.directives)


def stage_program(analysis: Analysis, stage: Stage) -> StageProgram:
    """The program that runs in each partition of a stage."""
    fixed = fixed_predicates(analysis)
    arriving = analysis.extensional
    found = [one for rule in stage.rules for one in (*body_occurrences(rule), *told_unless_arrived(rule, arriving))]
    read = {one.atom.signature for occurrence in found for one in (occurrence, *counted_beside(occurrence))}
    derived_before = frozenset((read & analysis.intensional) - fixed - stage.predicates)
    counting = any(isinstance(node, TupleWindow) for rule in stage.rules for node in walk(rule))
    guards: dict[str, Guard] = {}
    rules = [*_guarded(stage, guards), *(rule for one in sorted(derived_before) for rule in _renaming(one))]
    rules += [
        rule for rule in analysis.program.rules if not stage.fixed and _states_fixed(analysis, rule, read & fixed)
    ]
    if counting and derived_before:
        rules = [_counting_arrivals_only(rule, arriving) for rule in rules]
    kept = [one for one in analysis.program.directives if _concerns(one, read | stage.predicates)]
    return StageProgram(
        Program(tuple(rules), tuple(kept)),
        frozenset(arriving if counting else read & arriving),
        derived_before,
        stage.predicates,
        counting,
        guards,
        _places(stage, derived_before) if stage.keyed else None,
    )


def _places(stage: Stage, delivered: frozenset[Signature]) -> dict[Signature, int]:
    found = dict(stage.positions)
    for one in delivered:
        found[Signature(DELIVERED + one.predicate, one.arity)] = stage.positions[one]
        found[Signature(PINNED + one.predicate, one.arity + 1)] = stage.positions[one]
    return found


def _guarded(stage: Stage, guards: dict[str, Guard]) -> Iterable[Rule]:
    keys = {id(key.rule): key for key in stage.keys}
    for rule in stage.rules:
        key = keys.get(id(rule))
        if key is None or key.guard is None:
            yield rule
            continue
        name = f"{OWN}{key.guard.signature}:{key.guard.position}"
        guards[name] = key.guard
        yield replace(rule, body=(*rule.body, Atom(name, (Variable(key.variable),))))


def _renaming(signature: Signature) -> tuple[Rule, Rule]:
    args = tuple(Variable(f"A{place}") for place in range(signature.arity))
    atom, time = Atom(signature.predicate, args), Variable("T")
    return (
        Rule(atom, (Atom(DELIVERED + signature.predicate, args),)),
        Rule(At(time, atom), (Atom(PINNED + signature.predicate, (*args, time)),)),
    )


def _states_fixed(analysis: Analysis, rule: Rule, wanted: set[Signature]) -> bool:
    return not rule.body and bool(set(analysis.dependencies.heads(rule)) & wanted)


def _counting_arrivals_only(rule: Rule, arriving: Iterable[Signature]) -> Rule:
    """What is delivered must not be counted: tuple windows see the input through a filter."""
    patterns = [Pattern(one.predicate, (None,) * one.arity) for one in sorted(arriving)]
    only = FilterWindow((*patterns, Pattern(OTHERS, ())))

    def step(node: Node) -> Node:
        if isinstance(node, Windowed) and isinstance(node.window, TupleWindow):
            return Windowed(only, node)
        return node

    return rewrite(rule, step)


def _concerns(directive: Node, signatures: Iterable[Signature]) -> bool:
    match directive:
        case FunctionImport():
            return True
        case Input(signature) | Record(signature) | Hold(signature):
            return signature in signatures
    return False


def own_values(guard: Guard, analysis: Analysis, background: Iterable[Fact]) -> frozenset[Value]:
    """All values of the argument that a guard names."""
    found = {fact.args[guard.position] for fact in background if fact.signature == guard.signature}
    for rule in analysis.program.rules:
        head = rule.head.body if isinstance(rule.head, At) else rule.head
        if isinstance(head, Atom) and head.signature == guard.signature:
            term = head.args[guard.position]
            if isinstance(term, Constant):
                found.add(term.value)
    return frozenset(found)
