"""Rules without a common key, cut in two: first the part that has one, then its conclusions with the rest.

    expected(V) :- tram(V, X) [5], line(V, L), not jam(L) [20].

Trams go by vehicle, jams by line, and background joins them. `tram` and `line` alone can be split by V; what follows
from them carries L, by which it meets `jam`. Evaluation is pointwise in time, so a conjunction may be cut anywhere.
Of a rule that takes part in a choice, only what no choice decides is cut off: the choice is to stay in one place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from larspark.analysis.agreement import KeySearch
from larspark.analysis.analysis import Analysis, Component, Fragment
from larspark.analysis.check_safety import bound_variables, visible_variables
from larspark.analysis.keys import NO_COMMON_KEY, carried_variables, fixed_predicates, joined, obstacle
from larspark.analysis.occurrences import occurrences
from larspark.analysis.pipeline import analyse
from larspark.analysis.splitting import layers
from larspark.language.facts import Signature
from larspark.language.tree import Aggregate, Atom, Comparison, Formula, Not, Program, Rule, Variable

PART = "part:"
"""Starts the names of invented predicates; none can be written without quotes."""


def decompose(analysis: Analysis) -> Analysis:
    """The analysis of the program with such rules cut; the same when there are none."""
    if analysis.fragment is Fragment.FULL or not analysis.ok:
        return analysis
    fixed = fixed_predicates(analysis)
    names = {id(rule): f"{PART}{number}" for number, rule in enumerate(analysis.program.rules, 1)}
    choices: dict[int, list[Rule]] = {}
    for part in layers(analysis).choices:
        choices |= _cut_choice(fixed, part, names)
    rules: list[Rule] = []
    for rule in analysis.program.rules:
        rules += choices[id(rule)] if id(rule) in choices else _cut(fixed, rule, names[id(rule)])
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


def _cut_choice(fixed: frozenset[Signature], choice: Component, names: Mapping[int, str]) -> dict[int, list[Rule]]:
    """The rules that stand for each rule of a choice; each for itself where cutting does not give the choice a key."""
    if not _agree(fixed, choice.rules):
        cut = {id(rule): _cut_below(fixed, choice.predicates, rule, names[id(rule)]) for rule in choice.rules}
        if _agree(fixed, [rules[-1] for rules in cut.values()]):
            return cut
    return {id(rule): [rule] for rule in choice.rules}


def _cut_below(fixed: frozenset[Signature], decided: frozenset[Signature], rule: Rule, name: str) -> list[Rule]:
    """First what says nothing about what is decided, then its conclusions with the rest; or the rule itself."""
    certain = [one for one in rule.body if not any(found.atom.signature in decided for found in occurrences(one))]
    bound = bound_variables([literal for literal in certain if not isinstance(literal, Not | Aggregate)])
    cut = _at(rule, [literal for literal in certain if _visible([literal]) <= bound], name)
    parts = list(_cut(fixed, cut.part, f"{name}'"))
    worth = len(joined(fixed, cut.part)) > 1 and not any(obstacle(fixed, part) for part in parts)
    return [*parts, cut.rest] if worth else [rule]


def _agree(fixed: frozenset[Signature], rules: Sequence[Rule]) -> bool:
    return not any(obstacle(fixed, rule) for rule in rules) and KeySearch(fixed, rules).agreed(rules) is not None


@dataclass(frozen=True)
class _Cut:
    part: Rule
    rest: Rule


def _at(rule: Rule, group: list[Formula], name: str) -> _Cut:
    """The group of literals and the rest of the rule, joined by the variables they share."""
    rest = tuple(literal for literal in rule.body if not any(literal is one for one in group))
    needed = _visible(rest) | {variable.name for variable in visible_variables(Rule(rule.head))}
    atom = Atom(name, tuple(Variable(one) for one in sorted(bound_variables(group) & needed)))
    return _Cut(Rule(atom, tuple(group), origin=rule.origin), Rule(rule.head, (atom, *rest), origin=rule.origin))


def _cuts(fixed: frozenset[Signature], rule: Rule, name: str) -> Iterator[_Cut]:
    """For each variable the literals that have it as a key, with the fixed data around them."""
    meeting = [literal for literal in rule.body if _keys(fixed, literal) is not None]
    names = sorted({key for literal in meeting for key in _keys(fixed, literal) or ()})
    for key in sorted(names, key=lambda one: -sum(one in (_keys(fixed, literal) or ()) for literal in meeting)):
        group = _with_fixed(fixed, rule, [literal for literal in meeting if key in (_keys(fixed, literal) or ())])
        cut = _at(rule, group, name)
        if group and any(_keys(fixed, literal) is not None for literal in cut.rest.body[1:]):
            yield cut


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
