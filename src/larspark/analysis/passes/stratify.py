"""Components and strata: what must be finished before what (thesis sec. 2.1, stratified negation)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from larspark.analysis.analysis import Analysis, Component
from larspark.analysis.structure.dependencies import STRICT, Dependencies, Edge, Sign, show_cycle
from larspark.diagnostics import Diagnostic
from larspark.language.facts import Signature
from larspark.language.tree import Program


def stratify(analysis: Analysis) -> Analysis:
    """Components in evaluation order, and strata if no component holds a strict edge."""
    program = analysis.program
    dependencies = Dependencies.of(program)
    components = tuple(_components(program, dependencies))
    cycles = tuple(strict_cycles(program, dependencies))
    return replace(
        analysis,
        dependencies=dependencies,
        components=components,
        strata=None if cycles else _strata(dependencies.present, tuple(_components(program, dependencies.present))),
    ).finding(*(_aggregate_cycle(cycle) for cycle in cycles if cycle[0].sign is Sign.AGGREGATE))


def strict_cycles(program: Program, dependencies: Dependencies) -> Iterator[tuple[Edge, ...]]:
    """For every component of one evaluation with a strict edge, the cycle through its first; aggregates come first."""
    present = dependencies.present
    for component in _components(program, present):
        strict = [edge for edge in present.inside(component.predicates) if edge.sign in STRICT]
        if strict:
            yield present.cycle_through(min(strict, key=lambda edge: edge.sign is not Sign.AGGREGATE))


def _components(program: Program, dependencies: Dependencies) -> Iterator[Component]:
    defining: dict[Signature, list[int]] = {}
    for number, rule in enumerate(program.rules):
        for head in dependencies.heads(rule):
            defining.setdefault(head, []).append(number)
    for members in dependencies.components(defining):
        numbers = sorted({number for head in members for number in defining[head]})
        rules = tuple(program.rules[number] for number in numbers)
        yield Component(members, rules, recursive=bool(dependencies.inside(members)))


def _strata(dependencies: Dependencies, components: tuple[Component, ...]) -> tuple[frozenset[Signature], ...]:
    """The lowest possible stratum for every predicate: one more than what it uses strictly."""
    level: dict[Signature, int] = {}
    for component in components:
        below = [
            level[edge.body] + (edge.sign in STRICT)
            for edge in dependencies.leaving(component.predicates)
            if edge.body in level
        ]
        level.update(dict.fromkeys(component.predicates, max(below, default=0)))
    strata: list[set[Signature]] = [set() for _ in range(max(level.values(), default=-1) + 1)]
    for predicate, own in level.items():
        strata[own].add(predicate)
    return tuple(map(frozenset, strata))


def _aggregate_cycle(cycle: tuple[Edge, ...]) -> Diagnostic:
    return Diagnostic(
        "E204",
        f"An aggregate depends on its own result: {show_cycle(cycle)}.",
        "Aggregate over predicates that do not depend on the rule's head.",
        cycle[0].rule.origin,
    )
