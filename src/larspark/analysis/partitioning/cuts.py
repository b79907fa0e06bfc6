"""Cutting a rule in two: the part of its body that has a key, and its conclusions with the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from larspark.analysis.partitioning.keys import NO_COMMON_KEY, Distribution, carried_variables, joined, obstacle
from larspark.analysis.passes.check_safety import bound_variables, visible_variables
from larspark.analysis.structure.occurrences import occurrences
from larspark.language.tree import Aggregate, Atom, Comparison, Formula, Not, Rule, Variable


def cut(data: Distribution, rule: Rule, name: str) -> Iterator[Rule]:
    """The rule, or the rules that stand for it."""
    if obstacle(data, rule) != NO_COMMON_KEY:
        yield rule
        return
    for found in _cuts(data, rule, name):
        smaller = len(joined(data, found.rest)) < len(joined(data, rule))
        rest = list(cut(data, found.rest, f"{name}'")) if smaller else [found.rest]
        if all(not obstacle(data, part) for part in (found.part, *rest)):
            yield found.part
            yield from rest
            return
    yield rule


@dataclass(frozen=True)
class Cut:
    part: Rule
    rest: Rule


def cut_at(rule: Rule, group: list[Formula], name: str) -> Cut:
    """The group of literals and the rest of the rule, joined by the variables they share."""
    rest = tuple(literal for literal in rule.body if not any(literal is one for one in group))
    needed = visible(rest) | {variable.name for variable in visible_variables(Rule(rule.head))}
    atom = Atom(name, tuple(Variable(one) for one in sorted(bound_variables(group) & needed)))
    return Cut(Rule(atom, tuple(group), origin=rule.origin), Rule(rule.head, (atom, *rest), origin=rule.origin))


def _cuts(data: Distribution, rule: Rule, name: str) -> Iterator[Cut]:
    """For each variable the literals that have it as a key, with the fixed data around them."""
    meeting = [literal for literal in rule.body if _keys(data, literal) is not None]
    names = sorted({key for literal in meeting for key in _keys(data, literal) or ()})
    for key in sorted(names, key=lambda one: -sum(one in (_keys(data, literal) or ()) for literal in meeting)):
        group = _with_fixed(data, rule, [literal for literal in meeting if key in (_keys(data, literal) or ())])
        found = cut_at(rule, group, name)
        if group and any(_keys(data, literal) is not None for literal in found.rest.body[1:]):
            yield found


def _with_fixed(data: Distribution, rule: Rule, group: list[Formula]) -> list[Formula]:
    """Only literals whose variables the group binds stay; fixed data that touches it, and comparisons, are added."""
    binding = [literal for literal in group if not isinstance(literal, Not | Aggregate)]
    if not binding:
        return []
    chosen: list[Formula] = list(binding)
    while True:
        bound = bound_variables(chosen)
        more = [
            literal
            for literal in rule.body
            if not any(literal is one for one in chosen) and _joins(data, literal, bound, group)
        ]
        if not more:
            return [literal for literal in rule.body if any(literal is one for one in chosen)]
        chosen.append(more[0])


def _joins(data: Distribution, literal: Formula, bound: frozenset[str], group: list[Formula]) -> bool:
    if isinstance(literal, Not | Aggregate) and any(literal is one for one in group):
        return visible([literal]) <= bound
    if _keys(data, literal) is not None:
        return False
    if isinstance(literal, Not | Comparison | Aggregate):
        return visible([literal]) <= bound
    return bool(visible([literal]) & bound)


def _keys(data: Distribution, literal: Formula) -> set[str] | None:
    """The variables shared by all atoms of a literal that have to meet; None when there are none such."""
    found = data.meeting(occurrences(literal))
    outside = {variable.name for variable in visible_variables(Rule(Atom("_"), (literal,)))}
    return set.intersection(*(carried_variables(one) for one in found)) & outside if found else None


def visible(literals: Iterable[Formula]) -> set[str]:
    return {variable.name for variable in visible_variables(Rule(Atom("_"), tuple(literals)))}
