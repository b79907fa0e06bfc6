"""Rules without a common key, cut in two: first the part that has one, then its conclusions with the rest.

    expected(V) :- tram(V, X) [5], line(V, L), not jam(L) [20].

Trams go by vehicle, jams by line, and background joins them. `tram` and `line` alone can be split by V; what follows
from them carries L, by which it meets `jam`. Evaluation is pointwise in time, so a conjunction may be cut anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from larspark.analysis.analysis import Analysis, Fragment
from larspark.analysis.check_safety import bound_variables, visible_variables
from larspark.analysis.keys import NO_COMMON_KEY, carried_variables, fixed_predicates, joined, obstacle
from larspark.analysis.occurrences import occurrences
from larspark.analysis.pipeline import analyse
from larspark.language.facts import Signature
from larspark.language.tree import Aggregate, Atom, Comparison, Formula, Not, Program, Rule, Variable

PART = "part:"
"""Starts the names of invented predicates; none can be written without quotes."""


def decompose(analysis: Analysis) -> Analysis:
    """The analysis of the program with such rules cut; the same when there are none, or choices are to be made."""
    if analysis.fragment in (Fragment.PLAIN, Fragment.FULL) or not analysis.ok:
        return analysis
    fixed = fixed_predicates(analysis)
    rules = [part for n, rule in enumerate(analysis.program.rules) for part in _cut(fixed, rule, f"{PART}{n + 1}")]
    if len(rules) == len(analysis.program.rules):
        return analysis
    program = Program(tuple(rules), analysis.program.directives)
    again = analyse(program, background=analysis.background, allow_functions=analysis.allow_functions)
    return replace(again, shown=analysis.shown)


def _cut(fixed: frozenset[Signature], rule: Rule, name: str) -> Iterator[Rule]:
    """The rule, or the rules that stand for it."""
    if obstacle(fixed, rule) != NO_COMMON_KEY:
        yield rule
        return
    for cut in _cuts(fixed, rule, name):
        smaller = len(joined(fixed, cut.rest)) < len(joined(fixed, rule))
        rest = list(_cut(fixed, cut.rest, f"{name}'")) if smaller else [cut.rest]
        if all(not obstacle(fixed, part) for part in (cut.part, *rest)):
            yield cut.part
            yield from rest
            return
    yield rule


@dataclass(frozen=True)
class _Cut:
    part: Rule
    rest: Rule


def _cuts(fixed: frozenset[Signature], rule: Rule, name: str) -> Iterator[_Cut]:
    """For each variable the literals that have it as a key, with the fixed data around them."""
    meeting = [literal for literal in rule.body if _keys(fixed, literal) is not None]
    names = sorted({key for literal in meeting for key in _keys(fixed, literal) or ()})
    for key in sorted(names, key=lambda one: -sum(one in (_keys(fixed, literal) or ()) for literal in meeting)):
        group = _with_fixed(fixed, rule, [literal for literal in meeting if key in (_keys(fixed, literal) or ())])
        rest = tuple(literal for literal in rule.body if not any(literal is one for one in group))
        if not group or not any(_keys(fixed, literal) is not None for literal in rest):
            continue
        needed = _visible(rest) | {variable.name for variable in visible_variables(Rule(rule.head))}
        args = tuple(Variable(one) for one in sorted(bound_variables(group) & needed))
        atom = Atom(name, args)
        yield _Cut(Rule(atom, tuple(group), origin=rule.origin), Rule(rule.head, (atom, *rest), origin=rule.origin))


def _with_fixed(fixed: frozenset[Signature], rule: Rule, group: list[Formula]) -> list[Formula]:
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
            if not any(literal is one for one in chosen) and _joins(fixed, literal, bound, group)
        ]
        if not more:
            return [literal for literal in rule.body if any(literal is one for one in chosen)]
        chosen.append(more[0])


def _joins(fixed: frozenset[Signature], literal: Formula, bound: frozenset[str], group: list[Formula]) -> bool:
    if isinstance(literal, Not | Aggregate) and any(literal is one for one in group):
        return _visible([literal]) <= bound
    if _keys(fixed, literal) is not None:
        return False
    if isinstance(literal, Not | Comparison | Aggregate):
        return _visible([literal]) <= bound
    return bool(_visible([literal]) & bound)


def _keys(fixed: frozenset[Signature], literal: Formula) -> set[str] | None:
    """The variables shared by all atoms of a literal that have to meet; None when there are none such."""
    found = [one for one in occurrences(literal) if one.atom.signature not in fixed]
    outside = {variable.name for variable in visible_variables(Rule(Atom("_"), (literal,)))}
    return set.intersection(*(carried_variables(one) for one in found)) & outside if found else None


def _visible(literals: Iterable[Formula]) -> set[str]:
    return {variable.name for variable in visible_variables(Rule(Atom("_"), tuple(literals)))}
