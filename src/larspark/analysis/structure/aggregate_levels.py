"""Levels between aggregates: what an aggregate reads must be decided before what uses its value.

Everything is as high as it can be: a predicate that no aggregate reads, directly or through rules, is on the top level,
so that choices and what forbids some of them are decided together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from larspark.analysis.analysis import Analysis, Component
from larspark.analysis.structure.dependencies import STRICT, Sign
from larspark.analysis.structure.occurrences import body_occurrences
from larspark.analysis.structure.odd_loops import odd_loops
from larspark.language.facts import Signature
from larspark.language.tree import At, Constant, Formula, Now, Operation, Or, Rule, Term, Variable


@dataclass(frozen=True)
class AggregateLevels:
    """The level of every derived predicate; the highest one is `top`."""

    of: Mapping[Signature, int]
    top: int

    def rule(self, rule: Rule, heads: tuple[Signature, ...]) -> int:
        """The level of a rule: that of its head, or the top for a constraint."""
        return self.of[heads[0]] if heads else self.top


def aggregate_levels(analysis: Analysis) -> AggregateLevels:
    """The levels of a program in which no aggregate depends on itself."""
    above: dict[Signature, int] = {}
    """How many aggregates lie between a predicate and the top."""
    for rule in analysis.constraints:
        for found in body_occurrences(rule):
            above[found.atom.signature] = max(above.get(found.atom.signature, 0), int(found.aggregated))
    for component in reversed(analysis.components):
        height = max((above.get(member, 0) for member in component.predicates), default=0)
        above.update(dict.fromkeys(component.predicates, height))
        for edge in analysis.dependencies.leaving(component.predicates):
            if edge.body not in component.predicates:
                counted = height + (edge.sign is Sign.AGGREGATE)
                above[edge.body] = max(above.get(edge.body, 0), counted)
    top = max((above.get(signature, 0) for signature in analysis.intensional), default=0)
    # What aggregates read of the input alone is decided before everything else.
    top = max(top, max(above.values(), default=0))
    return AggregateLevels({signature: top - above.get(signature, 0) for signature in analysis.intensional}, top)


def choices_below_failures(analysis: Analysis) -> Iterator[tuple[Component, Rule]]:
    """Choices that an aggregate reads, with rules on a higher level that may turn out to forbid what was chosen."""
    levels = aggregate_levels(analysis)
    choosing = [component for component in analysis.components if _chooses(analysis, component)]
    for component in choosing:
        level = levels.of[min(component.predicates)]
        for rule in _failing(analysis):
            if levels.rule(rule, analysis.dependencies.heads(rule)) > level and _depends(analysis, rule, component):
                yield component, rule


def _chooses(analysis: Analysis, component: Component) -> bool:
    return any(
        edge.sign in STRICT or edge.sign is Sign.CHOICE for edge in analysis.dependencies.inside(component.predicates)
    )


def _failing(analysis: Analysis) -> Iterator[Rule]:
    """The rules because of which there may be no answer stream."""
    yield from analysis.constraints
    for loop in odd_loops(analysis.dependencies, analysis.components):
        yield from dict.fromkeys(edge.rule for edge in loop)
    yield from (rule for rule in analysis.program.rules if any(map(_may_leave_timeline, _parts(rule.head))))


def _parts(head: Formula) -> tuple[Formula, ...]:
    return head.parts if isinstance(head, Or) else (head,)


def _may_leave_timeline(head: Formula) -> bool:
    """Pinned to a time before the start, an atom cannot hold."""
    return isinstance(head, At) and not _stays(head.time)


def _stays(time: Term) -> bool:
    match time:
        case Variable() | Now():
            return True
        case Operation("+", left, Constant(int(offset))):
            return offset >= 0 and _stays(left)
    return False


def _depends(analysis: Analysis, rule: Rule, component: Component) -> bool:
    """Does the body of the rule rest on the component?"""
    seen: set[Signature] = set()
    pending = [found.atom.signature for found in body_occurrences(rule)]
    while pending:
        signature = pending.pop()
        if signature in component.predicates:
            return True
        if signature not in seen:
            seen.add(signature)
            pending += [edge.body for edge in analysis.dependencies.leaving(frozenset({signature}))]
    return False
