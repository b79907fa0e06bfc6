"""Keyed stages: which rules can run side by side on parts of the data, and by which key.

A rule can be split by a variable that stands as an argument in every atom of its body that is not background: all
atoms that join then meet in one partition. Rules that depend on each other form one stage and must agree on the
argument positions of their own predicates; rules of different stages exchange data and need not agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product

from larspark.analysis.analysis import Analysis
from larspark.analysis.check_safety import visible_variables
from larspark.analysis.fragments import is_plain_rule
from larspark.analysis.occurrences import Occurrence, body_occurrences, head_atoms
from larspark.language.facts import Signature
from larspark.language.tree import Atom, PartitionWindow, PluginWindow, Rule, TupleWindow, Variable

MOST_ASSIGNMENTS = 4096
"""A recursive stage with more ways to choose its key positions runs in one partition."""


@dataclass(frozen=True, slots=True)
class RuleKey:
    """The variable by whose value the atoms of a rule are distributed."""

    rule: Rule
    variable: str


@dataclass(frozen=True, slots=True)
class Stage:
    """Rules that run together; without keys they run in one partition, because of `because`."""

    predicates: frozenset[Signature]
    rules: tuple[Rule, ...]
    keys: tuple[RuleKey, ...] = ()
    because: str = ""
    rule: Rule | None = None
    """The rule that cannot be split."""

    @property
    def keyed(self) -> bool:
        return not self.because


def stages(analysis: Analysis) -> tuple[Stage, ...]:
    """One stage per component, in evaluation order; constraints, which look at everything, come last."""
    fixed = _fixed(analysis)
    found = [_stage(fixed, part.predicates, part.rules, part.recursive) for part in analysis.components]
    found += [_stage(fixed, frozenset(), (rule,), False) for rule in analysis.constraints]
    return tuple(found)


def _stage(
    fixed: frozenset[Signature], predicates: frozenset[Signature], rules: tuple[Rule, ...], recursive: bool
) -> Stage:
    for rule in rules:
        obstacle = _obstacle(fixed, rule)
        if obstacle:
            return Stage(predicates, rules, because=obstacle, rule=rule)
    joining = [rule for rule in rules if _joined(fixed, rule)]
    if not recursive or not joining:
        return Stage(predicates, rules, tuple(RuleKey(rule, min(_common(fixed, rule))) for rule in joining))
    for positions in islice(_assignments(predicates), MOST_ASSIGNMENTS):
        agreed = tuple(RuleKey(r, key) for r in joining if (key := _key_at(fixed, r, positions)))
        if len(agreed) == len(joining):
            return Stage(predicates, rules, agreed)
    return Stage(predicates, rules, because="the recursion keeps no argument in its place", rule=joining[0])


def _obstacle(fixed: frozenset[Signature], rule: Rule) -> str:
    """Why no variable splits this rule; empty when one does, or when there is nothing to split."""
    joined = _joined(fixed, rule)
    if not is_plain_rule(rule):
        return "it is not plain LARS"
    for found in joined:
        for window in found.context.windows:
            if isinstance(window, TupleWindow):
                return "a tuple window counts the whole stream"
            if isinstance(window, PluginWindow):
                return f"the window function {window.name} may look at the whole stream"
    if joined and not _common(fixed, rule):
        return "no variable is shared by all atoms of its body"
    return ""


def _joined(fixed: frozenset[Signature], rule: Rule) -> list[Occurrence]:
    """The atoms that have to meet: all of the body but fixed data, of which every partition has a copy."""
    return [found for found in body_occurrences(rule) if found.atom.signature not in fixed]


def _fixed(analysis: Analysis) -> frozenset[Signature]:
    """Background, and predicates that are defined by facts alone."""
    derived = {head for rule in analysis.program.rules if rule.body for head in analysis.dependencies.heads(rule)}
    return analysis.background | (analysis.intensional - derived - analysis.extensional)


def _common(fixed: frozenset[Signature], rule: Rule) -> set[str]:
    outside = {variable.name for variable in visible_variables(rule)}
    return set.intersection(*(_carried(found) for found in _joined(fixed, rule))) & outside


def _carried(found: Occurrence) -> set[str]:
    """The variables by which an atom can be distributed without tearing apart what its windows count."""
    positions = set(range(len(found.atom.args)))
    for window in found.context.windows:
        if isinstance(window, PartitionWindow):
            positions &= set(window.keys)
    return {term.name for n, term in enumerate(found.atom.args) if n in positions and isinstance(term, Variable)}


def _assignments(predicates: frozenset[Signature]) -> Iterator[Mapping[Signature, int]]:
    order = sorted(predicates)
    for positions in product(*(range(signature.arity) for signature in order)):
        yield dict(zip(order, positions, strict=True))


def _key_at(fixed: frozenset[Signature], rule: Rule, positions: Mapping[Signature, int]) -> str | None:
    """The variable at the agreed position of every own predicate in the rule, if it is one and the same."""
    atoms = (*head_atoms(rule), *(found.atom for found in body_occurrences(rule)))
    names = {_variable_at(atom, positions[atom.signature]) for atom in atoms if atom.signature in positions}
    shared = names & _common(fixed, rule)
    return shared.pop() if len(names) == 1 and shared else None


def _variable_at(atom: Atom, position: int) -> str | None:
    term = atom.args[position]
    return term.name if isinstance(term, Variable) else None
